// A sweep: every node takes the populations that arrive, collides, and puts the
// results where the scheme wants them (lbm's scheme.go). One kernel serves all
// schemes; they differ in the views from and to. No branch on what a node is:
// boundaries have written what arrives before the sweep.
#pragma once

#include "collide.h"

// Nodes per thread: two where a population has 16 bits, for accesses of 32.
template <class S> constexpr int nodesPerThread = sizeof(typename S::Stored) == 2 ? 2 : 1;

// Collides one node and rounds the results to the form that they are stored in.
template <class L, class S, class C, class T>
__device__ __forceinline__ void collideAndRound(T (&g)[maxQ], typename S::Stored (&h)[maxQ], const Rates<T> &k, const Noise &noise, uint32 place) {
	C::template collide<L, S>(g, k);
	if (S::noisy && !(g[0] == g[0])) {
		place = noNoise; // not a number must stay none
	}
UNROLL
	for (int i = 0; i < L::q; i++) {
		h[i] = S::rounded(g[i], noiseOf<S>(noise, place, (i + 1) / 2));
	}
}

// One node per thread.
template <class L, class S, class C>
__device__ __forceinline__ void sweepNode(const View &from, const View &to, int64 n, const Rates<typename S::Real> &k, const Noise &noise, uint32 place) {
	typedef typename S::Stored Stored;
	typename S::Real g[maxQ];
	Stored h[maxQ];
	load<L, S>(from, n, g);
	collideAndRound<L, S, C>(g, h, k, noise, place);
UNROLL
	for (int i = 0; i < L::q; i++) {
		*to.place<L, Stored>(n, i) = h[i];
	}
}

// Two nodes per thread, n even: a pair of populations is one 32-bit word where the
// view lies at the nodes themselves along x, or the direction does not go along x.
// The second node may be the ghost at the end of a row of odd length; it is worked on
// like any other, and nobody reads what comes of it.
template <class L> __device__ __forceinline__ void loadPairs(const View &v, int64 n, uint32 (&w)[maxQ], bool aligned) {
UNROLL
	for (int i = 0; i < L::q; i++) {
		const uint16 *p = v.place<L, uint16>(n, i);
		if (aligned || velocity<L>(i, 0) == 0) {
			w[i] = *(const uint32 *)p;
		} else {
			w[i] = (uint32)p[0] | (uint32)p[1] << 16;
		}
	}
}

template <class L> __device__ __forceinline__ void storePairs(const View &v, int64 n, const uint32 (&w)[maxQ], bool aligned) {
UNROLL
	for (int i = 0; i < L::q; i++) {
		uint16 *p = v.place<L, uint16>(n, i);
		if (aligned || velocity<L>(i, 0) == 0) {
			*(uint32 *)p = w[i];
		} else {
			p[0] = (uint16)w[i];
			p[1] = (uint16)(w[i] >> 16);
		}
	}
}

template <class L, class C>
__device__ __forceinline__ void sweepPair(const View &from, const View &to, int64 n, const Rates<float> &k, const Noise &noise, uint32 place) {
	uint32 w[maxQ];
	if (from.x == 0) {
		loadPairs<L>(from, n, w, true);
	} else {
		loadPairs<L>(from, n, w, false);
	}
UNROLL
	for (int second = 0; second < 2; second++) {
		const int shift = 16 * second;
		float g[maxQ];
UNROLL
		for (int i = 0; i < L::q; i++) {
			g[i] = Half::read((uint16)(w[i] >> shift));
		}
		C::template collide<L, Half>(g, k);
		const uint32 at = g[0] == g[0] ? place : noNoise; // not a number must stay none
UNROLL
		for (int i = 0; i < L::q; i++) {
			const uint32 d = noise.table[at + (i + 1) / 2 * noiseSpacing] >> shift & 0xffffu;
			w[i] = (w[i] & ~(0xffffu << shift)) | (uint32)Half::rounded(g[i], d) << shift;
		}
	}
	if (to.x == 0) {
		storePairs<L>(to, n, w, true);
	} else {
		storePairs<L>(to, n, w, false);
	}
}

// Sweeps the node or nodes of this thread: x along the first axis of the grid, then y
// and z from the given ones.
template <class L, class S, class C>
__device__ __forceinline__ void sweep(const View &from, const View &to, int64 strideY, int64 strideZ, int32 nx, int32 ny, int32 y0, int32 z0,
									  const Rates<typename S::Real> &k, const Noise &noise) {
	const int x = (int)(blockIdx.x * blockDim.x + threadIdx.x) * nodesPerThread<S>;
	const int y = y0 + (int)(blockIdx.y * blockDim.y + threadIdx.y), z = z0 + (int)blockIdx.z;
	if (x >= nx || y >= ny) {
		return;
	}
	const int64 n = x + strideY * y + strideZ * z;
	const uint32 place = noisePlace<S>(noise, y + ny * z, x);
	if constexpr (nodesPerThread<S> == 2) {
		sweepPair<L, C>(from, to, n, k, noise, place);
	} else {
		sweepNode<L, S, C>(from, to, n, k, noise, place);
	}
}

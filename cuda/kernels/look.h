// Looking at a fluid and changing it between steps: moments, the local correction,
// and copies of populations. What is exchanged with the host lies in arrays of the
// precision of arithmetic, one value after the other, quantity by quantity.
#pragma once

#include "recursive.h"

// Density and velocity of the node that has populations g, into out[k] and the places
// (a + 1)·count + k, with half of the uniform body force: lbm's someNodes.moments.
template <class L, class S>
__device__ __forceinline__ void storeMoments(const typename S::Real (&g)[maxQ], int64 k, int64 count, typename S::Real *out, const typename S::Real (&accel)[3]) {
	typedef typename S::Real T;
	T r, j[3];
	sums<L>(g, r, j);
	const T rho = 1 + r * S::unit;
	out[k] = rho;
UNROLL
	for (int a = 0; a < L::dim; a++) {
		out[(a + 1) * count + k] = j[a] * S::unit / rho - accel[a] / 2;
	}
}

// Those of listed nodes but those that are −1, by their places in the list.
template <class L, class S>
__device__ __forceinline__ void momentsAt(const Lattice &l, const int32 *nodes, int64 count, typename S::Real *out, const typename S::Real (&accel)[3]) {
	const int64 k = globalX();
	if (k >= count || nodes[k] < 0) {
		return;
	}
	typename S::Real g[maxQ];
	load<L, S>(l.at, siteOf(l, nodes[k]).padded, g);
	storeMoments<L, S>(g, k, count, out, accel);
}

// Gives the populations of a node what they would hold if the force density had acted
// in the step just made: lbm's someNodes.correct, where the equations stand.
template <class L, class S, class T>
__device__ __forceinline__ void correct(T (&g)[maxQ], const T (&force)[3], const Rates<T> &k) {
	T r, j[3], u[3];
	sums<L>(g, r, j);
	const T rho = 1 + r * S::unit, half = (T)0.5 / rho, sigma = S::scale;
	if (k.ghosts < 0) {
		correctFrame<L, S>(g, r, j, force, k);
	}
	T du2 = 0, dfu = 0; // with d = F/(2ρ): 3/2 ρ (u² − û²) and 3 (u·(F + ρa) − û·ρa)
UNROLL
	for (int a = 0; a < L::dim; a++) {
		u[a] = j[a] * S::unit / rho - k.accel[a] / 2;
		const T d = force[a] * half;
		du2 += (T)1.5 * rho * d * (u[a] + u[a] + d);
		dfu += 3 * (d * rho * k.accel[a] + (u[a] + d) * force[a]);
	}
	g[0] -= weight<L, T>(0) * (k.even * du2 + k.sourceEven * dfu) * sigma;
	const T both = 3 * ((T)0.5 * k.odd + k.sourceOdd); // ρ c·d is c·F/2
UNROLL
	for (int i = 1; i < L::q; i += 2) {
		const T w = weight<L, T>(i), ca = dot<L>(i, k.accel), cf = dot<L>(i, force), before = dot<L>(i, u);
		const T d = cf * half, after = before + d;
		const T even = w * (k.even * ((T)4.5 * rho * d * (after + before) - du2) + k.sourceEven * (9 * (d * rho * ca + after * cf) - dfu));
		const T odd = w * both * cf;
		g[i] += (even + odd) * sigma;
		g[i + 1] += (even - odd) * sigma;
	}
}

// Rounds populations of a node to the form that they are stored in and stores them.
template <class L, class S, class T>
__device__ __forceinline__ void storeRounded(const View &v, const LatticeSite &s, const T (&g)[maxQ], const Noise &noise) {
	T sum = g[0];
UNROLL
	for (int i = 1; i < L::q; i++) {
		sum += g[i];
	}
	uint32 place = noisePlace<S>(noise, s.row, s.x);
	if (S::noisy && !(sum == sum)) {
		place = noNoise; // not a number must stay none
	}
UNROLL
	for (int i = 0; i < L::q; i++) {
		storeOne<L, S>(v, s.padded, i, S::rounded(g[i], noiseOf<S>(noise, place, (i + 1) / 2)));
	}
}

// Lets a force density act on a node of the domain.
template <class L, class S>
__device__ __forceinline__ void correctNode(const Lattice &l, int node, const typename S::Real (&force)[3], const Rates<typename S::Real> &k, const Noise &noise) {
	const LatticeSite s = siteOf(l, node);
	typename S::Real g[maxQ];
	load<L, S>(l.at, s.padded, g);
	correct<L, S>(g, force, k);
	storeRounded<L, S>(l.at, s, g, noise);
}

// Lets force[a·count + k] act on the k-th listed node, unless that is −1.
template <class L, class S>
__device__ __forceinline__ void correctAt(const Lattice &l, const int32 *nodes, int64 count, const typename S::Real *force,
										  const Rates<typename S::Real> &k, const Noise &noise) {
	typedef typename S::Real T;
	const int64 m = globalX();
	if (m >= count || nodes[m] < 0) {
		return;
	}
	T f[3] = {0, 0, 0};
UNROLL
	for (int a = 0; a < L::dim; a++) {
		f[a] = force[a * count + m];
	}
	correctNode<L, S>(l, nodes[m], f, k, noise);
}

// Populations of listed nodes: of direction i at nodes[i·count + k], out[i·stride + k].
template <class L, class S>
__device__ __forceinline__ void fetchAt(const Lattice &l, const int32 *nodes, int64 count, typename S::Real *out, int64 stride) {
	const int64 k = globalX();
	if (k >= count) {
		return;
	}
UNROLL
	for (int i = 0; i < L::q; i++) {
		const int64 n = siteOf(l, nodes[i * count + k]).padded;
		out[i * stride + k] = loadOne<L, S>(l.at, n, i) * S::unit;
	}
}

// The opposite: populations of listed nodes from in[i·stride + k], rounded as a sweep
// rounds them.
template <class L, class S>
__device__ __forceinline__ void putAt(const Lattice &l, const int32 *nodes, int64 count, const typename S::Real *in, int64 stride, const Noise &noise) {
	const int64 k = globalX();
	if (k >= count) {
		return;
	}
	typename S::Real g[maxQ];
UNROLL
	for (int i = 0; i < L::q; i++) {
		g[i] = in[i * stride + k] * S::scale;
	}
	storeRounded<L, S>(l.at, siteOf(l, nodes[k]), g, noise);
}

// A box of nodes, numbered x fastest.
struct Box {
	int32 x, y, z, nx, ny; // first node, and nodes along x and y
};

__device__ __forceinline__ LatticeSite siteIn(const Lattice &l, const Box &b, int64 k) {
	const int64 row = k / b.nx;
	const int x = b.x + (int)(k - row * b.nx), z = b.z + (int)(row / b.ny), y = b.y + (int)(row % b.ny);
	return {x, y + l.ny * z, paddedIndex(l, x, y, z)};
}

// ρ − 1 and velocity of a node, direction after direction: lbm's rowMoments.
template <class L, class S>
__device__ __forceinline__ void rowMoments(const Lattice &l, int64 n, const typename S::Real (&accel)[3], typename S::Real &r, typename S::Real (&u)[3]) {
	typedef typename S::Real T;
	T g[maxQ];
	load<L, S>(l.at, n, g);
	r = g[0], u[0] = u[1] = u[2] = 0;
UNROLL
	for (int i = 1; i < L::q; i++) {
		r += g[i];
UNROLL
		for (int a = 0; a < L::dim; a++) {
			u[a] = along(u[a], velocity<L>(i, a), g[i]);
		}
	}
	r *= S::unit;
UNROLL
	for (int a = 0; a < L::dim; a++) {
		u[a] = u[a] * S::unit / (1 + r) - accel[a] / 2;
	}
}

// Density and velocity of the nodes first ≤ k < first + count of a box, quantity by
// quantity.
template <class L, class S>
__device__ __forceinline__ void boxMoments(const Lattice &l, const Box &b, int64 first, int64 count, typename S::Real *out, const typename S::Real (&accel)[3]) {
	typedef typename S::Real T;
	const int64 k = globalX();
	if (k >= count) {
		return;
	}
	T r, u[3];
	rowMoments<L, S>(l, siteIn(l, b, first + k).padded, accel, r, u);
	out[k] = 1 + r;
UNROLL
	for (int a = 0; a < L::dim; a++) {
		out[(a + 1) * count + k] = u[a];
	}
}

// Copies directions dir … dir + dirs of the nodes first ≤ k < first + count of the
// domain out of the lattice, out[d·count + k], …
template <class L, class S>
__device__ __forceinline__ void copyOut(const Lattice &l, int64 first, int64 count, int dir, int dirs, typename S::Real *out) {
	const int64 k = globalX();
	if (k >= count) {
		return;
	}
	const int64 n = siteOf(l, first + k).padded;
	for (int d = 0; d < dirs; d++) {
		out[d * count + k] = loadOne<L, S>(l.at, n, dir + d) * S::unit;
	}
}

// … and into it, to the nearest.
template <class L, class S>
__device__ __forceinline__ void copyIn(const Lattice &l, int64 first, int64 count, int dir, int dirs, const typename S::Real *in) {
	const int64 k = globalX();
	if (k >= count) {
		return;
	}
	const int64 n = siteOf(l, first + k).padded;
	for (int d = 0; d < dirs; d++) {
		storeOne<L, S>(l.at, n, dir + d, S::nearest(in[d * count + k] * S::scale));
	}
}

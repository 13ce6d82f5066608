// A sweep: every node takes the populations that arrive, collides, and puts the
// results where the scheme wants them (lbm's scheme.go). One kernel serves all
// schemes; they differ in the places from and to. No branch on what a node is:
// boundaries have written what arrives before the sweep.
#pragma once

#include "collide.h"
#include "places.h"

// Nodes per thread: four where a population has 16 bits, for accesses of 64.
template <class S> constexpr int nodesPerThread = sizeof(typename S::Stored) == 2 ? 4 : 1;

// How far a thread reaches beyond what lies beside it where rows are closed to rings: what
// comes along +x to the first node of a row comes from up nodes farther on, what comes along
// −x to the last from down nodes. 0 elsewhere, and in rows that are not closed: there, as at
// all other faces, boundaries have written what arrives.
struct Ring {
	int32 up, down;

	template <class L> __device__ __forceinline__ int32 of(int i) const {
		const int c = velocity<L>(i, 0);
		return c > 0 ? up : c < 0 ? down : 0;
	}
};

// What a sweep does on some nodes beside what it does on all: forces that act (node_forces.h), relaxation times of their own
// (relaxing.h), moments that it leaves (support.h). One that does nothing else pays nothing for those that do.
struct NothingElse {
	static constexpr bool any = false, acts = false, relaxes = false;
};

// Collides a node; near: forces may act on it, if it is in the row.
template <class L, class S, class C, class Left>
__device__ __forceinline__ void collideNode(typename S::Real (&g)[maxQ], const Rates<typename S::Real> &k, const Left &left, bool near, bool inRow, uint32 node) {
	if constexpr (Left::relaxes) {
		const Rates<typename S::Real> own = left.rates(node, k);
		if (own.tau == k.tau) {
			C::template collide<L, S>(g, k);
		} else {
			C::Relaxing::template collide<L, S>(g, own);
		}
		if (near && inRow) {
			left.template act<L, S, C>(node, g, own);
		}
		return;
	}
	C::template collide<L, S>(g, k);
	if constexpr (Left::acts) {
		if (near && inRow) {
			left.template act<L, S, C>(node, g, k);
		}
	}
}

// One node per thread, which the domain numbers so.
template <class L, class S, class C, class Left>
__device__ __forceinline__ void sweepNode(const Places &from, const Places &to, int32 n, const Ring &ring, const Rates<typename S::Real> &k, const Left &left, uint32 node) {
	typedef typename S::Stored Stored;
	typename S::Real g[maxQ];
	bool near = false;
	if constexpr (Left::any) {
		near = left.near(node); // on its way with the populations
	}
UNROLL
	for (int i = 0; i < L::q; i++) {
		g[i] = S::read(*from.at<Stored>(n + ring.of<L>(i), i));
	}
	collideNode<L, S, C>(g, k, left, near, true, node);
UNROLL
	for (int i = 0; i < L::q; i++) {
		*to.at<Stored>(n, i) = S::nearest(g[i]); // the same: they are stored as they are
	}
	if constexpr (Left::any) {
		if (near) {
			left.template leave<L, S>(node, g, k.accel);
		}
	}
}

// Four populations of 16 bits, of nodes that follow each other.
typedef Pack<uint32, 2> Quad;

// Of quads that were loaded where their nodes are, the first population of a row along +x,
// and the last along −x, lie at the other end.
template <class L> __device__ __forceinline__ void closeQuads(const Places &from, int32 n, const Ring &ring, Quad (&w)[maxQ]) {
UNROLL
	for (int i = 0; i < L::q; i++) {
		const uint16 *p = from.at<uint16>(n, i);
		if (velocity<L>(i, 0) > 0 && ring.up != 0) {
			w[i][0] = (w[i][0] & 0xffff0000u) | p[ring.up];
		} else if (velocity<L>(i, 0) < 0 && ring.down != 0) {
			w[i][1] = (w[i][1] & 0xffffu) | (uint32)p[ring.down + 3] << 16;
		}
	}
}

// Loads the populations of nodes n … n + 3, n a multiple of 4. Places leave out shifts
// along x, so that words are whole: if populations are pulled along x, three of a quad
// are in its word and one is beside it. Rows that are closed are of whole quads.
template <class L> __device__ __forceinline__ void loadQuads(const Places &from, bool pulled, int32 n, const Ring &ring, Quad (&w)[maxQ]) {
UNROLL
	for (int i = 0; i < L::q; i++) {
		w[i] = loadPack<2>((const uint32 *)from.at<uint16>(n, i));
	}
	if (!pulled) {
		if (ring.up != 0 || ring.down != 0) {
			closeQuads<L>(from, n, ring, w);
		}
		return;
	}
UNROLL
	for (int i = 0; i < L::q; i++) {
		const uint16 *p = from.at<uint16>(n, i);
		const uint32 middle = w[i][0] >> 16 | w[i][1] << 16;
		if (velocity<L>(i, 0) > 0) {
			w[i] = {{(uint32)p[ring.up - 1] | w[i][0] << 16, middle}};
		} else if (velocity<L>(i, 0) < 0) {
			w[i] = {{middle, w[i][1] >> 16 | (uint32)p[ring.down + 4] << 16}};
		}
	}
}

// Stores them. Of a quad pushed along x the two in the middle are a word; the others go
// alone, which costs the second cache as much as a word each.
template <class L> __device__ __forceinline__ void storeQuads(const Places &to, bool pushed, int32 n, const Quad (&w)[maxQ]) {
	uint16 *at[maxQ];
UNROLL
	for (int i = 0; i < L::q; i++) {
		at[i] = to.at<uint16>(n, i);
		if (velocity<L>(i, 0) == 0) {
			storePack((uint32 *)at[i], w[i]);
		}
	}
	if (!pushed) {
UNROLL
		for (int i = 0; i < L::q; i++) {
			if (velocity<L>(i, 0) != 0) {
				storePack((uint32 *)at[i], w[i]);
			}
		}
		return;
	}
UNROLL
	for (int i = 0; i < L::q; i++) {
		if (const int c = velocity<L>(i, 0); c != 0) {
			at[i][c] = (uint16)w[i][0];
			storePack((uint32 *)(at[i] + c + 1), Pack<uint32, 1>{{w[i][0] >> 16 | w[i][1] << 16}});
			at[i][c + 3] = (uint16)(w[i][1] >> 16);
		}
	}
}

// Collides two nodes whose populations are the halves of words, and rounds the results.
// place is that of the first node in the table of noise. What is not a number is given
// no noise: it must stay none. Where near is set forces may act on those of nodes of a quad that
// begins at node.
template <class L, class C, class Left>
__device__ __forceinline__ void collidePair(Quad (&w)[maxQ], int pair, const Rates<float> &k, const Noise &noise, uint32 place, const Left &left, bool near,
											uint32 node, int nodes) {
	uint32 first[maxQ]; // the first node's results, with noise, before they are cut
UNROLL
	for (int second = 0; second < 2; second++) {
		float g[maxQ];
UNROLL
		for (int i = 0; i < L::q; i++) {
			g[i] = Half::read((uint16)(w[i][pair] >> 16 * second));
		}
		collideNode<L, Half, C>(g, k, left, near, 2 * pair + second < nodes, node + 2 * pair + second);
		const uint32 half = g[0] == g[0] ? second ? upperHalf : lowerHalf : noHalf;
UNROLL
		for (int i = 0; i < L::q; i++) {
			const uint32 sum = bitCast<uint32>(g[i]) + __byte_perm(noise.table[place + (i + 1) / 2 * noiseSpacing], 0, half);
			if (second) {
				w[i][pair] = Half::truncated(first[i], sum);
			} else {
				first[i] = sum;
			}
		}
	}
}

// Leaves what is to be left of the first nodes of a quad, of their populations as stored.
template <class L, class Left>
__device__ __forceinline__ void leaveQuad(const Left &left, const Quad (&w)[maxQ], uint32 node, int nodes, const float (&accel)[3]) {
UNROLL
	for (int m = 0; m < 4; m++) {
		if (m < nodes) {
			float g[maxQ];
UNROLL
			for (int i = 0; i < L::q; i++) {
				g[i] = Half::read((uint16)(w[i][m / 2] >> 16 * (m % 2)));
			}
			left.template leave<L, Half>(node + m, g, accel);
		}
	}
}

// Four nodes per thread, n a multiple of 4. Those beyond the end of a row are ghosts, or
// only fill it up; they are worked on like any others, and nobody reads what comes of it.
// The first is the domain's node; nodes of them are in the row.
template <class L, class C, class Left>
__device__ __forceinline__ void sweepQuad(const Places &from, const Places &to, bool pulled, bool pushed, int32 n, const Ring &ring, const Rates<float> &k,
										  const Noise &noise, uint32 place, const Left &left, uint32 node, int nodes) {
	Quad w[maxQ];
	bool near = false;
	if constexpr (Left::any) {
		near = left.near(node) || left.near(node + 3);
	}
	loadQuads<L>(from, pulled, n, ring, w);
	collidePair<L, C>(w, 0, k, noise, place, left, near, node, nodes);
	collidePair<L, C>(w, 1, k, noise, place + 2, left, near, node, nodes);
	storeQuads<L>(to, pushed, n, w);
	if constexpr (Left::any) {
		if (near) {
			leaveQuad<L>(left, w, node, nodes, k.accel);
		}
	}
}

// The part of the domain that a launch sweeps: ny rows of as many planes as the grid has.
struct Part {
	uint32 strideY, strideZ; // nodes to the next row and plane
	int32 nx, ny;
	int32 row, rows; // which row of the domain, numbered y first, is the first; rows of a plane there
	int32 ring;      // nx where rows are closed, else 0
};

// Sweeps the node or nodes of this thread. From is where their populations are pulled, to
// where they are pushed: from or to neighbours, or where the nodes are.
template <class L, class S, class C, class Left>
__device__ __forceinline__ void sweep(const Places &from, const Places &to, bool pulled, bool pushed, const Part &part,
									  const Rates<typename S::Real> &k, const Noise &noise, const Left &left) {
	const int x = (int)(blockIdx.x * blockDim.x + threadIdx.x) * nodesPerThread<S>;
	const int y = (int)(blockIdx.y * blockDim.y + threadIdx.y), z = (int)blockIdx.z;
	if (x >= part.nx || y >= part.ny) {
		return;
	}
	const int32 n = x + (int32)(part.strideY * y + part.strideZ * z);
	const Ring ring = {x == 0 ? part.ring : 0, x + nodesPerThread<S> == part.nx ? -part.ring : 0};
	const int row = part.row + y + part.rows * z;
	const uint32 node = x + (uint32)part.nx * (uint32)row;
	if constexpr (nodesPerThread<S> == 4) {
		sweepQuad<L, C>(from, to, pulled, pushed, n, ring, k, noise, noisePlace<S>(noise, row, x), left, node, part.nx - x);
	} else {
		sweepNode<L, S, C>(from, to, n, ring, k, left, node);
	}
}

// The most threads in a block of a sweep, which are those that are launched. Fewer
// registers per thread than this leaves would spill populations.
#define SWEEP_THREADS 256

// Parameters of a sweep's kernel of one fluid (fluid.h, coupled.h), and their use: left is
// what it leaves.
#define SWEEP_PARAMETERS                                                                                                  \
	PLACES_PARAMETERS(from), PLACES_PARAMETERS(to), int32 pulled, int32 pushed, uint32 strideY, uint32 strideZ, int32 nx,     \
		int32 ny, int32 row, int32 rows, int32 ring, RATES_PARAMETERS(Real), const uint32 *noise, uint64 noiseStep
#define SWEEP(Collision, left)                                                                                            \
	sweep<Velocities, Form, Collision>(PLACES(from), PLACES(to), pulled, pushed, {strideY, strideZ, nx, ny, row, rows, ring}, \
									   RATES(Real), {noise, noiseStep}, left)

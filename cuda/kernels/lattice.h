// Where the populations of a fluid lie on the device: what the fluid's kernels share
// with all that looks at populations or corrects them. See storage.h for their form.
//
// A kernel that needs them takes LATTICE_PARAMETERS and makes LATTICE of them; in Go,
// Fluid.latticeArgs sets these. Likewise RATES_PARAMETERS(T) and RATES(T).
#pragma once

#include "device.h"
#include "storage.h"
#include "velocities.h"

// View says where the population of direction i of padded node n lies: offset(i) bytes
// from the n-th element of f. Schemes differ in whether a sweep finds it in the slot of
// its direction or of the opposite one (flip), and at the node or a neighbour (x, y, z).
struct View {
	void *f;       // node 0 of slot 0
	int64 slot;    // bytes from a slot to the next
	int64 flip;    // slot, if populations lie in the opposite slot, else 0
	int64 x, y, z; // bytes per component of c_i: 0 if they lie at the node

	template <class L> __device__ __forceinline__ int64 offset(int i) const {
		int64 o = i * slot;
		if (i > 0) {
			o += i % 2 == 1 ? flip : -flip;
		}
		o = along(o, velocity<L>(i, 0), x);
		o = along(o, velocity<L>(i, 1), y);
		return L::dim == 3 ? along(o, velocity<L>(i, 2), z) : o;
	}

	// The place of population i, of a type, of node n.
	template <class L, class Stored> __device__ __forceinline__ Stored *place(int64 n, int i) const {
		return (Stored *)((char *)((Stored *)f + n) + offset<L>(i));
	}
};

// Lattice is the view of populations after collision, between two steps, with the
// domain's shape.
struct Lattice {
	View at;
	int64 strideY, strideZ; // padded nodes
	int32 nx, ny, nz;
};

#define LATTICE_PARAMETERS                                                                                            \
	void *latticeF, int64 latticeSlot, int64 latticeFlip, int64 latticeX, int64 latticeY, int64 latticeZ,             \
		int64 latticeStrideY, int64 latticeStrideZ, int32 latticeNx, int32 latticeNy, int32 latticeNz
#define LATTICE                                                                                                       \
	Lattice {                                                                                                         \
		{latticeF, latticeSlot, latticeFlip, latticeX, latticeY, latticeZ}, latticeStrideY, latticeStrideZ, latticeNx, \
			latticeNy, latticeNz                                                                                      \
	}

// A node of the domain. Rows are numbered y first.
struct LatticeSite {
	int x, row;
	int64 padded; // the node's number with ghosts counted, as places have it
};

__device__ __forceinline__ int64 paddedIndex(const Lattice &l, int x, int y, int z) { return x + l.strideY * y + l.strideZ * z; }

// The node of an index in the domain, x fastest.
__device__ __forceinline__ LatticeSite siteOf(const Lattice &l, int64 node) {
	const int row = (int)(node / l.nx), x = (int)(node - (int64)row * l.nx), z = row / l.ny;
	return {x, row, paddedIndex(l, x, row - z * l.ny, z)};
}

// Rates are the constants of a collision, as lbm.Rates has them.
template <class T> struct Rates {
	T even, odd;             // relaxation rates of stress and odd parts
	T sourceEven, sourceOdd; // 1 − ω/2 of each
	T accel[3];              // uniform body force per mass
	T tau, eddy;             // with an eddy viscosity: τ without it, and 18√2 C²
	T oddInEddies[4];        // a, b, m, n of what odd parts keep beside it
	T ghosts;                // 1: even moments beyond the stress relax like it, 0: at rate 1, −1: those of recursive collision
};

#define RATES_PARAMETERS(T)                                                                                            \
	T rateEven, T rateOdd, T rateSourceEven, T rateSourceOdd, T rateAccelX, T rateAccelY, T rateAccelZ, T rateTau,     \
		T rateEddy, T rateEddyA, T rateEddyB, T rateEddyM, T rateEddyN, T rateGhosts
#define RATES(T)                                                                                                       \
	Rates<T> {                                                                                                         \
		rateEven, rateOdd, rateSourceEven, rateSourceOdd, {rateAccelX, rateAccelY, rateAccelZ}, rateTau, rateEddy,     \
			{rateEddyA, rateEddyB, rateEddyM, rateEddyN}, rateGhosts                                                   \
	}

// S::scale·(f_i − w_i) of a node's populations.
template <class L, class S> __device__ __forceinline__ void load(const View &v, int64 n, typename S::Real (&g)[maxQ]) {
UNROLL
	for (int i = 0; i < L::q; i++) {
		g[i] = S::read(*v.place<L, typename S::Stored>(n, i));
	}
}

// ρ − 1 and momentum of populations g, by ± pairs, times what g are times.
template <class L, class T> __device__ __forceinline__ void sums(const T (&g)[maxQ], T &r, T (&j)[3]) {
	r = g[0];
	j[0] = j[1] = j[2] = nothing<T>;
UNROLL
	for (int i = 1; i < L::q; i += 2) {
		r += g[i] + g[i + 1];
		const T d = g[i] - g[i + 1];
UNROLL
		for (int a = 0; a < L::dim; a++) {
			j[a] = along(j[a], velocity<L>(i, a), d);
		}
	}
}

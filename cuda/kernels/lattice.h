// Where the populations of a fluid lie on the device: what the fluid's kernels share
// with all that looks at populations or corrects them. See storage.h for their form. A file
// of kernels is for fluids that have every node of a box, or, where it defines LBMIB_RUNS, for
// those that are stored by runs.
//
// A kernel that needs them takes LATTICE_PARAMETERS and makes LATTICE of them; in Go,
// Fluid.latticeArgs sets these. Likewise RATES_PARAMETERS(T) and RATES(T).
#pragma once

#include "device.h"
#include "storage.h"
#include "velocities.h"

#ifdef LBMIB_RUNS
#include "runs_lattice.h"
#else
#include "box_lattice.h"
#endif

// Rates are the constants of a collision, as lbm.Rates has them.
template <class T> struct Rates {
	T even, odd;             // relaxation rates of stress and odd parts
	T sourceEven, sourceOdd; // 1 − ω/2 of each
	T accel[3];              // uniform body force per mass
	T tau, eddy;             // with an eddy viscosity: τ without it, and 18√2 C²
	T oddInEddies[4];        // a, b, m, n of what odd parts keep beside it
	const T *table;          // of a fluid with a law of viscosity: τ of a node by Π:Π/ρ², as piecewise.Table has it, or nullptr
	T ghosts;                // 1: even moments beyond the stress relax like it, 0: at rate 1, −1: those of recursive collision
};

#define RATES_PARAMETERS(T)                                                                                            \
	T rateEven, T rateOdd, T rateSourceEven, T rateSourceOdd, T rateAccelX, T rateAccelY, T rateAccelZ, T rateTau,     \
		T rateEddy, T rateEddyA, T rateEddyB, T rateEddyM, T rateEddyN, T rateGhosts, const T *rateTable
#define RATES(T)                                                                                                       \
	Rates<T> {                                                                                                         \
		rateEven, rateOdd, rateSourceEven, rateSourceOdd, {rateAccelX, rateAccelY, rateAccelZ}, rateTau, rateEddy,     \
			{rateEddyA, rateEddyB, rateEddyM, rateEddyN}, rateTable, rateGhosts                                        \
	}

// S::scale·(f_i − w_i) of node n; 0 of one that has no place.
template <class L, class S> __device__ __forceinline__ typename S::Real loadOne(const View &v, int64 n, int i) {
	if constexpr (!View::everywhere) {
		if (n < 0) {
			return 0;
		}
	}
	return S::read(*v.place<L, typename S::Stored>(n, i));
}

// Stores one, unless the node has no place.
template <class L, class S> __device__ __forceinline__ void storeOne(const View &v, int64 n, int i, typename S::Stored value) {
	if constexpr (!View::everywhere) {
		if (n < 0) {
			return;
		}
	}
	*v.place<L, typename S::Stored>(n, i) = value;
}

// Those of all directions.
template <class L, class S> __device__ __forceinline__ void load(const View &v, int64 n, typename S::Real (&g)[maxQ]) {
UNROLL
	for (int i = 0; i < L::q; i++) {
		g[i] = loadOne<L, S>(v, n, i);
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

// The kernels of one fluid by which forces that are known before a step go into its collision, as
// lbm's StepNodes has it, in files of their own: a flow without such forces does not compile them.
// A .cu file defines FLUID, and makes types, as for fluid.h.
#pragma once

#include "look.h"
#include "sweep.h"

// A force density on some of the domain's nodes, and what the sweep leaves there. marked has a bit
// for each node, set where a force acts. Fields have a value for every node, one component stride
// after the other: ρ, u per axis, F per axis; those of other nodes are neither read nor written.
template <class T> struct NodeForces {
	static constexpr bool any = true, acts = true;
	const uint32 *marked;
	T *field;
	int64 stride;

	__device__ __forceinline__ bool near(uint32 node) const { return marked[node / 32] != 0; }
	__device__ __forceinline__ bool has(uint32 node) const { return marked[node / 32] >> node % 32 & 1; }

	template <class L> __device__ __forceinline__ T &force(uint32 node, int a) const { return field[(1 + L::dim + a) * stride + node]; }

	// Gives the populations that collision C has left what they hold with the force in it: the
	// local correction, which equals that collision (look.h), before they are stored.
	template <class L, class S, class C> __device__ __forceinline__ void act(uint32 node, T (&g)[maxQ], const Rates<T> &k) const {
		if (!has(node)) {
			return;
		}
		T f[3] = {0, 0, 0};
UNROLL
		for (int a = 0; a < L::dim; a++) {
			f[a] = force<L>(node, a);
		}
		Rates<T> known = k;
		known.ghosts = C::inFrame ? -1 : 0; // so that the compiler knows it, too
		correct<L, S>(g, f, known);
	}

	// Density, and the velocity in the step, u = (Σ c f* − F/2)/ρ − a/2 with f* as stored.
	template <class L, class S> __device__ __forceinline__ void leave(uint32 node, const T (&g)[maxQ], const T (&accel)[3]) const {
		if (!has(node)) {
			return;
		}
		storeMoments<L, S>(g, node, stride, field, accel);
		const T rho = field[node];
UNROLL
		for (int a = 0; a < L::dim; a++) {
			field[(1 + a) * stride + node] -= force<L>(node, a) / (2 * rho);
		}
	}
};

#define FORCES_PARAMETERS const uint32 *marked, Real *field, int64 stride
#define FORCES NodeForces<Real>{marked, field, stride}

BOUNDED_KERNEL(FLUID(sweep_forced_bgk), SWEEP_THREADS, (SWEEP_PARAMETERS, FORCES_PARAMETERS)) { SWEEP(Bgk, (FORCES)); }
BOUNDED_KERNEL(FLUID(sweep_forced_trt), SWEEP_THREADS, (SWEEP_PARAMETERS, FORCES_PARAMETERS)) { SWEEP(Trt<true>, (FORCES)); }
BOUNDED_KERNEL(FLUID(sweep_forced_trt_unforced), SWEEP_THREADS, (SWEEP_PARAMETERS, FORCES_PARAMETERS)) { SWEEP(Trt<false>, (FORCES)); }
BOUNDED_KERNEL(FLUID(sweep_forced_stress), SWEEP_THREADS, (SWEEP_PARAMETERS, FORCES_PARAMETERS)) { SWEEP(Stress, (FORCES)); }
BOUNDED_KERNEL(FLUID(sweep_forced_recursive), SWEEP_THREADS, (SWEEP_PARAMETERS, FORCES_PARAMETERS)) { SWEEP(Recursive, (FORCES)); }

// Before such a sweep: force[a·count + k] is to act on the k-th listed node, none of which is marked.
KERNEL(FLUID(force_nodes), (const int32 *nodes, int64 count, const Real *force, uint32 *marked, Real *field, int64 stride)) {
	const int64 k = globalX();
	if (k >= count) {
		return;
	}
	const uint32 node = (uint32)nodes[k];
	atomicOr(&marked[node / 32], 1u << node % 32);
	for (int a = 0; a < Velocities::dim; a++) {
		field[(1 + Velocities::dim + a) * stride + node] = force[a * count + k];
	}
}

// ρ and F of the listed nodes, out[k] and out[(1 + a)·count + k], as the last sweep had them; 1 and 0 of nodes without a mark.
KERNEL(FLUID(forces_on), (const int32 *nodes, int64 count, const uint32 *marked, const Real *field, int64 stride, Real *out)) {
	const int64 k = globalX();
	if (k >= count) {
		return;
	}
	const uint32 node = (uint32)nodes[k];
	const bool acts = marked[node / 32] >> node % 32 & 1;
	out[k] = acts ? field[node] : (Real)1;
	for (int a = 0; a < Velocities::dim; a++) {
		out[(1 + a) * count + k] = acts ? field[(1 + Velocities::dim + a) * stride + node] : (Real)0;
	}
}

// After it: ρ and u of the listed nodes, out[k] and out[(1 + a)·count + k]; marks are taken away.
KERNEL(FLUID(forced_moments), (const int32 *nodes, int64 count, uint32 *marked, const Real *field, int64 stride, Real *out)) {
	const int64 k = globalX();
	if (k >= count) {
		return;
	}
	const uint32 node = (uint32)nodes[k];
	marked[node / 32] = 0;
	for (int c = 0; c < 1 + Velocities::dim; c++) {
		out[c * count + k] = field[c * stride + node];
	}
}

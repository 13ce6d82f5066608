// Forces that are known before a step and go into its collision, on some nodes: what a sweep does there (sweep.h).
#pragma once

#include "look.h"
#include "sweep.h"

// A force density on some of the domain's nodes, and what the sweep leaves there. marked has a bit
// for each node, set where a force acts. Fields have a value for every node, one component stride
// after the other: ρ, u per axis, F per axis; those of other nodes are neither read nor written.
template <class T> struct NodeForces {
	static constexpr bool any = true, acts = true, relaxes = false;
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

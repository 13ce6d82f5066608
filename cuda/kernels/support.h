// What sweeps leave for bodies: density and velocity of the nodes in the supports of their
// markers, which a thread has in registers when it has collided a node.
#pragma once

#include "look.h"
#include "nodelist.h"

// Density and velocity of listed nodes: what momentsAt finds there after the sweep, by the
// same operations.
template <class T> struct SupportMoments {
	static constexpr bool any = true, acts = false, relaxes = false;
	NodeList list;
	T *out;

	__device__ __forceinline__ bool near(uint32 node) const { return list.near(node); }

	template <class L, class S> __device__ __forceinline__ void leave(uint32 node, const T (&g)[maxQ], const T (&accel)[3]) const {
		const int32 k = list.place(node);
		if (k >= 0) {
			storeMoments<L, S>(g, k, list.count, out, accel);
		}
	}
};

// Lists of nodes of a domain that are found by node.
#pragma once

#include "device.h"

// A list of nodes, each in it once, that is found by node: the domain's nodes are taken 32
// at a time, and heads has for each 32 of them 1 + the place of the first of a run of nodes
// that are among them, 0 where there is none. A run ends with the list, or with a node that
// is not among the 32; next has, at the place of a run's first node, the head of the next
// run. Runs are mostly one, of a few nodes, and one for all lanes of a warp.
struct NodeList {
	const int32 *heads, *nodes, *next;
	int32 count;

	// Whether any node is listed of the 32 that have this one.
	__device__ __forceinline__ bool near(uint32 node) const { return heads[node / 32] != 0; }

	// The place of a node in the list, −1: none.
	__device__ __forceinline__ int32 place(uint32 node) const {
		for (int32 run = heads[node / 32]; run > 0; run = next[run - 1]) {
			for (int32 k = run - 1; k < count && (uint32)nodes[k] / 32 == node / 32; k++) {
				if ((uint32)nodes[k] == node) {
					return k;
				}
			}
		}
		return -1;
	}
};

// Puts the k-th node into the heads of its list, which are zero where no node is listed.
__device__ __forceinline__ void headNode(const int32 *nodes, int32 *heads, int32 *next, int64 k) {
	const uint32 word = (uint32)nodes[k] / 32;
	if (k == 0 || (uint32)nodes[k - 1] / 32 != word) {
		next[k] = (int32)atomicExch((uint32 *)&heads[word], (uint32)(k + 1));
	}
}

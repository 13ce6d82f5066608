// Where the populations of a fluid lie that has every node of its box (Lattice of lattice.h).
#pragma once

#include "device.h"
#include "velocities.h"

// View says where the population of direction i of padded node n lies: offset(i) bytes
// from the n-th element of f. Schemes differ in whether a sweep finds it in the slot of
// its direction or of the opposite one (flip), and at the node or a neighbour (x, y, z).
struct View {
	static constexpr bool everywhere = true; // all nodes have a place
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

// A walk from node n, which is p, along axes.
typedef int64 Walk;
__device__ __forceinline__ Walk walkFrom(const Lattice &, int64 n, const int (&)[3]) { return n; }
__device__ __forceinline__ Walk walk(const Lattice &l, Walk w, int a, int c) { return along(w, c, a == 0 ? (int64)1 : a == 1 ? l.strideY : l.strideZ); }
__device__ __forceinline__ int64 walkEnd(const Lattice &, Walk w) { return w; }

// The nodes that are looked at one after the other: those of the domain, and where they lie.
__device__ __forceinline__ int64 placeOf(const Lattice &l, int64 node) { return siteOf(l, node).padded; }
__device__ __forceinline__ int64 nodeOf(const Lattice &, int64 node) { return node; }

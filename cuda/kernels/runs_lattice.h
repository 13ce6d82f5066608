// Where the populations of a fluid lie of which only the nodes of the fluid are stored, one
// after the other as the domain numbers them (Lattice of lattice.h). Nothing is stored of walls
// and nothing around the fluid: what would come from a wall at rest is the node's own population
// that left towards it, so that a node knows its walls, and that is all that walls cost.
//
// Nodes that follow each other along x and find each neighbour that they have by the same shift
// are a piece: in a tube the row from wall to wall. A node's word tells its walls and its piece,
// a piece its shifts (semi-direct addressing).
#pragma once

#include "device.h"
#include "velocities.h"

// A node's word: a bit for each velocity but rest that would come out of a wall, the lowest
// for velocity 1; then which piece of those of its group it is in, counted from that of the
// group's first node; then, where a surface cuts some of its links (vessel.h), how many nodes
// of the group before it have such, and a bit that tells so.
constexpr int groupLog = 6, group = 1 << groupLog; // nodes of a group; Go's nodeGroup
constexpr int pieceBit = 18, cutBit = 24;
constexpr uint32 cutFlag = 1u << 30;

// The numbers of a piece: its row; the shift to where each velocity comes from, in the place
// of the velocity; and how far the x of its nodes is from their numbers. Packs of four.
template <class L> constexpr int pieceStride = L::q == 19 ? 20 : 12;

// Which nodes there are.
struct Runs {
	const uint32 *words;
	const int32 *groups; // the piece of each group's first node, and the first of the nodes with cut links from there on
	const int32 *pieces;

	template <class L> __device__ __forceinline__ const int32 *piece(int64 n, uint32 word) const {
		return pieces + (int64)(groups[2 * (n >> groupLog)] + (int32)(word >> pieceBit & (group - 1))) * pieceStride<L>;
	}
};

__device__ __forceinline__ constexpr int opposite(int i) { return i == 0 ? 0 : ((i - 1) ^ 1) + 1; }

// Whether what comes along velocity i would come out of a wall.
__device__ __forceinline__ bool fromWall(uint32 word, int i) { return word >> (i - 1) & 1; }

// How a sweep has left the populations: as the two numbers of Go's view.
enum RunsHow { atNodes, turned, pushedOn };

struct RunsView {
	static constexpr bool everywhere = false;
	void *f;    // node 0 of slot 0
	int64 slot; // bytes from a slot to the next
	int32 how;
	Runs runs;

	// The place of population i, of a type, of node n.
	template <class L, class Stored> __device__ __forceinline__ Stored *place(int64 n, int i) const {
		const int back = opposite(i);
		int slotOf = i;
		if (how == turned) {
			slotOf = back;
		} else if (how == pushedOn && i > 0) {
			const uint32 word = runs.words[n];
			if (fromWall(word, back)) {
				slotOf = back; // what has met a wall waits at the node
			} else {
				n += runs.template piece<L>(n, word)[back];
			}
		}
		return (Stored *)((char *)f + slotOf * slot) + n;
	}
};
typedef RunsView View;

// The view of populations after collision, between two steps, with the domain's shape.
struct RunsLattice {
	RunsView at;
	const int32 *starts; // the first node of each piece, and the end
	const int32 *rows;   // the first piece of each row of the domain, numbered y first, and the end
	int32 nx, ny, nz;
};
typedef RunsLattice Lattice;

#define LATTICE_PARAMETERS                                                                                            \
	void *latticeF, int64 latticeSlot, int32 latticeHow, const uint32 *latticeWords, const int32 *latticeGroups,      \
		const int32 *latticePieces, const int32 *latticeStarts, const int32 *latticeRows, int32 latticeNx,            \
		int32 latticeNy, int32 latticeNz
#define LATTICE                                                                                                       \
	Lattice {                                                                                                         \
		{latticeF, latticeSlot, latticeHow, {latticeWords, latticeGroups, latticePieces}}, latticeStarts, latticeRows, \
			latticeNx, latticeNy, latticeNz                                                                           \
	}

// A node of the domain. Rows are numbered y first.
struct LatticeSite {
	int x, row;
	int64 padded; // the node's number among those of the fluid; −1: it is none
};

// The number of the node at x of a row, −1 for a wall. Of one lattice, that of the file.
static __device__ __forceinline__ int64 numberOf(const Lattice &l, int x, int row) {
	constexpr int stride = pieceStride<Velocities>, ahead = Velocities::q;
	int lo = l.rows[row], hi = l.rows[row + 1];
	const int end = hi;
	while (lo < hi) { // the first piece that begins beyond x
		const int middle = (int)(((uint32)lo + (uint32)hi) >> 1);
		if (l.starts[middle] + l.at.runs.pieces[(int64)middle * stride + ahead] <= x) {
			lo = middle + 1;
		} else {
			hi = middle;
		}
	}
	if (lo == l.rows[row] || lo > end) {
		return -1;
	}
	const int n = x - l.at.runs.pieces[(int64)(lo - 1) * stride + ahead];
	return n < l.starts[lo] ? n : -1;
}

__device__ __forceinline__ int64 paddedIndex(const Lattice &l, int x, int y, int z) { return numberOf(l, x, y + l.ny * z); }

// The node of an index in the domain, x fastest.
__device__ __forceinline__ LatticeSite siteOf(const Lattice &l, int64 node) {
	const int row = (int)(node / l.nx), x = (int)(node - (int64)row * l.nx);
	return {x, row, numberOf(l, x, row)};
}

// A walk from node n, which is p, along axes.
struct Walk {
	int p[3];
};
__device__ __forceinline__ Walk walkFrom(const Lattice &, int64, const int (&p)[3]) { return {{p[0], p[1], p[2]}}; }
__device__ __forceinline__ Walk walk(const Lattice &, Walk w, int a, int c) {
	w.p[a] += c;
	return w;
}
__device__ __forceinline__ int64 walkEnd(const Lattice &l, const Walk &w) { return paddedIndex(l, w.p[0], w.p[1], w.p[2]); }

// The nodes that are looked at one after the other: those of the fluid, and which of the
// domain they are.
__device__ __forceinline__ int64 placeOf(const Lattice &, int64 n) { return n; }
static __device__ __forceinline__ int64 nodeOf(const Lattice &l, int64 n) {
	const int32 *piece = l.at.runs.piece<Velocities>(n, l.at.runs.words[n]);
	return (int64)piece[0] * l.nx + n + piece[Velocities::q];
}

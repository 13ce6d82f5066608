// Points are placed by two launches: the first finds the cell of every point and sorts
// (at most 16,384 points by one block, in shared memory; of more it writes keys alone, for
// the passes of sort.cu), the second, place_weights, finds supports, and which places are in a cell.
//
// What the points before have left in tables is taken out by the first of the two, at
// their places, so that no more is written than there are points for. How many they were
// lies on the device, so that launches are the same from step to step: *placed, which
// place_weights sets.
#include "sort_block.h"
#include "transfer.h"

// Takes count nodes that had a place in an index out of it, and, where heads is not null, out
// of their list's: see Listed. Nothing is done where index is null. By the given thread of
// so many.
__device__ __forceinline__ void clearIndex(int32 *index, const int32 *listed, int32 *heads, int count, int64 thread, int64 threads) {
	if (index == nullptr) {
		return;
	}
	for (int64 i = thread; i < count; i += threads) {
		if (listed[2 * i] < 0) {
			continue;
		}
		index[listed[2 * i]] = 0;
		if (heads && listed[2 * i + 1] >= 0) {
			heads[(uint32)listed[2 * i + 1] / 32] = 0;
		}
	}
}

// The cell of point t; that of a point without a position is the none of sites.h, and
// invalid becomes the number of the first such point. position: x, y, z of one point after
// the other.
__device__ __forceinline__ uint32 cellOf(const Site &s, const double *position, int64 t, int32 *invalid) {
	uint32 cell = 0, line = 1;
	for (int a = 0; a < s.dim; a++) {
		const double v = localCoordinate(s.axis[a], position[3 * t + a]);
		if (v != v) {
			if (invalid) {
				atomicMin(invalid, (int)t);
			}
			return s.cells;
		}
		const double x = v - s.axis[a].shift;
		const int c = cellNumber(s.axis[a], (int)floor(s.support % 2 == 1 ? x + 0.5 : x) - (s.support - 1) / 2);
		cell = c < 0 || cell == s.cells ? s.cells : cell + line * (uint32)c;
		line *= (uint32)s.axis[a].cells;
	}
	return cell;
}

// Leaves no points in a cell, which may be no cell: see Cells.
__device__ __forceinline__ void clearCell(const Site &s, uint32 cell, int32 *cells) {
	if (cell < s.cells) {
		storePack(&cells[2 * (int64)cell], Pack<int32, 2>{{0, 0}});
	}
}

// keys and order: the cell of every point, and its number. before are the keys of the
// points before, sorted, which may be the memory of key: a thread reads its own before it
// writes it.
KERNEL(place_keys, (const Site *site, const double *position, uint32 *key, uint32 *order, const uint32 *before, int32 *cells,
	const int32 *placed, int32 *invalid, int n, int32 *index, const int32 *listed, int32 *heads, int nodes)) {
	const Site &s = *site;
	const int old = *placed;
	EACH(t, max(n, old)) {
		if (t < old) {
			clearCell(s, before[t], cells);
		}
		if (t < n) {
			key[t] = cellOf(s, position, t, invalid);
			order[t] = (uint32)t;
		}
	}
	clearIndex(index, listed, heads, nodes, globalX(), strideX());
}

// The same and all passes of sorting, by the first block; others take the nodes before out
// of the index. cell holds the cell of every point by its number. Where no point has come
// to another cell, keys, order and cells are what they were. Without positions the
// keys in cell are sorted.
template <int items>
__device__ __forceinline__ void placeBlock(const Site *site, const double *position, uint32 *cell, uint32 *key, uint32 *order,
										   int32 *cells, const int32 *placed, int32 *invalid, int n, int bits, int32 *index, const int32 *listed,
										   int32 *heads, int nodes) {
	DYNAMIC_SHARED(BlockSpace, space);
	const int me = (int)threadIdx.x, threads = (int)blockDim.x;
	if (blockIdx.x > 0) {
		clearIndex(index, listed, heads, nodes, globalX() - threads, strideX() - threads);
		return;
	}
	if (position) {
		const Site &s = *site;
		const int old = *placed;
		int moved = old != n;
		for (int t = me; t < n; t += threads) {
			const uint32 c = cellOf(s, position, t, invalid);
			if (moved || cell[t] != c) {
				cell[t] = c;
				moved = 1;
			}
		}
		if (!__syncthreads_or(moved)) {
			return;
		}
		for (int t = me; t < old; t += threads) {
			clearCell(s, key[t], cells);
		}
	}
	sortInBlock<items>(*space, cell, key, order, n, bits);
}

#define PLACE_BLOCK(items)                                                                                                     \
	BOUNDED_BARRIER_KERNEL(place_block_##items, blockThreads, (const Site *site, const double *position, uint32 *cell,            \
		uint32 *key, uint32 *order, int32 *cells, const int32 *placed, int32 *invalid, int n, int bits, int32 *index,             \
		const int32 *listed, int32 *heads, int nodes)) {                                                                          \
		placeBlock<items>(site, position, cell, key, order, cells, placed, invalid, n, bits, index, listed, heads, nodes);        \
	}

PLACE_BLOCK(4)
PLACE_BLOCK(16)

// Takes all points out of the tables; *placed is to become 0 after it.
KERNEL(place_forget, (const Site *site, const uint32 *key, int32 *cells, const int32 *placed)) {
	EACH(t, *placed) {
		clearCell(*site, key[t], cells);
	}
}

KERNEL(index_forget, (int32 *index, const int32 *listed, int32 *heads, int nodes)) {
	clearIndex(index, listed, heads, nodes, globalX(), strideX());
}

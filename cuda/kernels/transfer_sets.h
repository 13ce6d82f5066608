// Spreading by sets of tiles that share no node: the domain decompositions of the literature, by
// one way of cutting a grid. The cells along an axis are cut into tiles and every k tiles, as many
// as a support reaches over, make a group (TileAxis); tiles with the same place in their groups are
// of one colour, and those of one colour along every axis are a set: no two of them have a node in
// common. Sets are done one after the other, a launch each, and in a set all tiles at once, with
// plain additions to the field: the order of terms is a matter of the points alone.
//
//   columns, columns-pruned   a tile is a row of cells along x: a thread
//   cells                     a tile is a cell: a thread
//   blocks                    a tile is a box of cells: a block of threads
#pragma once

#include "transfer.h"

// The first tile of a group; that of the group behind the last is no tile, or the end.
__device__ __forceinline__ int firstTile(const SiteAxis &a, int group) { return (int)((int64)group * a.span / a.groups); }

// The tile of a colour in a group, −1 if there is none.
__device__ __forceinline__ int tileOf(const SiteAxis &a, int group, int colour) {
	const int tile = firstTile(a, group) + colour;
	return tile < firstTile(a, group + 1) && tile < a.tiles ? tile : -1;
}

// The first cell of a tile; that of the tile behind the last is the end.
__device__ __forceinline__ int firstCell(const SiteAxis &a, int tile) { return (int)((int64)tile * a.cells / a.tiles); }

// The colour of a tile.
__device__ __forceinline__ int colourOf(const SiteAxis &a, int tile) {
	const int group = (int)((((int64)tile + 1) * a.groups - 1) / a.span);
	return tile - firstTile(a, group);
}

// The colours of a set, by its number.
__device__ __forceinline__ void coloursOf(const Site &s, int set, int (&colour)[3]) {
#pragma unroll
	for (int a = 0; a < 3; a++) {
		colour[a] = set % s.axis[a].colours;
		set /= s.axis[a].colours;
	}
}

// Adds to the nodes what the points of one cell spread, from place first to before end: a row of
// nodes is reduced in registers and added once.
template <typename T, int N>
__device__ __forceinline__ void spreadCell(const Supports<T> &p, const T *values, const Components<T> &field, int64 first, int64 end) {
	const Site &s = *p.site;
	const int planes = s.dim == 3 ? N : 1;
#pragma unroll 1
	for (int k = 0; k < planes; k++) {
#pragma unroll 1
		for (int j = 0; j < N; j++) {
			const int row = rowOf(s, p.first[p.stride + first] + j, s.dim == 3 ? p.first[2 * p.stride + first] + k : 0);
			if (row < 0) {
				continue;
			}
			T sum[N][maxComponents] = {};
			for (int64 t = first; t < end; t++) {
				const T wz = s.dim == 3 ? p.weight[(2 * N + k) * p.stride + t] : (T)1, wy = p.weight[(N + j) * p.stride + t];
#pragma unroll
				for (int i = 0; i < N; i++) {
					const T wx = p.weight[i * p.stride + t];
#pragma unroll
					for (int c = 0; c < maxComponents; c++) {
						if (c < field.count) {
							sum[i][c] += wy * (wz * (values[c * p.stride + t] * wx));
						}
					}
				}
			}
#pragma unroll
			for (int i = 0; i < N; i++) {
				const int x = existing(s.axis[0], p.first[first] + i), at = x < 0 ? -1 : field.place(row + x);
				if (at < 0) {
					continue;
				}
#pragma unroll
				for (int c = 0; c < maxComponents; c++) {
					if (c < field.count) {
						field.of[c][at] += sum[i][c];
					}
				}
			}
		}
	}
}

// Adds what the points of a run of cells spread: those whose keys are less than behind, from place
// t on.
template <typename T, int N>
__device__ __forceinline__ void spreadRun(const Supports<T> &p, const uint32 *key, const T *values, const Components<T> &field, int64 t, uint32 behind) {
	while (key[t] < behind) {
		int64 end = t + 1;
		while (key[end] == key[t]) {
			end++;
		}
		spreadCell<T, N>(p, values, field, t, end);
		t = end;
	}
}

// The first of n places whose key is not less than the given one.
__device__ __forceinline__ int64 firstPlace(const uint32 *key, int64 n, uint32 of) {
	int64 lo = 0;
	while (lo < n) {
		const int64 middle = (lo + n) / 2;
		if (key[middle] < of) {
			lo = middle + 1;
		} else {
			n = middle;
		}
	}
	return lo;
}

// A set of columns or cells. With every a thread has a column of the set, empty ones too, as McQueen
// & Peskin have it, J. Supercomput. 11 (1997) 213; where it begins among the sorted points is
// searched for, in place of their linked lists. Else a thread has a place, and those at the head of
// a column or cell of the set do all of it: the pruned columns and the cells of Kassen, Shankar &
// Fogelson's note, whose compact is that comparison of neighbours.
template <typename T, int N>
__device__ __forceinline__ void spreadSets(const Supports<T> &p, const uint32 *key, const T *values, const Components<T> &field, int set, bool every, int n) {
	const Site &s = *p.site;
	const SiteAxis &ax = s.axis[0], &ay = s.axis[1], &az = s.axis[2];
	int colour[3];
	coloursOf(s, set, colour);
	if (every) {
		EACH(g, (int64)ay.groups * az.groups) {
			const int y = tileOf(ay, (int)(g % ay.groups), colour[1]), z = tileOf(az, (int)(g / ay.groups), colour[2]);
			if (y < 0 || z < 0) {
				continue;
			}
			const uint32 begin = (uint32)ax.cells * (uint32)(y + ay.cells * z);
			spreadRun<T, N>(p, key, values, field, firstPlace(key, n, begin), begin + (uint32)ax.cells);
		}
		return;
	}
	const uint32 length = ax.tiles == 1 ? (uint32)ax.cells : 1; // of a tile, whose cells follow each other
	EACH(t, n) {
		const uint32 cell = key[t], tile = cell / length;
		if (cell >= s.cells || (t > 0 && key[t - 1] / length == tile)) {
			continue;
		}
		const int line = (int)(cell / (uint32)ax.cells), x = ax.tiles == 1 ? 0 : (int)(cell % (uint32)ax.cells);
		if (colourOf(ax, x) != colour[0] || colourOf(ay, line % ay.cells) != colour[1] || colourOf(az, line / ay.cells) != colour[2]) {
			continue;
		}
		spreadRun<T, N>(p, key, values, field, t, (tile + 1) * length);
	}
}

// Cells of a block along each axis, Go's blockTile: as many as a warp has threads, whose barriers
// cost next to nothing, and whose fullest cell keeps few others waiting.
constexpr int blockTile2[3] = {8, 4, 1}, blockTile3[3] = {4, 4, 2};

// Nodes of an extended block, at most.
template <int N> constexpr int extendedNodes() {
	return max((blockTile2[0] + N - 1) * (blockTile2[1] + N - 1), (blockTile3[0] + N - 1) * (blockTile3[1] + N - 1) * (blockTile3[2] + N - 1));
}

// A set of blocks: Büyükkeçeci, Awile & Sbalzarini, Parallel Comput. 39 (2013) 94, Algorithms 1
// and 2. A block of threads has a block of cells and the nodes of their supports, the extended
// block, in shared memory. A thread has a cell; of a domain copy, which has one point of every cell
// that has so many, all cells push their points to the nodes in step, the same shift for all, so
// that no two meet. Then the extended block is added to the field. In the paper blocks are
// stitched together from copies of the field at the end; here blocks that share nodes are in
// different sets, as on the CPU, and no copies are kept.
template <typename T, int N>
__device__ __forceinline__ void spreadBlocks(const Supports<T> &p, const Cells &cells, const T *values, const Components<T> &field, int set) {
	__shared__ T sum[maxComponents][extendedNodes<N>()];
	const Site &s = *p.site;
	const int me = (int)threadIdx.x, threads = (int)blockDim.x, planes = s.dim == 3 ? N : 1;
	int colour[3];
	coloursOf(s, set, colour);
	const int64 gx = s.axis[0].groups, gy = s.axis[1].groups, all = gx * gy * s.axis[2].groups;
	for (int64 b = blockIdx.x; b < all; b += gridDim.x) {
		const int group[3] = {(int)(b % gx), (int)(b / gx % gy), (int)(b / gx / gy)};
		int begin[3], length[3], extended[3];
		bool exists = true;
#pragma unroll
		for (int a = 0; a < 3; a++) {
			const int tile = tileOf(s.axis[a], group[a], colour[a]);
			exists = exists && tile >= 0;
			begin[a] = firstCell(s.axis[a], tile);
			length[a] = firstCell(s.axis[a], tile + 1) - begin[a];
			extended[a] = length[a] + (a < s.dim ? N - 1 : 0);
		}
		if (!exists) {
			continue;
		}
		const int x = me % length[0], y = me / length[0] % length[1], z = me / length[0] / length[1];
		int64 t = -1, end = 0; // the point that my cell has in the domain copy at hand, −1 if it has none, and the one behind the last
		if (z < length[2]) {
			const int64 line = begin[1] + y + (int64)s.axis[1].cells * (begin[2] + z);
			const Pack<int32, 2> at = cells.places(begin[0] + x + s.axis[0].cells * line);
			t = at[0] < at[1] ? at[0] : -1;
			end = at[1];
		}
		if (!__syncthreads_or(t >= 0)) {
			continue;
		}
		const int nodes = extended[0] * extended[1] * extended[2];
		for (int e = me; e < nodes; e += threads) {
			for (int c = 0; c < field.count; c++) {
				sum[c][e] = 0;
			}
		}
		__syncthreads();
		do {
#pragma unroll 1
			for (int k = 0; k < planes; k++) {
#pragma unroll 1
				for (int j = 0; j < N; j++) {
#pragma unroll 1
					for (int i = 0; i < N; i++) {
						if (t >= 0) {
							const T wz = s.dim == 3 ? p.weight[(2 * N + k) * p.stride + t] : (T)1;
							const T wx = p.weight[i * p.stride + t], wy = p.weight[(N + j) * p.stride + t];
							const int e = x + i + extended[0] * (y + j + extended[1] * (z + k));
							for (int c = 0; c < field.count; c++) {
								sum[c][e] += wy * (wz * (values[c * p.stride + t] * wx));
							}
						}
						__syncthreads();
					}
				}
			}
			if (t >= 0) {
				t = t + 1 < end ? t + 1 : -1;
			}
		} while (__syncthreads_or(t >= 0));
		for (int e = me; e < nodes; e += threads) {
			const int at[3] = {e % extended[0], e / extended[0] % extended[1], e / extended[0] / extended[1]};
			const int nx = existing(s.axis[0], begin[0] - s.axis[0].low + at[0]);
			const int row = rowOf(s, begin[1] - s.axis[1].low + at[1], begin[2] - s.axis[2].low + at[2]);
			const int to = nx < 0 || row < 0 ? -1 : field.place(row + nx);
			if (to < 0) {
				continue;
			}
			for (int c = 0; c < field.count; c++) {
				field.of[c][to] += sum[c][e];
			}
		}
		__syncthreads();
	}
}

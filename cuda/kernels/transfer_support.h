// Kernels that are made for a number N of nodes that a delta reaches over along an axis:
// a file for each N, so that a driver compiles no more than a case needs.
#pragma once

#include "deltas.h"
#include "transfer_sets.h"

// Marks the nodes of the support of a point that begins at (x, y, z): a bit for every node.
template <int N> __device__ __forceinline__ void markSupport(const Site &s, uint32 *marked, int x, int y, int z) {
	const int rows = s.dim == 3 ? N * N : N;
#pragma unroll 1
	for (int r = 0; r < rows; r++) {
		const int row = rowOf(s, y + r % N, z + r / N);
		if (row < 0) {
			continue;
		}
		if (x >= 0 && x + N <= s.axis[0].nodes) { // in one word, or two
			const uint32 from = (uint32)(row + x), shift = from % 32;
			const uint64 bits = (uint64)((1u << N) - 1) << shift;
			atomicOr(&marked[from / 32], (uint32)bits);
			if (shift + N > 32) {
				atomicOr(&marked[from / 32 + 1], (uint32)(bits >> 32));
			}
			continue;
		}
#pragma unroll
		for (int i = 0; i < N; i++) {
			if (const int at = existing(s.axis[0], x + i); at >= 0) {
				atomicOr(&marked[(row + at) / 32], 1u << (row + at) % 32);
			}
		}
	}
}

// Supports of the points: see transfer.h. order is the number of the point at a place,
// null where that is the place itself. Points without a position have weights of zero.
// With them what is known of all points' places: which are in a cell (see Cells), unless key
// is null, and the nodes with a place in an index, unless that is null: see Listed. Unless marked is null, which has no marks yet, it
// gets those of the nodes that any point touches, by the first point of each cell, and *marks, how many nodes a list of them has that is
// made after this, becomes 0.
template <typename T, int N>
__device__ __forceinline__ void placeWeights(const Site &s, const double *position, const uint32 *order, int32 *first, T *weight, int64 stride, int32 *invalid, int n,
											 uint32 *key, int32 *cells, int32 *placed, const Listed &l, uint32 *marked, int32 *marks) {
	if (globalX() == 0 && key) {
		key[n] = 0xffffffffu; // which no cell has
		*placed = n;
	}
	if (globalX() == 0 && marked) {
		*marks = 0;
	}
	listIndex(l);
	EACH(t, n) {
		if (key && key[t] < s.cells) {
			if (t == 0 || key[t - 1] != key[t]) {
				cells[2 * (int64)key[t]] = (int)t;
			}
			if (t == n - 1 || key[t + 1] != key[t]) {
				cells[2 * (int64)key[t] + 1] = (int)t + 1;
			}
		}
		const int64 p = order ? order[t] : t;
#pragma unroll 1
		for (int a = 0; a < s.dim; a++) {
			double w[N];
			const double v = localCoordinate(s.axis[a], position[3 * p + a]);
			int f = 0;
			if (v == v) {
				f = deltaWeights<N>(s.delta, v - s.axis[a].shift, w);
			} else {
				if (invalid) {
					atomicMin(invalid, (int)p);
				}
				for (int i = 0; i < N; i++) {
					w[i] = 0;
				}
			}
			if (s.axis[a].periodic) {
				f = existing(s.axis[a], f);
			}
			first[a * stride + t] = f;
			for (int i = 0; i < N; i++) {
				weight[(a * N + i) * stride + t] = (T)w[i];
			}
		}
		if (marked && key[t] < s.cells && (t == 0 || key[t - 1] != key[t])) {
			markSupport<N>(s, marked, first[t], first[stride + t], s.dim == 3 ? first[2 * stride + t] : 0);
		}
	}
}

template <typename T, int N>
__device__ __forceinline__ void interpolate(const Supports<T> &p, const uint32 *order, const Components<const T> &field, const Components<T> &values, int n) {
	EACH(t, n) {
		T sum[maxComponents];
		interpolateAt<T, N>(p, field, t, sum);
		const int64 k = order ? order[t] : t;
#pragma unroll
		for (int c = 0; c < maxComponents; c++) {
			if (c < values.count) {
				values.of[c][k] = sum[c];
			}
		}
	}
}

// Algorithm 3 of Valero-Lara et al., J. Comput. Sci. 10 (2015) 249: atomic additions. N
// threads have one point, a place along x each, so that a warp adds to whole rows and
// the second cache receives as few transactions as possible. The order in which a node
// receives its terms is a matter of chance.
template <typename T, int N>
__device__ __forceinline__ void spreadAtomic(const Supports<T> &p, const T *values, const Components<T> &field, int n) {
	const Site &s = *p.site;
	const int planes = s.dim == 3 ? N : 1;
	EACH(id, (int64)n * N) {
		const int64 t = id / N;
		const int i = (int)(id % N), x = existing(s.axis[0], p.first[t] + i);
		if (x < 0) {
			continue;
		}
		const T wx = p.weight[i * p.stride + t];
		const int y = p.first[p.stride + t], z = s.dim == 3 ? p.first[2 * p.stride + t] : 0;
#pragma unroll 1
		for (int k = 0; k < planes; k++) {
			const T wz = s.dim == 3 ? p.weight[(2 * N + k) * p.stride + t] : (T)1;
#pragma unroll 1
			for (int j = 0; j < N; j++) {
				const int row = rowOf(s, y + j, z + k);
				if (row < 0) {
					continue;
				}
				const int at = field.place(row + x);
				if (at < 0) {
					continue;
				}
				const T wy = p.weight[(N + j) * p.stride + t];
				for (int c = 0; c < maxComponents; c++) {
					if (c < field.count) {
						atomicAdd(&field.of[c][at], wy * (wz * (values[c * p.stride + t] * wx)));
					}
				}
			}
		}
	}
}

template <typename T> __device__ __forceinline__ void addToNode(const Components<T> &field, int node, const T (&sum)[maxComponents], bool set = false) {
#pragma unroll
	for (int c = 0; c < maxComponents; c++) {
		if (c < field.count) {
			field.of[c][node] = set ? sum[c] : field.of[c][node] + sum[c];
		}
	}
}

// Spreading by owners to the nodes of a list, *count of them, or where it is null to all: see
// gatherAt. What nodes had before is replaced where set is. In 3D a node has a lane of a warp for each of its
// planes of cells, and more where that divides a warp evenly.
template <typename T, int N>
__device__ __forceinline__ void spreadOwned(const Supports<T> &p, const Cells &cells, const T *values, const int32 *nodes, const int32 *count, int all, const Components<T> &field, bool set) {
	const Site &s = *p.site;
	const int nx = s.axis[0].nodes, ny = s.axis[1].nodes, planes = s.dim == 3 ? N : 1;
	const int lanes = planes > 4 ? 8 : planes > 2 ? 4 : planes, together = warpSize / lanes; // nodes of a warp
	const int64 m = nodes ? *count : all, threads = (m + together - 1) / together * warpSize;
	const int k = laneIndex() / together;
	EACH(id, threads) {
		const int64 i = id / warpSize * together + id % together;
		const int node = i >= m ? 0 : nodes ? nodes[i] : (int)i, line = node / nx;
		T sum[maxComponents] = {}, plane[maxComponents];
		if (i < m && k < planes) {
			gatherPlane<T, N, 1>(p, cells, values, field.count, node - line * nx, line % ny, line / ny, k, sum);
		}
#pragma unroll
		for (int c = 0; c < maxComponents; c++) {
			plane[c] = sum[c];
		}
		for (int other = 1; other < planes; other++) { // in the order of gatherAt, in the node's first lane
#pragma unroll
			for (int c = 0; c < maxComponents; c++) {
				if (c < field.count) {
					sum[c] += __shfl_sync(fullWarp, plane[c], (laneIndex() + other * together) % warpSize);
				}
			}
		}
		if (i < m && k == 0) {
			addToNode(field, node, sum, set);
		}
	}
}

// The nodes that a warp has together in spreadTiles, along x and y, and the warps of a block.
constexpr int tileX = 8, tileY = warpSize / tileX, tileWarps = 6;

// A warp's shared memory: the cells around its tile that lie in one plane, row after row in the
// order of gatherPlane, and of up to as many points as it has lanes what they spread.
template <typename T, int N> struct TileSpace {
	static constexpr int rows = tileY + N - 1, columns = tileX + N - 1, rounds = (rows * columns + warpSize - 1) / warpSize;

	int32 offset[rounds * warpSize]; // how many points the cells before have
	int32 from[rounds * warpSize];	 // the place of a cell's first point, less its offset
	int32 column[warpSize], row[warpSize]; // of a point's cell
	T x[N][warpSize], y[N][warpSize], z[warpSize], value[maxComponents][warpSize];
};

// The sum of v over the lanes before this one, and that of all.
__device__ __forceinline__ int32 lanesBefore(int32 v, int32 &all) {
	const int lane = laneIndex();
	int32 sum = v;
	for (int by = 1; by < warpSize; by *= 2) {
		const int32 other = __shfl_up_sync(fullWarp, sum, by);
		sum += lane >= by ? other : 0;
	}
	all = __shfl_sync(fullWarp, sum, warpSize - 1);
	return sum - v;
}

// Finds what cells (x0 − N + 1 … x0 + 7, y0 − N + 1 … y0 + 3) of plane cz have, and returns how many
// points.
template <typename T, int N> __device__ __forceinline__ int32 findCells(TileSpace<T, N> &w, const Site &s, const Cells &cells, int x0, int y0, int cz) {
	constexpr int columns = TileSpace<T, N>::columns, rows = TileSpace<T, N>::rows, rounds = TileSpace<T, N>::rounds;
	int32 before = 0;
#pragma unroll
	for (int round = 0; round < rounds; round++) {
		const int c = round * warpSize + laneIndex();
		const int cx = cellNumber(s.axis[0], x0 + tileX - 1 - c % columns), cy = cellNumber(s.axis[1], y0 + tileY - 1 - c / columns);
		const bool is = c < rows * columns && cx >= 0 && cy >= 0 && cz >= 0;
		const Pack<int32, 2> at = cells.places(is ? cx + s.axis[0].cells * (cy + (int64)s.axis[1].cells * cz) : -1);
		int32 all;
		const int32 offset = before + lanesBefore(at[1] - at[0], all);
		w.offset[c] = offset;
		w.from[c] = at[0] - offset;
		before += all;
	}
	return before;
}

// The cell that has point p, the last of those with no more points before it.
template <typename T, int N> __device__ __forceinline__ int cellWith(const TileSpace<T, N> &w, int32 p) {
	int low = 0, end = TileSpace<T, N>::rounds * warpSize;
	while (end - low > 1) {
		const int middle = (low + end) / 2;
		if (w.offset[middle] <= p) {
			low = middle;
		} else {
			end = middle;
		}
	}
	return low;
}

// What the points of the cells around a tile of nodes spread to this lane's node, as gatherPlane,
// term by term. Lanes look for cells together, and then for points, 32 of either at a time: where
// points are few, most cells have none, and a lane by itself would wait for each of its N² to find
// that, and then for every point.
template <typename T, int N>
__device__ __forceinline__ void gatherTile(TileSpace<T, N> &w, const Supports<T> &p, const Cells &cells, const T *values, int count, int x0, int y0, int z, int k, T (&sum)[maxComponents]) {
	constexpr int columns = TileSpace<T, N>::columns;
	const Site &s = *p.site;
	const int lane = laneIndex(), column = tileX - 1 - lane % tileX, row = tileY - 1 - lane / tileX; // of this node's own cell
	const int32 all = findCells(w, s, cells, x0, y0, s.dim == 3 ? cellNumber(s.axis[2], z - k) : 0);
	__syncwarp();
	for (int32 base = 0; base < all; base += warpSize) {
		if (base + lane < all) {
			const int cell = cellWith(w, base + lane);
			const int64 t = w.from[cell] + base + lane;
			w.column[lane] = cell % columns;
			w.row[lane] = cell / columns;
#pragma unroll
			for (int i = 0; i < N; i++) {
				w.x[i][lane] = p.weight[i * p.stride + t];
				w.y[i][lane] = p.weight[(N + i) * p.stride + t];
			}
			w.z[lane] = s.dim == 3 ? p.weight[(2 * N + k) * p.stride + t] : (T)1;
#pragma unroll
			for (int c = 0; c < maxComponents; c++) {
				if (c < count) {
					w.value[c][lane] = values[c * p.stride + t];
				}
			}
		}
		__syncwarp();
		const int points = min(all - base, warpSize);
		for (int q = 0; q < points; q++) {
			const int i = w.column[q] - column, j = w.row[q] - row;
			if ((uint32)i < (uint32)N && (uint32)j < (uint32)N) {
				const T x = w.x[i][q], y = w.y[j][q], z = w.z[q];
#pragma unroll
				for (int c = 0; c < maxComponents; c++) {
					if (c < count) {
						sum[c] += y * (z * (w.value[c][q] * x));
					}
				}
			}
		}
		__syncwarp();
	}
}

// Spreading by owners to all nodes: see gatherAt, whose sums these are, term by term. A warp has
// a tile of nodes, and in 3D one plane of their cells, as many warps as there are planes the same
// tile: their sums meet in shared memory.
template <typename T, int N>
__device__ __forceinline__ void spreadTiles(const Supports<T> &p, const Cells &cells, const T *values, const Components<T> &field) {
	__shared__ TileSpace<T, N> space[tileWarps];
	__shared__ T plane[tileWarps][maxComponents][warpSize];
	const Site &s = *p.site;
	const int planes = s.dim == 3 ? N : 1, warp = (int)threadIdx.x / warpSize, lane = laneIndex();
	const int together = (int)blockDim.x / warpSize / planes, k = warp % planes; // tiles of a block
	const int nx = s.axis[0].nodes, ny = s.axis[1].nodes, nz = s.dim == 3 ? s.axis[2].nodes : 1;
	const int across = (nx + tileX - 1) / tileX, down = (ny + tileY - 1) / tileY;
	const int64 tiles = (int64)across * down * nz;
	for (int64 first = (int64)blockIdx.x * together; first < tiles; first += (int64)gridDim.x * together) {
		const int64 tile = first + warp / planes, line = tile / across;
		const int x0 = (int)(tile % across) * tileX, y0 = (int)(line % down) * tileY, z = (int)(line / down);
		T sum[maxComponents] = {};
		if (tile < tiles) {
			gatherTile<T, N>(space[warp], p, cells, values, field.count, x0, y0, z, k, sum);
		}
#pragma unroll
		for (int c = 0; c < maxComponents; c++) {
			if (c < field.count) {
				plane[warp][c][lane] = sum[c];
			}
		}
		__syncthreads();
		const int x = x0 + lane % tileX, y = y0 + lane / tileX;
		if (k == 0 && tile < tiles && x < nx && y < ny) {
#pragma unroll
			for (int c = 0; c < maxComponents; c++) {
				if (c < field.count) {
					for (int other = 1; other < planes; other++) {
						sum[c] += plane[warp + other][c][lane];
					}
				}
			}
			addToNode(field, x + nx * (y + ny * z), sum);
		}
		__syncthreads();
	}
}

// One sweep of Algorithm 5 of Kassen, Shankar & Fogelson: the shifts (0…N−1, j, k) of
// all cells. The thread of the first point of a cell reduces its segment for N shifts
// along x at once, in registers, and adds the sums to as many vectors of the buffer:
// different cells have different nodes for a shift, so that nobody meets. One component:
// values are its, and buffer holds N vectors of nodes values.
template <typename T, int N>
__device__ __forceinline__ void spreadSweep(const Supports<T> &p, const uint32 *key, const T *values, T *buffer, int64 nodes, int j, int k, int n) {
	const Site &s = *p.site;
	EACH(first, n) {
		const uint32 cell = key[first];
		if (cell >= s.cells || (first > 0 && key[first - 1] == cell)) {
			continue;
		}
		const int row = rowOf(s, p.first[p.stride + first] + j, s.dim == 3 ? p.first[2 * p.stride + first] + k : 0);
		if (row < 0) {
			continue;
		}
		T sum[N] = {};
		for (int64 t = first; key[t] == cell; t++) {
			const T wz = s.dim == 3 ? p.weight[(2 * N + k) * p.stride + t] : (T)1;
			const T wy = p.weight[(N + j) * p.stride + t], v = values[t];
#pragma unroll
			for (int i = 0; i < N; i++) {
				sum[i] += wy * (wz * (v * p.weight[i * p.stride + t]));
			}
		}
#pragma unroll
		for (int i = 0; i < N; i++) {
			const int x = existing(s.axis[0], p.first[first] + i);
			if (x >= 0) {
				buffer[i * nodes + row + x] += sum[i];
			}
		}
	}
}

#define TRANSFER_SUPPORT(T, N, suffix)                                                                                         \
	KERNEL(place_weights_n##N##_##suffix, (const Site *site, const double *position, const uint32 *order, int32 *first,           \
		T *weight, int64 stride, int32 *invalid, int n, uint32 *key, int32 *cells, int32 *placed, int count,                      \
		const int32 *at, int32 *index, int32 *listed, const int32 *nodes, int32 *heads, int32 *next, uint32 *marked,              \
		int32 *marks)) {                                                                                                          \
		placeWeights<T, N>(*site, position, order, first, weight, stride, invalid, n, key, cells, placed,                         \
			{count, at, index, listed, nodes, heads, next}, marked, marks);                                                       \
	}                                                                                                                          \
	KERNEL(interpolate_n##N##_##suffix, (const Site *site, const int32 *first, const T *weight, int64 stride,                     \
		const uint32 *order, const T *f0, const T *f1, const T *f2, const T *f3, T *v0, T *v1, T *v2, T *v3, int components,      \
		int n)) {                                                                                                                 \
		interpolate<T, N>({site, first, weight, stride}, order, {{f0, f1, f2, f3}, components}, {{v0, v1, v2, v3}, components}, n); \
	}                                                                                                                          \
	KERNEL(spread_atomic_n##N##_##suffix, (const Site *site, const int32 *first, const T *weight, int64 stride,                   \
		const T *values, T *f0, T *f1, T *f2, T *f3, int components, const int32 *index, int n)) {                                \
		spreadAtomic<T, N>({site, first, weight, stride}, values, {{f0, f1, f2, f3}, components, index}, n);                      \
	}                                                                                                                          \
	BARRIER_KERNEL(spread_owned_n##N##_##suffix, (const Site *site, const int32 *first, const T *weight, int64 stride,            \
		const T *values, T *f0, T *f1, T *f2, T *f3, int components, const int32 *cells, const int32 *nodes,                      \
		const int32 *count, int all, int set)) {                                                                                  \
		spreadOwned<T, N>({site, first, weight, stride}, {cells}, values, nodes, count, all, {{f0, f1, f2, f3}, components}, set); \
	}                                                                                                                          \
	BOUNDED_BARRIER_KERNEL(spread_tiles_n##N##_##suffix, tileWarps * warpSize, (const Site *site, const int32 *first,             \
		const T *weight, int64 stride, const T *values, T *f0, T *f1, T *f2, T *f3, int components, const int32 *cells)) {        \
		spreadTiles<T, N>({site, first, weight, stride}, {cells}, values, {{f0, f1, f2, f3}, components});                        \
	}                                                                                                                          \
	KERNEL(spread_sweep_n##N##_##suffix, (const Site *site, const int32 *first, const T *weight, int64 stride,                    \
		const uint32 *key, const T *values, T *buffer, int64 nodes, int j, int k, int n)) {                                       \
		spreadSweep<T, N>({site, first, weight, stride}, key, values, buffer, nodes, j, k, n);                                    \
	}                                                                                                                          \
	KERNEL(spread_sets_n##N##_##suffix, (const Site *site, const int32 *first, const T *weight, int64 stride,                     \
		const T *values, T *f0, T *f1, T *f2, T *f3, int components, const int32 *index, const uint32 *key, int set, int every,   \
		int n)) {                                                                                                                 \
		spreadSets<T, N>({site, first, weight, stride}, key, values, {{f0, f1, f2, f3}, components, index}, set, every, n);       \
	}                                                                                                                          \
	BARRIER_KERNEL(spread_blocks_n##N##_##suffix, (const Site *site, const int32 *first, const T *weight, int64 stride,           \
		const T *values, T *f0, T *f1, T *f2, T *f3, int components, const int32 *index, const int32 *cells, int set)) {         \
		spreadBlocks<T, N>({site, first, weight, stride}, {cells}, values, {{f0, f1, f2, f3}, components, index}, set);      \
	}

// All kernels of a support, in both precisions.
#define TRANSFER(N)                                                                                                            \
	TRANSFER_SUPPORT(float, N, f32)                                                                                            \
	TRANSFER_SUPPORT(double, N, f64)

// Values between points and nodes. Points stand in the order of their places here: as
// sorted by cell, or as given. Their supports are kept: first[a·stride + t] is the first
// node of place t along axis a, weight[(a·N + i)·stride + t] the weight of the i-th. To
// keep them costs (4 + N·size)·d bytes a point, read side by side by neighbouring
// threads, and keeps deltas out of the loops over nodes, which wait for memory alone.
//
// Up to 4 components of a field on one site share what is found out about a point.
#pragma once

#include "nodelist.h"
#include "sites.h"

constexpr int maxComponents = 4;

// A loop of all threads over n items, whatever the number of threads.
#define EACH(i, n) for (int64 i = globalX(); i < (n); i += strideX())

// Components of a field, or of values. A field of a few nodes only has an index: 1 + the
// place of a node in it, 0 for others, of which component 0 is outside, the rest 0.
template <typename T> struct Components {
	T *of[maxComponents];
	int count;
	const int32 *index = nullptr;
	T outside = 0;

	// The place of a node, −1 for nodes that the field does not have.
	__device__ __forceinline__ int place(int node) const { return index ? index[node] - 1 : node; }
};

// The nodes at[0 … count) but those that are −1 are to have places in an index, and listed
// becomes pairs of these and what the fluid calls them, by which they can be taken out of it
// again. By that number they are found by the heads of the list nodes, where there are any:
// see NodeList. It is −1 for those that the fluid does not have (ghosts).
struct Listed {
	int count;
	const int32 *at;
	int32 *index, *listed;
	const int32 *nodes;
	int32 *heads, *next;
};

__device__ __forceinline__ void listIndex(const Listed &l) {
	if (l.index == nullptr) {
		return;
	}
	EACH(i, l.count) {
		const int32 node = l.at[i];
		l.listed[2 * i] = node;
		l.listed[2 * i + 1] = l.nodes[i];
		if (node < 0) {
			continue;
		}
		l.index[node] = (int)i + 1;
		if (l.heads && l.nodes[i] >= 0) {
			headNode(l.nodes, l.heads, l.next, i);
		}
	}
}

template <typename T> struct Supports {
	const Site *site;
	const int32 *first;
	const T *weight;
	int64 stride;
};

constexpr int nowhere = -2; // a node that does not exist

// The place of a node in a field, without its x; −1 if there is no such row.
__device__ __forceinline__ int rowOf(const Site &s, int y, int z) {
	const int nx = s.axis[0].nodes, ny = s.axis[1].nodes;
	y = existing(s.axis[1], y);
	z = s.dim == 3 ? existing(s.axis[2], z) : 0;
	return y < 0 || z < 0 ? -1 : nx * (y + ny * z);
}

// w·u over a row in the order of package ib's loops.
template <typename T, int N> __device__ __forceinline__ T rowDot(const T *w, const T *u) {
	if constexpr (N == 2) {
		return w[0] * u[0] + w[1] * u[1];
	} else if constexpr (N == 3) {
		return w[0] * u[0] + w[1] * u[1] + w[2] * u[2];
	} else if constexpr (N == 4) {
		return (w[0] * u[0] + w[1] * u[1]) + (w[2] * u[2] + w[3] * u[3]);
	} else {
		return (w[0] * u[0] + w[1] * u[1]) + (w[2] * u[2] + w[3] * u[3]) + (w[4] * u[4] + w[5] * u[5]);
	}
}

// The nodes along x around place t, with their weights.
template <typename T, int N> struct Columns {
	int x[N], y, z; // the first row and plane
	T weight[N];

	__device__ __forceinline__ Columns(const Supports<T> &p, int64 t) {
		const Site &s = *p.site;
		const int first = p.first[t];
		y = p.first[p.stride + t], z = s.dim == 3 ? p.first[2 * p.stride + t] : 0;
#pragma unroll
		for (int i = 0; i < N; i++) {
			x[i] = existing(s.axis[0], first + i);
			weight[i] = p.weight[i * p.stride + t];
		}
	}
};

// What plane k of the support of place t has of Algorithm 3: plane[c] = w_z Σ field_c(x) w_x w_y. rows are those that are on
// their way from memory together: two where there are points enough to wait with, all where few
// points are waited for.
template <typename T, int N, int rows>
__device__ __forceinline__ void interpolatePlane(const Supports<T> &p, const Components<const T> &field, const Columns<T, N> &columns, int64 t, int k, T (&plane)[maxComponents]) {
	const Site &s = *p.site;
#pragma unroll
	for (int c = 0; c < maxComponents; c++) {
		plane[c] = 0;
	}
#pragma unroll 1
	for (int first = 0; first < N; first += rows) {
		int at[rows][N];
#pragma unroll
		for (int j = 0; j < rows; j++) {
			const int row = first + j < N ? rowOf(s, columns.y + first + j, columns.z + k) : -1;
#pragma unroll
			for (int i = 0; i < N; i++) {
				const bool is = row >= 0 && columns.x[i] >= 0;
				const int node = row + columns.x[i];
				at[j][i] = is ? node : nowhere;
				if (field.index) { // what is read for nodes that do not exist is not used
					const int32 place = *(is ? &field.index[node] : p.first);
					at[j][i] = is ? place - 1 : nowhere;
				}
			}
		}
#pragma unroll
		for (int c = 0; c < maxComponents; c++) {
			if (c < field.count) {
				T u[rows][N];
#pragma unroll
				for (int j = 0; j < rows; j++) {
#pragma unroll
					for (int i = 0; i < N; i++) {
						const T value = *(at[j][i] >= 0 ? &field.of[c][at[j][i]] : p.weight);
						u[j][i] = at[j][i] >= 0 ? value : c == 0 && at[j][i] != nowhere ? field.outside : 0;
					}
				}
#pragma unroll
				for (int j = 0; j < rows; j++) {
					if (first + j < N) {
						plane[c] += p.weight[(N + first + j) * p.stride + t] * rowDot<T, N>(columns.weight, u[j]);
					}
				}
			}
		}
	}
	const T wz = s.dim == 3 ? p.weight[(2 * N + k) * p.stride + t] : (T)1;
#pragma unroll
	for (int c = 0; c < maxComponents; c++) {
		plane[c] = wz * plane[c];
	}
}

// Algorithm 3 of Kassen, Shankar & Fogelson for place t: sum[c] = Σ_x field_c(x) δ(x−X).
// One thread has one point. Points that follow each other lie side by side where they
// are sorted, and so do the nodes that a warp reads at a time.
template <typename T, int N>
__device__ __forceinline__ void interpolateAt(const Supports<T> &p, const Components<const T> &field, int64 t, T *sum) {
	const Columns<T, N> columns(p, t);
#pragma unroll
	for (int c = 0; c < maxComponents; c++) {
		sum[c] = 0;
	}
	const int planes = p.site->dim == 3 ? N : 1;
#pragma unroll 1
	for (int k = 0; k < planes; k++) {
		T plane[maxComponents];
		interpolatePlane<T, N, 2>(p, field, columns, t, k, plane);
#pragma unroll
		for (int c = 0; c < maxComponents; c++) {
			sum[c] += plane[c];
		}
	}
}

// The points that a warp has together where each has a lane for every plane of its support.
__device__ __forceinline__ int pointsTogether(int planes) { return warpSize / planes; }

// The same for bodies, whose few points are waited for: the planes of a point have a lane each of a warp, in which all lanes
// come here, those of a plane k < planes that is to be read with is. The sum, in the same order, is in the lane of plane 0.
template <typename T, int N>
__device__ __forceinline__ void interpolateTogether(const Supports<T> &p, const Components<const T> &field, int64 t, int k, bool is, T *sum) {
	const int planes = p.site->dim == 3 ? N : 1, together = pointsTogether(planes);
	T plane[maxComponents] = {};
	if (is) {
		interpolatePlane<T, N, N>(p, field, Columns<T, N>(p, t), t, k, plane);
	}
#pragma unroll
	for (int c = 0; c < maxComponents; c++) {
		sum[c] = 0;
	}
	for (int other = 0; other < planes; other++) {
#pragma unroll
		for (int c = 0; c < maxComponents; c++) {
			if (c < field.count) {
				sum[c] += __shfl_sync(fullWarp, plane[c], (laneIndex() + other * together) % warpSize);
			}
		}
	}
}

// Points sorted by cell, for those who ask what lies in a cell: of has two numbers for every
// cell, the place of the first point in it and that behind the last, which are 0 and 0 where
// there is none.
struct Cells {
	const int32 *of;

	// The places of the points in a cell; none where the number is negative.
	__device__ __forceinline__ Pack<int32, 2> places(int64 cell) const {
		const Pack<int32, 2> is = loadPack<2>(&of[cell < 0 ? 0 : 2 * cell]);
		return cell < 0 ? Pack<int32, 2>{{0, 0}} : is;
	}
};

// What places hold for a shift (i, j, k): the weights along the axes, and values.
template <typename T> struct Term {
	T x, y, z, value[maxComponents];

	template <int N> __device__ __forceinline__ void load(const Supports<T> &p, const T *values, int count, int64 t, int i, int j, int k) {
		x = p.weight[i * p.stride + t];
		y = p.weight[(N + j) * p.stride + t];
		z = p.site->dim == 3 ? p.weight[(2 * N + k) * p.stride + t] : (T)1;
#pragma unroll
		for (int c = 0; c < maxComponents; c++) {
			if (c < count) {
				value[c] = values[c * p.stride + t];
			}
		}
	}

	__device__ __forceinline__ void addTo(T (&sum)[maxComponents], int count) const {
#pragma unroll
		for (int c = 0; c < maxComponents; c++) {
			if (c < count) {
				sum[c] += y * (z * (value[c] * x));
			}
		}
	}
};

// What the points of all cells at the shifts (0…N−1, 0…N−1, k) spread to node (x, y, z): of the
// cells of so many rows the places, then the first points, are on their way from memory together.
template <typename T, int N, int rows>
__device__ __forceinline__ void gatherPlane(const Supports<T> &p, const Cells &cells, const T *values, int count, int x, int y, int z, int k, T (&sum)[maxComponents]) {
	const Site &s = *p.site;
#pragma unroll
	for (int c = 0; c < maxComponents; c++) {
		sum[c] = 0;
	}
	const int cz = s.dim == 3 ? cellNumber(s.axis[2], z - k) : 0;
	if (cz < 0) {
		return;
	}
#pragma unroll 1
	for (int row = 0; row < N; row += rows) {
		Pack<int32, 2> at[rows][N];
		Term<T> term[rows][N];
#pragma unroll
		for (int r = 0; r < rows; r++) {
			const int cy = row + r < N ? cellNumber(s.axis[1], y - row - r) : -1;
			const int64 line = (int64)s.axis[0].cells * (cy + (int64)s.axis[1].cells * cz);
#pragma unroll
			for (int i = 0; i < N; i++) {
				const int cx = cellNumber(s.axis[0], x - i);
				at[r][i] = cells.places(cx < 0 || cy < 0 ? -1 : line + cx);
			}
		}
#pragma unroll
		for (int r = 0; r < rows; r++) {
#pragma unroll
			for (int i = 0; i < N; i++) {
				if (at[r][i][0] < at[r][i][1]) {
					term[r][i].template load<N>(p, values, count, at[r][i][0], i, row + r, k);
				}
			}
		}
#pragma unroll
		for (int r = 0; r < rows; r++) {
#pragma unroll
			for (int i = 0; i < N; i++) {
				if (at[r][i][0] < at[r][i][1]) {
					term[r][i].addTo(sum, count);
				}
#pragma unroll 1
				for (int64 t = at[r][i][0] + 1; t < at[r][i][1]; t++) {
					Term<T> next;
					next.template load<N>(p, values, count, t, i, row + r, k);
					next.addTo(sum, count);
				}
			}
		}
	}
}

// What all points spread to node (x, y, z): the other side of Algorithm 4 of Kassen,
// Shankar & Fogelson. There cells write, a shift at a time, and all wait for each other
// after every shift; here every node has one thread that reads the cells around, so that
// there is one launch and no writes but one per node. A segment, the points of a cell, is
// reduced into the thread's sum; terms come in the order of cells and points, plane by plane,
// whatever the launch. values[c·stride + t] are those of places, already times h^−d.
template <typename T, int N, int rows>
__device__ __forceinline__ void gatherAt(const Supports<T> &p, const Cells &cells, const T *values, int count, int x, int y, int z, T (&sum)[maxComponents]) {
	gatherPlane<T, N, rows>(p, cells, values, count, x, y, z, 0, sum);
	const int planes = p.site->dim == 3 ? N : 1;
#pragma unroll 1
	for (int k = 1; k < planes; k++) {
		T plane[maxComponents];
		gatherPlane<T, N, rows>(p, cells, values, count, x, y, z, k, plane);
#pragma unroll
		for (int c = 0; c < maxComponents; c++) {
			sum[c] += plane[c];
		}
	}
}

// The force density that markers spread to a node of the window: see gatherAt. Bodies have few such
// nodes, which are waited for: with deltas of up to three nodes all rows of a plane come together.
template <typename T, int N>
__device__ __forceinline__ void gatherNode(const Supports<T> &p, const T *values, const Cells &cells, int node, T (&sum)[maxComponents]) {
	const Site &s = *p.site;
	const int nx = s.axis[0].nodes, ny = s.axis[1].nodes, line = node / nx;
	gatherAt<T, N, (N <= 3 ? N : 1)>(p, cells, values, s.dim, node - line * nx, line % ny, line / ny, sum);
}

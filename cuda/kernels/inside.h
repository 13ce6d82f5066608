// Relaxation times of nodes inside elastic bodies of another viscosity, as package hybrid finds them (viscosity.go, flexible/inside.go, where the
// equations stand): of each node that a point touches anew in every step, by the vertices around it; others are on the side of a surface on which they were, which
// passes no node without touching it. Every node sums what vertices do in the order in which these are sorted. A node that is near the surface of a cell
// and deep inside another, which would overlap by more than insideReach, is taken for a node of the first alone.
#pragma once

#include "membrane.h"

constexpr double insideReach = 1.75; // how far from a node, in nodes, a vertex tells on which side of the surface it is
constexpr int mostAround = 6;		 // cells whose surfaces are that near to a node: those beyond are left out
constexpr double longEdge = 2;		 // longer edges may leave holes between nodes

// What is the same for all nodes: Go's insideRecord, field by field.
struct InsideRecord {
	double own, tau;	// 3ν and τ of the fluid
	double least, most; // bounds of 1/ν over the fluid's
};

// Stores the area of each vertex of a block's cell, a third of the triangles around it, outwards: area[3k + a] of vertex k of all, by what
// membraneForces has left of triangles. A cell of another viscosity some edge of which may leave holes is doubtful.
__device__ __forceinline__ void insideAreas(const MembraneKind *kinds, const MembraneCell *cells, const int32 *table, double *scratch, const double *x, const double *change,
											double *area, uint32 *fault) {
	const MembraneCell cell = cells[blockIdx.x];
	const MembraneKind &kind = kinds[cell.kind];
	if (change[blockIdx.x] == 0) {
		return;
	}
	x += 3 * (int64)cell.first, area += 3 * (int64)cell.first;
	const Membrane m = {kind, table, nullptr, x, scratch + cell.scratch, nullptr, nullptr, nullptr, nullptr, nullptr};
	for (int v = (int)threadIdx.x; v < kind.vertices; v += (int)blockDim.x) {
		Vec3 sum = {0, 0, 0};
		for (int64 r = table[kind.ring + v]; r < table[kind.ring + v + 1]; r++) {
			const Vec3 n = m.normal(table[kind.around + r] / 3);
			sum.x += n.x, sum.y += n.y, sum.z += n.z;
		}
		area[3 * v] = sum.x / 6, area[3 * v + 1] = sum.y / 6, area[3 * v + 2] = sum.z / 6;
	}
	bool holes = false;
	for (int e = (int)threadIdx.x; e < kind.edges; e += (int)blockDim.x) {
		const int32 *of = table + kind.edge + 4 * e;
		const Vec3 d = vertexOf(x, of[1]) - vertexOf(x, of[0]);
		holes = holes || dot(d, d) > longEdge * longEdge;
	}
	if (holes) {
		atomicOr(&fault[blockIdx.x], doubtful);
	}
}

// The cells of points along an axis that lie within insideReach of a node: from the from-th to the to-th, which may be beyond the ends of a periodic axis.
struct InsideSpan {
	int from, to;
	bool ring;
	int cells;

	__device__ __forceinline__ InsideSpan(const SiteAxis &a, int support, int node) {
		// Where supports begin of points 1.75 nodes to either side: of N nodes the first is N/2 − 1 below the node below the point, or, where N is odd,
		// N/2 below the nearest one.
		const int below = support % 2 ? node - 2 - support / 2 : node - 2 - (support / 2 - 1), above = support % 2 ? node + 2 - support / 2 : node + 1 - (support / 2 - 1);
		ring = a.periodic, cells = a.cells;
		from = ring ? below : max(below + a.low, 0), to = ring ? above : min(above + a.low, a.cells - 1);
		if (ring && to - from >= cells) {
			to = from + cells - 1;
		}
	}

	__device__ __forceinline__ int at(int i) const { return !ring ? i : i < 0 ? i + cells : i >= cells ? i - cells : i; }
};

// What vertices of the cells around a node tell of it.
struct InsideSums {
	int32 who[mostAround];
	double weight[mostAround], height[mostAround];
	int known = 0;

	__device__ __forceinline__ void add(int32 cell, double w, double h) {
		int i = 0;
		while (i < known && who[i] != cell) {
			i++;
		}
		if (i == mostAround) {
			return;
		}
		if (i == known) {
			who[i] = cell, weight[i] = 0, height[i] = 0, known++;
		}
		weight[i] += w, height[i] += h;
	}
};

// A difference of coordinates, to the nearest image.
__device__ __forceinline__ double toNearest(const SiteAxis &a, double d) { return a.periodic ? d - a.size * floor(d / a.size + 0.5) : d; }

// Stores the relaxation times of the listed nodes, *count of them, or where there is no list of those of all that are marked.
template <class T>
__device__ __forceinline__ void insideTimes(const InsideRecord &k, const Site &s, const Cells &cells, const uint32 *order, const double *at, const int32 *of, const double *area,
											const double *change, const int32 *nodes, const int32 *count, const uint32 *marked, int all, T *times) {
	constexpr double square = insideReach * insideReach;
	const int nx = s.axis[0].nodes, ny = s.axis[1].nodes;
	const int64 n = nodes ? *count : all;
	EACH(i, n) {
		const int node = nodes ? nodes[i] : (int)i;
		if (!nodes && !(marked[node / 32] >> node % 32 & 1)) {
			continue;
		}
		const int line = node / nx, x = node - line * nx, y = line % ny, z = line / ny;
		const InsideSpan sx(s.axis[0], s.support, x), sy(s.axis[1], s.support, y), sz(s.axis[2], s.support, z);
		InsideSums sums;
		for (int cz = sz.from; cz <= sz.to; cz++) {
			for (int cy = sy.from; cy <= sy.to; cy++) {
				const int64 row = (int64)s.axis[0].cells * (sy.at(cy) + (int64)s.axis[1].cells * sz.at(cz));
				for (int cx = sx.from; cx <= sx.to; cx++) {
					const Pack<int32, 2> places = cells.places(row + sx.at(cx));
					for (int32 t = places[0]; t < places[1]; t++) {
						const int64 q = order[t];
						const int32 cell = of[q];
						if (change[cell] == 0) {
							continue;
						}
						const double dx = toNearest(s.axis[0], x - at[3 * q]), dy = toNearest(s.axis[1], y - at[3 * q + 1]), dz = toNearest(s.axis[2], z - at[3 * q + 2]);
						const double left = square - (dx * dx + dy * dy + dz * dz);
						if (left > 0) {
							const double ax = area[3 * q], ay = area[3 * q + 1], az = area[3 * q + 2], w = left / square * (left / square);
							sums.add(cell, w * sqrt(ax * ax + ay * ay + az * az), w * (ax * dx + ay * dy + az * dz));
						}
					}
				}
			}
		}
		if (sums.known == 0) {
			continue;
		}
		double inverse = 1;
		for (int c = 0; c < sums.known; c++) {
			inverse += change[sums.who[c]] * clamp(0.5 - sums.height[c] / sums.weight[c], 0., 1.);
		}
		times[node] = inverse == 1 ? (T)k.tau : (T)(k.own / clamp(inverse, k.least, k.most) + 0.5);
	}
}

// The viscosity at a place, over that of the fluid: the inverse of the mean of 1/ν over the nodes around it, by their nearness.
template <class T> __device__ __forceinline__ double viscosityAt(const InsideRecord &k, const Site &s, const double *x, const T *times) {
	int first[3];
	double part[3], mean = 0, whole = 0;
	for (int a = 0; a < 3; a++) {
		const double v = localCoordinate(s.axis[a], x[a]);
		if (!(v == v)) {
			return 1;
		}
		first[a] = (int)floor(v), part[a] = v - floor(v);
	}
	for (int corner = 0; corner < 8; corner++) {
		int p[3];
		double weight = 1;
		for (int a = 0; a < 3; a++) {
			const int up = corner >> a & 1;
			p[a] = existing(s.axis[a], first[a] + up);
			weight *= up ? part[a] : 1 - part[a];
		}
		if (p[0] >= 0 && p[1] >= 0 && p[2] >= 0) {
			mean += weight * (k.own / ((double)times[p[0] + s.axis[0].nodes * (p[1] + (int64)s.axis[1].nodes * p[2])] - 0.5));
			whole += weight;
		}
	}
	return whole == 0 ? 1 : whole / mean;
}

// Makes what vertices slip by for each force per area along them that of the viscosity where they are: slip[k] of vertex k of all.
template <class T> __device__ __forceinline__ void slipByViscosity(const InsideRecord &k, const Site &s, const double *at, const T *times, double per, double *slip, int n) {
	EACH(p, n) {
		slip[p] = per / viscosityAt(k, s, at + 3 * p, times);
	}
}

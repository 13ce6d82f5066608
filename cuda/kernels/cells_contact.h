// What acts on the vertices of elastic bodies beside their membranes, as packages ib/contact and hybrid/flexible have it on the
// processor, where the equations stand: a repulsion between bodies, and from solid nodes and walls, and loads. The vertices are sorted
// by the cell of their supports (transfer_place.cu), so that those near one lie in the cells around its own. Eight lanes of a warp have a
// vertex: they share the rows of cells around it and the solid nodes near it, and their sums are added pairwise. So results depend on
// where the vertices are alone, neither on chance nor on the launch. All arithmetic is in double precision.
#pragma once

#include "transfer.h"

constexpr int contactLanes = 8; // of a vertex

// Solid nodes near a vertex are listed for boxes of so many nodes along each axis.
constexpr int boxNodes = 2;

// What is the same for all vertices: Go's contactRecord, field by field. Lengths are in nodes.
struct CellContact {
	double size[3], inverse[3]; // of periodic axes; 0 of others
	double middle[3];			// size/2; infinite of others
	double wall[6];				// where faces of the domain are that repel, low and high of each axis; not a number: it does not
	double reach, core;			// of the law; reach is 0 where nothing repels
	double inverseReach, threefold; // 1/reach, 3/reach
	double offset[3];			// how far in front of solid nodes of a kind their surface lies
	int32 boxes[3];				// along the axes
	int32 around;				// cells of points on either side that hold all within the reach
};

struct Push {
	double x, y, z;
};

// x − y, to the nearest image of y: neighbours.apart of ib/contact.
__device__ __forceinline__ Push apart(const CellContact &c, double x, double y, double z, double ox, double oy, double oz) {
	double d[3] = {x - ox, y - oy, z - oz};
#pragma unroll
	for (int a = 0; a < 3; a++) {
		if (fabs(d[a]) > c.middle[a]) {
			d[a] -= c.size[a] * floor(d[a] * c.inverse[a] + 0.5);
		}
	}
	return {d[0], d[1], d[2]};
}

// The force between two points of area and pressure one at a distance r, the surface of one of which lies c in front of it:
// law.inSpace of ib/contact.
__device__ __forceinline__ double repulsion(const CellContact &k, double r, double c) {
	constexpr double inverseTwoPi = 0.15915494309189533577;
	const double most = 0.875; // 1 − core/reach
	double left = 1 - (r - c) * k.inverseReach;
	r = max(r, k.core);
	left = c == 0 && left > most ? most : left;
	const double inverse = 1 / r;
	return left * left * (left * inverse + k.threefold) * inverse * inverseTwoPi;
}

// The vertices of all cells.
struct Vertices {
	const double *at;		// x, y, z of one after the other
	const int32 *of;		// whose it is
	const double *area;		// that it stands for
	const double *pressure; // of each cell, where surfaces touch
};

// The places of the points in cells from … to of a row: they lie side by side.
__device__ __forceinline__ void addPlaces(const Cells &cells, int64 row, int from, int to, int32 &begin, int32 &end) {
#pragma unroll 4
	for (int i = from; i <= to; i++) {
		const Pack<int32, 2> at = cells.places(row + i);
		if (at[0] < at[1]) {
			begin = min(begin, at[0]), end = max(end, at[1]);
		}
	}
}

// Adds what the points of other cells at places begin … end − 1 do to vertex p, and those of its own that are near by an image.
__device__ __forceinline__ void addPoints(const CellContact &c, const Vertices &v, const uint32 *order, int32 begin, int32 end, int64 p, Push &sum) {
	const double x = v.at[3 * p], y = v.at[3 * p + 1], z = v.at[3 * p + 2], area = v.area[p];
	const int me = v.of[p];
	const double pressure = v.pressure[me];
#pragma unroll 2
	for (int32 u = begin; u < end; u++) {
		const int64 q = order[u];
		const double ox = v.at[3 * q], oy = v.at[3 * q + 1], oz = v.at[3 * q + 2];
		const int other = v.of[q];
		if (other == me && !(fabs(x - ox) > c.middle[0] || fabs(y - oy) > c.middle[1] || fabs(z - oz) > c.middle[2])) {
			continue;
		}
		const Push d = apart(c, x, y, z, ox, oy, oz);
		const double squared = d.x * d.x + d.y * d.y + d.z * d.z;
		if (!(squared < c.reach * c.reach && squared > 0)) {
			continue;
		}
		const double r = sqrt(squared), f = repulsion(c, r, 0) * max(pressure, v.pressure[other]) * (area * v.area[q]) / r;
		sum.x += f * d.x, sum.y += f * d.y, sum.z += f * d.z;
	}
}

// A stretch of the cells along an axis around one, of which a periodic axis may cut off a second part.
struct Around {
	int from, count, cells;
	bool ring;

	// The i-th cell of it.
	__device__ __forceinline__ int at(int i) const {
		const int c = from + i;
		return !ring ? c : c < 0 ? c + cells : c >= cells ? c - cells : c;
	}
};

__device__ __forceinline__ Around cellsAround(const SiteAxis &a, int first, int reach) {
	if (a.periodic) {
		return {first - min(reach, (a.cells - 1) / 2), min(2 * reach + 1, a.cells), a.cells, true};
	}
	const int low = max(first + a.low - reach, 0), high = min(first + a.low + reach, a.cells - 1);
	return {low, max(high - low + 1, 0), a.cells, false};
}

// Adds what other bodies do to vertex p, whose support begins at first: a lane's share.
__device__ __forceinline__ void addBodies(const CellContact &c, const Site &s, const Vertices &v, const Cells &cells, const uint32 *order, const int32 (&first)[3],
										  int64 p, int lane, Push &sum) {
	const Around x = cellsAround(s.axis[0], first[0], c.around), y = cellsAround(s.axis[1], first[1], c.around), z = cellsAround(s.axis[2], first[2], c.around);
	for (int r = lane; r < y.count * z.count; r += contactLanes) {
		const int64 row = (int64)s.axis[0].cells * (y.at(r % y.count) + (int64)s.axis[1].cells * z.at(r / y.count));
		const int end = x.from + x.count - 1; // of those that do not go round
		int32 from = 0x7fffffff, to = 0;
		if (x.ring && x.from < 0) {
			addPlaces(cells, row, x.from + x.cells, x.cells - 1, from, to);
			addPoints(c, v, order, from, to, p, sum);
			from = 0x7fffffff, to = 0;
		}
		addPlaces(cells, row, max(x.from, 0), min(end, x.cells - 1), from, to);
		addPoints(c, v, order, from, to, p, sum);
		if (x.ring && end >= x.cells) {
			from = 0x7fffffff, to = 0;
			addPlaces(cells, row, 0, end - x.cells, from, to);
			addPoints(c, v, order, from, to, p, sum);
		}
	}
}

// Adds what solid nodes do to vertex p: those that are listed for the box that it is in, a lane's share. An entry of a list has a node's
// place from the box's first one, 128 added, x lowest, and above that its kind.
__device__ __forceinline__ void addSolids(const CellContact &c, const Vertices &v, const int32 *boxes, const uint32 *solids, int64 p, int lane, Push &sum) {
	double at[3];
	int64 box = 0;
#pragma unroll
	for (int a = 2; a >= 0; a--) {
		double x = v.at[3 * p + a] + 0.5;
		if (!(fabs(x) <= maxPosition)) {
			return;
		}
		x -= c.size[a] * floor(x * c.inverse[a]);
		const int b = clamp((int)floor(x * (1. / boxNodes)), 0, c.boxes[a] - 1);
		at[a] = x - 0.5 - boxNodes * b; // from the box's first node
		box = box * c.boxes[a] + b;
	}
	const double scale = v.pressure[v.of[p]] * v.area[p];
	const int32 end = boxes[box + 1];
	for (int32 i = boxes[box] + lane; i < end; i += contactLanes) {
		const uint32 e = solids[i];
		const int kind = (int)(e >> 24);
		const double dx = at[0] - ((int)(e & 255) - 128), dy = at[1] - ((int)(e >> 8 & 255) - 128), dz = at[2] - ((int)(e >> 16 & 255) - 128);
		const double offset = c.offset[kind], within = c.reach + offset, squared = dx * dx + dy * dy + dz * dz;
		if (!(squared < within * within && squared > 0)) {
			continue;
		}
		const double nodeArea = kind == 0 ? 1 : kind == 1 ? 1.41421356237309504880 : 1.73205080756887729353; // SolidSurfaces of package hybrid
		const double r = sqrt(squared), f = repulsion(c, r, offset) * scale * nodeArea / r;
		sum.x += f * dx, sum.y += f * dy, sum.z += f * dz;
	}
}

// Adds what faces of the domain do to vertex p.
__device__ __forceinline__ void addWalls(const CellContact &c, const Vertices &v, int64 p, Push &sum) {
	double push[3] = {0, 0, 0};
	const double scale = v.pressure[v.of[p]] * v.area[p];
#pragma unroll
	for (int f = 0; f < 6; f++) {
		const double sign = f % 2 == 0 ? 1 : -1, gap = sign * (v.at[3 * p + f / 2] - c.wall[f]);
		if (gap < c.reach) { // not where there is none
			const double left = 1 - gap * c.inverseReach;
			push[f / 2] += sign * left * left * left * scale;
		}
	}
	sum.x += push[0], sum.y += push[1], sum.z += push[2];
}

// Whether the support of a vertex, that begins at first, holds a solid node: a lane's share of its rows.
__device__ __forceinline__ bool holdsSolid(const Site &s, const uint32 *solid, const int32 (&first)[3], int lane) {
	bool holds = false;
	for (int r = lane; r < s.support * s.support; r += contactLanes) {
		const int row = rowOf(s, first[1] + r % s.support, first[2] + r / s.support);
		for (int i = 0; i < s.support; i++) {
			const int x = existing(s.axis[0], first[0] + i), node = row + x;
			holds = holds || (row >= 0 && x >= 0 && (solid[node / 32] >> node % 32 & 1));
		}
	}
	return holds;
}

// Loads: of vertex p those numbered loaded[p] … loaded[p + 1] − 1, each a force and the steps in which it comes smoothly from 0.
struct Loads {
	const int32 *loaded;
	const double *load;
	double step;

	// (1 − cos πs)/2 = sin² πs/2 for 0 ≤ s ≤ 1, by the series of the sine up to its 21st power: 2·10⁻¹⁸.
	static __device__ __forceinline__ double rise(double s) {
		const double x = 1.57079632679489661923 * s, u = -x * x;
		double sum = 1;
#pragma unroll
		for (int k = 20; k >= 2; k -= 2) {
			sum = 1 + sum * u / (k * (k + 1));
		}
		return x * sum * (x * sum);
	}

	__device__ __forceinline__ void add(int64 p, Push &sum) const {
		for (int32 i = loaded[p]; i < loaded[p + 1]; i++) {
			const double *l = load + 4 * (int64)i, share = step < l[3] ? rise(step / l[3]) : 1;
			sum.x += l[0] * share, sum.y += l[1] * share, sum.z += l[2] * share;
		}
	}
};

// The sum of v over the lanes of a vertex, pair by pair; all have it.
__device__ __forceinline__ double overLanes(double v) {
#pragma unroll
	for (int by = 1; by < contactLanes; by *= 2) {
		v += __shfl_xor_sync(fullWarp, v, by);
	}
	return v;
}

constexpr uint32 inSolid = 4; // a bit of a cell's fault: membrane.h has the others

// Adds to the forces of membranes, force[a·points + p] of vertex p, what else acts, and brings all into the order of places to be
// spread, values[a·stride + t] at place t. boxes is null where no solid node repels, solid (a bit of each node) where there is none,
// loaded where nothing is.
template <class T>
__device__ __forceinline__ void contactForces(const CellContact &c, const Site &s, const Cells &cells, const uint32 *order, const int32 *first, int64 stride,
											  const Vertices &v, const int32 *boxes, const uint32 *solids, const uint32 *solid, const Loads &loads, T *force,
											  int64 points, T *values, uint32 *fault, int n) {
	const int lane = laneIndex() % contactLanes;
	const int64 threads = ((int64)n * contactLanes + warpSize - 1) / warpSize * warpSize;
	EACH(id, threads) {
		const int64 t = id / contactLanes;
		Push sum = {0, 0, 0};
		int64 p = 0;
		bool holds = false;
		if (t < n) {
			p = order[t];
			const int32 begin[3] = {first[t], first[stride + t], first[2 * stride + t]};
			if (c.reach > 0) {
				addBodies(c, s, v, cells, order, begin, p, lane, sum);
			}
			if (boxes) {
				addSolids(c, v, boxes, solids, p, lane, sum);
			}
			holds = solid && holdsSolid(s, solid, begin, lane);
		}
		sum = {overLanes(sum.x), overLanes(sum.y), overLanes(sum.z)};
		if (holds) {
			atomicOr(&fault[v.of[p]], inSolid);
		}
		if (t < n && lane == 0) {
			if (c.reach > 0) {
				addWalls(c, v, p, sum);
			}
			if (loads.loaded) {
				loads.add(p, sum);
			}
			const double all[3] = {sum.x, sum.y, sum.z};
			for (int a = 0; a < 3; a++) {
				const T f = (T)((double)force[a * points + p] + all[a]);
				force[a * points + p] = f;
				values[a * stride + t] = (T)s.scale * f;
			}
		}
	}
}

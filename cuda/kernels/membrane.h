// Membranes of triangles: how elastic bodies move on, and their forces, as package ib/elastic has
// them, where the equations stand (chunk.go, juelicher.go, viscosity.go). A block of threads has a
// cell, whose vertices it keeps in shared memory; triangles leave the forces on their corners, which
// every vertex gathers in the order of the mesh: results depend neither on chance nor on the number
// of threads. All arithmetic is in double precision.
#pragma once

#include "transfer.h"

// What cells of a kind share. Tables begin at these places among int32 and doubles:
//
//	corner, side   of triangles: their vertices, the edges opposite these
//	edge           a, b, left, right: left passes it from a to b, right from b to a
//	ring           where each vertex's part of around begins, and the end
//	around         3·triangle + corner
//	rest           of triangles free of stress: G⁻¹, 1/det G, two areas; and the least 2A that they may have
//	h0             of vertices: what bending is free at
//
// Go's membraneKind has the same fields in the same order.
struct MembraneKind {
	double law[5];         // ∂W/∂I1 = law[0] + law[1] I1, ∂W/∂I2 = law[2] + law[3] I2 + law[4]/(I2+1)²
	double shear, spread;  // viscosities μ_s and μ_d − μ_s
	double bending;        // κ
	double areaPenalty, volumePenalty, area, volume; // k_A, k_V, A0, V0
	int64 corner, side, edge, ring, around, rest, h0;
	int32 vertices, triangles, edges, viscous;
	int64 rounds; // of smoothing the traction that vertices slip by
};

constexpr int restNumbers = 6; // of a triangle

// A cell: its kind, its first vertex among those of all, and where its scratch begins.
struct MembraneCell {
	int64 scratch;
	int32 kind, first;
};

// Where vertices may be, in nodes, so that their supports are where the device has nodes.
struct Bounds {
	double low[3], high[3];
};

// What may be wrong with a cell: bits of its fault.
constexpr uint32 doubtful = 1; // forces that are not finite, a triangle that has collapsed or turned over, perhaps
constexpr uint32 outside = 2;  // a vertex out of bounds

// Sums over triangles are of so many parts, whatever the number of threads.
constexpr int sumParts = 64;

// Threads of a block at most: Go's membraneThreads.
constexpr int membraneThreads = 256;

struct Vec3 {
	double x, y, z;
};

__device__ __forceinline__ Vec3 vertexOf(const double *at, int v) { return {at[3 * v], at[3 * v + 1], at[3 * v + 2]}; }
__device__ __forceinline__ Vec3 operator-(const Vec3 &a, const Vec3 &b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
__device__ __forceinline__ double dot(const Vec3 &a, const Vec3 &b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
__device__ __forceinline__ Vec3 cross(const Vec3 &a, const Vec3 &b) { return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x}; }

// The angle of which sine and cosine are given, −π to π: turn.angle of ib/elastic/hinge.go.
__device__ __forceinline__ double angleOf(double sine, double cosine) {
	double least = fabs(sine), most = fabs(cosine);
	const bool steep = least > most;
	if (steep) {
		const double other = least;
		least = most, most = other;
	}
	const double t = least / (1 + most), u = t * t, u2 = u * u, u4 = u2 * u2;
	const double low = (-0.33333333333328617 + u * 0.19999999998889239) + u2 * (-0.14285714183511316 + u * 0.11111106276133608);
	const double high = (-0.090907751501558370 + u * 0.076899809126164406) + u2 * (-0.066404581633607652 + u * 0.056894577984461201);
	const double top = -0.043510871743516768 + u * 0.021170692825017133;
	double angle = 2 * t * (1 + u * (low + u4 * (high + u4 * top)));
	constexpr double pi = 3.14159265358979323846;
	angle = steep ? pi / 2 - angle : angle;
	angle = cosine < 0 ? pi - angle : angle;
	return sine < 0 || (sine == 0 && bitCast<int64>(sine) < 0) ? -angle : angle;
}

// What a block works on.
struct Membrane {
	const MembraneKind &kind;
	const int32 *table;
	const double *rest;
	const double *at;           // positions
	double *facet, *push;       // of triangles: N = e1 × e2 and 1/|N|; forces on the corners
	double *arc, *over;         // of edges: l θ, θ/(2l)
	double *tension, *strength; // of vertices: α/3 and c of Jülicher's energy

	__device__ __forceinline__ int corner(int k, int i) const { return table[kind.corner + 3 * k + i]; }
	__device__ __forceinline__ int side(int k, int i) const { return table[kind.side + 3 * k + i]; }
	__device__ __forceinline__ Vec3 normal(int k) const { return {facet[4 * k], facet[4 * k + 1], facet[4 * k + 2]}; }

	// N and 1/|N|; whether the triangle is as large as it has to be.
	__device__ __forceinline__ bool triangle(int k) const {
		const Vec3 o = vertexOf(at, corner(k, 0)), n = cross(vertexOf(at, corner(k, 1)) - o, vertexOf(at, corner(k, 2)) - o);
		const double twice = sqrt(dot(n, n));
		facet[4 * k] = n.x, facet[4 * k + 1] = n.y, facet[4 * k + 2] = n.z, facet[4 * k + 3] = 1 / twice;
		return twice > rest[kind.rest + restNumbers * k + 5];
	}

	// The parts of 2A and 6V that are of triangles part, part + sumParts, …
	__device__ __forceinline__ void sums(int part, double &area, double &volume) const {
		const Vec3 origin = vertexOf(at, 0);
		area = volume = 0;
		for (int k = part; k < kind.triangles; k += sumParts) {
			const Vec3 n = normal(k);
			area += sqrt(dot(n, n));
			volume += dot(vertexOf(at, corner(k, 0)) - origin, n);
		}
	}

	// l θ and θ/(2l) of an edge; whether its triangles face the same side.
	__device__ __forceinline__ bool hinge(int e) const {
		const int32 *of = table + kind.edge + 4 * e;
		const Vec3 left = normal(of[2]), right = normal(of[3]);
		const double cosine = dot(left, right);
		if (kind.bending != 0) {
			const Vec3 d = vertexOf(at, of[1]) - vertexOf(at, of[0]);
			const double square = dot(d, d), inverse = 1 / sqrt(square), unit = facet[4 * of[2] + 3] * facet[4 * of[3] + 3];
			const double theta = angleOf(dot(d, cross(left, right)) * (inverse * unit), cosine * unit);
			arc[e] = square * inverse * theta;
			over[e] = 0.5 * theta * inverse;
		}
		return cosine > 0;
	}

	// α/3 and c of a vertex: juelicher.prepare.
	__device__ __forceinline__ void curvature(int v) const {
		double area = 0, sum = 0;
		for (int64 r = table[kind.ring + v]; r < table[kind.ring + v + 1]; r++) {
			const int of = table[kind.around + r], k = of / 3, i = of % 3;
			const Vec3 n = normal(k);
			area += sqrt(dot(n, n)) * (1. / 6);
			sum += arc[side(k, i == 2 ? 0 : i + 1)]; // each edge at the vertex is that of one triangle
		}
		const double h = 0.25 * sum / area, h0 = rest[kind.h0 + v];
		tension[v] = -2. / 3 * kind.bending * (h - h0) * (h + h0);
		strength[v] = kind.bending * (h - h0);
	}

	// The forces of a triangle on its corners; around is the tension of the area penalty, across a
	// sixth of the pressure of the volume penalty. now: velocities of the cell's vertices.
	template <class T> __device__ __forceinline__ void forces(int k, double around, double across, const T *now, int64 points) const {
		const int v0 = corner(k, 0), v1 = corner(k, 1), v2 = corner(k, 2);
		const Vec3 o = vertexOf(at, v0), e1 = vertexOf(at, v1) - o, e2 = vertexOf(at, v2) - o, n = normal(k);
		const double *r = rest + kind.rest + restNumbers * k, inverse = facet[4 * k + 3];
		const double g11 = dot(e1, e1), g12 = dot(e1, e2), g22 = dot(e2, e2);
		const double i1 = r[0] * g11 + 2 * r[1] * g12 + r[2] * g22 - 2, i2 = dot(n, n) * r[3] - 1, j2 = i2 + 1;
		const double w1 = r[4] * (kind.law[0] + kind.law[1] * i1), w2 = r[4] * r[3] * (kind.law[2] + kind.law[3] * i2 + kind.law[4] / (j2 * j2));
		double s11 = w1 * r[0] + w2 * g22, s12 = w1 * r[1] - w2 * g12, s22 = w1 * r[2] + w2 * g11;
		double b1 = 0, b2 = 0, isotropic = around;
		if (kind.bending != 0) {
			const double k0 = strength[v0], k1 = strength[v1], k2 = strength[v2], c0 = k1 + k2, c1 = k2 + k0, c2 = k0 + k1, square = inverse * inverse;
			b1 = square * (g22 * (c1 - c0) + g12 * (c0 - c2)), b2 = square * (g11 * (c2 - c0) + g12 * (c0 - c1));
			const double r0 = c0 * over[side(k, 0)], r1 = c1 * over[side(k, 1)], r2 = c2 * over[side(k, 2)];
			s11 += r2 + r0, s12 -= r0, s22 += r1 + r0;
			isotropic += tension[v0] + tension[v1] + tension[v2];
		}
		if (kind.viscous) {
			const auto velocity = [&](int v) { return Vec3{(double)now[v], (double)now[points + v], (double)now[2 * points + v]}; };
			const Vec3 u = velocity(v0), a = velocity(v1) - u, b = velocity(v2) - u;
			const double d11 = dot(e1, a), d12 = 0.5 * (dot(e1, b) + dot(e2, a)), d22 = dot(e2, b), square = inverse * inverse;
			const double h11 = square * g22, h12 = -square * g12, h22 = square * g11, trace = h11 * d11 + 2 * h12 * d12 + h22 * d22;
			const double m11 = h11 * d11 + h12 * d12, m12 = h11 * d12 + h12 * d22, m21 = h12 * d11 + h22 * d12, m22 = h12 * d12 + h22 * d22;
			const double factor = kind.shear / inverse;
			s11 += factor * (m11 * h11 + m12 * h12), s12 += factor * (m11 * h12 + m12 * h22), s22 += factor * (m21 * h12 + m22 * h22);
			isotropic += kind.spread * trace;
		}
		const double h = 0.5 * isotropic * inverse;
		s11 += h * g22, s12 -= h * g12, s22 += h * g11;
		const double q0 = across - b1 - b2, q1 = across + b1, q2 = across + b2, r1 = s11 + s12, r2 = s12 + s22;
		double *f = push + 9 * k;
		f[0] = r1 * e1.x + r2 * e2.x + q0 * n.x, f[1] = r1 * e1.y + r2 * e2.y + q0 * n.y, f[2] = r1 * e1.z + r2 * e2.z + q0 * n.z;
		f[3] = q1 * n.x - s11 * e1.x - s12 * e2.x, f[4] = q1 * n.y - s11 * e1.y - s12 * e2.y, f[5] = q1 * n.z - s11 * e1.z - s12 * e2.z;
		f[6] = q2 * n.x - s12 * e1.x - s22 * e2.x, f[7] = q2 * n.y - s12 * e1.y - s22 * e2.y, f[8] = q2 * n.z - s12 * e1.z - s22 * e2.z;
	}

	// The force on a vertex: those of the triangles around it, in their order.
	__device__ __forceinline__ Vec3 gathered(int v) const {
		Vec3 sum = {0, 0, 0};
		for (int64 r = table[kind.ring + v]; r < table[kind.ring + v + 1]; r++) {
			const double *f = push + 3 * table[kind.around + r];
			sum.x += f[0], sum.y += f[1], sum.z += f[2];
		}
		return sum;
	}

	// The normal of a vertex, of the triangles around it by area, what it was as long, and its area, a third of these.
	__device__ __forceinline__ Vec3 normalAt(int v, double &area, double &length) const {
		Vec3 sum = {0, 0, 0};
		area = 0;
		for (int64 r = table[kind.ring + v]; r < table[kind.ring + v + 1]; r++) {
			const Vec3 n = normal(table[kind.around + r] / 3);
			sum.x += n.x, sum.y += n.y, sum.z += n.z;
			area += sqrt(dot(n, n)) * (1. / 6);
		}
		length = sqrt(dot(sum, sum));
		const double inverse = 1 / length;
		return {sum.x * inverse, sum.y * inverse, sum.z * inverse};
	}

	// The mean over a vertex' neighbours: the triangles around it each lead to one.
	__device__ __forceinline__ Vec3 around(int v, const double *of) const {
		Vec3 sum = {0, 0, 0};
		const int64 first = table[kind.ring + v], end = table[kind.ring + v + 1];
		for (int64 r = first; r < end; r++) {
			const int at = table[kind.around + r], i = at % 3;
			const Vec3 f = vertexOf(of, corner(at / 3, i == 2 ? 0 : i + 1));
			sum.x += f.x, sum.y += f.y, sum.z += f.z;
		}
		const double share = 1. / (double)(end - first);
		return {sum.x * share, sum.y * share, sum.z * share};
	}
};

// The part of a vector across a direction.
__device__ __forceinline__ Vec3 across(const Vec3 &a, const Vec3 &n) {
	const double along = dot(a, n);
	return {a.x - n.x * along, a.y - n.y * along, a.z - n.z * along};
}

// Moves vertices on by a step, X ← X + 3/2 U − 1/2 U₋: now[a·points + k] is U of vertex k of all, past U₋, of[k] the cell that it is of.
// With that marks of nodes are taken away: of those listed, *count of them, or where there is no list all words of them.
template <class T>
__device__ __forceinline__ void advance(double *x, const T *now, const T *past, const int32 *of, int64 points, uint32 *fault, const Bounds &bounds,
										const int32 *nodes, const int32 *count, uint32 *marked, int words) {
	const int64 listed = nodes ? *count : words;
	EACH(k, max(points, listed)) {
		if (k < listed) {
			marked[nodes ? nodes[k] / 32 : k] = 0;
		}
		if (k >= points) {
			continue;
		}
		bool inside = true;
		for (int a = 0; a < 3; a++) {
			const double to = x[3 * k + a] + (1.5 * (double)now[a * points + k] - 0.5 * (double)past[a * points + k]);
			inside = inside && to >= bounds.low[a] && to <= bounds.high[a];
			x[3 * k + a] = to;
		}
		if (!inside) {
			atomicOr(&fault[of[k]], outside);
		}
	}
}

// Stores the forces on the vertices of a block's cell: force[a·points + k] of vertex k of all, as velocities now are. shared has room
// for so many vertices; larger cells have theirs in x.
template <class T>
__device__ __forceinline__ void membraneForces(const MembraneKind *kinds, const MembraneCell *cells, const int32 *table, const double *rest, double *scratch,
											   const double *x, const T *now, T *force, int64 points, uint32 *fault, int room) {
	DYNAMIC_SHARED(double, shared);
	__shared__ double parts[2][sumParts];
	const MembraneCell cell = cells[blockIdx.x];
	const MembraneKind &kind = kinds[cell.kind];
	const int me = (int)threadIdx.x, threads = (int)blockDim.x;
	x += 3 * (int64)cell.first, now += cell.first, force += cell.first, scratch += cell.scratch;
	const bool fits = kind.vertices <= room;
	const double *at = fits ? shared : x;
	const int nt = kind.triangles, ne = kind.edges, nv = kind.vertices;
	const Membrane m = {kind, table, rest, at, scratch, scratch + 4 * nt, scratch + 13 * nt, scratch + 13 * nt + ne, scratch + 13 * nt + 2 * ne, scratch + 13 * nt + 2 * ne + nv};
	uint32 wrong = 0;

	for (int i = me; fits && i < 3 * nv; i += threads) {
		shared[i] = x[i];
	}
	__syncthreads();
	for (int k = me; k < nt; k += threads) {
		wrong |= m.triangle(k) ? 0 : doubtful;
	}
	__syncthreads();
	for (int p = me; p < sumParts; p += threads) {
		m.sums(p, parts[0][p], parts[1][p]);
	}
	for (int e = me; e < ne; e += threads) {
		wrong |= m.hinge(e) ? 0 : doubtful;
	}
	__syncthreads();
	double area = 0, volume = 0;
	for (int p = 0; p < sumParts; p++) {
		area += parts[0][p], volume += parts[1][p];
	}
	const double around = kind.areaPenalty * (area / 2 - kind.area) / kind.area, across = -kind.volumePenalty * (volume / 6 - kind.volume) / (6 * kind.volume);
	if (kind.bending != 0) {
		for (int v = me; v < nv; v += threads) {
			m.curvature(v);
		}
		__syncthreads();
	}
	for (int k = me; k < nt; k += threads) {
		m.forces(k, around, across, now, points);
	}
	__syncthreads();
	for (int v = me; v < nv; v += threads) {
		const Vec3 f = m.gathered(v);
		wrong |= isfinite(f.x + f.y + f.z) ? 0 : doubtful;
		force[v] = (T)f.x, force[points + v] = (T)f.y, force[2 * points + v] = (T)f.z;
	}
	if (wrong) {
		atomicOr(&fault[blockIdx.x], wrong);
	}
}

// Adds to the velocities of a block's cell by how much its vertices slip along the membrane: per, or each[k] of vertex k of all, times the force per area that acts along it, smoothed, as
// ib/elastic/along.go has it; and takes away, evenly along normals, how fast velocities make the volume grow. Forces are those of all, and triangles as membraneForces has left them; what lies there of their forces is no more.
template <class T>
__device__ __forceinline__ void membraneSlip(const MembraneKind *kinds, const MembraneCell *cells, const int32 *table, double *scratch, const T *force, T *velocity, int64 points, double per, const double *each) {
	const MembraneCell cell = cells[blockIdx.x];
	const MembraneKind &kind = kinds[cell.kind];
	const int me = (int)threadIdx.x, threads = (int)blockDim.x, nv = kind.vertices;
	force += cell.first, velocity += cell.first, scratch += cell.scratch;
	double *facet = scratch, *normal = scratch + 4 * kind.triangles, *growth = normal + 3 * nv, *traction = growth + nv, *next = traction + 3 * nv;
	__shared__ double parts[2][sumParts];
	const Membrane m = {kind, table, nullptr, nullptr, facet, nullptr, nullptr, nullptr, nullptr, nullptr};
	const auto store = [](double *to, int v, const Vec3 &f) { to[3 * v] = f.x, to[3 * v + 1] = f.y, to[3 * v + 2] = f.z; };
	for (int v = me; v < nv; v += threads) {
		double area;
		const Vec3 n = m.normalAt(v, area, growth[v]), f = across({(double)force[v], (double)force[points + v], (double)force[2 * points + v]}, n);
		store(normal, v, n);
		store(traction, v, {f.x / area, f.y / area, f.z / area});
	}
	for (int64 r = 0; r < 2 * kind.rounds; r++) {
		__syncthreads();
		for (int v = me; v < nv; v += threads) {
			store(next, v, m.around(v, traction));
		}
		double *was = traction;
		traction = next, next = was;
	}
	__syncthreads();
	for (int v = me; v < nv; v += threads) {
		const Vec3 f = across(vertexOf(traction, v), vertexOf(normal, v));
		const double by = each ? each[cell.first + v] : per;
		store(next, v, {(double)velocity[v] + f.x * by, (double)velocity[points + v] + f.y * by, (double)velocity[2 * points + v] + f.z * by});
	}
	__syncthreads();
	for (int p = me; p < sumParts; p += threads) {
		double flux = 0, all = 0;
		for (int v = p; v < nv; v += sumParts) {
			flux += growth[v] * dot(vertexOf(normal, v), vertexOf(next, v));
			all += growth[v];
		}
		parts[0][p] = flux, parts[1][p] = all;
	}
	__syncthreads();
	double flux = 0, all = 0;
	for (int p = 0; p < sumParts; p++) {
		flux += parts[0][p], all += parts[1][p];
	}
	const double rate = flux / all;
	for (int v = me; v < nv; v += threads) {
		const Vec3 u = vertexOf(next, v), n = vertexOf(normal, v);
		velocity[v] = (T)(u.x - rate * n.x), velocity[points + v] = (T)(u.y - rate * n.y), velocity[2 * points + v] = (T)(u.z - rate * n.z);
	}
}

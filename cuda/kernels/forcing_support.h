// Kernels of direct forcing that go over supports of N nodes along an axis: a file for
// each N.
#pragma once

#include "smear_eddies.h"

// What the markers feel of ρ and û, and the force that takes their slip away. moments has
// ρ and û of the m support nodes in vectors of that length; other nodes are at rest with
// density 1. One launch for what are three loops on the CPU: a marker's force is a matter
// of that marker alone, in 3D of as many lanes of a warp as it has planes.
template <typename T, int N>
__device__ __forceinline__ void forceFirst(const Supports<T> &p, const uint32 *order, const T *moments, const int32 *index, int64 nodes, const Markers<T> &m, const Eddies<T> &eddies, T *values, int n) {
	const Site &s = *p.site;
	Components<const T> field = {{moments, moments + nodes, moments + 2 * nodes, moments + 3 * nodes}, 1 + s.dim, index, 1};
	const int planes = s.dim == 3 ? N : 1, together = pointsTogether(planes), plane = laneIndex() / together;
	for (int64 w = globalX() / warpSize; w * together < n; w += strideX() / warpSize) {
		const int64 t = w * together + laneIndex() % together;
		T felt[maxComponents], push[3] = {0, 0, 0};
		interpolateTogether<T, N>(p, field, t, plane, t < n && plane < planes, felt);
		if (t >= n || plane > 0) {
			continue;
		}
		const int64 k = order ? order[t] : t;
#pragma unroll
		for (int c = 0; c < maxComponents; c++) {
			if (c <= s.dim) {
				m.felt[c * m.stride + k] = felt[c];
			}
		}
		meetEddiesBySlip<T, N>(p, field, m, eddies, t, k, felt);
		addForce(m, s.dim, k, push, felt);
		keepForce(m, s, k, t, push, values);
	}
}

// What the markers feel of the velocity fluid, corrected by the round before, and the
// greatest slip among them: of each warp first, since all write to one place.
template <typename T, int N>
__device__ __forceinline__ void feelAgain(const Supports<T> &p, const uint32 *order, const T *fluid, const int32 *index, int64 nodes, const Markers<T> &m, const Eddies<T> &eddies, const Rounds &r, int n) {
	if (r.over[r.round - 1]) {
		return;
	}
	const Site &s = *p.site;
	Components<const T> field = {{fluid, fluid + nodes, fluid + 2 * nodes, nullptr}, s.dim, index, 0};
	uint64 greatest = 0;
	const int planes = s.dim == 3 ? N : 1, together = pointsTogether(planes), plane = laneIndex() / together;
	for (int64 w = globalX() / warpSize; w * together < n; w += strideX() / warpSize) {
		const int64 t = w * together + laneIndex() % together;
		T u[maxComponents], felt[4], push[3] = {0, 0, 0}, d[3];
		interpolateTogether<T, N>(p, field, t, plane, t < n && plane < planes, u);
		if (t >= n || plane > 0) {
			continue;
		}
		const int64 k = order ? order[t] : t;
		felt[0] = m.felt[k];
#pragma unroll
		for (int a = 0; a < 3; a++) {
			felt[1 + a] = u[a];
			if (a < s.dim) {
				m.felt[(1 + a) * m.stride + k] = u[a];
				push[a] = m.push[a * m.stride + k];
			}
		}
		meetEddiesByForce(m, eddies, s.dim, k, push, felt[0]);
		slipTo(m, s.dim, k, push, felt, d);
		double square = 0;
		for (int a = 0; a < 3; a++) {
			square += m.normal ? (double)(d[a] * d[a]) : (double)d[a] * (double)d[a]; // as on the CPU
		}
		greatest = max(greatest, bitCast<uint64>(fabs(sqrt(square))));
	}
	greatest = warpMax(greatest);
	if (laneIndex() == 0 && greatest > 0) {
		atomicMax(&r.slip[r.round], greatest);
	}
}

// The force density on the support nodes, which are at[0 … nodes) in the window but those
// that are −1, in vectors of that length: see gatherNode.
template <typename T, int N>
__device__ __forceinline__ void gatherForce(const Supports<T> &p, const T *values, const Cells &cells, const int32 *at, T *force, int64 nodes, const int32 *over) {
	if (over && *over) {
		return;
	}
	EACH(i, nodes) {
		if (at[i] < 0) {
			continue;
		}
		T sum[maxComponents];
		gatherNode<T, N>(p, values, cells, at[i], sum);
#pragma unroll
		for (int a = 0; a < 3; a++) {
			if (a < p.site->dim) {
				force[a * nodes + i] = sum[a];
			}
		}
	}
}

#define FORCING_SUPPORT(T, N, suffix)                                                                                          \
	BARRIER_KERNEL(force_first_n##N##_##suffix, (const Site *site, const int32 *first, const T *weight, int64 stride,                     \
		const uint32 *order, const T *velocity, const T *epsilon, const T *normal, T *over, T *share, T *push, T *felt,           \
		const T *moments, const int32 *index, int64 nodes, const WallEddies<T> *eddies, const T *area, T *slope, T *values,       \
		int n)) {                                                                                                                 \
		forceFirst<T, N>({site, first, weight, stride}, order, moments, index, nodes,                                             \
			{velocity, epsilon, normal, over, share, push, felt, stride}, {eddies, area, slope}, values, n);                      \
	}                                                                                                                          \
	BARRIER_KERNEL(feel_again_n##N##_##suffix, (const Site *site, const int32 *first, const T *weight, int64 stride,              \
		const uint32 *order, const T *velocity, const T *epsilon, const T *normal, T *over, T *share, T *push, T *felt,           \
		const T *fluid, const int32 *index, int64 nodes, const WallEddies<T> *eddies, const T *area, T *slope, uint64 *slip,      \
		int32 *done, int round, int n)) {                                                                                         \
		feelAgain<T, N>({site, first, weight, stride}, order, fluid, index, nodes,                                                \
			{velocity, epsilon, normal, over, share, push, felt, stride}, {eddies, area, slope}, {slip, done, round}, n);         \
	}                                                                                                                          \
	KERNEL(gather_force_n##N##_##suffix, (const Site *site, const int32 *first, const T *weight, int64 stride, const T *values,   \
		const int32 *cells, const int32 *at, T *force, int64 nodes, const int32 *over)) {                                         \
		gatherForce<T, N>({site, first, weight, stride}, values, {cells}, at, force, nodes, over);                                \
	}

// All kernels of a support, in both precisions.
#define FORCING(N)                                                                                                             \
	FORCING_SUPPORT(float, N, f32)                                                                                             \
	FORCING_SUPPORT(double, N, f64)

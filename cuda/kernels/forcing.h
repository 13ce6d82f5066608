// Direct forcing at markers, as package hybrid has it: what takes away the slip that a
// marker feels, with the correction for smeared walls.
#pragma once

#include "transfer.h"

// What is kept of every marker, by its number k: component a at [a·stride + k].
template <typename T> struct Markers {
	const T *velocity; // U_d
	const T *weight;   // ε, or the area
	const T *normal;   // see hybrid.Smear; null: walls are not corrected
	T *over, *share;   // likewise; written beside an eddy viscosity alone (smear_eddies.h)
	T *push, *felt;    // force, weighted; ρ and Û
	int64 stride;
};

// U_d − Û of marker k, less what the wall's smearing is to leave, given the force so far.
template <typename T> __device__ __forceinline__ void slipTo(const Markers<T> &m, int dim, int64 k, const T *push, const T *felt, T *d) {
	T across = 0;
	for (int a = 0; a < 3; a++) {
		d[a] = a < dim ? m.velocity[a * m.stride + k] - felt[1 + a] : 0;
		if (m.normal && a < dim) {
			across += push[a] * m.normal[a * m.stride + k];
		}
	}
	if (!m.normal) {
		return;
	}
	const T over = m.over[k] / felt[0];
	for (int a = 0; a < 3; a++) {
		if (a < dim) {
			d[a] -= over * (push[a] - across * m.normal[a * m.stride + k]);
		}
	}
}

template <typename T> __device__ __forceinline__ T rootAs(T v) { return (T)sqrt((double)v); } // as on the CPU

// The length of v's part along the wall at marker k.
template <typename T> __device__ __forceinline__ T alongWall(const Markers<T> &m, int dim, int64 k, const T *v) {
	T across = 0, square = 0;
	for (int a = 0; a < dim; a++) {
		across += v[a] * m.normal[a * m.stride + k];
	}
	for (int a = 0; a < dim; a++) {
		const T d = v[a] - across * m.normal[a * m.stride + k];
		square += d * d;
	}
	return rootAs(square);
}

// The slip along the wall that the correction of smeared walls leaves at marker k, given the force.
template <typename T> __device__ __forceinline__ T grantedSlip(const Markers<T> &m, int dim, int64 k, const T *push, T rho) {
	return m.normal ? m.over[k] / rho * alongWall(m, dim, k, push) : 0;
}

// push += 2ρ(U_d − Û)·weight; with smeared walls another share of it along them.
template <typename T> __device__ __forceinline__ void addForce(const Markers<T> &m, int dim, int64 k, T *push, const T *felt) {
	T d[3];
	slipTo(m, dim, k, push, felt, d);
	const T weight = m.weight[k];
	if (!m.normal) {
		for (int a = 0; a < 3; a++) {
			push[a] += 2 * felt[0] * d[a] * weight;
		}
		return;
	}
	T across = 0, n[3];
	for (int a = 0; a < 3; a++) {
		n[a] = a < dim ? m.normal[a * m.stride + k] : 0;
		across += d[a] * n[a];
	}
	const T full = 2 * felt[0] * weight, share = m.share[k];
	for (int a = 0; a < 3; a++) {
		push[a] += full * (share * d[a] + (1 - share) * across * n[a]);
	}
}

// Keeps the force of marker k, and times h^−d what its place t spreads.
template <typename T> __device__ __forceinline__ void keepForce(const Markers<T> &m, const Site &s, int64 k, int64 t, const T *push, T *values) {
	for (int a = 0; a < 3; a++) {
		if (a < s.dim) {
			m.push[a * m.stride + k] = push[a];
			values[a * m.stride + t] = (T)s.scale * push[a];
		}
	}
}

// Rounds of multidirect forcing end where slip is below a bound, which no more than the
// device knows: slip[r] is the greatest found in round r, as the bits of a double, and
// over[r] is set where no force is added from round r on.
struct Rounds {
	uint64 *slip;
	int32 *over;
	int round;
};

// Smeared walls beside an eddy viscosity, as package hybrid has them (smear_eddies.go): the same
// formulas in the same order.
#pragma once

#include "forcing.h"

constexpr int eddySteps = 64;

// Go's hybrid.WallEddies has the same fields in the same order.
template <typename T> struct WallEddies {
	T nu, square;                               // ν, and C²
	T odd, power;                               // t = odd·ν^power
	T kink[eddySteps + 1], node[eddySteps + 1]; // of the offset, by β/(1 + β) in equal steps
};

// The offset e at β, in nodes, no less than 0.
template <typename T> __device__ __forceinline__ T eddyOffset(const WallEddies<T> &w, T beta) {
	T x = beta / (1 + beta) * eddySteps;
	int i = eddySteps - 1;
	if (x < eddySteps - 1) { // else β may be infinite or not a number
		i = max(0, (int)x);
	}
	x -= (T)i;
	const T kink = w.kink[i] + x * (w.kink[i + 1] - w.kink[i]), node = w.node[i] + x * (w.node[i + 1] - w.node[i]);
	const T wall = (1 + beta) * w.nu;
	T t = w.odd; // of the wall's viscosity
	if (w.power > 0) {
		t *= wall;
	} else if (w.power < 0) {
		t /= wall;
	}
	const T e = kink - 2 * wall * t * node;
	return e < 0 ? 0 : e;
}

// β where the wall's stress over the density is s.
template <typename T> __device__ __forceinline__ T eddiesOfStress(const WallEddies<T> &w, T s) {
	const T x = s * w.square / (w.nu * w.nu);
	return 2 * x / (1 + rootAs(1 + 4 * x));
}

// β of a marker that has exerted no force yet and feels the slip v, where the stress s takes
// away s·give of it.
template <typename T> __device__ __forceinline__ T eddiesOfSlip(const WallEddies<T> &w, T v, T give) {
	T beta = 0;
	if (v == 0) {
		return beta;
	}
	const T unit = w.nu / w.square, a = give * w.nu * unit;
#pragma unroll 1
	for (int round = 0; round < 20; round++) {
		const T last = beta, b = a + unit * eddyOffset(w, beta);
		beta = 2 * v / (b + rootAs(b * b + 4 * a * v));
		const T d = beta - last;
		if (d * d <= (T)1e-20 * beta * beta) {
			break;
		}
	}
	return beta;
}

// What a wall leaves of slip at marker k, whose β is given.
template <typename T> __device__ __forceinline__ void meetEddies(const Markers<T> &m, const WallEddies<T> &w, int64 k, T area, T beta) {
	const T over = eddyOffset(w, beta) / ((1 + beta) * w.nu) / area;
	m.over[k] = over;
	m.share[k] = 1 / (1 + 2 * m.weight[k] * over);
}

// By the slip that marker k feels before it exerts a force. eddies is null where there are none, or
// where they have been met.
template <typename T>
__device__ __forceinline__ void meetEddiesBySlip(const Markers<T> &m, const WallEddies<T> *eddies, const T *area, int dim, int64 k, const T *felt) {
	if (!eddies || !(area[k] > 0)) {
		return;
	}
	T v[3];
	for (int a = 0; a < 3; a++) {
		v[a] = a < dim ? m.velocity[a * m.stride + k] - felt[1 + a] : 0;
	}
	meetEddies(m, *eddies, k, area[k], eddiesOfSlip(*eddies, alongWall(m, dim, k, v), area[k] / (2 * m.weight[k])));
}

// By the force that it exerts.
template <typename T>
__device__ __forceinline__ void meetEddiesByForce(const Markers<T> &m, const WallEddies<T> *eddies, const T *area, int dim, int64 k, const T *push, T rho) {
	if (!eddies || !(area[k] > 0)) {
		return;
	}
	meetEddies(m, *eddies, k, area[k], eddiesOfStress(*eddies, alongWall(m, dim, k, push) / (area[k] * rho)));
}

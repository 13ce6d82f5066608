// The search for bad nodes among all. Each of a fixed number of threads takes its share of
// the nodes, each warp leaves what its threads found in an array, and a second kernel shortens
// that: without atomics, so that results are always the same bits.
#pragma once

#include "look.h"

// Health as lbm has it; worst, minAt and maxAt are nodes of the domain, −1: none. Go's healthRecord has
// the same fields.
struct Health {
	int64 worst;
	int64 ok;
	double rho, speed, maxSpeed, minRho, maxRho;
	int64 minAt, maxAt;
};

__device__ __forceinline__ Health noHealth() {
	const double inf = bitCast<double>(0x7ff0000000000000ull);
	return {-1, 1, 0, 0, 0, inf, -inf, -1, -1};
}

// Takes in what a look at other nodes found; see lbm.Health.merge.
__device__ __forceinline__ void merge(Health &h, const Health &o) {
	bool better = (o.ok == h.ok && o.speed > h.speed) || h.worst < 0;
	if (!o.ok) {
		const bool finite = isfinite(o.rho + o.speed), was = isfinite(h.rho + h.speed);
		better = h.ok || (finite && !was) || (finite == was && better);
	}
	if (o.worst < 0) {
		better = false;
	}
	if (better) {
		h.worst = o.worst, h.rho = o.rho, h.speed = o.speed;
	}
	h.ok = h.ok && o.ok;
	h.maxSpeed = h.maxSpeed != h.maxSpeed || o.maxSpeed != o.maxSpeed ? h.maxSpeed + o.maxSpeed : max(h.maxSpeed, o.maxSpeed);
	if (o.minRho < h.minRho || (o.minRho == h.minRho && o.minAt < h.minAt)) {
		h.minAt = o.minAt;
	}
	if (o.maxRho > h.maxRho || (o.maxRho == h.maxRho && o.maxAt < h.maxAt)) {
		h.maxAt = o.maxAt;
	}
	h.minRho = h.minRho != h.minRho || o.minRho != o.minRho ? h.minRho + o.minRho : min(h.minRho, o.minRho);
	h.maxRho = h.maxRho != h.maxRho || o.maxRho != o.maxRho ? h.maxRho + o.maxRho : max(h.maxRho, o.maxRho);
}

// What all lanes of a warp found, in its lane 0; all come here.
__device__ __forceinline__ void mergeLanes(Health &h) {
	for (int by = warpSize / 2; by > 0; by /= 2) {
		const Health other = {__shfl_down_sync(fullWarp, h.worst, by), __shfl_down_sync(fullWarp, h.ok, by), __shfl_down_sync(fullWarp, h.rho, by),
			__shfl_down_sync(fullWarp, h.speed, by), __shfl_down_sync(fullWarp, h.maxSpeed, by), __shfl_down_sync(fullWarp, h.minRho, by),
			__shfl_down_sync(fullWarp, h.maxRho, by), __shfl_down_sync(fullWarp, h.minAt, by), __shfl_down_sync(fullWarp, h.maxAt, by)};
		if (laneIndex() < by) {
			merge(h, other);
		}
	}
}

// Leaves what a warp found in the place of its number.
__device__ __forceinline__ void leaveFound(Health &h, Health *out) {
	mergeLanes(h);
	if (laneIndex() == 0) {
		out[globalX() / warpSize] = h;
	}
}

// Takes in node n of the domain, which lies at a place.
template <class L, class S>
__device__ __forceinline__ void see(Health &h, const Lattice &l, int64 place, int64 n, const typename S::Real (&accel)[3]) {
	typedef typename S::Real T;
	T r, u[3];
	rowMoments<L, S>(l, place, accel, r, u);
	double u2 = 0;
UNROLL
	for (int a = 0; a < L::dim; a++) {
		u2 += (double)u[a] * (double)u[a];
	}
	const double rho = 1 + (double)r, speed = sqrt(u2);
	const bool ok = rho > 0 && speed * speed * 3 < 1 && rho < 1e3;
	merge(h, {n, ok, rho, speed, speed, rho, rho, n, n});
}

// Whether a bit for node n is set: of a wall; null has none.
__device__ __forceinline__ bool isSet(const uint32 *solid, int64 n) { return solid && (solid[n / 32] >> (n % 32) & 1); }

// Looks at all nodes that are no walls.
template <class L, class S>
__device__ __forceinline__ void healthOfShare(const Lattice &l, const uint32 *solid, int64 nodes, const typename S::Real (&accel)[3], Health *out) {
	Health h = noHealth();
	for (int64 n = globalX(); n < nodes; n += strideX()) {
		if (!isSet(solid, n)) {
			see<L, S>(h, l, placeOf(l, n), nodeOf(l, n), accel);
		}
	}
	leaveFound(h, out);
}

// Likewise at those of a box of so many.
template <class L, class S>
__device__ __forceinline__ void healthOfBox(const Lattice &l, const uint32 *solid, const Box &b, int64 nodes, const typename S::Real (&accel)[3], Health *out) {
	Health h = noHealth();
	for (int64 k = globalX(); k < nodes; k += strideX()) {
		const LatticeSite s = siteIn(l, b, k);
		const int64 n = (int64)s.row * l.nx + s.x;
		if (!isSet(solid, n)) {
			see<L, S>(h, l, s.padded, n, accel);
		}
	}
	leaveFound(h, out);
}

// Shortens many findings to as many as there are warps.
__device__ __forceinline__ void mergeShares(const Health *in, int64 count, Health *out) {
	Health h = noHealth();
	for (int64 k = globalX(); k < count; k += strideX()) {
		merge(h, in[k]);
	}
	leaveFound(h, out);
}

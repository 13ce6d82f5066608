// Sums over many nodes, and the search for bad ones. Each of a fixed number of
// threads takes its share of the nodes and leaves what it found in an array, which a
// second kernel shortens: without atomics, so that results are always the same bits.
#pragma once

#include "look.h"

// Health as lbm has it; worst is a node of the domain, −1: none. Go's healthRecord has
// the same fields.
struct Health {
	int64 worst;
	int64 ok;
	double rho, speed, maxSpeed, minRho, maxRho;
};

__device__ __forceinline__ Health noHealth() {
	const double inf = bitCast<double>(0x7ff0000000000000ull);
	return {-1, 1, 0, 0, 0, inf, -inf};
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
	h.minRho = h.minRho != h.minRho || o.minRho != o.minRho ? h.minRho + o.minRho : min(h.minRho, o.minRho);
	h.maxRho = h.maxRho != h.maxRho || o.maxRho != o.maxRho ? h.maxRho + o.maxRho : max(h.maxRho, o.maxRho);
}

// Looks at all nodes that are no walls; solid has a bit for each node, or is null.
template <class L, class S>
__device__ __forceinline__ void healthOfShare(const Lattice &l, const uint32 *solid, int64 nodes, const typename S::Real (&accel)[3], Health *out) {
	typedef typename S::Real T;
	Health h = noHealth();
	for (int64 n = globalX(); n < nodes; n += strideX()) {
		if (solid && (solid[n / 32] >> (n % 32) & 1)) {
			continue;
		}
		T r, u[3];
		rowMoments<L, S>(l, siteOf(l, n).padded, accel, r, u);
		double u2 = 0;
UNROLL
		for (int a = 0; a < L::dim; a++) {
			u2 += (double)u[a] * (double)u[a];
		}
		const double rho = 1 + (double)r, speed = sqrt(u2);
		const bool ok = rho > 0 && speed * speed * 3 < 1 && rho < 1e3;
		merge(h, {n, ok, rho, speed, speed, rho, rho});
	}
	out[globalX()] = h;
}

// Shortens many findings to as many as there are threads.
__device__ __forceinline__ void mergeShares(const Health *in, int64 count, Health *out) {
	Health h = noHealth();
	for (int64 k = globalX(); k < count; k += strideX()) {
		merge(h, in[k]);
	}
	out[globalX()] = h;
}

// Sums of mass and momentum.
struct Sum {
	double mass, j[3];
};

// Σ (f − w) and Σ c f over a box of count nodes.
template <class L, class S>
__device__ __forceinline__ void momentumOfShare(const Lattice &l, const Box &b, int64 count, Sum *out) {
	Sum s = {0, {0, 0, 0}};
	for (int64 k = globalX(); k < count; k += strideX()) {
		typename S::Real g[maxQ];
		load<L, S>(l.at, siteIn(l, b, k).padded, g);
UNROLL
		for (int i = 0; i < L::q; i++) {
			const double v = (double)g[i] * S::unit;
			s.mass += v;
UNROLL
			for (int a = 0; a < L::dim; a++) {
				s.j[a] = along(s.j[a], velocity<L>(i, a), v);
			}
		}
	}
	out[globalX()] = s;
}

// The momentum that the next step streams into a box of nodes, less what it streams
// out: over the links between the box's skin and outside. The skin is taken face by
// face; a node on several belongs to the first.
template <class L, class S>
__device__ __forceinline__ void inflowOfShare(const Lattice &l, const Box &b, int32 bnz, Sum *out) {
	Sum s = {0, {0, 0, 0}};
	const int size[3] = {b.nx, b.ny, bnz};
	int64 skin[4] = {0, 0, 0, 0}; // nodes of the faces along the axes before
UNROLL
	for (int a = 0; a < L::dim; a++) {
		skin[a + 1] = skin[a] + 2 * (int64)size[(a + 1) % 3] * size[(a + 2) % 3];
	}
	for (int64 k = globalX(); k < skin[L::dim]; k += strideX()) {
		int p[3];
UNROLL
		for (int a = 0; a < L::dim; a++) {
			if (k >= skin[a] && k < skin[a + 1]) {
				const int64 m = (k - skin[a]) / 2;
				p[a] = (k - skin[a]) % 2 ? size[a] - 1 : 0;
				p[(a + 1) % 3] = (int)(m % size[(a + 1) % 3]);
				p[(a + 2) % 3] = (int)(m / size[(a + 1) % 3]);
				bool taken = (k - skin[a]) % 2 && size[a] == 1;
				for (int c = 0; c < a; c++) {
					taken = taken || p[c] == 0 || p[c] == size[c] - 1;
				}
				if (taken) {
					p[0] = -1;
				}
			}
		}
		if (p[0] < 0) {
			continue;
		}
		const int64 n = paddedIndex(l, b.x + p[0], b.y + p[1], b.z + p[2]);
UNROLL
		for (int i = 1; i < L::q; i++) {
			bool within = true;
			int64 from = n;
UNROLL
			for (int a = 0; a < L::dim; a++) {
				const int x = p[a] - velocity<L>(i, a);
				within = within && x >= 0 && x < size[a];
				from = along(from, -velocity<L>(i, a), a == 0 ? (int64)1 : a == 1 ? l.strideY : l.strideZ);
			}
			if (within) {
				continue;
			}
			const int back = ((i - 1) ^ 1) + 1; // carries −c out: both add along c
			const double v = ((double)S::read(*l.at.place<L, typename S::Stored>(from, i)) + (double)S::read(*l.at.place<L, typename S::Stored>(n, back))) * S::unit;
UNROLL
			for (int a = 0; a < L::dim; a++) {
				s.j[a] = along(s.j[a], velocity<L>(i, a), v);
			}
		}
	}
	out[globalX()] = s;
}

__device__ __forceinline__ void addShares(const Sum *in, int64 count, Sum *out) {
	Sum s = {0, {0, 0, 0}};
	for (int64 k = globalX(); k < count; k += strideX()) {
		s.mass += in[k].mass;
UNROLL
		for (int a = 0; a < 3; a++) {
			s.j[a] += in[k].j[a];
		}
	}
	out[globalX()] = s;
}

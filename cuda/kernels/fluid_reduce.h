// Sums over nodes of a state between two steps: lbm.Reduction.
#pragma once

#include "look.h"
#include "reduction.h"

// A box of nodes; there is none where it has no nodes. Go's reducedBox.
struct ReducedBox {
	int32 lo[3], n[3];
};

// A region as lbm.Region and lbm.Pose have it, and a box of nodes that holds it, which may
// reach across the ends of periodic axes. Go's reducedRegion.
struct ReducedRegion {
	double low[3], step, center[3], rotation[9];
	int64 shares; // where they begin
	int32 cells[3], lo[3], n[3], unused;
};

// Σ (f − w) and Σ c f of the nodes of a box: v[0], v[1 … 3].
template <class L, class S>
__device__ __forceinline__ void addMomentum(const Lattice &l, const ReducedBox &b, const Share &share, Sums &s) {
	const Box box = {b.lo[0], b.lo[1], b.lo[2], b.n[0], b.n[1]};
	const int64 count = (int64)b.n[0] * b.n[1] * b.n[2];
	for (int64 k = share.first; k < count; k += share.step) {
		typename S::Real g[maxQ];
		load<L, S>(l.at, siteIn(l, box, k).padded, g);
UNROLL
		for (int i = 0; i < L::q; i++) {
			const double v = (double)g[i] * S::unit;
			s.v[0] += v;
UNROLL
			for (int a = 0; a < L::dim; a++) {
				s.v[1 + a] = along(s.v[1 + a], velocity<L>(i, a), v);
			}
		}
	}
}

// The k-th node of a box's skin, relative to the box: faces along x first, then y and z,
// the nodes of both ends in turn. A node on several belongs to the first: p[0] is −1 at
// the others. skin[a] is how many nodes the faces along the axes before a have.
template <class L>
__device__ __forceinline__ void skinNode(const ReducedBox &b, const int64 (&skin)[4], int64 k, int (&p)[3]) {
UNROLL
	for (int a = 0; a < L::dim; a++) {
		if (k < skin[a] || k >= skin[a + 1]) {
			continue;
		}
		const int64 m = (k - skin[a]) / 2;
		const bool end = (k - skin[a]) % 2;
		p[a] = end ? b.n[a] - 1 : 0;
		p[(a + 1) % 3] = (int)(m % b.n[(a + 1) % 3]);
		p[(a + 2) % 3] = (int)(m / b.n[(a + 1) % 3]);
		bool taken = end && b.n[a] == 1;
		for (int c = 0; c < a; c++) {
			taken = taken || p[c] == 0 || p[c] == b.n[c] - 1;
		}
		if (taken) {
			p[0] = -1;
		}
	}
}

// The momentum that the next step streams into a box of nodes, less what it streams out,
// over the links between its skin and outside: v[4 … 6].
template <class L, class S>
__device__ __forceinline__ void addInflow(const Lattice &l, const ReducedBox &b, const Share &share, Sums &s) {
	int64 skin[4] = {0, 0, 0, 0};
UNROLL
	for (int a = 0; a < L::dim; a++) {
		skin[a + 1] = skin[a] + 2 * (int64)b.n[(a + 1) % 3] * b.n[(a + 2) % 3];
	}
	for (int64 k = share.first; k < skin[L::dim]; k += share.step) {
		int p[3] = {-1, 0, 0};
		skinNode<L>(b, skin, k, p);
		if (p[0] < 0) {
			continue;
		}
		const int at[3] = {b.lo[0] + p[0], b.lo[1] + p[1], b.lo[2] + p[2]};
		const int64 n = paddedIndex(l, at[0], at[1], at[2]);
UNROLL
		for (int i = 1; i < L::q; i++) {
			bool within = true;
			Walk from = walkFrom(l, n, at);
UNROLL
			for (int a = 0; a < L::dim; a++) {
				const int x = p[a] - velocity<L>(i, a);
				within = within && x >= 0 && x < b.n[a];
				from = walk(l, from, a, -velocity<L>(i, a));
			}
			if (within) {
				continue;
			}
			const int back = ((i - 1) ^ 1) + 1; // carries −c out: both add along c
			const double v = ((double)loadOne<L, S>(l.at, walkEnd(l, from), i) + (double)loadOne<L, S>(l.at, n, back)) * S::unit;
UNROLL
			for (int a = 0; a < L::dim; a++) {
				s.v[4 + a] = along(s.v[4 + a], velocity<L>(i, a), v);
			}
		}
	}
}

// The share of a region in the volume of a node that is arm away from its centre:
// inside.shareAt of package hybrid.
template <int dim>
__device__ __forceinline__ double shareAt(const ReducedRegion &g, const float *shares, const double (&arm)[3]) {
	int64 at = 0;
	double w[3][3] = {{0, 1, 0}, {0, 1, 0}, {0, 1, 0}};
	const int64 stride[3] = {1, g.cells[0], (int64)g.cells[0] * g.cells[1]};
UNROLL
	for (int a = 0; a < dim; a++) {
		double r = 0; // along the region's axis a
UNROLL
		for (int b = 0; b < dim; b++) {
			r += g.rotation[3 * b + a] * arm[b];
		}
		const double f = (r - g.low[a]) / g.step;
		if (!(f >= 1) || f >= g.cells[a] - 2) {
			return 0;
		}
		const int point = (int)(f + 0.5);
		const double d = f - point;
		w[a][0] = (0.5 - d) * (0.5 - d) / 2;
		w[a][1] = 0.75 - d * d;
		w[a][2] = (0.5 + d) * (0.5 + d) / 2;
		at += point * stride[a];
	}
	double sum = 0;
	for (int k = dim == 3 ? 0 : 1; k < (dim == 3 ? 3 : 2); k++) {
UNROLL
		for (int j = 0; j < 3; j++) {
UNROLL
			for (int i = 0; i < 3; i++) {
				sum += w[2][k] * w[1][j] * w[0][i] * (double)shares[at + (k - 1) * stride[2] + (j - 1) * stride[1] + i - 1];
			}
		}
	}
	return sum;
}

// The node of coordinates that may lie beyond the ends of periodic axes (bits of periodic);
// −1 beyond others.
template <class L> __device__ __forceinline__ int64 wrappedIndex(const Lattice &l, int (&p)[3], int periodic) {
	const int size[3] = {l.nx, l.ny, l.nz};
UNROLL
	for (int a = 0; a < L::dim; a++) {
		if (p[a] < 0 || p[a] >= size[a]) {
			if (!(periodic >> a & 1)) {
				return -1;
			}
			p[a] %= size[a];
			p[a] += p[a] < 0 ? size[a] : 0;
		}
	}
	return paddedIndex(l, p[0], p[1], L::dim == 3 ? p[2] : 0);
}

// Momentum of the fluid in a region and its moment about the centre: v[0 … 2], v[3 … 5].
template <class L, class S>
__device__ __forceinline__ void addRegion(const Lattice &l, const ReducedRegion &g, const float *shares, int periodic, const typename S::Real (&accel)[3],
										  const Share &share, Sums &s) {
	typedef typename S::Real T;
	const int64 count = (int64)g.n[0] * g.n[1] * g.n[2];
	for (int64 k = share.first; k < count; k += share.step) {
		const int64 row = k / g.n[0];
		int p[3] = {g.lo[0] + (int)(k - row * g.n[0]), g.lo[1] + (int)(row % g.n[1]), g.lo[2] + (int)(row / g.n[1])};
		double arm[3] = {0, 0, 0}, m[3] = {0, 0, 0};
UNROLL
		for (int a = 0; a < L::dim; a++) {
			arm[a] = p[a] - g.center[a];
		}
		const double part = shareAt<L::dim>(g, shares + g.shares, arm);
		const int64 n = part == 0 ? -1 : wrappedIndex<L>(l, p, periodic);
		if (n < 0) {
			continue;
		}
		T f[maxQ], r, j[3];
		load<L, S>(l.at, n, f);
		sums<L>(f, r, j);
		const T rho = 1 + r * S::unit;
		const double mass = part * (double)rho;
UNROLL
		for (int a = 0; a < L::dim; a++) {
			m[a] = mass * (double)(T)(j[a] * S::unit / rho - accel[a] / 2);
			s.v[a] += m[a];
		}
		s.v[3] += arm[1] * m[2] - arm[2] * m[1];
		s.v[4] += arm[2] * m[0] - arm[0] * m[2];
		s.v[5] += arm[0] * m[1] - arm[1] * m[0];
	}
}

// All of a request: tasks are the boxes, then the regions, of parts blocks each.
template <class L, class S>
__device__ __forceinline__ void reduceState(const Lattice &l, const ReducedBox *boxes, int count, int inflow, const ReducedRegion *regions, const float *shares,
										int periodic, const typename S::Real (&accel)[3], int parts, Sums *out) {
	const Share share = shareOf(parts);
	Sums s = {};
	if (share.task >= count) {
		addRegion<L, S>(l, regions[share.task - count], shares, periodic, accel, share, s);
	} else if (boxes[share.task].n[0] > 0) {
		addMomentum<L, S>(l, boxes[share.task], share, s);
		if (inflow) {
			addInflow<L, S>(l, boxes[share.task], share, s);
		}
	}
	reduceBlock(s, out + blockIdx.x);
}

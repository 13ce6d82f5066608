// Smeared walls beside an eddy viscosity, as package hybrid has them (smear_eddies.go): the same
// formulas in the same order.
#pragma once

#include "forcing.h"

constexpr int eddySteps = 32, eddyParts = 16;

// Go's hybrid.WallEddies has the same fields in the same order.
template <typename T> struct WallEddies {
	T nu, square;                                              // ν, and C²
	T odd, power;                                              // t = odd·ν^power
	T lattice;                                                 // of Chord
	T kink[eddySteps + 1][eddyParts + 1], node[eddySteps + 1][eddyParts + 1]; // of the offset, by p/(1 + p) and d/p
};

// What markers have beside eddies: all null where there are none, or where they have been met.
template <typename T> struct Eddies {
	const WallEddies<T> *wall;
	const T *area; // of every marker; 0 where it stands for two sides
	T *slope;      // of every marker: m
};

// β at d and m.
template <typename T> __device__ __forceinline__ T eddySpread(T d, T m) { return d > m ? d + m * m / d : 2 * m; }

// The offset e at d and m, in nodes, no less than 0.
template <typename T> __device__ __forceinline__ T eddyOffset(const WallEddies<T> &w, T d, T m) {
	const T p = d + m;
	T x = p / (1 + p) * eddySteps, y = (T)eddyParts / 2;
	int i = eddySteps - 1, j = eddyParts / 2;
	if (x < eddySteps - 1) { // else p may be infinite or not a number
		i = max(0, (int)x);
	}
	if (p > 0) {
		y = d / p * eddyParts;
		j = eddyParts - 1;
	}
	if (y < eddyParts - 1) {
		j = max(0, (int)y);
	}
	x -= (T)i;
	y -= (T)j;
	const T k0 = w.kink[i][j] + x * (w.kink[i + 1][j] - w.kink[i][j]), k1 = w.kink[i][j + 1] + x * (w.kink[i + 1][j + 1] - w.kink[i][j + 1]);
	const T n0 = w.node[i][j] + x * (w.node[i + 1][j] - w.node[i][j]), n1 = w.node[i][j + 1] + x * (w.node[i + 1][j + 1] - w.node[i][j + 1]);
	const T wall = (1 + eddySpread(d, m)) * w.nu;
	T t = w.odd; // of the wall's viscosity
	if (w.power > 0) {
		t *= wall;
	} else if (w.power < 0) {
		t /= wall;
	}
	const T e = k0 + y * (k1 - k0) - 2 * wall * t * (n0 + y * (n1 - n0));
	return e < 0 ? 0 : e;
}

// d where the wall's force per area over the density is s.
template <typename T> __device__ __forceinline__ T eddiesOfStress(const WallEddies<T> &w, T s, T m) {
	const T f = s * w.square / (w.nu * w.nu);
	if (f <= 2 * m + 4 * m * m) {
		return f / (2 + 4 * m);
	}
	return (f - 2 * m * m) / (1 + rootAs(1 + 2 * f - 4 * m * m));
}

// d of a marker that has exerted no force yet and feels the slip v, where the stress s takes
// away s·give of it.
template <typename T> __device__ __forceinline__ T eddiesOfSlip(const WallEddies<T> &w, T v, T give, T m) {
	T d = 0;
	if (v == 0) {
		return d;
	}
	v *= w.square / w.nu;
	give *= w.nu;
#pragma unroll 1
	for (int round = 0; round < 20; round++) {
		const T last = d, e = eddyOffset(w, d, m);
		d = v / (2 * (give * (1 + 2 * m) + e));
		if (!(d <= m)) {
			const T b = give + e, rest = v - 2 * give * m * m;
			d = rest / (b + rootAs(b * b + 2 * give * rest));
		}
		const T c = d - last;
		if (c * c <= (T)1e-20 * d * d) {
			break;
		}
	}
	return d;
}

// What a wall leaves of slip at marker k, whose d and m are given.
template <typename T> __device__ __forceinline__ void meetEddies(const Markers<T> &m, const WallEddies<T> &w, int64 k, T area, T d, T slope) {
	const T over = eddyOffset(w, d, slope) / ((1 + eddySpread(d, slope)) * w.nu) / area;
	m.over[k] = over;
	m.share[k] = 1 / (1 + 2 * m.weight[k] * over);
}

// The coefficients along an axis of a field's slope at a point: ib.Chord.
template <typename T, int N> struct Chord {
	T head = 1, tail = 0;

	__device__ __forceinline__ Chord(const Supports<T> &p, int axis, int64 t, T lattice) {
		if constexpr (N > 2) {
			T before = 0, sum = 0, first = 0, last = 0;
#pragma unroll
			for (int i = 0; i < N - 1; i++) {
				const T w = p.weight[(axis * N + i) * p.stride + t], next = p.weight[(axis * N + i + 1) * p.stride + t];
				last = before + (T)0.75 * w + (T)0.25 * next - 2 * lattice * (next - w);
				before += w;
				if (i == 0) {
					first = last;
				}
				if (i < N - 2) {
					sum += last;
				}
			}
			constexpr T apart = N - 2;
			T at = ((T)0.5 * apart - sum) / (last - first);
			if (at < 0) {
				at = 0;
			}
			if (at > 1) {
				at = 1;
			}
			head = (1 - at) / apart;
			tail = at / apart;
		}
	}
	__device__ __forceinline__ T of(int i) const {
		if (N == 2) {
			return i ? 1 : -1;
		}
		T c = 0;
		if (i == 0) {
			c = -head;
		}
		if (i == 1) {
			c = -tail;
		}
		if (i == N - 2) {
			c += head;
		}
		if (i == N - 1) {
			c += tail;
		}
		return c;
	}
};

// (∂_b u_a + ∂_a u_b) n_b at place t, whose marker is k, of density and velocity: ib.Shear.
template <typename T, int N>
__device__ __forceinline__ void shearAt(const Supports<T> &p, const Components<const T> &field, const Markers<T> &m, T lattice, int64 t, int64 k, T *q) {
	const Site &s = *p.site;
	const int dim = s.dim, planes = dim == 3 ? N : 1;
	const int fx = p.first[t], fy = p.first[p.stride + t], fz = dim == 3 ? p.first[2 * p.stride + t] : 0;
	const Chord<T, N> cx(p, 0, t, lattice), cy(p, 1, t, lattice), cz(p, dim - 1, t, lattice);
	T grad[3][3] = {};
#pragma unroll 1
	for (int z = 0; z < planes; z++) {
		const T wz = dim == 3 ? p.weight[(2 * N + z) * p.stride + t] : (T)1, dz = dim == 3 ? cz.of(z) : (T)0;
#pragma unroll 1
		for (int y = 0; y < N; y++) {
			const T wy = p.weight[(N + y) * p.stride + t], dy = cy.of(y);
			const int row = rowOf(s, fy + y, fz + z);
			if (row < 0) {
				continue;
			}
			T sum[3] = {0, 0, 0}, chord[3] = {0, 0, 0};
#pragma unroll 1
			for (int x = 0; x < N; x++) {
				const int column = existing(s.axis[0], fx + x), at = column < 0 ? nowhere : field.place(row + column);
				const T wx = p.weight[x * p.stride + t], dx = cx.of(x);
#pragma unroll
				for (int a = 0; a < 3; a++) {
					const T v = a < dim && at >= 0 ? field.of[1 + a][at] : 0;
					sum[a] += wx * v;
					chord[a] += dx * v;
				}
			}
#pragma unroll
			for (int a = 0; a < 3; a++) {
				grad[a][0] += wz * wy * chord[a];
				grad[a][1] += wz * dy * sum[a];
				grad[a][2] += dz * wy * sum[a];
			}
		}
	}
#pragma unroll
	for (int a = 0; a < 3; a++) {
		q[a] = 0;
#pragma unroll
		for (int b = 0; b < 3; b++) {
			if (a < dim && b < dim) {
				q[a] += (grad[a][b] + grad[b][a]) * m.normal[b * m.stride + k];
			}
		}
	}
}

// By the slip that marker k, at place t, feels before it exerts a force.
template <typename T, int N>
__device__ __forceinline__ void meetEddiesBySlip(const Supports<T> &p, const Components<const T> &field, const Markers<T> &m, const Eddies<T> &e, int64 t, int64 k, const T *felt) {
	if (!e.wall || !(e.area[k] > 0)) {
		return;
	}
	const int dim = p.site->dim;
	T q[3], v[3];
	shearAt<T, N>(p, field, m, e.wall->lattice, t, k, q);
	const T slope = alongWall(m, dim, k, q) * e.wall->square / e.wall->nu;
	e.slope[k] = slope;
	for (int a = 0; a < 3; a++) {
		v[a] = a < dim ? m.velocity[a * m.stride + k] - felt[1 + a] : 0;
	}
	meetEddies(m, *e.wall, k, e.area[k], eddiesOfSlip(*e.wall, alongWall(m, dim, k, v), e.area[k] / (2 * m.weight[k]), slope), slope);
}

// By the force that it exerts.
template <typename T>
__device__ __forceinline__ void meetEddiesByForce(const Markers<T> &m, const Eddies<T> &e, int dim, int64 k, const T *push, T rho) {
	if (!e.wall || !(e.area[k] > 0)) {
		return;
	}
	meetEddies(m, *e.wall, k, e.area[k], eddiesOfStress(*e.wall, alongWall(m, dim, k, push) / (e.area[k] * rho), e.slope[k]), e.slope[k]);
}

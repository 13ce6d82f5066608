// Collision of one node's populations, in registers: the arithmetic of package lbm's
// row kernels (kernel_d2q9.go, kernel_d3q19.go), operation by operation, so that the
// results are theirs to the bit where the compiler contracts nothing.
//
// Populations g are S::scale·(f − w). A scale that is a power of two changes no
// rounding, so density goes in as it is, ρ, and times the scale, σ, where it stands
// beside populations.
#pragma once

#include "lattice.h"

template <bool forced> struct Trt;

// Bgk has one relaxation rate and no force.
struct Bgk {
	typedef Trt<false> Relaxing; // where a node has a relaxation time of its own, and so another rate of odd parts
	static constexpr bool inFrame = false; // moments beyond the stress follow the fluid: recursive.h
	template <class L, class S, class T> static __device__ __forceinline__ void collide(T (&g)[maxQ], const Rates<T> &k) {
		T r, j[3], u[3];
		sums<L>(g, r, j);
		const T rho = 1 + r * S::unit, inv = 1 / rho * S::unit, sigma = rho * S::scale;
		u[0] = j[0] * inv, u[1] = j[1] * inv, u[2] = L::dim == 3 ? j[2] * inv : 0;
		const T b = r - sigma * (T)1.5 * dot<L>(u, u), h = (T)4.5 * sigma;
		g[0] = g[0] - k.even * (g[0] - weight<L, T>(0) * b);
UNROLL
		for (int i = 1; i < L::q; i += 2) {
			const T c = dot<L>(i, u), e = weight<L, T>(i) * (b + h * c * c), o = weight3<L, T>(i) * dot<L>(i, j);
			g[i] = g[i] - k.even * (g[i] - e - o);
			g[i + 1] = g[i + 1] - k.even * (g[i + 1] - e + o);
		}
	}
};

// Trt has a rate for each parity, and, where forced, a uniform body force ρ·a by the
// scheme of Guo, Zheng & Shi, Phys. Rev. E 65 (2002) 046308. Without one a third of the
// arithmetic is of no effect.
template <bool forced> struct Trt {
	typedef Trt Relaxing;
	static constexpr bool inFrame = false;
	template <class L, class S, class T> static __device__ __forceinline__ void collide(T (&g)[maxQ], const Rates<T> &k) {
		T r, j[3], u[3], fu = 0; // u·a
		sums<L>(g, r, j);
		const T rho = 1 + r * S::unit, inv = 1 / rho * S::unit, sigma = rho * S::scale;
UNROLL
		for (int a = 0; a < 3; a++) {
			u[a] = a < L::dim ? j[a] * inv : 0;
			if (forced && a < L::dim) {
				u[a] += (T)0.5 * k.accel[a];
			}
		}
		const T b = r - sigma * (T)1.5 * dot<L>(u, u);
		g[0] = g[0] - k.even * (g[0] - weight<L, T>(0) * b);
		if (forced) {
			fu = dot<L>(u, k.accel);
			g[0] = g[0] - k.sourceEven * weight3<L, T>(0) * sigma * fu;
		}
UNROLL
		for (int i = 1; i < L::q; i += 2) {
			const T w = weight<L, T>(i), w3 = weight3<L, T>(i), c = dot<L>(i, u);
			T p = (T)0.5 * (g[i] + g[i + 1]), m = (T)0.5 * (g[i] - g[i + 1]);
			p = k.even * (p - w * (b + (T)4.5 * sigma * c * c));
			m = k.odd * (m - w3 * sigma * c);
			if (forced) {
				const T f = dot<L>(i, k.accel);
				p = p - k.sourceEven * w * sigma * (9 * c * f - 3 * fu);
				m = m - k.sourceOdd * 3 * w * sigma * f;
			}
			g[i] = g[i] - p - m;
			g[i + 1] = g[i + 1] - p + m;
		}
	}
};

// What a table of piecewise.Table has for z.
template <class T> __device__ __forceinline__ T inTable(const T *table, T z) {
	constexpr int pieces = 2048, octaves = 64, perOctaveBits = 5; // as package piecewise has them
	constexpr T low = (T)0x1p-64, high = 1 - (T)(sizeof(T) == 8 ? 0x1p-53 : 0x1p-24);
	if (!(z > low)) {
		z = low;
	}
	z = z < high ? z : high;
	int k;
	if constexpr (sizeof(T) == 8) {
		k = (int)(__builtin_bit_cast(int64, z) >> (52 - perOctaveBits)) - ((1023 - octaves) << perOctaveBits);
	} else {
		k = (__builtin_bit_cast(int32, z) >> (23 - perOctaveBits)) - ((127 - octaves) << perOctaveBits);
	}
	return table[k] + table[pieces + k] * z;
}

// What stress and odd parts keep, 1 − ω⁺ and 1 − ω⁻, in a node of density 1/inv with
// an eddy viscosity, or a law of viscosity; square is Π:Π of its non-equilibrium stress, times scale².
template <class S, class T> __device__ __forceinline__ void inEddies(const Rates<T> &k, T square, T inv, T &keep, T &keepOdd) {
	T tau;
	if (k.table) {
		tau = inTable(k.table, square * (S::unit * S::unit) * (inv * inv));
	} else {
		const T x = k.eddy * inv * (sqrt(square) * S::unit);
		tau = (T)0.5 * (k.tau + sqrt(k.tau * k.tau + x));
	}
	const T t = tau - (T)0.5;
	keep = 1 - 1 / tau;
	keepOdd = (k.oddInEddies[0] + k.oddInEddies[1] * t) / (k.oddInEddies[2] + k.oddInEddies[3] * t);
}

// Stress collides by way of the stress: with or without an eddy viscosity, with or
// without other even moments, and with a uniform body force; see momentRowD2Q9.
struct Stress {
	typedef Stress Relaxing;
	static constexpr bool inFrame = false;
	template <class L, class S, class T> static __device__ __forceinline__ void collide(T (&g)[maxQ], const Rates<T> &k) {
		if constexpr (L::dim == 2) {
			plane<L, S>(g, k);
		} else {
			space<L, S>(g, k);
		}
	}

	template <class L, class S, class T> static __device__ __forceinline__ void plane(T (&g)[maxQ], const Rates<T> &k) {
		const T w1 = weight<L, T>(1), w2 = weight<L, T>(5), ax = k.accel[0], ay = k.accel[1];
		const T axx = (T)0.25 * k.even * ax * ax, ayy = (T)0.25 * k.even * ay * ay, axy = (T)0.25 * k.even * ax * ay;
		T keep = 1 - k.even, odd = 1 - k.odd;
		const T p1 = g[1] + g[2], p3 = g[3] + g[4], p5 = g[5] + g[6], p7 = g[7] + g[8];
		const T m1 = g[1] - g[2], m3 = g[3] - g[4], m5 = g[5] - g[6], m7 = g[7] - g[8];
		const T r = g[0] + p1 + p3 + (p5 + p7);
		const T jx = m1 + m5 + m7, jy = m3 + m5 - m7;
		const T rho = 1 + r * S::unit, inv = 1 / rho, sigma = rho * S::scale;
		T ux = jx * (inv * S::unit), uy = jy * (inv * S::unit);
		const T nxx = p1 + (p5 + p7) - r / 3, nyy = p3 + (p5 + p7) - r / 3, nxy = p5 - p7; // about rest
		T pxx = nxx - jx * ux, pyy = nyy - jy * uy, pxy = nxy - jx * uy;
		if (k.eddy != 0 || k.table) {
			inEddies<S>(k, pxx * pxx + pyy * pyy + 2 * pxy * pxy, inv, keep, odd);
		}
		T ghost = k.ghosts * keep;
		T fx = jx + sigma * ax, fy = jy + sigma * ay;
		ux = ux + ax, uy = uy + ay;
		pxx = keep * pxx + fx * ux - axx * sigma - ghost * nxx;
		pyy = keep * pyy + fy * uy - ayy * sigma - ghost * nyy;
		pxy = keep * pxy + fx * uy - axy * sigma - ghost * nxy;
		fx = 3 * (fx - odd * jx), fy = 3 * (fy - odd * jy);
		ghost = (T)0.5 * ghost;
		const T o = (T)0.5 * odd;

		T b = r * (1 - 2 * ghost) - (T)1.5 * (pxx + pyy);
		g[0] = weight<L, T>(0) * b + 2 * ghost * g[0];
		pair(g, 1, w1 * (b + (T)4.5 * pxx) + ghost * p1, w1 * fx + o * m1);
		pair(g, 3, w1 * (b + (T)4.5 * pyy) + ghost * p3, w1 * fy + o * m3);
		b += (T)4.5 * (pxx + pyy);
		pair(g, 5, w2 * (b + 9 * pxy) + ghost * p5, w2 * (fx + fy) + o * m5);
		pair(g, 7, w2 * (b - 9 * pxy) + ghost * p7, w2 * (fx - fy) + o * m7);
	}

	template <class L, class S, class T> static __device__ __forceinline__ void space(T (&g)[maxQ], const Rates<T> &k) {
		const T w1 = weight<L, T>(1), w2 = weight<L, T>(7), ax = k.accel[0], ay = k.accel[1], az = k.accel[2];
		const T axx = (T)0.25 * k.even * ax * ax, ayy = (T)0.25 * k.even * ay * ay, azz = (T)0.25 * k.even * az * az;
		const T axy = (T)0.25 * k.even * ax * ay, axz = (T)0.25 * k.even * ax * az, ayz = (T)0.25 * k.even * ay * az;
		T keep = 1 - k.even, odd = 1 - k.odd;
		const T p1 = g[1] + g[2], p3 = g[3] + g[4], p5 = g[5] + g[6];
		const T p7 = g[7] + g[8], p9 = g[9] + g[10], p11 = g[11] + g[12], p13 = g[13] + g[14], p15 = g[15] + g[16], p17 = g[17] + g[18];
		const T m1 = g[1] - g[2], m3 = g[3] - g[4], m5 = g[5] - g[6];
		const T m7 = g[7] - g[8], m9 = g[9] - g[10], m11 = g[11] - g[12], m13 = g[13] - g[14], m15 = g[15] - g[16], m17 = g[17] - g[18];
		const T r = g[0] + p1 + p3 + p5 + ((p7 + p9) + (p11 + p13) + (p15 + p17));
		const T jx = m1 + (m7 + m9) + (m11 + m13), jy = m3 + (m7 - m9) + (m15 + m17), jz = m5 + (m11 - m13) + (m15 - m17);
		const T rho = 1 + r * S::unit, inv = 1 / rho, sigma = rho * S::scale;
		T ux = jx * (inv * S::unit), uy = jy * (inv * S::unit), uz = jz * (inv * S::unit);
		const T nxx = p1 + (p7 + p9) + (p11 + p13) - r / 3, nyy = p3 + (p7 + p9) + (p15 + p17) - r / 3, nzz = p5 + (p11 + p13) + (p15 + p17) - r / 3;
		const T nxy = p7 - p9, nxz = p11 - p13, nyz = p15 - p17; // about rest
		T pxx = nxx - jx * ux, pyy = nyy - jy * uy, pzz = nzz - jz * uz;
		T pxy = nxy - jx * uy, pxz = nxz - jx * uz, pyz = nyz - jy * uz;
		if (k.eddy != 0 || k.table) {
			inEddies<S>(k, pxx * pxx + pyy * pyy + pzz * pzz + 2 * (pxy * pxy + pxz * pxz + pyz * pyz), inv, keep, odd);
		}
		T ghost = k.ghosts * keep;
		T fx = jx + sigma * ax, fy = jy + sigma * ay, fz = jz + sigma * az;
		ux = ux + ax, uy = uy + ay, uz = uz + az;
		pxx = keep * pxx + fx * ux - axx * sigma - ghost * nxx;
		pyy = keep * pyy + fy * uy - ayy * sigma - ghost * nyy;
		pzz = keep * pzz + fz * uz - azz * sigma - ghost * nzz;
		pxy = keep * pxy + fx * uy - axy * sigma - ghost * nxy;
		pxz = keep * pxz + fx * uz - axz * sigma - ghost * nxz;
		pyz = keep * pyz + fy * uz - ayz * sigma - ghost * nyz;
		fx = 3 * (fx - odd * jx), fy = 3 * (fy - odd * jy), fz = 3 * (fz - odd * jz);
		ghost = (T)0.5 * ghost;
		const T o = (T)0.5 * odd;

		const T b = r * (1 - 2 * ghost) - (T)1.5 * (pxx + pyy + pzz);
		g[0] = weight<L, T>(0) * b + 2 * ghost * g[0];
		pair(g, 1, w1 * (b + (T)4.5 * pxx) + ghost * p1, w1 * fx + o * m1);
		pair(g, 3, w1 * (b + (T)4.5 * pyy) + ghost * p3, w1 * fy + o * m3);
		pair(g, 5, w1 * (b + (T)4.5 * pzz) + ghost * p5, w1 * fz + o * m5);
		T q = b + (T)4.5 * (pxx + pyy);
		pair(g, 7, w2 * (q + 9 * pxy) + ghost * p7, w2 * (fx + fy) + o * m7);
		pair(g, 9, w2 * (q - 9 * pxy) + ghost * p9, w2 * (fx - fy) + o * m9);
		q = b + (T)4.5 * (pxx + pzz);
		pair(g, 11, w2 * (q + 9 * pxz) + ghost * p11, w2 * (fx + fz) + o * m11);
		pair(g, 13, w2 * (q - 9 * pxz) + ghost * p13, w2 * (fx - fz) + o * m13);
		q = b + (T)4.5 * (pyy + pzz);
		pair(g, 15, w2 * (q + 9 * pyz) + ghost * p15, w2 * (fy + fz) + o * m15);
		pair(g, 17, w2 * (q - 9 * pyz) + ghost * p17, w2 * (fy - fz) + o * m17);
	}

	// The populations of a ± pair from their even and odd parts.
	template <class T> static __device__ __forceinline__ void pair(T (&g)[maxQ], int i, T even, T odd) {
		g[i] = even + odd;
		g[i + 1] = even - odd;
	}
};

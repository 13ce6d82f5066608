// Recursive collision: lbm's kernel_recursive_d2q9.go and kernel_recursive_d3q19.go, where
// the equations stand, operation by operation.
#pragma once

#include "collide.h"

// The third moments t_aab and t_abb of a stress P = q + Π in a fluid that moves with u; q is
// ρ u_a u_b. Returns what the fourth has beyond them.
template <class T> __device__ __forceinline__ T ofFrame(T q, T ua, T ub, T paa, T pbb, T pab, T &taab, T &tabb) {
	const T cross = 2 * (pab - q);
	taab = ua * cross + ub * paa, tabb = ub * cross + ua * pbb;
	return ub * taab + ua * tabb - q * ua * ub;
}

struct Recursive {
	typedef Recursive Relaxing;
	static constexpr bool inFrame = true;
	template <class L, class S, class T> static __device__ __forceinline__ void collide(T (&g)[maxQ], const Rates<T> &k) {
		if constexpr (L::dim == 2) {
			plane<L, S>(g, k);
		} else {
			space<L, S>(g, k);
		}
	}

	template <class L, class S, class T> static __device__ __forceinline__ void plane(T (&g)[maxQ], const Rates<T> &k) {
		const T ax = k.accel[0], ay = k.accel[1];
		const T axx = (T)0.25 * k.even * ax * ax, ayy = (T)0.25 * k.even * ay * ay, axy = (T)0.25 * k.even * ax * ay;
		T keep = 1 - k.even, odd;
		const T p1 = g[1] + g[2], p3 = g[3] + g[4], p5 = g[5] + g[6], p7 = g[7] + g[8];
		const T m1 = g[1] - g[2], m3 = g[3] - g[4], m5 = g[5] - g[6], m7 = g[7] - g[8];
		T r = g[0] + p1 + p3 + (p5 + p7);
		T jx = m1 + m5 + m7, jy = m3 + m5 - m7;
		const T rho = 1 + r * S::unit, inv = 1 / rho, sigma = rho * S::scale;
		T ux = jx * (inv * S::unit), uy = jy * (inv * S::unit);
		const T nxx = p1 + (p5 + p7) - r / 3, nyy = p3 + (p5 + p7) - r / 3, nxy = p5 - p7;
		T pxx = nxx - jx * ux, pyy = nyy - jy * uy, pxy = nxy - jx * uy;
		if (k.eddy != 0 || k.table) {
			inEddies<S>(k, pxx * pxx + pyy * pyy + 2 * pxy * pxy, inv, keep, odd);
		}
		jx = jx + sigma * ax, jy = jy + sigma * ay;
		ux = ux + ax, uy = uy + ay;
		pxx = keep * pxx + jx * ux - axx * sigma;
		pyy = keep * pyy + jy * uy - ayy * sigma;
		pxy = keep * pxy + jx * uy - axy * sigma;

		T txxy, txyy, four = ofFrame(jx * uy, ux, uy, pxx, pyy, pxy, txxy, txyy);
		four += r / 9 + (pxx + pyy) / 3;
		r = r / 3;
		g[0] = r - (pxx + pyy) + four;
		const T ox = jx / 3 + txyy, oy = jy / 3 + txxy;
		Stress::pair(g, 1, (T)0.5 * (r + pxx - four), (T)0.5 * (jx - ox));
		Stress::pair(g, 3, (T)0.5 * (r + pyy - four), (T)0.5 * (jy - oy));
		Stress::pair(g, 5, (T)0.25 * (four + pxy), (T)0.25 * (ox + oy));
		Stress::pair(g, 7, (T)0.25 * (four - pxy), (T)0.25 * (ox - oy));
	}

	template <class L, class S, class T> static __device__ __forceinline__ void space(T (&g)[maxQ], const Rates<T> &k) {
		const T ax = k.accel[0], ay = k.accel[1], az = k.accel[2];
		const T axx = (T)0.25 * k.even * ax * ax, ayy = (T)0.25 * k.even * ay * ay, azz = (T)0.25 * k.even * az * az;
		const T axy = (T)0.25 * k.even * ax * ay, axz = (T)0.25 * k.even * ax * az, ayz = (T)0.25 * k.even * ay * az;
		T keep = 1 - k.even, odd;
		const T p1 = g[1] + g[2], p3 = g[3] + g[4], p5 = g[5] + g[6];
		const T p7 = g[7] + g[8], p9 = g[9] + g[10], p11 = g[11] + g[12], p13 = g[13] + g[14], p15 = g[15] + g[16], p17 = g[17] + g[18];
		const T m1 = g[1] - g[2], m3 = g[3] - g[4], m5 = g[5] - g[6];
		const T m7 = g[7] - g[8], m9 = g[9] - g[10], m11 = g[11] - g[12], m13 = g[13] - g[14], m15 = g[15] - g[16], m17 = g[17] - g[18];
		T r = g[0] + p1 + p3 + p5 + ((p7 + p9) + (p11 + p13) + (p15 + p17));
		T jx = m1 + (m7 + m9) + (m11 + m13), jy = m3 + (m7 - m9) + (m15 + m17), jz = m5 + (m11 - m13) + (m15 - m17);
		const T rho = 1 + r * S::unit, inv = 1 / rho, sigma = rho * S::scale;
		T ux = jx * (inv * S::unit), uy = jy * (inv * S::unit), uz = jz * (inv * S::unit);
		const T nxx = p1 + (p7 + p9) + (p11 + p13) - r / 3, nyy = p3 + (p7 + p9) + (p15 + p17) - r / 3, nzz = p5 + (p11 + p13) + (p15 + p17) - r / 3;
		const T nxy = p7 - p9, nxz = p11 - p13, nyz = p15 - p17;
		T pxx = nxx - jx * ux, pyy = nyy - jy * uy, pzz = nzz - jz * uz;
		T pxy = nxy - jx * uy, pxz = nxz - jx * uz, pyz = nyz - jy * uz;
		if (k.eddy != 0 || k.table) {
			inEddies<S>(k, pxx * pxx + pyy * pyy + pzz * pzz + 2 * (pxy * pxy + pxz * pxz + pyz * pyz), inv, keep, odd);
		}
		jx = jx + sigma * ax, jy = jy + sigma * ay, jz = jz + sigma * az;
		ux = ux + ax, uy = uy + ay, uz = uz + az;
		pxx = keep * pxx + jx * ux - axx * sigma;
		pyy = keep * pyy + jy * uy - ayy * sigma;
		pzz = keep * pzz + jz * uz - azz * sigma;
		pxy = keep * pxy + jx * uy - axy * sigma;
		pxz = keep * pxz + jx * uz - axz * sigma;
		pyz = keep * pyz + jy * uz - ayz * sigma;

		T txxy, txyy, txxz, txzz, tyyz, tyzz;
		T fxy = ofFrame(jx * uy, ux, uy, pxx, pyy, pxy, txxy, txyy);
		T fxz = ofFrame(jx * uz, ux, uz, pxx, pzz, pxz, txxz, txzz);
		T fyz = ofFrame(jy * uz, uy, uz, pyy, pzz, pyz, tyyz, tyzz);
		const T trace = r / 9 - (pxx + pyy + pzz) / 6;
		fxy += trace + (T)0.5 * (pxx + pyy);
		fxz += trace + (T)0.5 * (pxx + pzz);
		fyz += trace + (T)0.5 * (pyy + pzz);

		r = r / 3;
		g[0] = fxy + fxz + fyz - (pxx + pyy + pzz);
		const T ox = jx / 3, oy = jy / 3, oz = jz / 3;
		Stress::pair(g, 1, (T)0.5 * (r + pxx - fxy - fxz), (T)0.5 * (ox - txyy - txzz));
		Stress::pair(g, 3, (T)0.5 * (r + pyy - fxy - fyz), (T)0.5 * (oy - txxy - tyzz));
		Stress::pair(g, 5, (T)0.5 * (r + pzz - fxz - fyz), (T)0.5 * (oz - txxz - tyyz));
		T oa = ox + txyy, ob = oy + txxy;
		Stress::pair(g, 7, (T)0.25 * (fxy + pxy), (T)0.25 * (oa + ob));
		Stress::pair(g, 9, (T)0.25 * (fxy - pxy), (T)0.25 * (oa - ob));
		oa = ox + txzz, ob = oz + txxz;
		Stress::pair(g, 11, (T)0.25 * (fxz + pxz), (T)0.25 * (oa + ob));
		Stress::pair(g, 13, (T)0.25 * (fxz - pxz), (T)0.25 * (oa - ob));
		oa = oy + tyzz, ob = oz + tyyz;
		Stress::pair(g, 15, (T)0.25 * (fyz + pyz), (T)0.25 * (oa + ob));
		Stress::pair(g, 17, (T)0.25 * (fyz - pyz), (T)0.25 * (oa - ob));
	}
};

// The two axes of pair i, which lie in a plane.
template <class L> __device__ __forceinline__ constexpr int firstAxis(int i) { return velocity<L>(i, 0) != 0 ? 0 : 1; }
template <class L> __device__ __forceinline__ constexpr int secondAxis(int i) { return velocity<L>(i, 2) != 0 ? 2 : 1; }

// Corrects what recursive collision has beyond the stress, before a force density changes the
// populations: lbm's someNodes.correctFrame.
template <class L, class S, class T>
__device__ __forceinline__ void correctFrame(T (&g)[maxQ], T r, const T (&j)[3], const T (&force)[3], const Rates<T> &k) {
	const T rho = 1 + r * S::unit, inv = 1 / rho;
	T v[3], w[3], more[3], p[3][3] = {};
UNROLL
	for (int a = 0; a < 3; a++) {
		v[a] = w[a] = more[a] = 0;
		if (a < L::dim) {
			v[a] = j[a] * S::unit / rho - k.accel[a] / 2 + k.accel[a] / 2;
			more[a] = k.accel[a] + force[a] * inv;
			w[a] = v[a] + force[a] * inv;
		}
	}
UNROLL
	for (int i = 1; i < L::q; i += 2) {
		const T s = (g[i] + g[i + 1]) * S::unit;
UNROLL
		for (int a = 0; a < L::dim; a++) {
UNROLL
			for (int d = a; d < L::dim; d++) {
				p[a][d] += (T)(velocity<L>(i, a) * velocity<L>(i, d)) * s;
			}
		}
	}
UNROLL
	for (int a = 0; a < L::dim; a++) {
		p[a][a] -= (rho - 1) / 3;
	}
	const auto after = [&](int a, int d) {
		return p[a][d] + rho * (w[a] * w[d] - v[a] * v[d] - (T)0.25 * k.even * (more[a] * more[d] - k.accel[a] * k.accel[d]));
	};
UNROLL
	for (int i = 2 * L::dim + 1; i < L::q; i += 4) {
		const int x = firstAxis<L>(i), y = secondAxis<L>(i), onX = 1 + 2 * x, onY = 1 + 2 * y;
		T xxy0, xyy0, xxy1, xyy1;
		T four = -ofFrame(rho * v[x] * v[y], v[x], v[y], p[x][x], p[y][y], p[x][y], xxy0, xyy0);
		four = (ofFrame(rho * w[x] * w[y], w[x], w[y], after(x, x), after(y, y), after(x, y), xxy1, xyy1) + four) * S::scale;
		const T abb = (xyy1 - xyy0) * S::scale, aab = (xxy1 - xxy0) * S::scale;
		g[0] += four;
		g[onX] -= (T)0.5 * (four + abb);
		g[onX + 1] -= (T)0.5 * (four - abb);
		g[onY] -= (T)0.5 * (four + aab);
		g[onY + 1] -= (T)0.5 * (four - aab);
		g[i] += (T)0.25 * (four + abb + aab);
		g[i + 1] += (T)0.25 * (four - abb - aab);
		g[i + 2] += (T)0.25 * (four + abb - aab);
		g[i + 3] += (T)0.25 * (four - abb + aab);
	}
}

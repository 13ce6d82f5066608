// Regularised deltas: package ib's, in its order of names, with its formulas (sources
// and derivations are there). N is the support; which of the deltas of that support
// is the same for all threads, so that nobody diverges.
#pragma once

#include "device.h"

enum DeltaKind { deltaHat2, deltaRoma3, deltaBSpline3, deltaPeskin4, deltaCosine4, deltaBSpline4, deltaM4Prime, deltaIB6 };

// sin and cos of a quarter turn times r, 0 ≤ r ≤ 1, to 2·10⁻¹⁶: there is no library
// of functions on the device. Beyond the eighth of a turn the two change places, and
// up to there the next terms of the series are below 5·10⁻¹⁷.
__device__ __forceinline__ void sinCosQuarter(double r, double &sine, double &cosine) {
	const bool beyond = r > 0.5;
	const double x = 1.5707963267948966192 * (beyond ? 1 - r : r), y = x * x;
	const double s = x + x * y * (-1. / 6 + y * (1. / 120 + y * (-1. / 5040 + y * (1. / 362880 + y * (-1. / 39916800
		+ y * (1. / 6227020800. + y * (-1. / 1307674368000.)))))));
	const double c = 1 + y * (-1. / 2 + y * (1. / 24 + y * (-1. / 720 + y * (1. / 40320 + y * (-1. / 3628800
		+ y * (1. / 479001600 + y * (-1. / 87178291200. + y * (1. / 20922789888000.))))))));
	sine = beyond ? c : s;
	cosine = beyond ? s : c;
}

// φ(r−3), φ(r−2) and φ(r−1) of ib6 for 0 ≤ r ≤ 1, with the root s.
__device__ __forceinline__ void halfIB6(double r, double s, double &outer, double &middle, double &inner) {
	// Numbers in a + b√29, rounded once, as the CPU has them.
	constexpr double b0 = 1.17888736053508780234, b1 = 2.33480768249707641094, b2 = -3. / 2, b3 = -7. / 3; // (31 + 3√29)/40, (9 + 7√29)/20
	constexpr double g4 = 0.16188186696393766797, g6 = -20. / 144;                                       // (6√29 − 9)/144
	constexpr double m0 = 0.02675938662207601647, m1 = 0.09518543991081869961, m2 = 1. / 8, m3 = 1. / 12; // (29 − 3√29)/480, (13 − √29)/80
	constexpr double n1 = 0.30962912017836260078, n3 = -1. / 6;                                         // (7 + √29)/40
	const double r2 = r * r;
	outer = r2 * r2 * (g4 + g6 * r2) / (b0 + r * (b1 + r * (b2 + r * b3)) + s);
	middle = m0 + r * (m1 + r * (m2 + r * m3)) - 3 * outer;
	inner = 1. / 4 + r * (n1 + n3 * r2) + 2 * outer;
}

// The first node of the support of a point at x nodes.
template <int N> __device__ __forceinline__ int firstNode(double x) {
	return (int)floor(N % 2 == 1 ? x + 0.5 : x) - (N - 1) / 2;
}

// w[i] = φ(x − first − i); returns first.
template <int N> __device__ __forceinline__ int deltaWeights(int kind, double x, double *w) {
	const double c = floor(N % 2 == 1 ? x + 0.5 : x), r = x - c;
	if constexpr (N == 2) {
		w[0] = 1 - r;
		w[1] = r;
	}
	if constexpr (N == 3) {
		const double a = (1 - 2 * r) * (1 - 2 * r), b = (1 + 2 * r) * (1 + 2 * r);
		if (kind == deltaRoma3) {
			const double s = sqrt(1 - 3 * r * r);
			w[0] = a / (2 * (2 - 3 * r + s));
			w[1] = (1 + s) / 3;
			w[2] = b / (2 * (2 + 3 * r + s));
		} else {
			w[0] = a / 8;
			w[1] = 3. / 4 - r * r;
			w[2] = b / 8;
		}
	}
	if constexpr (N == 4) {
		const double q = 1 - r;
		if (kind == deltaPeskin4) {
			const double s = sqrt(1 + 4 * r * (1 - r));
			const double a = 3 - 2 * r + s, b = 1 + 2 * r + s;
			w[0] = q * q / a;
			w[1] = a / 8;
			w[2] = b / 8;
			w[3] = r * r / b;
		} else if (kind == deltaCosine4) {
			double sine, cosine;
			sinCosQuarter(r, sine, cosine);
			w[0] = (1 - sine) / 4;
			w[1] = (1 + cosine) / 4;
			w[2] = (1 + sine) / 4;
			w[3] = (1 - cosine) / 4;
		} else if (kind == deltaBSpline4) {
			w[0] = q * q * q / 6;
			w[1] = 2. / 3 - r * r * (1 + q) / 2;
			w[2] = 2. / 3 - q * q * (1 + r) / 2;
			w[3] = r * r * r / 6;
		} else {
			w[0] = -r * q * q / 2;
			w[1] = q * (1 + r * (1 - 1.5 * r));
			w[2] = r * (1 + q * (1 - 1.5 * q));
			w[3] = -r * r * q / 2;
		}
	}
	if constexpr (N == 6) {
		constexpr double c0 = 1.38977540882938609363, c1 = 5.50495053235204745906; // (611 + 93√29)/800, (222 + 61√29)/100
		constexpr double c2 = 7.41961536499415282188, c3 = 7. / 3;                   // (73 + 14√29)/20
		const double q = r * (1 - r), s = sqrt(c0 + q * (c1 + q * (c2 + q * c3)));
		halfIB6(r, s, w[5], w[4], w[3]);
		halfIB6(1 - r, s, w[0], w[1], w[2]);
	}
	return (int)c - (N - 1) / 2;
}

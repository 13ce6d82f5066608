// The forms in which populations lie in memory, and the noise by which the half-
// precision form rounds: the same bits as package lbm's.
#pragma once

#include "device.h"

// Populations in the precision of arithmetic.
template <class T> struct Full {
	typedef T Real;
	typedef T Stored;
	static constexpr T scale = 1, unit = 1; // a stored number is scale·(f − w), unit = 1/scale
	static constexpr bool noisy = false;
	static __device__ __forceinline__ T read(T v) { return v; }
	static __device__ __forceinline__ T nearest(T v) { return v; }
	static __device__ __forceinline__ T rounded(T v, uint32) { return v; }
};

// Populations in 16 bits: 2¹⁵·(f − w) in half precision; see lbm.Half.
struct Half {
	typedef float Real;
	typedef uint16 Stored;
	static constexpr float scale = 32768, unit = 1.f / 32768;
	static constexpr bool noisy = true;

	static __device__ __forceinline__ float read(uint16 h) {
#ifdef LBMIB_HOST
		return halfToFloat(h);
#else
		float v;
		asm("cvt.f32.f16 %0, %1;" : "=f"(v) : "h"(h));
		return v;
#endif
	}

	// To the nearest: what is stored as it is given.
	static __device__ __forceinline__ uint16 nearest(float v) {
#ifdef LBMIB_HOST
		return floatToHalf(v);
#else
		uint16 h;
		asm("cvt.rn.f16.f32 %0, %1;" : "=h"(h) : "f"(v));
		return h;
#endif
	}

	// One of the two around v: the farther from zero for a part of all noises
	// 0 ≤ d < 2¹³ that makes their mean v. Not for what is not a number, whose bits
	// the noise may carry into a number's.
	static __device__ __forceinline__ uint16 rounded(float v, uint32 d) { return truncated(bitCast<uint32>(v) + d); }

	// The half towards zero, at most the largest; b are the bits of a float.
	static __device__ __forceinline__ uint16 truncated(uint32 b) {
#ifdef LBMIB_HOST
		const uint32 sign = b >> 16 & 0x8000u, m = b & 0x7fffffffu;
		if (m > 0x7f800000u) { // not a number
			return (uint16)(sign | 0x7e00u);
		}
		if (m == 0x7f800000u) {
			return (uint16)(sign | 0x7c00u);
		}
		if (m >= 0x47800000u) { // from 65536
			return (uint16)(sign | 0x7bffu);
		}
		if (m < 0x33800000u) { // below 2⁻²⁴
			return (uint16)sign;
		}
		if (m < 0x38800000u) { // below 2⁻¹⁴: a multiple of 2⁻²⁴
			return (uint16)(sign | ((m & 0x7fffffu) | 0x800000u) >> (126u - (m >> 23)));
		}
		return (uint16)(sign | (m - ((127u - 15u) << 23)) >> 13);
#else
		uint16 h;
		asm("cvt.rz.f16.f32 %0, %1;" : "=h"(h) : "f"(bitCast<float>(b)));
		return h;
#endif
	}

	// Two of them in a word, the first in its lower half: newer devices do that at once.
	static __device__ __forceinline__ uint32 truncated(uint32 first, uint32 second) {
#ifdef LBMIB_HOST
		return (uint32)truncated(first) | (uint32)truncated(second) << 16;
#else
		uint32 w;
		asm("mov.b32 %0, {%1, %2};" : "=r"(w) : "h"(truncated(first)), "h"(truncated(second)));
		return w;
#endif
	}
};

// Noise is that of a step, for one purpose: Go's dither.Seed of row and step, and
// the table, of which entry p holds the noises p and p + 1 in its lower and upper
// half, followed by a part that is zero and by the start: 64 bits from which steps are
// told, so that the arguments of a graph stay the same.
struct Noise {
	const uint32 *table;
	uint64 step; // hashed with the purpose, less the start
};

// What __byte_perm is to take of a word of the table: one of its halves, or nothing.
constexpr uint32 lowerHalf = 0x4410, upperHalf = 0x4432, noHalf = 0x4444;

constexpr uint32 noisePeriod = 2048, noiseSpacing = 67, noNoise = 2700; // where the table is zero
constexpr uint32 noiseStart = noNoise + 10 * noiseSpacing; // a word of an even number

// The seed of a row.
__device__ __forceinline__ uint32 rowSeed(const Noise &n, int row) {
	uint64 z = n.step + *(const uint64 *)(n.table + noiseStart) + (uint64)(int64)row * 0xd1342543de82ef95ull;
	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9ull;
	z = (z ^ z >> 27) * 0x94d049bb133111ebull;
	return (uint32)((z ^ z >> 31) >> 32);
}

// The place in the table of the x-th node of a row.
template <class S> __device__ __forceinline__ uint32 noisePlace(const Noise &n, int row, int x) {
	return S::noisy ? (rowSeed(n, row) + (uint32)x) % noisePeriod : 0;
}

// The k-th noise of a place: 0 for the rest population, k for the k-th ± pair.
template <class S> __device__ __forceinline__ uint32 noiseOf(const Noise &n, uint32 place, int k) {
	return S::noisy ? n.table[place + k * noiseSpacing] & 0xffffu : 0;
}

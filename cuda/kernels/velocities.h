// The lattices: velocities and weights as package lbm has them, rest first, then in
// ± pairs, so that the opposite of an odd i is i + 1. All functions fold to
// constants where the direction is known when compiled.
#pragma once

#include "device.h"

// The most velocities that a lattice has.
constexpr int maxQ = 19;

// Before a loop over directions or axes, whose number is known when compiled: only
// unrolled do its arrays become registers and its tables constants.
#ifdef LBMIB_HOST
#define UNROLL _Pragma("GCC unroll 32")
#else
#define UNROLL _Pragma("unroll")
#endif

// Components of −1, 0 and 1 in two bits each.
template <int n> constexpr uint64 packed(const int (&c)[n]) {
	uint64 bits = 0;
	for (int i = 0; i < n; i++) {
		bits |= (uint64)(c[i] + 1) << 2 * i;
	}
	return bits;
}

__device__ __forceinline__ constexpr int component(uint64 bits, int i) { return (int)(bits >> 2 * i & 3) - 1; }

//	8   3   5
//	  \ | /
//	2 - 0 - 1
//	  / | \.
//	6   4   7
struct D2Q9 {
	static constexpr int dim = 2, q = 9, near = 4; // near: velocities of the first shell
	static constexpr uint64 x = packed({0, 1, -1, 0, 0, 1, -1, 1, -1});
	static constexpr uint64 y = packed({0, 0, 0, 1, -1, 1, -1, -1, 1});
	static constexpr uint64 z = packed({0, 0, 0, 0, 0, 0, 0, 0, 0});
	static constexpr double w0 = 4. / 9, w1 = 1. / 9, w2 = 1. / 36; // of rest, first and second shell
	static constexpr double w0x3 = 4. / 3, w1x3 = 1. / 3, w2x3 = 1. / 12;
};

struct D3Q19 {
	static constexpr int dim = 3, q = 19, near = 6;
	static constexpr uint64 x = packed({0, 1, -1, 0, 0, 0, 0, 1, -1, 1, -1, 1, -1, 1, -1, 0, 0, 0, 0});
	static constexpr uint64 y = packed({0, 0, 0, 1, -1, 0, 0, 1, -1, -1, 1, 0, 0, 0, 0, 1, -1, 1, -1});
	static constexpr uint64 z = packed({0, 0, 0, 0, 0, 1, -1, 0, 0, 0, 0, 1, -1, -1, 1, 1, -1, -1, 1});
	static constexpr double w0 = 1. / 3, w1 = 1. / 18, w2 = 1. / 36;
	static constexpr double w0x3 = 1, w1x3 = 1. / 6, w2x3 = 1. / 12;
};

// Component a of velocity i.
template <class L> __device__ __forceinline__ constexpr int velocity(int i, int a) {
	return component(a == 0 ? L::x : a == 1 ? L::y : L::z, i);
}

// The weight of velocity i, and three times it.
template <class L, class T> __device__ __forceinline__ constexpr T weight(int i) {
	return (T)(i == 0 ? L::w0 : i <= L::near ? L::w1 : L::w2);
}
template <class L, class T> __device__ __forceinline__ constexpr T weight3(int i) {
	return (T)(i == 0 ? L::w0x3 : i <= L::near ? L::w1x3 : L::w2x3);
}

// sum + c·v for a component c.
template <class T> __device__ __forceinline__ constexpr T along(T sum, int c, T v) { return c == 0 ? sum : c > 0 ? sum + v : sum - v; }

// What a sum begins with, so that the first term is added without an operation.
template <class T> constexpr T nothing = -(T)0;

// c_i·v.
template <class L, class T> __device__ __forceinline__ T dot(int i, const T (&v)[3]) {
	T sum = nothing<T>;
UNROLL
	for (int a = 0; a < L::dim; a++) {
		sum = along(sum, velocity<L>(i, a), v[a]);
	}
	return sum;
}

// a·b.
template <class L, class T> __device__ __forceinline__ T dot(const T (&a)[3], const T (&b)[3]) {
	T sum = a[0] * b[0] + a[1] * b[1];
	return L::dim == 3 ? sum + a[2] * b[2] : sum;
}

// What a kernel may use, the same for clang (PTX for a device) and for a host
// compiler (LBMIB_HOST: the stand-in of package standin). No toolkit's headers.
//
// A kernel is declared by one of
//
//   KERNEL(name, (const float *f, float *g, int n)) { … }
//   BARRIER_KERNEL(name, (…)) { … }          uses __syncthreads or warp operations
//   BOUNDED_KERNEL(name, threads, (…)) { … } at most that many threads in a block
//   BOUNDED_BARRIER_KERNEL(name, threads, (…)) { … }
//
// and is found by that name, which is unique over all files. Parameters are
// pointers and numbers. Names with a leading __ and atomicAdd, threadIdx … are
// CUDA's own and mean what they mean there.
#pragma once

typedef int int32;
typedef long long int64;
typedef unsigned short uint16;
typedef unsigned int uint32;
typedef unsigned long long uint64;

static_assert(sizeof(int64) == 8 && sizeof(uint16) == 2, "sizes that the Go side relies on");

constexpr int warpSize = 32;
constexpr uint32 fullWarp = 0xffffffffu; // the mask of all lanes

#ifdef LBMIB_HOST
#include "device_host.h"
#else
#include "device_cuda.h"
#endif

// The index of this thread along an axis of the whole grid of threads, and the
// number of threads along it. 64 bits: a grid may hold more than 2³¹ threads.
__device__ __forceinline__ int64 globalX() { return (int64)blockIdx.x * blockDim.x + threadIdx.x; }
__device__ __forceinline__ int64 globalY() { return (int64)blockIdx.y * blockDim.y + threadIdx.y; }
__device__ __forceinline__ int64 globalZ() { return (int64)blockIdx.z * blockDim.z + threadIdx.z; }
__device__ __forceinline__ int64 strideX() { return (int64)gridDim.x * blockDim.x; }

// The thread's number in its block, x fastest, and its lane in its warp.
__device__ __forceinline__ int threadRank() { return (int)((threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x); }
__device__ __forceinline__ int laneIndex() { return threadRank() % warpSize; }

// min and max of numbers of one type; of a NaN and a number, either may result.
template <typename T> __device__ __forceinline__ constexpr T min(T a, T b) { return b < a ? b : a; }
template <typename T> __device__ __forceinline__ constexpr T max(T a, T b) { return a < b ? b : a; }
template <typename T> __device__ __forceinline__ constexpr T clamp(T x, T low, T high) { return min(max(x, low), high); }

// The greatest v of a warp's threads, in its lane 0; every thread of the warp comes here.
template <typename T> __device__ __forceinline__ T warpMax(T v) {
	const int lane = laneIndex(), threads = (int)(blockDim.x * blockDim.y * blockDim.z);
	const int lanes = min(threads - (threadRank() - lane), warpSize); // fewer in the last warp of a block
	const uint32 mask = fullWarp >> (warpSize - lanes);
	for (int by = warpSize / 2; by > 0; by /= 2) {
		const T other = __shfl_down_sync(mask, v, by);
		v = lane + by < lanes ? max(v, other) : v;
	}
	return v;
}

// The bits of one type as another of the same size.
template <typename To, typename From> __device__ __forceinline__ To bitCast(From x) {
	static_assert(sizeof(To) == sizeof(From), "bitCast between sizes");
	return __builtin_bit_cast(To, x);
}

// N consecutive numbers, read or written in one access of at most 16 bytes.
template <typename T, int N> struct Pack {
	T v[N];
	__device__ __forceinline__ T &operator[](int i) { return v[i]; }
	__device__ __forceinline__ const T &operator[](int i) const { return v[i]; }
};

// loadPack<4>(p) reads p[0] … p[3]; p must be a multiple of the pack's size.
template <int N, typename T> __device__ __forceinline__ Pack<T, N> loadPack(const T *p) {
	typedef T Vector __attribute__((may_alias, vector_size(N * sizeof(T)), aligned(LBMIB_ALIGN(N * sizeof(T), sizeof(T)))));
	const Vector v = *reinterpret_cast<const Vector *>(p);
	Pack<T, N> r;
	for (int i = 0; i < N; i++) {
		r.v[i] = v[i];
	}
	return r;
}

// storePack(p, x) writes p[0] … p[N−1]; p must be a multiple of the pack's size.
template <typename T, int N> __device__ __forceinline__ void storePack(T *p, const Pack<T, N> &x) {
	typedef T Vector __attribute__((may_alias, vector_size(N * sizeof(T)), aligned(LBMIB_ALIGN(N * sizeof(T), sizeof(T)))));
	Vector v;
	for (int i = 0; i < N; i++) {
		v[i] = x.v[i];
	}
	*reinterpret_cast<Vector *>(p) = v;
}

// The value of a half-precision number (IEEE binary16), exact.
__device__ __forceinline__ float halfToFloat(uint16 h) {
	const uint32 sign = (uint32)(h & 0x8000u) << 16;
	const uint32 bits = h & 0x7fffu;
	if (bits >= 0x7c00u) { // infinite or not a number
		return bitCast<float>(sign | 0x7f800000u | bits << 13);
	}
	if (bits < 0x0400u) { // subnormal: bits·2⁻²⁴
		return bitCast<float>(sign | bitCast<uint32>((float)bits * (1.0f / (1 << 24))));
	}
	return bitCast<float>(sign | ((bits << 13) + ((127u - 15u) << 23)));
}

// The half-precision number nearest to v, ties to even.
__device__ __forceinline__ uint16 floatToHalf(float v) {
	uint32 b = bitCast<uint32>(v);
	const uint16 sign = (uint16)(b >> 16 & 0x8000u);
	b &= 0x7fffffffu;
	if (b > 0x7f800000u) { // not a number
		return (uint16)(sign | 0x7e00u);
	}
	if (b >= 0x477ff000u) { // rounds beyond 65504
		return (uint16)(sign | 0x7c00u);
	}
	if (b < 0x38800000u) { // below 2⁻¹⁴: a multiple of 2⁻²⁴; the sum rounds to even
		return (uint16)(sign | (bitCast<uint32>(bitCast<float>(b) + 0.5f) - bitCast<uint32>(0.5f)));
	}
	b += 0xfffu + (b >> 13 & 1u);
	return (uint16)(sign | (b - ((127u - 15u) << 23)) >> 13);
}

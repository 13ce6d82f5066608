// The host's half of device.h: kernels as functions of a host compiler, which
// the stand-in finds by their names and calls once for every thread.
#pragma once

#include "index.h"

#include <utility>

#define __global__
#define __device__
#define __host__
#define __constant__
#define __forceinline__ inline __attribute__((always_inline))

// A block runs on one host thread, so what its threads share is that thread's own.
#define __shared__ static thread_local

#define DYNAMIC_SHARED(type, name) type *const name = static_cast<type *>(standin::dynamicShared)

// The alignment of a pack: memory of the stand-in ends, not begins, at a page.
#define LBMIB_ALIGN(pack, element) (element)

#define KERNEL(name, parameters) LBMIB_KERNEL(name, 1024, false, parameters)
#define BOUNDED_KERNEL(name, threads, parameters) LBMIB_KERNEL(name, threads, false, parameters)
#define BARRIER_KERNEL(name, parameters) LBMIB_KERNEL(name, 1024, true, parameters)
#define BOUNDED_BARRIER_KERNEL(name, threads, parameters) LBMIB_KERNEL(name, threads, true, parameters)

#define LBMIB_KERNEL(name, threads, barriers, parameters)                                             \
	static void name parameters;                                                                      \
	static const bool name##_added = standin::add<&name, barriers>(#name, threads);                   \
	static void name parameters

namespace standin {

// What the stand-in knows of a kernel. Without barriers, block runs all threads
// of the block in blockIdx, one after the other; with them, thread runs the one in
// threadIdx.
struct Kernel {
	const char *name;
	uint32 maxThreads;
	bool barriers;
	int count;            // of parameters
	const uint16 *sizes;  // of each, in bytes
	void (*block)(void *const *arguments);
	void (*thread)(void *const *arguments);
};

bool add(const Kernel &);

// Waiting points; site tells apart where in the source a thread waits.
struct Site {
	const char *file;
	int line;
};
int barrier(int predicate, int operation, Site); // 0: or, 1: and, 2: count
uint64 exchange(uint32 mask, uint64 value, int source, Site);
uint32 ballot(uint32 mask, int predicate, Site);
void trap();

} // namespace standin

namespace standin {

template <auto Function> struct Entry;
template <typename... A, void (*Function)(A...)> struct Entry<Function> {
	static constexpr uint16 sizes[sizeof...(A) + 1] = {sizeof(A)..., 0};

	static void threads(A... a) {
		const Index n = blockDim;
		for (uint32 z = 0; z < n.z; z++) {
			for (uint32 y = 0; y < n.y; y++) {
				for (uint32 x = 0; x < n.x; x++) {
					threadIdx = {x, y, z};
					Function(a...);
				}
			}
		}
	}
	template <unsigned long... I> static void blockOf(void *const *p, std::index_sequence<I...>) { threads(*static_cast<A *>(p[I])...); }
	template <unsigned long... I> static void threadOf(void *const *p, std::index_sequence<I...>) { Function(*static_cast<A *>(p[I])...); }
	static void block(void *const *p) { blockOf(p, std::index_sequence_for<A...>()); }
	static void thread(void *const *p) { threadOf(p, std::index_sequence_for<A...>()); }
};

// Only one of block and thread is made, so that the kernel is compiled into it.
template <auto Function, bool barriers> bool add(const char *name, uint32 threads) {
	typedef Entry<Function> E;
	Kernel k = {name, threads, barriers, sizeof(E::sizes) / sizeof(uint16) - 1, E::sizes, nullptr, nullptr};
	if constexpr (barriers) {
		k.thread = E::thread;
	} else {
		k.block = E::block;
	}
	return add(k);
}

template <typename T> inline T shuffle(uint32 mask, T v, int source, Site site) {
	static_assert(sizeof(T) == 4 || sizeof(T) == 8, "shuffles move 4 or 8 bytes");
	if constexpr (sizeof(T) == 4) {
		return __builtin_bit_cast(T, (uint32)exchange(mask, __builtin_bit_cast(uint32, v), source, site));
	} else {
		return __builtin_bit_cast(T, exchange(mask, __builtin_bit_cast(uint64, v), source, site));
	}
}

inline int lane() { return (int)((threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x) & 31; }

} // namespace standin

#define LBMIB_SITE const char *file = __builtin_FILE(), int line = __builtin_LINE()

inline void __syncthreads(LBMIB_SITE) { standin::barrier(0, 0, {file, line}); }
inline int __syncthreads_or(int p, LBMIB_SITE) { return standin::barrier(p, 0, {file, line}); }
inline int __syncthreads_and(int p, LBMIB_SITE) { return standin::barrier(p, 1, {file, line}); }
inline int __syncthreads_count(int p, LBMIB_SITE) { return standin::barrier(p, 2, {file, line}); }

inline void __syncwarp(uint32 mask = fullWarp, LBMIB_SITE) { standin::ballot(mask, 0, {file, line}); }
inline uint32 __ballot_sync(uint32 mask, int p, LBMIB_SITE) { return standin::ballot(mask, p, {file, line}); }
inline int __any_sync(uint32 mask, int p, LBMIB_SITE) { return standin::ballot(mask, p, {file, line}) != 0; }
inline int __all_sync(uint32 mask, int p, LBMIB_SITE) { return standin::ballot(mask, !p, {file, line}) == 0; }

template <typename T> inline T __shfl_sync(uint32 mask, T v, int lane, LBMIB_SITE) {
	return standin::shuffle(mask, v, lane & 31, {file, line});
}
template <typename T> inline T __shfl_up_sync(uint32 mask, T v, int by, LBMIB_SITE) {
	const int at = standin::lane() - by;
	return standin::shuffle(mask, v, at < 0 ? standin::lane() : at, {file, line});
}
template <typename T> inline T __shfl_down_sync(uint32 mask, T v, int by, LBMIB_SITE) {
	const int at = standin::lane() + by;
	return standin::shuffle(mask, v, at > 31 ? standin::lane() : at, {file, line});
}
template <typename T> inline T __shfl_xor_sync(uint32 mask, T v, int bits, LBMIB_SITE) {
	return standin::shuffle(mask, v, (standin::lane() ^ bits) & 31, {file, line});
}
#undef LBMIB_SITE

inline void __threadfence() { __atomic_thread_fence(__ATOMIC_SEQ_CST); }
inline void __threadfence_block() {}
inline void __trap() { standin::trap(); }

inline int32 atomicAdd(int32 *p, int32 v) { return __atomic_fetch_add(p, v, __ATOMIC_RELAXED); }
inline uint32 atomicAdd(uint32 *p, uint32 v) { return __atomic_fetch_add(p, v, __ATOMIC_RELAXED); }
inline uint64 atomicAdd(uint64 *p, uint64 v) { return __atomic_fetch_add(p, v, __ATOMIC_RELAXED); }
inline uint32 atomicOr(uint32 *p, uint32 v) { return __atomic_fetch_or(p, v, __ATOMIC_RELAXED); }
inline uint32 atomicExch(uint32 *p, uint32 v) { return __atomic_exchange_n(p, v, __ATOMIC_RELAXED); }

namespace standin {

// replace sets *p to change(*p) and returns what was there.
template <typename T, typename Change> inline T replace(T *p, Change change) {
	T old, now;
	__atomic_load(p, &old, __ATOMIC_RELAXED);
	do {
		now = change(old);
	} while (!__atomic_compare_exchange(p, &old, &now, true, __ATOMIC_RELAXED, __ATOMIC_RELAXED));
	return old;
}

template <typename T> inline T swapIf(T *p, T is, T v) {
	__atomic_compare_exchange_n(p, &is, v, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
	return is;
}

} // namespace standin

inline float atomicAdd(float *p, float v) {
	return standin::replace(p, [v](float x) { return x + v; });
}
inline double atomicAdd(double *p, double v) {
	return standin::replace(p, [v](double x) { return x + v; });
}
#define LBMIB_MINMAX(type)                                                                                                          \
	inline type atomicMax(type *p, type v) {                                                                                        \
		return standin::replace(p, [v](type x) { return x < v ? v : x; });                                                          \
	}                                                                                                                               \
	inline type atomicMin(type *p, type v) {                                                                                        \
		return standin::replace(p, [v](type x) { return v < x ? v : x; });                                                          \
	}
LBMIB_MINMAX(int32)
LBMIB_MINMAX(uint32)
LBMIB_MINMAX(uint64)
#undef LBMIB_MINMAX
inline uint32 atomicCAS(uint32 *p, uint32 is, uint32 v) { return standin::swapIf(p, is, v); }
inline uint64 atomicCAS(uint64 *p, uint64 is, uint64 v) { return standin::swapIf(p, is, v); }

inline int __popc(uint32 x) { return __builtin_popcount(x); }
inline int __popcll(uint64 x) { return __builtin_popcountll(x); }
inline int __clz(uint32 x) { return x == 0 ? 32 : __builtin_clz(x); }
inline int __ffs(uint32 x) { return __builtin_ffs((int)x); }
inline uint32 __byte_perm(uint32 x, uint32 y, uint32 pick) {
	const uint64 bytes = (uint64)y << 32 | x;
	uint32 r = 0;
	for (int i = 0; i < 4; i++) {
		r |= (uint32)(bytes >> 8 * (pick >> 4 * i & 7) & 0xff) << 8 * i;
	}
	return r;
}

inline float sqrt(float x) { return __builtin_sqrtf(x); }
inline double sqrt(double x) { return __builtin_sqrt(x); }
inline float fma(float a, float b, float c) { return __builtin_fmaf(a, b, c); }
inline double fma(double a, double b, double c) { return __builtin_fma(a, b, c); }
inline float floor(float x) { return __builtin_floorf(x); }
inline double floor(double x) { return __builtin_floor(x); }
inline float fabs(float x) { return __builtin_fabsf(x); }
inline double fabs(double x) { return __builtin_fabs(x); }
inline bool isfinite(float x) { return __builtin_isfinite(x); }
inline bool isfinite(double x) { return __builtin_isfinite(x); }

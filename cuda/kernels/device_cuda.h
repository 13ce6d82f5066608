// The device's half of device.h, for clang's PTX back end.
#pragma once

#define __global__ __attribute__((global))
#define __device__ __attribute__((device))
#define __host__ __attribute__((host))
#define __shared__ __attribute__((shared))
#define __constant__ __attribute__((constant))
#define __forceinline__ inline __attribute__((always_inline))

// The alignment of a pack: on the device all of its size.
#define LBMIB_ALIGN(pack, element) (pack)

#define KERNEL(name, parameters) extern "C" __global__ void name parameters
#define BOUNDED_KERNEL(name, threads, parameters) \
	extern "C" __global__ __attribute__((launch_bounds(threads))) void name parameters
#define BARRIER_KERNEL(name, parameters) KERNEL(name, parameters)
#define BOUNDED_BARRIER_KERNEL(name, threads, parameters) BOUNDED_KERNEL(name, threads, parameters)

// DYNAMIC_SHARED(float, tile); declares the shared memory whose size the launch gives.
#define DYNAMIC_SHARED(type, name)                                                              \
	extern __shared__ __attribute__((aligned(16))) unsigned char lbmibDynamicShared[]; \
	type *const name = reinterpret_cast<type *>(lbmibDynamicShared)

// Special registers that read like CUDA's variables.
#define LBMIB_INDEX(type, object, reg)                                                                                         \
	struct type {                                                                                                              \
		__declspec(property(get = getX)) uint32 x;                                                                             \
		__declspec(property(get = getY)) uint32 y;                                                                             \
		__declspec(property(get = getZ)) uint32 z;                                                                             \
		static __device__ __forceinline__ uint32 getX() { return __nvvm_read_ptx_sreg_##reg##_x(); }                           \
		static __device__ __forceinline__ uint32 getY() { return __nvvm_read_ptx_sreg_##reg##_y(); }                           \
		static __device__ __forceinline__ uint32 getZ() { return __nvvm_read_ptx_sreg_##reg##_z(); }                           \
	};                                                                                                                         \
	extern const __device__ __attribute__((weak)) type object;

LBMIB_INDEX(ThreadIndex, threadIdx, tid)
LBMIB_INDEX(BlockIndex, blockIdx, ctaid)
LBMIB_INDEX(BlockSize, blockDim, ntid)
LBMIB_INDEX(GridSize, gridDim, nctaid)
#undef LBMIB_INDEX

// Barriers of a block: __syncthreads() is built in; these return their argument
// combined over all threads.
__device__ __forceinline__ int __syncthreads_count(int p) { return __nvvm_bar0_popc(p); }
__device__ __forceinline__ int __syncthreads_and(int p) { return __nvvm_bar0_and(p); }
__device__ __forceinline__ int __syncthreads_or(int p) { return __nvvm_bar0_or(p); }

// Writes before are seen by the device, or the block, before writes after.
__device__ __forceinline__ void __threadfence() { __nvvm_membar_gl(); }
__device__ __forceinline__ void __threadfence_block() { __nvvm_membar_cta(); }

// Ends the kernel with an error.
__device__ __forceinline__ void __trap() { __builtin_trap(); }

__device__ __forceinline__ int32 atomicAdd(int32 *p, int32 v) { return __nvvm_atom_add_gen_i(p, v); }
__device__ __forceinline__ uint32 atomicAdd(uint32 *p, uint32 v) { return (uint32)__nvvm_atom_add_gen_i((int32 *)p, (int32)v); }
__device__ __forceinline__ uint64 atomicAdd(uint64 *p, uint64 v) { return (uint64)__nvvm_atom_add_gen_ll((int64 *)p, (int64)v); }
__device__ __forceinline__ float atomicAdd(float *p, float v) { return __nvvm_atom_add_gen_f(p, v); }
__device__ __forceinline__ double atomicAdd(double *p, double v) { return __nvvm_atom_add_gen_d(p, v); }
__device__ __forceinline__ int32 atomicMax(int32 *p, int32 v) { return __nvvm_atom_max_gen_i(p, v); }
__device__ __forceinline__ uint32 atomicMax(uint32 *p, uint32 v) { return __nvvm_atom_max_gen_ui(p, v); }
__device__ __forceinline__ uint64 atomicMax(uint64 *p, uint64 v) { return __nvvm_atom_max_gen_ull(p, v); }
__device__ __forceinline__ int32 atomicMin(int32 *p, int32 v) { return __nvvm_atom_min_gen_i(p, v); }
__device__ __forceinline__ uint32 atomicMin(uint32 *p, uint32 v) { return __nvvm_atom_min_gen_ui(p, v); }
__device__ __forceinline__ uint64 atomicMin(uint64 *p, uint64 v) { return __nvvm_atom_min_gen_ull(p, v); }
__device__ __forceinline__ uint32 atomicOr(uint32 *p, uint32 v) { return (uint32)__nvvm_atom_or_gen_i((int32 *)p, (int32)v); }
__device__ __forceinline__ uint32 atomicExch(uint32 *p, uint32 v) { return (uint32)__nvvm_atom_xchg_gen_i((int32 *)p, (int32)v); }
__device__ __forceinline__ uint32 atomicCAS(uint32 *p, uint32 is, uint32 v) { return (uint32)__nvvm_atom_cas_gen_i((int32 *)p, (int32)is, (int32)v); }
__device__ __forceinline__ uint64 atomicCAS(uint64 *p, uint64 is, uint64 v) { return (uint64)__nvvm_atom_cas_gen_ll((int64 *)p, (int64)is, (int64)v); }

// Warp operations: every lane in the mask must arrive. A lane whose source lies
// outside the warp keeps its own value. Values of 4 or 8 bytes.
__device__ __forceinline__ void __syncwarp(uint32 mask = fullWarp) { __nvvm_bar_warp_sync(mask); }
__device__ __forceinline__ uint32 __ballot_sync(uint32 mask, int p) { return __nvvm_vote_ballot_sync(mask, p); }
__device__ __forceinline__ int __any_sync(uint32 mask, int p) { return __nvvm_vote_any_sync(mask, p); }
__device__ __forceinline__ int __all_sync(uint32 mask, int p) { return __nvvm_vote_all_sync(mask, p); }

#define LBMIB_SHUFFLE(name, builtin, clampTo)                                                               \
	template <typename T> __device__ __forceinline__ T name(uint32 mask, T v, int lane) {                     \
		static_assert(sizeof(T) == 4 || sizeof(T) == 8, "shuffles move 4 or 8 bytes");                        \
		if constexpr (sizeof(T) == 4) {                                                                       \
			return __builtin_bit_cast(T, builtin(mask, __builtin_bit_cast(int32, v), lane, clampTo));         \
		} else {                                                                                              \
			const uint64 b = __builtin_bit_cast(uint64, v);                                                   \
			const uint64 low = (uint32)builtin(mask, (int32)(uint32)b, lane, clampTo);                        \
			const uint64 high = (uint32)builtin(mask, (int32)(uint32)(b >> 32), lane, clampTo);               \
			return __builtin_bit_cast(T, high << 32 | low);                                                   \
		}                                                                                                     \
	}

LBMIB_SHUFFLE(__shfl_sync, __nvvm_shfl_sync_idx_i32, 31)
LBMIB_SHUFFLE(__shfl_up_sync, __nvvm_shfl_sync_up_i32, 0)
LBMIB_SHUFFLE(__shfl_down_sync, __nvvm_shfl_sync_down_i32, 31)
LBMIB_SHUFFLE(__shfl_xor_sync, __nvvm_shfl_sync_bfly_i32, 31)
#undef LBMIB_SHUFFLE

// Bits: the number set, of leading zeros, the place of the lowest set (from 1; 0 for none).
__device__ __forceinline__ int __popc(uint32 x) { return __builtin_popcount(x); }
__device__ __forceinline__ int __popcll(uint64 x) { return __builtin_popcountll(x); }
__device__ __forceinline__ int __clz(uint32 x) { return x == 0 ? 32 : __builtin_clz(x); }
__device__ __forceinline__ int __ffs(uint32 x) { return __builtin_ffs((int)x); }

// Bytes of y:x, counted from the lowest of x: a digit of pick for each byte of the result.
__device__ __forceinline__ uint32 __byte_perm(uint32 x, uint32 y, uint32 pick) { return __nvvm_prmt(x, y, pick); }

// Elementary functions, correctly rounded. There is no exp, sin or cos.
__device__ __forceinline__ float sqrt(float x) { return __nvvm_sqrt_rn_f(x); }
__device__ __forceinline__ double sqrt(double x) { return __nvvm_sqrt_rn_d(x); }
__device__ __forceinline__ float fma(float a, float b, float c) { return __builtin_fmaf(a, b, c); }
__device__ __forceinline__ double fma(double a, double b, double c) { return __builtin_fma(a, b, c); }
__device__ __forceinline__ float floor(float x) { return __builtin_floorf(x); }
__device__ __forceinline__ double floor(double x) { return __builtin_floor(x); }
__device__ __forceinline__ float fabs(float x) { return __builtin_fabsf(x); }
__device__ __forceinline__ double fabs(double x) { return __builtin_fabs(x); }
__device__ __forceinline__ bool isfinite(float x) { return (__builtin_bit_cast(uint32, x) & 0x7f800000u) != 0x7f800000u; }
__device__ __forceinline__ bool isfinite(double x) {
	return (__builtin_bit_cast(uint64, x) & 0x7ff0000000000000ull) != 0x7ff0000000000000ull;
}

// What transfers need for every delta: values by place, buffers, lists.
#include "transfer.h"

// values[c·stride + t] = scale·v_c[order[t]]: what is to be spread, by place.
template <typename T>
__device__ __forceinline__ void takeValues(const Site &s, const uint32 *order, T *values, int64 stride, const Components<const T> &v, int n) {
	EACH(t, n) {
		const int64 p = order ? order[t] : t;
		for (int c = 0; c < maxComponents; c++) {
			if (c < v.count) {
				values[c * stride + t] = (T)s.scale * v.of[c][p];
			}
		}
	}
}

// The end of Algorithm 5: field += Σ ℓ_i, and the buffer is zero again.
template <typename T>
__device__ __forceinline__ void foldBuffer(T *buffer, T *field, int64 nodes, int vectors) {
	EACH(m, nodes) {
		T sum = 0;
		for (int i = 0; i < vectors; i++) {
			sum += buffer[i * nodes + m];
			buffer[i * nodes + m] = 0;
		}
		field[m] += sum;
	}
}

// The list of marked nodes: those of a block of words in the order of their numbers, so that
// threads that follow each other have nodes side by side, and blocks as they come: a block asks
// once for room for all that it has.
BARRIER_KERNEL(list_marked, (const uint32 *marked, int32 *nodes, int32 *count, int words)) {
	__shared__ int32 ofWarp[warpSize], from;
	const int me = (int)threadIdx.x, lane = laneIndex(), warps = ((int)blockDim.x + warpSize - 1) / warpSize;
	for (int64 begin = (int64)blockIdx.x * blockDim.x; begin < words; begin += strideX()) {
		uint32 word = begin + me < words ? marked[begin + me] : 0;
		int32 at = __popc(word);
		for (int by = 1; by < warpSize; by *= 2) {
			const int32 other = __shfl_up_sync(fullWarp, at, by);
			at += lane >= by ? other : 0;
		}
		if (lane == warpSize - 1) {
			ofWarp[me / warpSize] = at;
		}
		at -= __popc(word);
		__syncthreads();
		if (me == 0) {
			int32 all = 0;
			for (int w = 0; w < warps; w++) {
				const int32 n = ofWarp[w];
				ofWarp[w] = all;
				all += n;
			}
			from = all > 0 ? atomicAdd(count, all) : 0;
		}
		__syncthreads();
		at += from + ofWarp[me / warpSize];
		for (; word != 0; word &= word - 1) {
			nodes[at++] = (int32)((begin + me) * 32) + __ffs(word) - 1;
		}
		__syncthreads();
	}
}

// Takes the marks of listed nodes away.
KERNEL(list_clear, (const int32 *nodes, const int32 *count, uint32 *marked)) {
	EACH(i, *count) {
		marked[nodes[i] / 32] = 0;
	}
}

#define TRANSFER_PRECISION(T, suffix)                                                                                          \
	KERNEL(take_values_##suffix, (const Site *site, const uint32 *order, T *values, int64 stride, const T *v0, const T *v1,       \
		const T *v2, const T *v3, int components, int n)) {                                                                       \
		takeValues<T>(*site, order, values, stride, {{v0, v1, v2, v3}, components}, n);                                           \
	}                                                                                                                          \
	KERNEL(fold_buffer_##suffix, (T *buffer, T *field, int64 nodes, int vectors)) { foldBuffer<T>(buffer, field, nodes, vectors); }

TRANSFER_PRECISION(float, f32)
TRANSFER_PRECISION(double, f64)

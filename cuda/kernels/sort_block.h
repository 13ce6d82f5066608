// A radix sort of at most 16,384 keys by one block: four bits a pass, stable, so that the
// result is that of the passes of sort.cu.
//
// A thread has some consecutive keys in registers: an item is 16 bits of a key above the
// number of its point. It counts the digits of its items in a column of 16 counters in
// shared memory; the counters, digit by digit and thread by thread, are summed up, and
// every thread knows where the first of its items of a digit goes. Items then change hands
// through the memory of the counters. 32 bytes a thread suffice for both, so that 1024
// threads stay below the 48 KiB of shared memory that every device grants. All bits of a
// key are used up after four passes; the next 16 are read from memory, by number.
#pragma once

#include "device.h"

constexpr int blockThreads = 1024, blockDigits = 16;
constexpr uint32 noItem = 0xffffffffu; // goes behind all that there are

// The shared memory of a block; launches give it as much as their threads need
// (blockShared in transfer/sort.go).
struct BlockSpace {
	uint32 warps[warpSize]; // sums
	union {
		uint16 half[blockDigits * blockThreads]; // counters: by digit, then by thread
		uint32 word[blockDigits * blockThreads / 2];
	};
};
static_assert(sizeof(BlockSpace) == 128 + 32 * blockThreads, "sizes that the Go side relies on");

// The sum of v over the threads before this one, in a block of whole warps.
__device__ __forceinline__ uint32 sumOfThreadsBefore(BlockSpace &s, uint32 v) {
	const int lane = laneIndex(), warp = (int)threadIdx.x / warpSize, count = (int)blockDim.x / warpSize;
	uint32 sum = v;
	for (int by = 1; by < warpSize; by *= 2) {
		const uint32 other = __shfl_up_sync(fullWarp, sum, by);
		sum += lane >= by ? other : 0;
	}
	if (lane == warpSize - 1) {
		s.warps[warp] = sum;
	}
	__syncthreads();
	uint32 all = lane < count ? s.warps[lane] : 0;
	for (int by = 1; by < warpSize; by *= 2) {
		const uint32 other = __shfl_up_sync(fullWarp, all, by);
		all += lane >= by ? other : 0;
	}
	const uint32 before = __shfl_sync(fullWarp, all, max(warp - 1, 0));
	return (warp > 0 ? before : 0) + sum - v;
}

// Where the items of a thread go by their digits at a shift.
template <int items> __device__ __forceinline__ void rankItems(BlockSpace &s, const uint32 (&item)[items], int shift, uint32 (&to)[items]) {
	const int me = (int)threadIdx.x, threads = (int)blockDim.x;
	for (int d = 0; d < blockDigits; d++) {
		s.half[d * threads + me] = 0;
	}
#pragma unroll
	for (int i = 0; i < items; i++) {
		s.half[(item[i] >> shift & (blockDigits - 1)) * threads + me]++;
	}
	__syncthreads();
	Pack<uint32, 4> pair[2]; // as many counters as digits for each thread, two to a word
	uint32 sum = 0;
#pragma unroll
	for (int p = 0; p < 2; p++) {
		pair[p] = loadPack<4>(&s.word[8 * me + 4 * p]);
#pragma unroll
		for (int i = 0; i < 4; i++) {
			sum += (pair[p][i] & 0xffff) + (pair[p][i] >> 16);
		}
	}
	uint32 before = sumOfThreadsBefore(s, sum);
#pragma unroll
	for (int p = 0; p < 2; p++) {
#pragma unroll
		for (int i = 0; i < 4; i++) {
			const uint32 low = pair[p][i] & 0xffff, high = pair[p][i] >> 16;
			pair[p][i] = before | (before + low) << 16;
			before += low + high;
		}
		storePack(&s.word[8 * me + 4 * p], pair[p]);
	}
	__syncthreads();
#pragma unroll
	for (int i = 0; i < items; i++) {
		to[i] = s.half[(item[i] >> shift & (blockDigits - 1)) * threads + me]++;
	}
	__syncthreads();
}

// Brings halves of items to their places in shared memory.
template <int items> __device__ __forceinline__ void putHalves(BlockSpace &s, const uint32 (&item)[items], const uint32 (&to)[items], int shift) {
#pragma unroll
	for (int i = 0; i < items; i++) {
		s.half[to[i]] = (uint16)(item[i] >> shift);
	}
	__syncthreads();
}

// The items at a thread's places, of what all threads have and where that goes.
template <int items> __device__ __forceinline__ void exchangeItems(BlockSpace &s, uint32 (&item)[items], const uint32 (&to)[items]) {
	const int first = (int)threadIdx.x * items;
	if constexpr (items <= blockDigits / 2) {
#pragma unroll
		for (int i = 0; i < items; i++) {
			s.word[to[i]] = item[i];
		}
		__syncthreads();
#pragma unroll
		for (int i = 0; i < items; i++) {
			item[i] = s.word[first + i];
		}
		__syncthreads();
	} else { // by halves: two to a word
		uint32 high[items / 2];
		putHalves(s, item, to, 16);
#pragma unroll
		for (int i = 0; i < items / 2; i++) {
			high[i] = s.word[first / 2 + i];
		}
		__syncthreads();
		putHalves(s, item, to, 0);
#pragma unroll
		for (int i = 0; i < items / 2; i++) {
			const uint32 low = s.word[first / 2 + i];
			item[2 * i] = high[i] << 16 | (low & 0xffff);
			item[2 * i + 1] = (high[i] & 0xffff0000u) | low >> 16;
		}
		__syncthreads();
	}
}

// Sorts n keys: key[t] becomes the t-th and order[t] its number, the key of which is
// cell[order[t]]. All threads of the block come here; what they wrote to cell is visible.
template <int items>
__device__ __forceinline__ void sortInBlock(BlockSpace &s, const uint32 *cell, uint32 *key, uint32 *order, int n, int bits) {
	const int me = (int)threadIdx.x, threads = (int)blockDim.x;
	uint32 item[items], to[items];
#pragma unroll
	for (int i = 0; i < items; i++) {
		const int number = me * items + i;
		item[i] = number < n ? (uint32)number : noItem;
	}
	for (int shift = 0; shift < bits; shift += 4) {
		if (shift % 16 == 0) {
#pragma unroll
			for (int i = 0; i < items; i++) {
				const uint32 number = item[i] & 0xffff;
				item[i] = number < (uint32)n ? (cell[number] >> shift & 0xffff) << 16 | number : noItem;
			}
		}
		rankItems<items>(s, item, 16 + shift % 16, to);
		if (shift + 4 < bits) {
			exchangeItems<items>(s, item, to);
		}
	}
	putHalves(s, item, to, 0);
	for (int t = me; t < n; t += threads) {
		const uint32 number = s.half[t];
		order[t] = number;
		key[t] = cell[number];
	}
}

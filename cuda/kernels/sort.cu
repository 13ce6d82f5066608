// Keys and the numbers of what they belong to, sorted by key: a radix sort, four bits
// a pass, stable. So the result is a matter of the keys alone, whatever the launch.
//
// A thread has 8 consecutive keys and a column of 16 counters in shared memory; the
// counters, digit by digit and thread by thread, are summed up, and every thread knows
// where the first of its keys of a digit goes. Four bits let the counters of 256
// threads fit 8 KB, and 22 bits of key, as 128³ cells have, need 6 passes over 16 bytes
// a point: 0.1 GB for 2²⁰ points, which the second cache holds. A few keys are sorted by
// one block: sort_block.h.
#include "device.h"

constexpr int sortItems = 8, sortDigits = 16, sortThreads = 256, sortGroup = 16;

// The sum of v over the threads before this one; total is that over all. Two levels
// of groups: three barriers. partial holds as many values as the block has threads, and
// a group's more.
__device__ __forceinline__ uint32 sumBefore(uint32 v, uint32 *partial, uint32 *groups, uint32 &total) {
	const int me = (int)threadIdx.x, threads = (int)blockDim.x, group = me / sortGroup;
	partial[me] = v;
	__syncthreads();
	if (me * sortGroup < threads) {
		uint32 sum = 0;
		for (int i = me * sortGroup; i < min((me + 1) * sortGroup, threads); i++) {
			sum += partial[i];
		}
		groups[me] = sum;
	}
	__syncthreads();
	uint32 before = 0;
	for (int i = 0; i < group; i++) {
		before += groups[i];
	}
	total = before;
	for (int i = group; i * sortGroup < threads; i++) {
		total += groups[i];
	}
	for (int i = group * sortGroup; i < me; i++) {
		before += partial[i];
	}
	__syncthreads();
	return before;
}

// The shared memory of a block: what launches give it (sortShared in transfer_sort.go).
struct SortSpace {
	uint16 count[sortDigits * sortThreads]; // by digit, then by thread
	uint32 partial[sortThreads];
	uint32 groups[sortThreads / sortGroup];
	uint32 base[sortDigits];
};
static_assert(sizeof(SortSpace) == 9344, "sizes that the Go side relies on");

// Counts the digits of a thread's m keys.
__device__ __forceinline__ void countDigits(SortSpace &s, const uint32 *keys, int m, int shift) {
	const int me = (int)threadIdx.x, threads = (int)blockDim.x;
	for (int d = 0; d < sortDigits; d++) {
		s.count[d * threads + me] = 0;
	}
	for (int i = 0; i < sortItems; i++) {
		if (i < m) {
			s.count[(keys[i] >> shift & (sortDigits - 1)) * threads + me]++;
		}
	}
	__syncthreads();
}

// Makes of the counts the places where the first key of each digit and thread goes,
// among those of the block.
__device__ __forceinline__ void placeDigits(SortSpace &s) {
	const int from = (int)threadIdx.x * sortDigits; // as many counters as digits for each thread
	uint32 sum = 0, total;
	for (int i = from; i < from + sortDigits; i++) {
		sum += s.count[i];
	}
	uint32 before = sumBefore(sum, s.partial, s.groups, total);
	for (int i = from; i < from + sortDigits; i++) {
		const uint32 n = s.count[i];
		s.count[i] = (uint16)before;
		before += n;
	}
	__syncthreads();
}

// The keys of a thread among n; returns how many.
__device__ __forceinline__ int loadKeys(uint32 *to, const uint32 *from, int64 n) {
	const int64 first = globalX() * sortItems;
	const int m = (int)clamp(n - first, (int64)0, (int64)sortItems);
	for (int i = 0; i < sortItems; i++) {
		to[i] = i < m ? from[first + i] : 0;
	}
	return m;
}

// counts[digit·blocks + block] is how many keys of a block have a digit.
BOUNDED_BARRIER_KERNEL(sort_count, sortThreads, (const uint32 *keys, uint32 *counts, int n, int shift)) {
	DYNAMIC_SHARED(SortSpace, space);
	SortSpace &s = *space;
	uint32 k[sortItems];
	const int me = (int)threadIdx.x, threads = (int)blockDim.x;
	const int m = loadKeys(k, keys, n);
	countDigits(s, k, m, shift);
	placeDigits(s);
	const int end = min((int64)n - (int64)blockIdx.x * threads * sortItems, (int64)threads * sortItems);
	if (me < sortDigits) {
		const int next = me + 1 < sortDigits ? s.count[(me + 1) * threads] : end;
		counts[(int64)me * gridDim.x + blockIdx.x] = next - s.count[me * threads];
	}
}

// Makes of counts the sums of all before each: one block.
BOUNDED_BARRIER_KERNEL(sort_scan, sortThreads, (uint32 *counts, int n)) {
	DYNAMIC_SHARED(SortSpace, s);
	const int threads = (int)blockDim.x, each = (n + threads - 1) / threads;
	const int from = min((int)threadIdx.x * each, n), to = min(from + each, n);
	uint32 sum = 0, total;
	for (int i = from; i < to; i++) {
		sum += counts[i];
	}
	uint32 before = sumBefore(sum, s->partial, s->groups, total);
	for (int i = from; i < to; i++) {
		const uint32 c = counts[i];
		counts[i] = before;
		before += c;
	}
}

// Brings keys and numbers to their places by a digit.
BOUNDED_BARRIER_KERNEL(sort_scatter, sortThreads, (const uint32 *keys, const uint32 *order, uint32 *toKeys, uint32 *toOrder, const uint32 *counts, int n, int shift)) {
	DYNAMIC_SHARED(SortSpace, space);
	SortSpace &s = *space;
	uint32 *base = s.base;
	uint32 k[sortItems];
	const int me = (int)threadIdx.x, threads = (int)blockDim.x;
	const int m = loadKeys(k, keys, n);
	countDigits(s, k, m, shift);
	placeDigits(s);
	if (me < sortDigits) { // from places in the block to those among all
		base[me] = counts[(int64)me * gridDim.x + blockIdx.x] - s.count[me * threads];
	}
	__syncthreads();
	const int64 first = globalX() * sortItems;
	for (int i = 0; i < sortItems; i++) {
		if (i < m) {
			const int d = k[i] >> shift & (sortDigits - 1);
			uint16 &place = s.count[d * threads + me];
			const uint32 to = base[d] + place;
			place++;
			toKeys[to] = k[i];
			toOrder[to] = order[first + i];
		}
	}
}

// Keys and the numbers of what they belong to, sorted by key: a radix sort, eight bits
// a pass, stable. So the result is a matter of the keys alone, whatever the launch.
//
// A pass is three launches: how many keys of every block have a digit; where those of a
// block go among all with the digit; and the way there. A warp has some consecutive keys and
// takes 32 of them at a time: lanes with the same digit find each other by eight ballots, and
// their places follow those that the warp's counter of the digit has given away before. 22
// bits of key, as 128³ cells have, need three passes over 16 bytes a point: 50 MB for 2²⁰
// points, which the second cache holds. A few keys are sorted by one block: sort_block.h.
#include "device.h"

constexpr int sortItems = 4, sortBits = 8, sortDigits = 1 << sortBits, sortThreads = 256, sortWarps = sortThreads / warpSize, sortGroup = 16;
static_assert(sortThreads == sortDigits, "a thread for each digit");

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

// The shared memory of a block: what launches give it (sortShared in transfer/sort.go).
struct SortSpace {
	uint32 count[sortWarps][sortDigits];
	uint32 partial[sortThreads];
	uint32 groups[sortThreads / sortGroup];
};
static_assert(sizeof(SortSpace) == 9280, "sizes that the Go side relies on");

// The first key of a warp, the first of its lane.
__device__ __forceinline__ int64 firstKey() {
	const int64 warp = (int64)blockIdx.x * sortWarps + (int)threadIdx.x / warpSize;
	return warp * warpSize * sortItems + laneIndex();
}

__device__ __forceinline__ int digitOf(uint32 key, int shift) { return (int)(key >> shift & (sortDigits - 1)); }

// counts[digit·blocks + block] is how many keys of a block have a digit.
BOUNDED_BARRIER_KERNEL(sort_count, sortThreads, (const uint32 *keys, uint32 *counts, int n, int shift)) {
	DYNAMIC_SHARED(SortSpace, space);
	uint32 *count = space->count[0];
	const int me = (int)threadIdx.x;
	const int64 first = firstKey();
	uint32 key[sortItems]; // on their way from memory together
#pragma unroll
	for (int i = 0; i < sortItems; i++) {
		key[i] = first + i * warpSize < n ? keys[first + i * warpSize] : 0;
	}
	count[me] = 0;
	__syncthreads();
#pragma unroll
	for (int i = 0; i < sortItems; i++) {
		if (first + i * warpSize < n) {
			atomicAdd(&count[digitOf(key[i], shift)], 1u);
		}
	}
	__syncthreads();
	counts[(int64)me * gridDim.x + blockIdx.x] = count[me];
}

// Makes of a digit's counts the sums of those of all blocks before, and its total, behind all
// counts: a block for each digit.
BOUNDED_BARRIER_KERNEL(sort_scan, sortThreads, (uint32 *counts, int blocks)) {
	DYNAMIC_SHARED(SortSpace, s);
	uint32 *count = counts + (int64)blockIdx.x * blocks;
	const int each = (blocks + sortThreads - 1) / sortThreads;
	const int from = min((int)threadIdx.x * each, blocks), to = min(from + each, blocks);
	uint32 sum = 0, total;
	for (int i = from; i < to; i++) {
		sum += count[i];
	}
	uint32 before = sumBefore(sum, s->partial, s->groups, total);
	for (int i = from; i < to; i++) {
		const uint32 c = count[i];
		count[i] = before;
		before += c;
	}
	if (threadIdx.x == 0) {
		counts[(int64)sortDigits * blocks + blockIdx.x] = total;
	}
}

// The lanes whose keys have the same digit as this one's. A lane without a key is alone.
__device__ __forceinline__ uint32 lanesAlike(int digit, bool has) {
	const uint32 all = __ballot_sync(fullWarp, has);
	uint32 alike = has ? all : 1u << laneIndex();
#pragma unroll
	for (int b = 0; b < sortBits; b++) {
		const uint32 set = __ballot_sync(fullWarp, has && (digit >> b & 1));
		alike &= !has ? fullWarp : digit >> b & 1 ? set : ~set;
	}
	return alike;
}

// Brings keys and numbers to their places by a digit.
BOUNDED_BARRIER_KERNEL(sort_scatter, sortThreads, (const uint32 *keys, const uint32 *order, uint32 *toKeys, uint32 *toOrder, const uint32 *counts, int n, int shift)) {
	DYNAMIC_SHARED(SortSpace, space);
	SortSpace &s = *space;
	const int me = (int)threadIdx.x, lane = laneIndex();
	uint32 *mine = s.count[me / warpSize]; // how many keys of the warp have a digit, so far
	for (int d = lane; d < sortDigits; d += warpSize) {
		mine[d] = 0;
	}
	__syncwarp();
	const int64 first = firstKey();
	uint32 key[sortItems], number[sortItems], place[sortItems]; // among the warp's with the digit
#pragma unroll
	for (int i = 0; i < sortItems; i++) {
		const int64 t = first + i * warpSize;
		key[i] = t < n ? keys[t] : 0;
		number[i] = t < n ? order[t] : 0;
	}
#pragma unroll
	for (int i = 0; i < sortItems; i++) {
		const bool has = first + i * warpSize < n;
		const int digit = digitOf(key[i], shift);
		const uint32 alike = lanesAlike(digit, has), before = alike & ((1u << lane) - 1);
		const uint32 given = mine[digit];
		place[i] = given + (uint32)__popc(before);
		__syncwarp();
		if (has && before == 0) {
			mine[digit] = given + (uint32)__popc(alike);
		}
		__syncwarp();
	}
	uint32 all; // digits before mine, blocks before this one, warps before each
	uint32 to = sumBefore(counts[(int64)sortDigits * gridDim.x + me], s.partial, s.groups, all) + counts[(int64)me * gridDim.x + blockIdx.x];
	for (int w = 0; w < sortWarps; w++) {
		const uint32 c = s.count[w][me];
		s.count[w][me] = to;
		to += c;
	}
	__syncthreads();
#pragma unroll
	for (int i = 0; i < sortItems; i++) {
		if (first + i * warpSize < n) {
			const uint32 to = mine[digitOf(key[i], shift)] + place[i];
			toKeys[to] = key[i];
			toOrder[to] = number[i];
		}
	}
}

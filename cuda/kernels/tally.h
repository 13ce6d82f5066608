// Sums that are the same bits from run to run: every thread of a fixed number adds what
// is its share, blocks add theirs by a tree, and so do the blocks of a task.
#pragma once

#include "device.h"

// Seven sums and a greatest. Go's tally has the same fields.
struct Tally {
	double v[7], most;
};

// Threads of a block that tallies, and the most blocks of a task: Go's tallyThreads and
// tallyParts.
constexpr int tallyThreads = 128, tallyParts = 64;

// A greatest that is not a number stays none.
__device__ __forceinline__ void addTally(Tally &s, const Tally &o) {
#pragma unroll
	for (int i = 0; i < 7; i++) {
		s.v[i] += o.v[i];
	}
	s.most = s.most != s.most || o.most != o.most ? s.most + o.most : max(s.most, o.most);
}

// Sums of what the markers of a body feel: the upper half of a symmetric matrix row by
// row, and the right-hand side; see hybrid.BodyFelt. Go's feltRecord has the same fields.
struct FeltTally {
	double v[27];
};

__device__ __forceinline__ void addTally(FeltTally &s, const FeltTally &o) {
#pragma unroll
	for (int i = 0; i < 27; i++) {
		s.v[i] += o.v[i];
	}
}

// The tally, of either kind, of a block's threads, into out by its first thread. All
// threads come here.
template <class R> __device__ __forceinline__ void tallyBlock(const R &mine, R *out) {
	__shared__ R all[tallyThreads];
	const int t = (int)threadIdx.x;
	all[t] = mine;
	__syncthreads();
	for (int half = tallyThreads / 2; half > 0; half /= 2) {
		if (t < half) {
			addTally(all[t], all[t + half]);
		}
		__syncthreads();
	}
	if (t == 0) {
		*out = all[0];
	}
}

// The share of a task that a thread has: items first, first + step, …
struct Share {
	int task, part;
	int64 first, step;
};

__device__ __forceinline__ Share shareOf(int parts) {
	const int task = (int)(blockIdx.x / parts), part = (int)(blockIdx.x % parts);
	return {task, part, (int64)part * tallyThreads + threadIdx.x, (int64)parts * tallyThreads};
}

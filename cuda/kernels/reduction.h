// Sums that are the same bits from run to run: every thread of a fixed number adds what
// is its share, blocks add theirs by a tree, and so do the blocks of a task.
#pragma once

#include "device.h"

// Seven sums and a greatest. Go's device.Sums has the same fields.
struct Sums {
	double v[7], most;
};

// Threads of a block that sums, and the most blocks of a task: Go's reductionThreads and
// MaxReductionBlocks.
constexpr int reductionThreads = 128, maxReductionBlocks = 64;

// A greatest that is not a number stays none.
__device__ __forceinline__ void addSums(Sums &s, const Sums &o) {
#pragma unroll
	for (int i = 0; i < 7; i++) {
		s.v[i] += o.v[i];
	}
	s.most = s.most != s.most || o.most != o.most ? s.most + o.most : max(s.most, o.most);
}

// Sums of what the markers of a body feel: the upper half of a symmetric matrix row by
// row, and the right-hand side; see rigid.MarkerEquations. Go's device.EquationSums has the same fields.
struct EquationSums {
	double v[27];
};

__device__ __forceinline__ void addSums(EquationSums &s, const EquationSums &o) {
#pragma unroll
	for (int i = 0; i < 27; i++) {
		s.v[i] += o.v[i];
	}
}

// The sums, of either kind, of a block's threads, into out by its first thread. All
// threads come here.
template <class R> __device__ __forceinline__ void reduceBlock(const R &mine, R *out) {
	__shared__ R all[reductionThreads];
	const int t = (int)threadIdx.x;
	all[t] = mine;
	__syncthreads();
	for (int half = reductionThreads / 2; half > 0; half /= 2) {
		if (t < half) {
			addSums(all[t], all[t + half]);
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
	return {task, part, (int64)part * reductionThreads + threadIdx.x, (int64)parts * reductionThreads};
}

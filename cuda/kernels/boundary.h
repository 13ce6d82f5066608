// What boundaries do before a sweep: they write the populations that it will read.
// Links are those that package lbm compiles (lbm.Links), row by row; open faces are
// lbm's openface.go.
#pragma once

#include "lattice.h"

// A few links of a row, which count from base. Go's linkTask has the same fields.
struct LinkTask {
	int64 base;
	int32 first, count; // links first ≤ k < first + count
	int32 row, noise;   // and which of the row's links the first one is, for its noise
};

// Addresses are those of lattices of less than 2³² populations, uint32, or of any, int64.
template <class Address> struct Links {
	const LinkTask *tasks;
	int64 threads; // tasks × lanes
	int32 log;     // 1 << log threads take a task
	int32 walls;   // links below this bounce off walls, others are copies
	const Address *to, *from;

	// The place in the lattice of a link's end, which counts from the task's base: sums of 32
	// bits are right modulo 2³².
	__device__ __forceinline__ Address place(const LinkTask &task, Address end) const { return (Address)task.base + end; }
};

// f[to] = f[from], or, off a wall, f[from] + amplitude·gain. gain and face are those of
// walls, t the thread among those of links.
template <class S, class Address>
__device__ __forceinline__ void link(typename S::Stored *f, int64 t, const Links<Address> &l, const typename S::Real *gain, const unsigned char *face,
									 const typename S::Real (&amplitude)[6], const Noise &noise) {
	typedef typename S::Real T;
	if (t >= l.threads) {
		return;
	}
	const LinkTask task = l.tasks[t >> l.log];
	const int lane = (int)t & ((1 << l.log) - 1);
	if (lane >= task.count) {
		return;
	}
	const int k = task.first + lane;
	const typename S::Stored v = f[l.place(task, l.from[k])];
	typename S::Stored *to = f + l.place(task, l.to[k]);
	if (k >= l.walls) {
		*to = v;
		return;
	}
	T a = amplitude[0];
UNROLL
	for (int side = 1; side < 6; side++) {
		a = face[k] == side ? amplitude[side] : a;
	}
	const T sum = S::read(v) + a * gain[k] * S::scale;
	const uint32 place = sum == sum ? noisePlace<S>(noise, task.row, task.noise + lane) : noNoise;
	*to = S::rounded(sum, noiseOf<S>(noise, place, 0));
}

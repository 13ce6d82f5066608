// Kernels that the driver's tests are made of.
#include "device.h"

// y_i ← a x_i + y_i, i < n
KERNEL(axpy_f64, (double *y, const double *x, double a, int64 n)) {
	const int64 i = globalX();
	if (i < n) {
		y[i] += a * x[i];
	}
}

KERNEL(axpy_f32, (float *y, const float *x, float a, int32 n)) {
	const int64 i = globalX();
	if (i < n) {
		y[i] += a * x[i];
	}
}

// Every thread writes, as many as are launched.
KERNEL(unchecked, (int32 * y, int32 value)) { y[globalX()] = value; }

// Writes one element before the first.
KERNEL(before, (int32 * y)) { y[-1] = 1; }

// Where each thread is: block and thread along the axes, in a number.
KERNEL(where, (int64 * y)) {
	const int64 block = (blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
	const int64 threads = blockDim.x * blockDim.y * blockDim.z;
	y[block * threads + threadRank()] = ((((int64)blockIdx.z * 100 + blockIdx.y) * 100 + blockIdx.x) * 100 + threadIdx.z) * 10000 + threadIdx.y * 100 + threadIdx.x;
}

// The sum of each block's numbers through shared memory, halved at each barrier.
BOUNDED_BARRIER_KERNEL(block_sum, 256, (double *sums, const double *x, int32 n)) {
	DYNAMIC_SHARED(double, part);
	const int64 i = globalX();
	const int t = (int)threadIdx.x;
	part[t] = i < n ? x[i] : 0;
	for (int half = (int)blockDim.x / 2; half > 0; half /= 2) {
		__syncthreads();
		if (t < half) {
			part[t] += part[t + half];
		}
	}
	if (t == 0) {
		sums[blockIdx.x] = part[0];
	}
}

// The same through static shared memory and warps, and added up by atomics.
BARRIER_KERNEL(warp_sum, (double *sum, float *sum32, uint64 *count, const double *x, int32 n)) {
	__shared__ double part[32];
	const int64 i = globalX();
	const int lane = laneIndex(), warp = threadRank() / warpSize;
	double v = i < n ? x[i] : 0;
	const uint32 positive = __ballot_sync(fullWarp, v > 0);
	for (int by = warpSize / 2; by > 0; by /= 2) {
		v += __shfl_down_sync(fullWarp, v, by);
	}
	if (lane == 0) {
		part[warp] = v;
		atomicAdd(count, (uint64)__popc(positive));
	}
	__syncthreads();
	if (warp == 0) {
		const int warps = (int)blockDim.x / warpSize;
		double s = lane < warps ? part[lane] : 0;
		for (int bits = warpSize / 2; bits > 0; bits /= 2) {
			s += __shfl_xor_sync(fullWarp, s, bits);
		}
		if (lane == 0) {
			atomicAdd(sum, s);
			atomicAdd(sum32, (float)s);
		}
	}
}

// A barrier that only the first half of a block reaches.
BARRIER_KERNEL(half_barrier, (int32 * y)) {
	if (threadIdx.x < blockDim.x / 2) {
		__syncthreads();
	}
	y[globalX()] = 1;
}

// Two barriers, where the threads of a block must meet at one.
BARRIER_KERNEL(two_barriers, (int32 * y)) {
	if (threadIdx.x == 0) {
		__syncthreads();
	} else {
		y[globalX()] = 1;
		__syncthreads();
	}
}

// A barrier in a kernel that does not say so.
KERNEL(undeclared_barrier, (int32 * y)) {
	y[globalX()] = 1;
	__syncthreads();
}

BARRIER_KERNEL(shared_overrun, (int32 * y)) {
	DYNAMIC_SHARED(int32, tile);
	tile[threadIdx.x] = (int32)threadIdx.x;
	__syncthreads();
	y[globalX()] = tile[blockDim.x - 1 - threadIdx.x];
}

// All half-precision numbers to single precision and back.
KERNEL(halves, (float *f, uint16 *h)) {
	const int64 i = globalX();
	f[i] = halfToFloat((uint16)i);
	h[i] = floatToHalf(f[i]);
}

// Packs, whose addresses are multiples of their size.
KERNEL(packs, (float *y, const float *x)) {
	const int64 i = 4 * globalX();
	Pack<float, 4> p = loadPack<4>(x + i);
	for (int k = 0; k < 4; k++) {
		p[k] *= (float)(k + 1);
	}
	storePack(y + i, p);
}

// All the static shared memory that a block can have.
BARRIER_KERNEL(wide_shared, (float *y)) {
	__shared__ float table[12288];
	for (int i = (int)threadIdx.x; i < 12288; i += (int)blockDim.x) {
		table[i] = (float)i;
	}
	__syncthreads();
	y[globalX()] = table[12287 - threadIdx.x];
}

// Holds its stream until another sets the flag.
KERNEL(wait_for, (const volatile int32 *flag)) {
	while (*flag == 0) {
	}
}

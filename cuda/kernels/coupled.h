// The kernels of one fluid that bodies in it need besides those of fluid.h, in files of
// their own: a flow without bodies does not compile them. A .cu file defines FLUID, and
// makes types, as for fluid.h.
#pragma once

#include "support.h"
#include "sweep.h"
#include "transfer.h"

// Sweeps that leave ρ and û of listed nodes.
#define MOMENTS_PARAMETERS const int32 *heads, const int32 *nodes, const int32 *next, int32 count, Real *moments
#define MOMENTS SupportMoments<Real>{{heads, nodes, next, count}, moments}

BOUNDED_KERNEL(FLUID(sweep_moments_bgk), SWEEP_THREADS, (SWEEP_PARAMETERS, MOMENTS_PARAMETERS)) { SWEEP(Bgk, (MOMENTS)); }
BOUNDED_KERNEL(FLUID(sweep_moments_trt), SWEEP_THREADS, (SWEEP_PARAMETERS, MOMENTS_PARAMETERS)) { SWEEP(Trt<true>, (MOMENTS)); }
BOUNDED_KERNEL(FLUID(sweep_moments_trt_unforced), SWEEP_THREADS, (SWEEP_PARAMETERS, MOMENTS_PARAMETERS)) { SWEEP(Trt<false>, (MOMENTS)); }
BOUNDED_KERNEL(FLUID(sweep_moments_stress), SWEEP_THREADS, (SWEEP_PARAMETERS, MOMENTS_PARAMETERS)) { SWEEP(Stress, (MOMENTS)); }
BOUNDED_KERNEL(FLUID(sweep_moments_recursive), SWEEP_THREADS, (SWEEP_PARAMETERS, MOMENTS_PARAMETERS)) { SWEEP(Recursive, (MOMENTS)); }

// The end of a correction by sort-reduce: the force density on the support nodes, as
// gatherForce finds it (the one that is there already, where *over is set), kept, and at
// once their correction for it.
template <class L, class S, int N>
__device__ __forceinline__ void gatherCorrect(const Lattice &l, const Supports<typename S::Real> &p, const typename S::Real *values, const Cells &cells,
											  const int32 *nodes, const int32 *at, typename S::Real *force, int64 count, const int32 *over,
											  const Rates<typename S::Real> &k, const Noise &noise) {
	typedef typename S::Real T;
	const int64 m = globalX();
	if (m >= count || nodes[m] < 0) {
		return;
	}
	T sum[maxComponents], f[3] = {0, 0, 0};
	const bool known = over && *over;
	if (!known) {
		gatherNode<T, N>(p, values, cells, at[m], sum);
	}
UNROLL
	for (int a = 0; a < L::dim; a++) {
		if (known) {
			f[a] = force[a * count + m];
		} else {
			f[a] = force[a * count + m] = sum[a];
		}
	}
	correctNode<L, S>(l, nodes[m], f, k, noise);
}

#define GATHER_CORRECT(N)                                                                                                     \
	KERNEL(FLUID(gather_correct_n##N), (LATTICE_PARAMETERS, const Site *site, const int32 *first, const Real *weight,         \
										int64 stride, const Real *values, const int32 *cells,                                 \
										const int32 *nodes, const int32 *at, Real *force, int64 count, const int32 *over,     \
										RATES_PARAMETERS(Real), const uint32 *noise, uint64 noiseStep)) {                     \
		gatherCorrect<Velocities, Form, N>(LATTICE, {site, first, weight, stride}, values, {cells}, nodes, at, force, count, \
										   over, RATES(Real), {noise, noiseStep});                                            \
	}

GATHER_CORRECT(2)
GATHER_CORRECT(3)
GATHER_CORRECT(4)
GATHER_CORRECT(6)

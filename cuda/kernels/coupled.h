// The kernels of one fluid that bodies in it need besides those of fluid.h, in files of
// their own: a flow without bodies does not compile them. A .cu file defines FLUID, and
// makes types, as for fluid.h.
#pragma once

#include "support.h"
#include "sweep.h"

// Sweeps that leave ρ and û of listed nodes.
#define MOMENTS_PARAMETERS const int32 *heads, const int32 *nodes, const int32 *next, int32 count, Real *moments
#define MOMENTS SupportMoments<Real>{{heads, nodes, next, count}, moments}

BOUNDED_KERNEL(FLUID(sweep_moments_bgk), SWEEP_THREADS, (SWEEP_PARAMETERS, MOMENTS_PARAMETERS)) { SWEEP(Bgk, (MOMENTS)); }
BOUNDED_KERNEL(FLUID(sweep_moments_trt), SWEEP_THREADS, (SWEEP_PARAMETERS, MOMENTS_PARAMETERS)) { SWEEP(Trt<true>, (MOMENTS)); }
BOUNDED_KERNEL(FLUID(sweep_moments_trt_unforced), SWEEP_THREADS, (SWEEP_PARAMETERS, MOMENTS_PARAMETERS)) { SWEEP(Trt<false>, (MOMENTS)); }
BOUNDED_KERNEL(FLUID(sweep_moments_stress), SWEEP_THREADS, (SWEEP_PARAMETERS, MOMENTS_PARAMETERS)) { SWEEP(Stress, (MOMENTS)); }

// The kernels of one fluid that is stored by runs: those of fluid.h that it has. A .cu file that
// includes this defines LBMIB_RUNS and FLUID, and makes types, as for fluid.h.
#pragma once

#include "collide.h"
#include "fluid_reduce.h"
#include "recursive.h"
#include "runs_sweep.h"
#include "survey.h"

#define SWEEPS_OF_RUNS(name, Collision)                                                                                     \
	BOUNDED_KERNEL(FLUID(sweep_##name), 256, (RUNS_PARAMETERS)) { SWEEP_RUNS(Collision, false, WallsAtRest()); }             \
	BOUNDED_KERNEL(FLUID(sweep_inplace_##name), 256, (RUNS_PARAMETERS)) { SWEEP_RUNS(Collision, true, WallsAtRest()); }

SWEEPS_OF_RUNS(bgk, Bgk)
SWEEPS_OF_RUNS(trt, Trt<true>)
SWEEPS_OF_RUNS(trt_unforced, Trt<false>)
SWEEPS_OF_RUNS(stress, Stress)
SWEEPS_OF_RUNS(recursive, Recursive)

#include "fluid_look.h"

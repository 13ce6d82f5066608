// The kernels of one fluid by which forces that are known before a step go into its collision, as
// lbm's StepNodes has it, in files of their own: a flow without such forces does not compile them.
// A .cu file defines FLUID, and makes types, as for fluid.h.
#pragma once

#include "node_forces.h"

BOUNDED_KERNEL(FLUID(sweep_forced_bgk), SWEEP_THREADS, (SWEEP_PARAMETERS, FORCES_PARAMETERS)) { SWEEP(Bgk, (FORCES)); }
BOUNDED_KERNEL(FLUID(sweep_forced_trt), SWEEP_THREADS, (SWEEP_PARAMETERS, FORCES_PARAMETERS)) { SWEEP(Trt<true>, (FORCES)); }
BOUNDED_KERNEL(FLUID(sweep_forced_trt_unforced), SWEEP_THREADS, (SWEEP_PARAMETERS, FORCES_PARAMETERS)) { SWEEP(Trt<false>, (FORCES)); }
BOUNDED_KERNEL(FLUID(sweep_forced_stress), SWEEP_THREADS, (SWEEP_PARAMETERS, FORCES_PARAMETERS)) { SWEEP(Stress, (FORCES)); }
BOUNDED_KERNEL(FLUID(sweep_forced_recursive), SWEEP_THREADS, (SWEEP_PARAMETERS, FORCES_PARAMETERS)) { SWEEP(Recursive, (FORCES)); }

// Before such a sweep: force[a·count + k] is to act on the k-th listed node, none of which is marked.
KERNEL(FLUID(force_nodes), (const int32 *nodes, int64 count, const Real *force, uint32 *marked, Real *field, int64 stride)) {
	const int64 k = globalX();
	if (k >= count) {
		return;
	}
	const uint32 node = (uint32)nodes[k];
	atomicOr(&marked[node / 32], 1u << node % 32);
	for (int a = 0; a < Velocities::dim; a++) {
		field[(1 + Velocities::dim + a) * stride + node] = force[a * count + k];
	}
}

// ρ and F of the listed nodes, out[k] and out[(1 + a)·count + k], as the last sweep had them; 1 and 0 of nodes without a mark.
KERNEL(FLUID(forces_on), (const int32 *nodes, int64 count, const uint32 *marked, const Real *field, int64 stride, Real *out)) {
	const int64 k = globalX();
	if (k >= count) {
		return;
	}
	const uint32 node = (uint32)nodes[k];
	const bool acts = marked[node / 32] >> node % 32 & 1;
	out[k] = acts ? field[node] : (Real)1;
	for (int a = 0; a < Velocities::dim; a++) {
		out[(1 + a) * count + k] = acts ? field[(1 + Velocities::dim + a) * stride + node] : (Real)0;
	}
}

// After it: ρ and u of the listed nodes, out[k] and out[(1 + a)·count + k]; marks are taken away.
KERNEL(FLUID(forced_moments), (const int32 *nodes, int64 count, uint32 *marked, const Real *field, int64 stride, Real *out)) {
	const int64 k = globalX();
	if (k >= count) {
		return;
	}
	const uint32 node = (uint32)nodes[k];
	marked[node / 32] = 0;
	for (int c = 0; c < 1 + Velocities::dim; c++) {
		out[c * count + k] = field[c * stride + node];
	}
}

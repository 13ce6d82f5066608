// The kernels of one fluid that look at populations, or change some, between two steps. fluid.h and
// runs.h include it, whose names and types it takes.
#pragma once

#include "fluid_reduce.h"
#include "seam.h"
#include "survey.h"

KERNEL(FLUID(moments), (LATTICE_PARAMETERS, const int32 *nodes, int64 count, Real *out, Real accelX, Real accelY, Real accelZ)) {
	momentsAt<Velocities, Form>(LATTICE, nodes, count, out, {accelX, accelY, accelZ});
}

KERNEL(FLUID(correct), (LATTICE_PARAMETERS, const int32 *nodes, int64 count, const Real *force, RATES_PARAMETERS(Real),
						const uint32 *noise, uint64 noiseStep)) {
	correctAt<Velocities, Form>(LATTICE, nodes, count, force, RATES(Real), {noise, noiseStep});
}

KERNEL(FLUID(fetch), (LATTICE_PARAMETERS, const int32 *nodes, int64 count, Real *out, int64 stride)) {
	fetchAt<Velocities, Form>(LATTICE, nodes, count, out, stride);
}

KERNEL(FLUID(put), (LATTICE_PARAMETERS, const int32 *nodes, int64 count, const Real *in, int64 stride, const uint32 *noise, uint64 noiseStep)) {
	putAt<Velocities, Form>(LATTICE, nodes, count, in, stride, {noise, noiseStep});
}

KERNEL(FLUID(fetch_single), (LATTICE_PARAMETERS, const int32 *nodes, int64 count, Real *out, SINGLES_PARAMETERS)) {
	fetchSingle<Velocities, Form>(LATTICE, nodes, count, out, SINGLES);
}

KERNEL(FLUID(put_single), (LATTICE_PARAMETERS, const int32 *nodes, int64 count, const Real *in, SINGLES_PARAMETERS, const uint32 *noise,
						   uint64 noiseStep)) {
	putListed<Velocities, Form>(LATTICE, nodes, count, in, SINGLES, {noise, noiseStep});
}

KERNEL(FLUID(box), (LATTICE_PARAMETERS, int32 bx, int32 by, int32 bz, int32 bnx, int32 bny, int64 first, int64 count, Real *out,
					Real accelX, Real accelY, Real accelZ)) {
	boxMoments<Velocities, Form>(LATTICE, {bx, by, bz, bnx, bny}, first, count, out, {accelX, accelY, accelZ});
}

KERNEL(FLUID(copy_out), (LATTICE_PARAMETERS, int64 first, int64 count, int32 dir, int32 dirs, Real *out)) {
	copyOut<Velocities, Form>(LATTICE, first, count, dir, dirs, out);
}

KERNEL(FLUID(copy_in), (LATTICE_PARAMETERS, int64 first, int64 count, int32 dir, int32 dirs, const Real *in)) {
	copyIn<Velocities, Form>(LATTICE, first, count, dir, dirs, in);
}

BARRIER_KERNEL(FLUID(health), (LATTICE_PARAMETERS, const uint32 *solid, int64 nodes, Real accelX, Real accelY, Real accelZ, void *out)) {
	healthOfShare<Velocities, Form>(LATTICE, solid, nodes, {accelX, accelY, accelZ}, (Health *)out);
}

BARRIER_KERNEL(FLUID(health_merge), (const void *in, int64 count, void *out)) { mergeShares((const Health *)in, count, (Health *)out); }

BARRIER_KERNEL(FLUID(reduce), (LATTICE_PARAMETERS, const void *boxes, int32 count, int32 inflow, const void *regions, const float *shares,
								int32 periodic, Real accelX, Real accelY, Real accelZ, int32 parts, void *out)) {
	reduceState<Velocities, Form>(LATTICE, (const ReducedBox *)boxes, count, inflow, (const ReducedRegion *)regions, shares, periodic,
							  {accelX, accelY, accelZ}, parts, (Sums *)out);
}

// The kernels of one fluid: a lattice, a precision of arithmetic and a form of storage.
// A .cu file that includes this defines FLUID, the three as they are written in the
// kernels' names, and makes the types of them:
//
//	#define FLUID(name) name##_d2q9_f64
//	typedef D2Q9 Velocities;
//	typedef Full<double> Form;
//	typedef double Real;
#pragma once

#include "fluid_reduce.h"
#include "boundary.h"
#include "openface.h"
#include "survey.h"
#include "sweep.h"

typedef Form::Stored Stored;

BOUNDED_KERNEL(FLUID(sweep_bgk), SWEEP_THREADS, (SWEEP_PARAMETERS)) { SWEEP(Bgk, NothingElse()); }
BOUNDED_KERNEL(FLUID(sweep_trt), SWEEP_THREADS, (SWEEP_PARAMETERS)) { SWEEP(Trt<true>, NothingElse()); }
BOUNDED_KERNEL(FLUID(sweep_trt_unforced), SWEEP_THREADS, (SWEEP_PARAMETERS)) { SWEEP(Trt<false>, NothingElse()); }
BOUNDED_KERNEL(FLUID(sweep_stress), SWEEP_THREADS, (SWEEP_PARAMETERS)) { SWEEP(Stress, NothingElse()); }
BOUNDED_KERNEL(FLUID(sweep_recursive), SWEEP_THREADS, (SWEEP_PARAMETERS)) { SWEEP(Recursive, NothingElse()); }

// Links, by addresses of a type; of thread t among those that write them.
#define LINKS_PARAMETERS(Address)                                                                                          \
	void *f, const void *linkTasks, int64 threads, int32 log, int32 walls, const Address *linkTo, const Address *linkFrom,     \
		const Real *gain, const unsigned char *linkFace, Real a0, Real a1, Real a2, Real a3, Real a4, Real a5,                 \
		const uint32 *linkNoise, uint64 linkNoiseStep
#define LINKS(Address, t)                                                                                                  \
	link<Form, Address>((Stored *)f, t, {(const LinkTask *)linkTasks, threads, log, walls, linkTo, linkFrom}, gain, linkFace,  \
						{a0, a1, a2, a3, a4, a5}, {linkNoise, linkNoiseStep})

// Open faces.
#define OPEN_PARAMETERS                                                                                                    \
	LATTICE_PARAMETERS, const void *faces, int32 count, const int64 *padded, const int32 *start, const int64 *to,              \
		const unsigned char *dir, const int32 *row, const int32 *index, const int64 *back, const Real *openGain,               \
		const double *velocity, void *inner0, void *inner1, void *state0, void *state1, Real accelX, Real accelY, Real accelZ, \
		Real b0, Real b1, Real b2, Real b3, Real b4, Real b5, const uint32 *noise, uint64 noiseStep, int32 parity, int32 tasks
#define OPEN                                                                                                               \
	openNode<Velocities, Form>(LATTICE,                                                                                        \
							   {(const OpenFace *)faces, count, padded, start, to, dir, row, index, back, openGain, velocity,  \
								{(OpenState *)inner0, (OpenState *)inner1}, {(OpenState *)state0, (OpenState *)state1}},       \
							   {accelX, accelY, accelZ}, {b0, b1, b2, b3, b4, b5}, {noise, noiseStep}, parity, tasks)

KERNEL(FLUID(links), (LINKS_PARAMETERS(uint32))) { LINKS(uint32, globalX()); }
KERNEL(FLUID(links_wide), (LINKS_PARAMETERS(int64))) { LINKS(int64, globalX()); }
KERNEL(FLUID(open), (OPEN_PARAMETERS)) { OPEN; }

// Both in one launch: neither reads what the other writes. The first blocks, which have more
// to do, are those of open faces.
KERNEL(FLUID(boundary), (OPEN_PARAMETERS, LINKS_PARAMETERS(uint32), int32 openBlocks)) {
	if ((int32)blockIdx.x < openBlocks) {
		OPEN;
	} else {
		LINKS(uint32, globalX() - (int64)openBlocks * blockDim.x);
	}
}

#include "fluid_look.h"

// What goes into a fluid from those that it is joined with.
KERNEL(FLUID(put_sums), (LATTICE_PARAMETERS, const void *lines, const int32 *lineOf, int64 count, const int32 *from, const Real *weight,
						 const Real *values, Real f0, Real f1, Real f2, Real f3, Real f4, Real f5, Real f6, Real f7, Real f8, Real f9, Real f10,
						 Real f11, Real f12, Real f13, Real f14, Real f15, Real f16, Real f17, const uint32 *noise, uint64 noiseStep)) {
	putSums<Velocities, Form>(LATTICE, (const JointLine *)lines, lineOf, count, from, weight, values,
							  {f0, f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12, f13, f14, f15, f16, f17}, {noise, noiseStep});
}

BARRIER_KERNEL(FLUID(health_box), (LATTICE_PARAMETERS, const uint32 *solid, int32 bx, int32 by, int32 bz, int32 bnx, int32 bny, int64 nodes,
						   Real accelX, Real accelY, Real accelZ, void *out)) {
	healthOfBox<Velocities, Form>(LATTICE, solid, {bx, by, bz, bnx, bny}, nodes, {accelX, accelY, accelZ}, (Health *)out);
}

// The kernels of one fluid in which nodes relax by times of their own, as lbm's StepNodes and CorrectRelaxing have it, in files of their
// own. A .cu file defines FLUID, and makes types, as for fluid.h.
#pragma once

#include "node_forces.h"

// The constants of a collision by a relaxation time: lbm's rates.at.
template <class T> __device__ __forceinline__ Rates<T> ratesAt(const Rates<T> &k, T tau) {
	Rates<T> own = k;
	const T t = tau - (T)0.5;
	own.tau = tau, own.even = 1 / tau;
	own.odd = 1 - (k.oddInEddies[0] + k.oddInEddies[1] * t) / (k.oddInEddies[2] + k.oddInEddies[3] * t);
	own.sourceEven = 1 - own.even / 2, own.sourceOdd = 1 - own.odd / 2;
	return own;
}

// NodeForces where nodes relax by times of their own, one for every node of the domain, which are the collision's where they are not
// others.
template <class T> struct NodeTimes : NodeForces<T> {
	static constexpr bool relaxes = true;
	const T *times;

	__device__ __forceinline__ Rates<T> rates(uint32 node, const Rates<T> &k) const {
		const T tau = times[node];
		return tau == k.tau ? k : ratesAt(k, tau);
	}
};

#define TIMES_PARAMETERS FORCES_PARAMETERS, const Real *times
#define TIMES NodeTimes<Real>{{marked, field, stride}, times}

BOUNDED_KERNEL(FLUID(sweep_relaxing_bgk), SWEEP_THREADS, (SWEEP_PARAMETERS, TIMES_PARAMETERS)) { SWEEP(Bgk, (TIMES)); }
BOUNDED_KERNEL(FLUID(sweep_relaxing_trt), SWEEP_THREADS, (SWEEP_PARAMETERS, TIMES_PARAMETERS)) { SWEEP(Trt<true>, (TIMES)); }
BOUNDED_KERNEL(FLUID(sweep_relaxing_trt_unforced), SWEEP_THREADS, (SWEEP_PARAMETERS, TIMES_PARAMETERS)) { SWEEP(Trt<false>, (TIMES)); }
BOUNDED_KERNEL(FLUID(sweep_relaxing_stress), SWEEP_THREADS, (SWEEP_PARAMETERS, TIMES_PARAMETERS)) { SWEEP(Stress, (TIMES)); }
BOUNDED_KERNEL(FLUID(sweep_relaxing_recursive), SWEEP_THREADS, (SWEEP_PARAMETERS, TIMES_PARAMETERS)) { SWEEP(Recursive, (TIMES)); }

// Corrects the step just made for forces on listed nodes, as correct of fluid_look.h does.
KERNEL(FLUID(correct_relaxing), (LATTICE_PARAMETERS, const int32 *nodes, int64 count, const Real *force, RATES_PARAMETERS(Real),
								 const uint32 *noise, uint64 noiseStep, const Real *times)) {
	const int64 m = globalX();
	if (m >= count || nodes[m] < 0) {
		return;
	}
	const Rates<Real> k = RATES(Real);
	const Real tau = times[nodes[m]];
	Real f[3] = {0, 0, 0};
UNROLL
	for (int a = 0; a < Velocities::dim; a++) {
		f[a] = force[a * count + m];
	}
	correctNode<Velocities, Form>(LATTICE, nodes[m], f, tau == k.tau ? k : ratesAt(k, tau), {noise, noiseStep});
}

// Relaxation times of listed nodes.
KERNEL(FLUID(put_times), (const int32 *nodes, int64 count, const Real *from, Real *times)) {
	const int64 k = globalX();
	if (k < count) {
		times[nodes[k]] = from[k];
	}
}

// The relaxation time of all nodes.
KERNEL(FLUID(fill_times), (Real *times, int64 count, Real tau)) {
	const int64 k = globalX();
	if (k < count) {
		times[k] = tau;
	}
}

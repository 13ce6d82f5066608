// Sums over the markers of bodies, and of the sums of parts of any task.
#include "forcing.h"
#include "reduction.h"

// The sums of tasks, of the sums of their parts.
template <class R> __device__ __forceinline__ void mergeParts(const R *parts, int count, R *out) {
	const int t = (int)threadIdx.x;
	R s = {};
	if (t < count) {
		s = parts[(int64)blockIdx.x * count + t];
	}
	reduceBlock(s, out + blockIdx.x);
}

BARRIER_KERNEL(reduction_merge, (const void *parts, int count, void *out)) { mergeParts((const Sums *)parts, count, (Sums *)out); }
BARRIER_KERNEL(reduction_merge_equations, (const void *parts, int count, void *out)) { mergeParts((const EquationSums *)parts, count, (EquationSums *)out); }

// What the markers of each body did: the force on the fluid v[0 … 2], its moment about
// the body's centre v[3 … 5], the slips that the correction of smeared walls grants them v[6],
// and the greatest slip of what they feel now. A task is a body, whose markers are first[task] … first[task + 1].
template <typename T>
__device__ __forceinline__ void sumMarkers(const Markers<T> &m, int dim, const double *position, const int32 *first, const double *center, int parts, Sums *out) {
	const Share share = shareOf(parts);
	Sums s = {};
	const double *c = center + 3 * share.task;
	for (int64 k = first[share.task] + share.first; k < first[share.task + 1]; k += share.step) {
		T push[3] = {0, 0, 0}, felt[4] = {m.felt[k], 0, 0, 0}, d[3];
#pragma unroll
		for (int a = 0; a < 3; a++) {
			if (a < dim) {
				push[a] = m.push[a * m.stride + k];
				felt[1 + a] = m.felt[(1 + a) * m.stride + k];
			}
		}
		slipTo(m, dim, k, push, felt, d);
		const double x = position[3 * k] - c[0], y = position[3 * k + 1] - c[1], z = position[3 * k + 2] - c[2];
		const double f[3] = {(double)push[0], (double)push[1], (double)push[2]};
		Sums one = {{f[0], f[1], f[2], y * f[2] - z * f[1], z * f[0] - x * f[2], x * f[1] - y * f[0], (double)grantedSlip(m, dim, k, push, felt[0])}, 0};
		double square = 0;
#pragma unroll
		for (int a = 0; a < 3; a++) {
			square += m.normal ? (double)(d[a] * d[a]) : (double)d[a] * (double)d[a]; // as on the CPU
		}
		one.most = sqrt(square);
		addSums(s, one);
	}
	reduceBlock(s, out + blockIdx.x);
}

// Adds what a marker with coefficient a at arm r does along n: rigid.MarkerEquations.AddAcross.
__device__ __forceinline__ void addAcross(EquationSums &s, double a, const double (&n)[3], const double (&r)[3], const double (&felt)[3]) {
	const double v[6] = {n[0], n[1], n[2], r[1] * n[2] - r[2] * n[1], r[2] * n[0] - r[0] * n[2], r[0] * n[1] - r[1] * n[0]};
	const double u = a * (n[0] * felt[0] + n[1] * felt[1] + n[2] * felt[2]);
	int at = 0;
#pragma unroll
	for (int i = 0; i < 6; i++) {
#pragma unroll
		for (int j = i; j < 6; j++) {
			s.v[at++] += a * v[i] * v[j];
		}
		s.v[21 + i] += u * v[i];
	}
}

// What the markers of each body feel: tasks as in sumMarkers. A marker acts along each
// axis, or by a share along each and by the rest along its normal.
template <typename T>
__device__ __forceinline__ void sumEquations(const Markers<T> &m, int dim, const double *position, const int32 *first, const double *center, int parts, EquationSums *out) {
	const Share share = shareOf(parts);
	EquationSums s = {};
	const double *c = center + 3 * share.task;
	for (int64 k = first[share.task] + share.first; k < first[share.task + 1]; k += share.step) {
		const double r[3] = {position[3 * k] - c[0], position[3 * k + 1] - c[1], position[3 * k + 2] - c[2]};
		double felt[3] = {0, 0, 0}, n[3] = {0, 0, 0};
#pragma unroll
		for (int a = 0; a < 3; a++) {
			if (a < dim) {
				felt[a] = m.felt[(1 + a) * m.stride + k];
				n[a] = m.normal ? (double)m.normal[a * m.stride + k] : 0;
			}
		}
		const double full = 2 * (double)(T)(m.felt[k] * m.weight[k]), all = m.normal ? (double)m.share[k] : 1;
		addAcross(s, full * all, {1, 0, 0}, r, felt);
		addAcross(s, full * all, {0, 1, 0}, r, felt);
		addAcross(s, full * all, {0, 0, 1}, r, felt);
		if (m.normal) {
			addAcross(s, full * (1 - all), n, r, felt);
		}
	}
	reduceBlock(s, out + blockIdx.x);
}

// Velocity along an axis at listed nodes with the force that has acted there: out of moments
// that fluids tell, which have all of it, half is taken. in is a node's place in the
// support, −1 outside.
template <typename T>
__device__ __forceinline__ void nodeVelocity(const T *u, const int32 *in, const T *rho, const T *force, double *out, int64 count) {
	EACH(k, count) {
		const int i = in[k];
		out[k] = (double)(T)(i >= 0 ? u[k] - force[i] / (2 * rho[i]) : u[k]);
	}
}

#define MARKER_PRECISION(T, suffix)                                                                                           \
	BARRIER_KERNEL(marker_sums_##suffix, (const T *velocity, const T *weight, const T *normal, T *over, T *share,             \
		T *push, T *felt, int64 stride, int dim, const double *position, const int32 *first, const double *center, int parts,     \
		void *out)) {                                                                                                             \
		sumMarkers<T>({velocity, weight, normal, over, share, push, felt, stride}, dim, position, first, center, parts,         \
			(Sums *)out);                                                                                                        \
	}                                                                                                                          \
	BARRIER_KERNEL(marker_equations_##suffix, (const T *velocity, const T *weight, const T *normal, T *over, T *share,                \
		T *push, T *felt, int64 stride, int dim, const double *position, const int32 *first, const double *center, int parts,     \
		void *out)) {                                                                                                             \
		sumEquations<T>({velocity, weight, normal, over, share, push, felt, stride}, dim, position, first, center, parts,            \
			(EquationSums *)out);                                                                                                    \
	}                                                                                                                          \
	KERNEL(node_velocity_##suffix, (const T *u, const int32 *in, const T *rho, const T *force, double *out, int64 count)) {       \
		nodeVelocity<T>(u, in, rho, force, out, count);                                                                                  \
	}

MARKER_PRECISION(float, f32)
MARKER_PRECISION(double, f64)

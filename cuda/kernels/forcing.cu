// What direct forcing does node by node and marker by marker: rounds of multidirect
// forcing, and what is kept for those who ask.
#include "forcing.h"

// The force of round r, unless the slip that was felt is below the bound already.
template <typename T>
__device__ __forceinline__ void forceMore(const Site &s, const uint32 *order, const Markers<T> &m, T *values, const Rounds &r, double tolerance, int n) {
	const bool over = r.over[r.round - 1] || bitCast<double>(r.slip[r.round]) < tolerance;
	if (globalX() == 0) {
		r.over[r.round] = over;
	}
	if (over) {
		return;
	}
	EACH(t, n) {
		const int64 k = order ? order[t] : t;
		T push[3] = {0, 0, 0}, felt[4] = {m.felt[k], 0, 0, 0};
		for (int a = 0; a < 3; a++) {
			if (a < s.dim) {
				push[a] = m.push[a * m.stride + k];
				felt[1 + a] = m.felt[(1 + a) * m.stride + k];
			}
		}
		addForce(m, s.dim, k, push, felt);
		keepForce(m, s, k, t, push, values);
	}
}

// u = û + F/(2ρ) on the support nodes: vectors of nodes values.
template <typename T>
__device__ __forceinline__ void forcedFluid(const T *moments, const T *force, T *fluid, int64 nodes, int dim) {
	EACH(i, nodes) {
		const T rho = moments[i];
		for (int a = 0; a < dim; a++) {
			fluid[a * nodes + i] = moments[(1 + a) * nodes + i] + force[a * nodes + i] / (2 * rho);
		}
	}
}

// The end of Algorithm 5 on the support nodes: the force is the sum of vectors of a buffer,
// which is zero there again. at is −1 for none.
template <typename T>
__device__ __forceinline__ void foldForce(const int32 *at, T *buffer, int64 window, int vectors, T *force, int64 nodes) {
	EACH(i, nodes) {
		T sum = 0;
		if (at[i] < 0) {
			continue;
		}
		for (int v = 0; v < vectors; v++) {
			sum += buffer[v * window + at[i]];
			buffer[v * window + at[i]] = 0;
		}
		force[i] = sum;
	}
}

// Ghosts are entries of the support that are no nodes of the fluid but images of others, as
// hybrid.Ghosts has them: mirror[i] is 16 times the entry that i is an image of, and its Flip;
// −1 for others.
__device__ __forceinline__ bool flipped(int32 mirror, int axis) { return mirror >> axis & 1; }
__device__ __forceinline__ bool behindWall(int32 mirror) { return mirror & 8; }

// What ghosts have of vectors: of dim components of velocity, with the density before them where
// first is 1.
template <typename T> __device__ __forceinline__ void reflect(const int32 *mirror, const T *wall, T *of, int64 nodes, int dim, int first) {
	EACH(i, nodes) {
		const int32 m = mirror[i];
		if (m < 0) {
			continue;
		}
		const int64 from = m >> 4;
		if (first) {
			of[i] = of[from];
		}
		for (int a = 0; a < dim; a++) {
			const T u = of[(first + a) * nodes + from];
			of[(first + a) * nodes + i] = behindWall(m) ? wall[a * nodes + i] : flipped(m, a) ? -u : u;
		}
	}
}

// What was spread to ghosts is added to the nodes that they are images of: chain[i] is the
// first of a node's ghosts, that of a ghost the next, −1 none. Nothing is done where *over
// is set.
template <typename T> __device__ __forceinline__ void foldGhosts(const int32 *mirror, const int32 *chain, T *force, int64 nodes, int dim, const int32 *over) {
	if (over && *over) {
		return;
	}
	EACH(i, nodes) {
		if (mirror[i] >= 0 || chain[i] < 0) {
			continue;
		}
		for (int a = 0; a < dim; a++) {
			T sum = force[a * nodes + i];
			for (int32 g = chain[i]; g >= 0; g = chain[g]) {
				const T f = force[a * nodes + g];
				if (!behindWall(mirror[g])) {
					sum += flipped(mirror[g], a) ? -f : f;
				}
			}
			force[a * nodes + i] = sum;
		}
	}
}

#define FORCING_PRECISION(T, suffix)                                                                                           \
	KERNEL(force_more_##suffix, (const Site *site, const uint32 *order, const T *velocity, const T *epsilon, const T *normal,     \
		T *over, T *share, T *push, T *felt, int64 stride, T *values, uint64 *slip, int32 *done, int round,                       \
		double tolerance, int n)) {                                                                                               \
		forceMore<T>(*site, order, {velocity, epsilon, normal, over, share, push, felt, stride}, values, {slip, done, round},     \
			tolerance, n);                                                                                                        \
	}                                                                                                                          \
	KERNEL(forced_fluid_##suffix, (const T *moments, const T *force, T *fluid, int64 nodes, int dim)) {                           \
		forcedFluid<T>(moments, force, fluid, nodes, dim);                                                                        \
	}                                                                                                                          \
	KERNEL(reflect_##suffix, (const int32 *mirror, const T *wall, T *of, int64 nodes, int dim, int first)) {                      \
		reflect<T>(mirror, wall, of, nodes, dim, first);                                                                          \
	}                                                                                                                          \
	KERNEL(fold_ghosts_##suffix, (const int32 *mirror, const int32 *chain, T *force, int64 nodes, int dim, const int32 *over)) {  \
		foldGhosts<T>(mirror, chain, force, nodes, dim, over);                                                                    \
	}                                                                                                                          \
	KERNEL(fold_force_##suffix, (const int32 *at, T *buffer, int64 window, int vectors, T *force, int64 nodes)) {                 \
		foldForce<T>(at, buffer, window, vectors, force, nodes);                                                                  \
	}

FORCING_PRECISION(float, f32)
FORCING_PRECISION(double, f64)

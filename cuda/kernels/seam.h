// Seams between fluids that are joined: single populations are read into memory aside, and others are
// made what copies or sums of these are.
#pragma once

#include "look.h"

// A list of populations, those of a direction after those of the direction before: of direction i from
// starts[i] on.
struct Singles {
	int32 starts[maxQ];

	template <class L> __device__ __forceinline__ int direction(int64 k) const {
		int i = 0;
UNROLL
		for (int d = 1; d < L::q; d++) {
			i += k >= starts[d];
		}
		return i;
	}
};

#define SINGLES_PARAMETERS                                                                                                  \
	int32 s1, int32 s2, int32 s3, int32 s4, int32 s5, int32 s6, int32 s7, int32 s8, int32 s9, int32 s10, int32 s11, int32 s12, \
		int32 s13, int32 s14, int32 s15, int32 s16, int32 s17, int32 s18
#define SINGLES                                                                                                             \
	Singles {                                                                                                                  \
		{0, s1, s2, s3, s4, s5, s6, s7, s8, s9, s10, s11, s12, s13, s14, s15, s16, s17, s18}                                    \
	}

// Populations of listed nodes, one of each: out[k] of nodes[k].
template <class L, class S> __device__ __forceinline__ void fetchSingle(const Lattice &l, const int32 *nodes, int64 count, typename S::Real *out, const Singles &of) {
	const int64 k = globalX();
	if (k < count) {
		out[k] = loadOne<L, S>(l.at, siteOf(l, nodes[k]).padded, of.direction<L>(k)) * S::unit;
	}
}

// Makes population i of a node v, rounded as a sweep rounds it.
template <class L, class S> __device__ __forceinline__ void putSingle(const Lattice &l, int32 node, int i, typename S::Real v, const Noise &noise) {
	const LatticeSite s = siteOf(l, node);
	v *= S::scale;
	uint32 place = noisePlace<S>(noise, s.row, s.x);
	if (S::noisy && !(v == v)) {
		place = noNoise; // not a number must stay none
	}
	storeOne<L, S>(l.at, s.padded, i, S::rounded(v, noiseOf<S>(noise, place, (i + 1) / 2)));
}

// The opposite of fetchSingle.
template <class L, class S>
__device__ __forceinline__ void putListed(const Lattice &l, const int32 *nodes, int64 count, const typename S::Real *in, const Singles &of, const Noise &noise) {
	const int64 k = globalX();
	if (k < count) {
		putSingle<L, S>(l, nodes[k], of.direction<L>(k), in[k], noise);
	}
}

// A line of populations, which are sums alike: that of direction dir of node + j·step, of the j-th thread
// from first on, is the sum of values[from[t] + j]·weight[t], terms ≤ t < end, where from[t] ≥ 0, and of
// faces[−1 − from[t]]·weight[t] else. Go's jointLine has the same fields.
struct JointLine {
	int32 first, node, step, dir, terms, end;
};

// Amplitudes of the domain's faces in three steps: see levelSeam of lbm/joined.
constexpr int faceAmplitudes = 18;

template <class L, class S>
__device__ __forceinline__ void putSums(const Lattice &l, const JointLine *lines, const int32 *lineOf, int64 count, const int32 *from,
										const typename S::Real *weight, const typename S::Real *values,
										const typename S::Real (&faces)[faceAmplitudes], const Noise &noise) {
	typedef typename S::Real T;
	const int64 k = globalX();
	if (k >= count) {
		return;
	}
	const JointLine line = lines[lineOf[k]];
	const int32 j = (int32)k - line.first;
	T sum = 0;
	for (int32 t = line.terms; t < line.end; t++) {
		const int32 at = from[t];
		T v = 0;
		if (at >= 0) {
			v = values[at + j];
		} else {
UNROLL
			for (int face = 0; face < faceAmplitudes; face++) {
				v = -1 - at == face ? faces[face] : v;
			}
		}
		sum += weight[t] * v;
	}
	putSingle<L, S>(l, line.node + j * line.step, line.dir, sum, noise);
}

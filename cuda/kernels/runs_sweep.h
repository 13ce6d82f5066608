// The sweep of a fluid that is stored by runs (runs_lattice.h). A thread has a node, so that a
// warp's nodes lie beside each other whatever the shape of the domain; it reads four bytes more
// than those of a box, and what pieces have in common from the first cache. Walls at rest cost
// nothing: a node reads its own population instead of its neighbour's.
#pragma once

#include "places.h"
#include "runs_lattice.h"

// What is swept, and how: back is how many numbers population i + 1's slot lies behind that of
// i, or before it, of an odd i, where populations come from.
struct SweptRuns {
	Runs runs;
	int32 count, back;
	bool shifted; // populations come from neighbours; else they lie at their nodes
};

// What a sweep does at walls that are no walls at rest halfway: vessel.h.
struct WallsAtRest {
	static constexpr bool cut = false;
};

// Sweeps the node of this thread. With two lattices what is written lies at the node; in place
// a population goes where the opposite one came from, which nobody else reads or writes.
template <class L, class S, class C, bool inPlace, class W>
__device__ __forceinline__ void sweepRuns(const Places &from, const Places &to, const SweptRuns &swept, const Rates<typename S::Real> &k, const Noise &noise,
										  const W &walls) {
	typedef typename S::Stored Stored;
	typedef typename S::Real T;
	const int64 thread = globalX();
	if (thread >= swept.count) {
		return;
	}
	const int32 n = (int32)thread;
	const bool shifted = !inPlace || swept.shifted;
	uint32 word = 0;
	int32 numbers[pieceStride<L>];
UNROLL
	for (int i = 0; i < pieceStride<L>; i++) {
		numbers[i] = 0;
	}
	if (shifted || S::noisy || W::cut) {
		word = swept.runs.words[n];
	}
	if (shifted || S::noisy) {
		const int32 *piece = swept.runs.template piece<L>(n, word);
UNROLL
		for (int i = 0; i < pieceStride<L>; i += 4) {
			const Pack<int32, 4> four = loadPack<4>(piece + i);
UNROLL
			for (int j = 0; j < 4; j++) {
				numbers[i + j] = four[j];
			}
		}
	}
	const uint32 place = S::noisy ? noisePlace<S>(noise, numbers[0], n + numbers[L::q]) : 0;
	int32 at[maxQ]; // where populations come from
	at[0] = n;
UNROLL
	for (int i = 1; i < L::q; i++) {
		const int32 back = i % 2 == 1 ? swept.back : -swept.back;
		at[i] = shifted ? n + (fromWall(word, i) ? back : numbers[i]) : n;
	}
	T g[maxQ];
UNROLL
	for (int i = 0; i < L::q; i++) {
		g[i] = S::read(*from.at<Stored>(at[i], i));
	}
	if constexpr (W::cut) {
		if (word & cutFlag) {
			walls.template meet<L, S>(swept.runs, n, word, g);
		}
	}
	C::template collide<L, S>(g, k);
	const uint32 rounding = g[0] == g[0] ? place : noNoise; // not a number must stay none
	Stored stored[maxQ];
UNROLL
	for (int i = 0; i < L::q; i++) {
		stored[i] = S::rounded(g[i], noiseOf<S>(noise, rounding, (i + 1) / 2));
	}
UNROLL
	for (int i = 0; i < L::q; i++) {
		if constexpr (inPlace) {
			*from.at<Stored>(at[opposite(i)], opposite(i)) = stored[i];
		} else {
			*to.at<Stored>(n, i) = stored[i];
		}
	}
	if constexpr (W::cut) {
		if (word & cutFlag) {
			walls.template leave<L, S>(swept.runs, n, word, stored);
		}
	}
}

// Parameters of a sweep's kernel and their use, in as many arguments as those of sweep.h.
#define RUNS_PARAMETERS                                                                                                    \
	PLACES_PARAMETERS(from), PLACES_PARAMETERS(to), const uint32 *words, const int32 *groups, const int32 *pieces,            \
		int32 count, int32 back, int32 shifted, int32, int32, int32, RATES_PARAMETERS(Real), const uint32 *noise,            \
		uint64 noiseStep
#define SWEEP_RUNS(Collision, inPlace, walls)                                                                              \
	sweepRuns<Velocities, Form, Collision, inPlace>(PLACES(from), PLACES(to), {{words, groups, pieces}, count, back, shifted != 0}, \
													RATES(Real), {noise, noiseStep}, walls)

// Links that a surface cuts, and its ports, in a fluid that is stored by runs: lbm's cutlinks.go,
// patches.go and cutports.go, where the equations stand. A .cu file defines LBMIB_RUNS and FLUID, and
// makes types, as for runs.h.
//
// At the wall the sweep has all that interpolation takes in registers, but for what a node's own
// population was, which the sweep before has kept beside the link. What comes from a port is written
// before the sweep to where that will read it: where the population that left through the port lies,
// which no other node reads.
#pragma once

#include "collide.h"
#include "look.h"
#include "recursive.h"
#include "reduction.h"
#include "runs_sweep.h"

// A node with links that the wall cuts: a bit for each, as in a node's word; the first of them in the
// order of directions; the patch of the wall that it is in, and where it leaves what that gains. Go's
// cutRecord.
struct CutRecord {
	uint32 links;
	int32 first, patch, gain;
};

// The nodes with such links. Of a link share is that of what comes back; of a negative one the rest
// is what was kept, of others what arrives against it.
template <class T> struct CutWalls {
	static constexpr bool cut = true;
	const CutRecord *records;
	const T *share;
	T *kept; // S::scale·(f − w)
	const T *back; // of each patch: what each of its nodes gives back
	T *gains;

	__device__ __forceinline__ CutRecord record(const Runs &runs, int32 n, uint32 word) const {
		const int32 k = runs.groups[2 * (n >> groupLog) + 1] + (int32)(word >> cutBit & (group - 1));
		const Pack<int32, 4> r = loadPack<4>((const int32 *)(records + k));
		return {(uint32)r[0], r[1], r[2], r[3]};
	}

	// Gives populations that arrive at node n what they are at the wall.
	template <class L, class S> __device__ __forceinline__ void meet(const Runs &runs, int32 n, uint32 word, T (&g)[maxQ]) const {
		const CutRecord c = record(runs, n, word);
		g[0] -= back[c.patch] * S::scale;
		T gained = 0;
		int32 link = c.first;
UNROLL
		for (int i = 1; i < L::q; i++) {
			if (fromWall(c.links, i)) {
				T a = share[link], other = g[opposite(i)];
				if (a < 0) {
					a = -a;
					other = kept[link];
				}
				const T v = a * g[i] + (1 - a) * other;
				gained += v - g[i];
				g[i] = v;
				link++;
			}
		}
		gains[c.gain] = gained * S::unit;
	}

	// Keeps what the next step takes of the populations as stored.
	template <class L, class S> __device__ __forceinline__ void leave(const Runs &runs, int32 n, uint32 word, const typename S::Stored (&stored)[maxQ]) const {
		const CutRecord c = record(runs, n, word);
		int32 link = c.first;
UNROLL
		for (int i = 1; i < L::q; i++) {
			if (fromWall(c.links, i)) {
				if (share[link] < 0) {
					kept[link] = S::read(stored[i]);
				}
				link++;
			}
		}
	}
};

#define CUTS_PARAMETERS const void *cutRecords, const Real *cutShare, Real *cutKept, const Real *cutBack, Real *cutGains
#define CUTS CutWalls<Real>{(const CutRecord *)cutRecords, cutShare, cutKept, cutBack, cutGains}

#define SWEEPS_OF_VESSELS(name, Collision)                                                                                  \
	BOUNDED_KERNEL(FLUID(sweep_##name), 256, (RUNS_PARAMETERS, CUTS_PARAMETERS)) { SWEEP_RUNS(Collision, false, (CUTS)); }    \
	BOUNDED_KERNEL(FLUID(sweep_inplace_##name), 256, (RUNS_PARAMETERS, CUTS_PARAMETERS)) { SWEEP_RUNS(Collision, true, (CUTS)); }

SWEEPS_OF_VESSELS(bgk, Bgk)
SWEEPS_OF_VESSELS(trt, Trt<true>)
SWEEPS_OF_VESSELS(trt_unforced, Trt<false>)
SWEEPS_OF_VESSELS(stress, Stress)
SWEEPS_OF_VESSELS(recursive, Recursive)

// Keeps what the sweep of a listed node would have left, of populations that somebody has changed.
KERNEL(FLUID(keep), (LATTICE_PARAMETERS, const int32 *nodes, int64 count, CUTS_PARAMETERS)) {
	const int64 k = globalX();
	if (k >= count) {
		return;
	}
	const Lattice l = LATTICE;
	Real g[maxQ];
	load<Velocities, Form>(l.at, nodes[k], g);
	Form::Stored stored[maxQ];
UNROLL
	for (int i = 0; i < Velocities::q; i++) {
		stored[i] = Form::nearest(g[i]); // the same
	}
	(CUTS).leave<Velocities, Form>(l.at.runs, nodes[k], l.at.runs.words[nodes[k]], stored);
}

// What is given at a port: lbm.PortKind.
enum PortKind { portVelocity, portPressure, portWindkessel };

// Go's portRecord.
struct PortRecord {
	double resistance, capacitance, thinness; // 1/ν: with it ports tell thin shears
	int32 kind, unused;
};

// A node with links of ports, and those: links first ≤ k < end. Go's portNode and portLink.
struct PortNode {
	int32 node, first, end, unused;
};
struct PortLink {
	int32 port, i;
};

template <class T> struct Ports {
	const PortRecord *records;
	const PortNode *nodes;
	const PortLink *links;
	const T *gain;      // of a link of a velocity port, at an amplitude of 1
	const T *amplitude; // of each port: on its velocity, or ρ − 1
};

#define PORTS_PARAMETERS const void *portRecords, const void *portNodes, const void *portLinks, const Real *portGain, const Real *portAmplitude
#define PORTS Ports<Real>{(const PortRecord *)portRecords, (const PortNode *)portNodes, (const PortLink *)portLinks, portGain, portAmplitude}

// The grid Reynolds number at which half of the pressure of what enters becomes speed: lbm's fromRest.
constexpr int fromRest = 4;

// The state of a port's node: populations, ρ − 1 and velocity.
template <class L, class S> struct PortState {
	typedef typename S::Real T;
	T g[maxQ], r, u[3];

	__device__ __forceinline__ PortState(const Lattice &l, int64 n, const T (&accel)[3]) {
		T j[3];
		load<L, S>(l.at, n, g);
		sums<L>(g, r, j);
		r *= S::unit;
UNROLL
		for (int a = 0; a < 3; a++) {
			u[a] = a < L::dim ? j[a] * S::unit / (1 + r) - accel[a] / 2 : 0;
		}
	}

	// Population i by way of a loop, since only known at run time.
	__device__ __forceinline__ T of(int i) const {
		T v = g[0];
UNROLL
		for (int k = 1; k < L::q; k++) {
			v = k == i ? g[k] : v;
		}
		return v;
	}

	// What a link sends in where its port has amplitude a, times scale.
	__device__ __forceinline__ T sends(const Ports<T> &p, int k, T a) const {
		const PortLink link = p.links[k];
		if (p.records[link.port].kind == portVelocity) {
			return of(opposite(link.i)) + a * p.gain[k] * S::scale;
		}
		T cu = 0, w = 0;
UNROLL
		for (int i = 1; i < L::q; i++) {
			if (i == link.i) {
				cu = dot<L>(i, u);
				w = weight<L, T>(i);
			}
		}
		const T uu = u[0] * u[0] + u[1] * u[1] + u[2] * u[2], square = (T)4.5 * cu * cu - (T)1.5 * uu;
		const T own = of(link.i) * S::unit, per = 2 * w * (1 + square);
		const T beside = own + of(opposite(link.i)) * S::unit - 2 * w * (r + (1 + r) * square);
		const T thinness = (T)p.records[link.port].thinness, leaves = (cu < 0 ? -cu : 0) * thinness, enters = (cu < 0 ? 0 : cu) * thinness;
		const T rest = (T)1.5 * uu * enters * enters / (fromRest * fromRest + enters * enters);
		return (own - per * (r + rest) - beside / (1 + leaves * leaves) + per * a) * S::scale;
	}
};

// The most ports that arguments drive, and where amplitudes are found: in memory, or in these.
constexpr int drivenPorts = 16;

template <class T> struct KnownAmplitudes {
	const T *of;
	__device__ __forceinline__ T at(int port) const { return of[port]; }
};

struct GivenAmplitudes {
	double d[drivenPorts];
	__device__ __forceinline__ double at(int port) const {
		double a = d[0];
UNROLL
		for (int k = 1; k < drivenPorts; k++) {
			a = k == port ? d[k] : a;
		}
		return a;
	}
};

// Writes what comes through ports to their k-th node.
template <class L, class S, class A>
__device__ __forceinline__ void writePorts(const Lattice &l, const Ports<typename S::Real> &p, int64 k, const typename S::Real (&accel)[3], const Noise &noise,
										   const A &amplitudes) {
	typedef typename S::Real T;
	const PortNode node = p.nodes[k];
	const PortState<L, S> s(l, node.node, accel);
	const int32 *piece = l.at.runs.template piece<L>(node.node, l.at.runs.words[node.node]);
	for (int m = node.first; m < node.end; m++) {
		const PortLink link = p.links[m];
		const T v = s.sends(p, m, (T)amplitudes.at(link.port));
		const uint32 place = v == v ? noisePlace<S>(noise, piece[0], (node.node + piece[L::q]) * maxQ + link.i) : noNoise;
		storeOne<L, S>(l.at, node.node, opposite(link.i), S::rounded(v, noiseOf<S>(noise, place, 0)));
	}
}

KERNEL(FLUID(ports), (LATTICE_PARAMETERS, PORTS_PARAMETERS, int64 count, Real accelX, Real accelY, Real accelZ, const uint32 *noise, uint64 noiseStep)) {
	const int64 k = globalX();
	if (k < count) {
		writePorts<Velocities, Form>(LATTICE, PORTS, k, {accelX, accelY, accelZ}, {noise, noiseStep}, KnownAmplitudes<Real>{portAmplitude});
	}
}

// Of each port, whose nodes are entries starts[port] ≤ k < starts[port + 1]: v[0] the mass that enters in the
// step that comes next, v[1] the sum of ρ − 1 of its nodes, v[2] how many they are.
BARRIER_KERNEL(FLUID(port_sums), (LATTICE_PARAMETERS, PORTS_PARAMETERS, const int32 *entries, const int32 *starts, Real accelX, Real accelY, Real accelZ,
								  int32 parts, void *out)) {
	const Lattice l = LATTICE;
	const Ports<Real> p = PORTS;
	const Share share = shareOf(parts);
	Sums sum = {};
	for (int64 k = starts[share.task] + share.first; k < starts[share.task + 1]; k += share.step) {
		const PortNode node = p.nodes[entries[k]];
		const PortState<Velocities, Form> s(l, node.node, {accelX, accelY, accelZ});
		for (int m = node.first; m < node.end; m++) {
			const int task = share.task;
			if (p.links[m].port == task) {
				sum.v[0] += ((double)s.sends(p, m, p.amplitude[task]) - (double)s.of(opposite(p.links[m].i))) * Form::unit;
			}
		}
		sum.v[1] += (double)s.r;
		sum.v[2] += 1;
	}
	reduceBlock(sum, (Sums *)out + blockIdx.x);
}

// v[0]: the mass that the interpolation at the wall adds in the step that comes next.
BARRIER_KERNEL(FLUID(wall_sums), (LATTICE_PARAMETERS, const int32 *nodes, int64 count, CUTS_PARAMETERS, int32 parts, void *out)) {
	const Lattice l = LATTICE;
	const CutWalls<Real> walls = CUTS;
	const Share share = shareOf(parts);
	Sums sum = {};
	for (int64 k = share.first; k < count; k += share.step) {
		const int32 n = nodes[k];
		const uint32 word = l.at.runs.words[n];
		const int32 *piece = l.at.runs.piece<Velocities>(n, word);
		const CutRecord c = walls.records[k];
		int32 link = c.first;
		for (int i = 1; i < Velocities::q; i++) {
			if (!fromWall(c.links, i)) {
				continue;
			}
			const int back = opposite(i);
			double a = walls.share[link], other;
			if (a < 0) {
				a = -a;
				other = walls.kept[link];
			} else {
				other = loadOne<Velocities, Form>(l.at, n + piece[back], back);
			}
			sum.v[0] += (1 - a) * (other - (double)loadOne<Velocities, Form>(l.at, n, back)) * Form::unit;
			link++;
		}
	}
	reduceBlock(sum, (Sums *)out + blockIdx.x);
}

// What each node of a patch gives back: a warp sums what its pieces have gained, each of which a
// lane sums from its nodes. gains of piece k begin at piecesAt[k].
template <class T>
__device__ __forceinline__ void sharePatch(int patch, int patches, const int32 *patchesAt, const int32 *piecesAt, const int32 *nodes, const T *gains, T *back) {
	const int lane = laneIndex();
	T sum = 0;
	if (patch < patches) {
		for (int k = patchesAt[patch] + lane; k < patchesAt[patch + 1]; k += warpSize) {
			T piece = 0;
			for (int m = piecesAt[k]; m < piecesAt[k + 1]; m++) {
				piece += gains[m];
			}
			sum += piece;
		}
	}
	for (int by = warpSize / 2; by > 0; by /= 2) {
		const T other = __shfl_down_sync(fullWarp, sum, by);
		sum = lane + by < warpSize ? sum + other : sum;
	}
	if (lane == 0 && patch < patches) {
		back[patch] = sum / (T)nodes[patch];
	}
}

// The threads of a block, of which the first one has the ports.
constexpr int vesselThreads = 128;

// What changes once a step: what patches of the wall give back, and what ports are driven by. Those
// from first on are driven by d: an amplitude on a velocity, ρ − 1, or the pressure beyond a resistance.
// flows are those of all ports, and pressure those of windkessel ports behind them. Where there are none of these, and few ports, the blocks
// behind the first, portBlocks of them, also write what comes through the ports: it is known what drives them.
BOUNDED_BARRIER_KERNEL(FLUID(vessel), vesselThreads,
					   (LATTICE_PARAMETERS, PORTS_PARAMETERS, int64 portNodeCount, Real accelX, Real accelY, Real accelZ, const uint32 *noise, uint64 noiseStep,
						const int32 *patchesAt, const int32 *piecesAt, const int32 *nodes, int32 patches, const Real *gains, Real *back, int32 first,
						int32 count, const void *flows, double *pressure, Real *amplitude, int32 portBlocks, double d0, double d1, double d2, double d3, double d4,
						double d5, double d6, double d7, double d8, double d9, double d10, double d11, double d12, double d13, double d14, double d15)) {
	const int t = (int)threadIdx.x, block = (int)blockIdx.x - 1;
	const GivenAmplitudes given = {{d0, d1, d2, d3, d4, d5, d6, d7, d8, d9, d10, d11, d12, d13, d14, d15}};
	if (block < 0) {
		double d = given.at(t);
		if (t < count) {
			const PortRecord port = ((const PortRecord *)portRecords)[first + t];
			if (port.kind == portWindkessel) {
				const double rate = 1 / (port.resistance * port.capacitance);
				const double p = (pressure[first + t] - ((const Sums *)flows)[first + t].v[0] / port.capacitance + d * rate) / (1 + rate);
				pressure[first + t] = p;
				d = 3 * p;
			}
			amplitude[first + t] = (Real)d;
		}
	} else if (block < portBlocks) {
		const int64 k = (int64)block * vesselThreads + t;
		if (k < portNodeCount) {
			writePorts<Velocities, Form>(LATTICE, PORTS, k, {accelX, accelY, accelZ}, {noise, noiseStep}, given);
		}
	} else {
		sharePatch<Real>((block - portBlocks) * (vesselThreads / warpSize) + t / warpSize, patches, patchesAt, piecesAt, nodes, gains, back);
	}
}

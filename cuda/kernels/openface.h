// Pressure and outflow faces, and velocity faces through which fluid leaves: lbm's
// openface.go, with the same arithmetic.
//
// Every thread has a face node. It advances the state of the ghost behind it from
// the step before, reads the node's own state, and writes what the ghost sends to
// the fluid. What it reads of other nodes is of the step before.
#pragma once

#include "lattice.h"

// Go's openFaceRecord has the same fields.
struct OpenFace {
	double outward;   // +1 or −1
	double excess;    // density − 1, of a pressure face
	double relax;     // rate at which an outflow draws the density to 1, per step
	int32 first, end; // its nodes, of those of all faces
	int32 kind;       // OpenKind
	int32 side, axis;
	int32 tangents[2], size[2]; // tangential axes, and nodes along them
	int32 edge[2][2];           // what lies beyond their lower and upper ends: EdgeKind
	int32 frame;                // recursive collision: 1, where fluid enters by way of ghosts 3, else 0
};

enum OpenKind { openPressure, openOutflow, openVelocity };
enum EdgeKind { edgeWraps, edgeMirrors, edgeSticks, edgeOpen }; // as lbm's

// OpenState is ρ − 1 and the velocity.
struct OpenState {
	double r, u[3];
};

// The nodes of all faces, and the links that each node's ghost serves.
struct OpenNodes {
	const OpenFace *faces;
	int32 count;
	const int64 *padded;        // −1: takes no part, being a wall or where nothing leaves
	const int32 *start;         // of a node's links, and the end
	const int64 *to;            // where the sweep will read
	const unsigned char *dir;   // direction to evaluate
	const int32 *row, *noise;   // of a link, for its noise
	const int64 *back;          // what bounces where fluid enters through a velocity face
	const void *gain;           // and what that adds to it: Real
	const double *velocity;     // of velocity faces before each node, three components
	OpenState *inner[2], *state[2]; // of the face nodes and of the ghosts, in even and odd steps
};

// What a launch does.
enum OpenTask { openAdvance = 1, openCapture = 2, openStart = 4, openSend = 8 };

// The state of a face node as it is beyond an edge of tangent b.
__device__ __forceinline__ OpenState reflected(const OpenFace &o, OpenState s, int b, int kind) {
UNROLL
	for (int a = 0; a < 3; a++) {
		if (kind == edgeSticks || (kind == edgeMirrors && a == o.tangents[b])) {
			s.u[a] = -s.u[a];
		}
	}
	return s;
}

// The state next to face node n: of node next, or, where n is the last of tangent b at
// the given end, of node wrapped or of what lies beyond. Walls reverse the velocity. What is read
// does not depend on what else is read, so that all neighbours are on their way together: there
// are few nodes, and nothing else to wait with.
__device__ __forceinline__ OpenState beside(const OpenFace &o, const OpenState *of, const int64 *padded, int n, int next, int wrapped, bool last, int b, int end) {
	const int kind = o.edge[b][end];
	const bool beyond = last && kind != edgeWraps;
	const int at = beyond ? n : last ? wrapped : next;
	const bool wall = padded[at] < 0;
	const OpenState own = of[n], other = of[at];
	if (beyond) {
		return reflected(o, own, b, kind);
	}
	return wall ? reflected(o, own, b, edgeSticks) : other;
}

// The states before and after node n along tangent b.
__device__ __forceinline__ void neighbours(const OpenFace &o, const OpenState *of, const int64 *padded, int n, int b, OpenState (&next)[2]) {
	const int stride = b == 0 ? 1 : o.size[0], size = o.size[b], k = b == 0 ? n % o.size[0] : n / o.size[0];
	next[0] = beside(o, of, padded, n, n - stride, n + (size - 1) * stride, k == 0, b, 0);
	next[1] = beside(o, of, padded, n, n + stride, n - (size - 1) * stride, k == size - 1, b, 1);
}

// The derivative of the face nodes' state at n along tangent b.
__device__ __forceinline__ OpenState gradient(const OpenFace &o, const OpenState *inner, const int64 *padded, int n, int b) {
	OpenState next[2], g;
	neighbours(o, inner, padded, n, b, next);
	g.r = (next[1].r - next[0].r) / 2;
UNROLL
	for (int a = 0; a < 3; a++) {
		g.u[a] = (next[1].u[a] - next[0].u[a]) / 2;
	}
	return g;
}

// By how much the density of node n's four neighbours is higher than its own in the mean.
__device__ __forceinline__ double unevenness(const OpenFace &o, const OpenState *of, const int64 *padded, int n) {
	double r = 0;
UNROLL
	for (int b = 0; b < 2; b++) {
		OpenState next[2];
		neighbours(o, of, padded, n, b, next);
		r += (next[0].r + next[1].r - 2 * of[n].r) / 4;
	}
	return r;
}

constexpr double outflowSmoothing = 0.2; // as lbm's

// Component a of a state's velocity, a known at run time only.
__device__ __forceinline__ double part(const double (&u)[3], int a) { return a == 0 ? u[0] : a == 1 ? u[1] : u[2]; }

// The state of an outflow's ghost behind face node n one step after ghosts and inner, while
// the mean velocity through the face rises as lbm's Drive tells.
__device__ __forceinline__ OpenState advanced(const OpenFace &o, const OpenState *ghosts, const OpenState *inner, const int64 *padded, int n, double rise) {
	const double c2 = 1. / 3, c = sqrt(c2);
	const OpenState s = ghosts[n], in = inner[n];
	const double su = part(s.u, o.axis), rho = 1 + s.r, un = o.outward * su;
	const double leaving = (un + c) * (c2 * (s.r - in.r) + rho * c * o.outward * (su - part(in.u, o.axis)));
	double tp = 0, tn = 0, ut[3] = {0, 0, 0}; // transverse terms of pressure, normal and other velocities
UNROLL
	for (int b = 0; b < 2; b++) {
		const int axis = o.tangents[b];
		const OpenState g = gradient(o, inner, padded, n, b);
		const double v = part(in.u, axis);
		tp += v * c2 * g.r + rho * c2 * part(g.u, axis);
		tn += v * o.outward * part(g.u, o.axis);
UNROLL
		for (int a = 0; a < 3; a++) {
			if (a != o.axis) {
				ut[a] += v * g.u[a];
			}
			if (a == axis) {
				ut[a] += c2 / rho * g.r;
			}
		}
	}
	const double damp = 1 - min(max(un / c, 0.), 1.);
	const double back = -min(un, 0.); // at which fluid enters
	const double entering = (o.relax + back) * c2 * s.r + back * rho * back * back / 2 + rho * c * rise - damp * (tp - rho * c * tn);
	OpenState d;
	d.r = s.r - (leaving + entering) / (2 * c2) - tp / c2 + outflowSmoothing * unevenness(o, ghosts, padded, n);
	const double normal = su - o.outward * ((leaving - entering) / (2 * rho * c) + tn);
UNROLL
	for (int a = 0; a < 3; a++) {
		d.u[a] = a == o.axis ? normal : s.u[a] - max(un, 0.) * (s.u[a] - in.u[a]) - back * s.u[a] - ut[a];
	}
	return d;
}

// f_i^eq − w_i at density 1 + r and velocity u.
template <class L, class T> __device__ __forceinline__ T equilibrium(int i, T r, const T (&u)[3]) {
	const T cu = dot<L>(i, u);
	return weight<L, T>(i) * (r + (1 + r) * (3 * cu + (T)4.5 * cu * cu - (T)1.5 * (u[0] * u[0] + u[1] * u[1] + u[2] * u[2])));
}

// What third and fourth moments of the planes give to it in recursive collision, less the
// factor 1 + r.
template <class L, class T> __device__ __forceinline__ T beyond(int i, const T (&u)[3]) {
	T f = 0;
UNROLL
	for (int a = 0; a < L::dim; a++) {
UNROLL
		for (int b = a + 1; b < L::dim; b++) {
			const int ca = velocity<L>(i, a), cb = velocity<L>(i, b);
			const T uu = u[a] * u[b], sum = uu * (uu + ca * u[b] + cb * u[a]);
			if (L::dim == 3 && velocity<L>(i, 3 - a - b) != 0) {
				continue;
			}
			if (ca != 0 && cb != 0) {
				f += (T)0.25 * sum;
			} else if (ca != 0 || cb != 0) {
				f -= (T)0.5 * sum;
			} else {
				f += uu * uu;
			}
		}
	}
	return f;
}

// The equilibrium of a face's operator.
template <class L, class T> __device__ __forceinline__ T equilibriumAt(const OpenFace &o, int i, T r, const T (&u)[3]) {
	T f = equilibrium<L>(i, r, u);
	if (o.frame) {
		f += (1 + r) * beyond<L>(i, u);
	}
	return f;
}

// The links that a node's ghost serves: as many as there are directions that leave a face.
template <class L> struct GhostLinks {
	static constexpr int most = L::dim == 3 ? 5 : 3;
	int32 first, count, dir[most], row[most], noise[most];
	int64 to[most];

	__device__ __forceinline__ void load(const OpenNodes &open, int64 m) {
		first = open.start[m];
		count = open.start[m + 1] - first;
UNROLL
		for (int i = 0; i < most; i++) {
			if (i < count) {
				dir[i] = open.dir[first + i];
				to[i] = open.to[first + i];
				row[i] = open.row[first + i];
				noise[i] = open.noise[first + i];
			}
		}
	}
};

template <class L, class S>
__device__ __forceinline__ void openNode(const Lattice &l, const OpenNodes &open, const typename S::Real (&accel)[3],
										 const typename S::Real (&amplitude)[6], const Noise &noise, int parity, int tasks) {
	typedef typename S::Real T;
	typedef typename S::Stored Stored;
	const int64 m = globalX();
	if (m >= open.count) {
		return;
	}
	const int64 at = open.padded[m];
	GhostLinks<L> links; // asked for early: other things are waited for first
	links.load(open, m);
	if (at < 0) {
		return;
	}
	int face = 0;
	while (m >= open.faces[face].end) {
		face++;
	}
	const OpenFace o = open.faces[face];
	const int n = (int)m - o.first;
	const int now = parity, then = parity ^ 1;
	T a = amplitude[0];
UNROLL
	for (int side = 1; side < 6; side++) {
		a = o.side == side ? amplitude[side] : a;
	}
	OpenState state = open.state[now][m];
	if (o.kind == openOutflow && (tasks & openAdvance)) {
		state = advanced(o, open.state[then] + o.first, open.inner[then] + o.first, open.padded + o.first, n, (double)a);
		open.state[now][m] = state;
	}
	if (!(tasks & openCapture)) {
		return;
	}
	T g[maxQ], r, j[3];
	load<L, S>(l.at, at, g);
	sums<L>(g, r, j);
	r *= S::unit;
	OpenState inner;
	inner.r = (double)r;
UNROLL
	for (int a = 0; a < 3; a++) {
		inner.u[a] = a < L::dim ? (double)(j[a] * S::unit / (1 + r) - accel[a] / 2) : 0.;
	}
	open.inner[now][m] = inner;
	if (tasks & openStart) {
		open.state[now][m] = inner; // without a gradient across the face
	}
	if (!(tasks & openSend)) {
		return;
	}
	bool enters = false;
	if (o.kind == openPressure) {
		state = inner;
		state.r = 2 * (double)a * o.excess - inner.r;
	} else if (o.kind == openVelocity) {
		const double *u = open.velocity + 3 * m;
		enters = !(o.frame & 2) && !(o.outward * (double)a * u[o.axis] > 0);
		const double factor = o.outward * (double)a * u[o.axis] < 0 ? (double)a / (1 + inner.r) : (double)a;
		state.r = inner.r;
UNROLL
		for (int b = 0; b < 3; b++) {
			state.u[b] = factor * u[b];
		}
	}
	const T us[3] = {(T)state.u[0], (T)state.u[1], (T)state.u[2]}, ui[3] = {(T)inner.u[0], (T)inner.u[1], (T)inner.u[2]};
	Stored *f = (Stored *)l.at.f;
UNROLL
	for (int i = 0; i < links.most; i++) {
		if (i >= links.count) {
			break;
		}
		const int k = links.first + i, dir = links.dir[i];
		T v;
		if (enters) {
			v = S::read(f[open.back[k]]) + a * ((const T *)open.gain)[k] * S::scale; // as link of boundary.h
		} else {
			const T held = S::read(*l.at.place<L, Stored>(at, dir)) * S::unit;
			v = (equilibriumAt<L>(o, dir, (T)state.r, us) + (held - equilibriumAt<L>(o, dir, (T)inner.r, ui))) * S::scale;
		}
		const uint32 place = v == v ? noisePlace<S>(noise, links.row[i], links.noise[i]) : noNoise;
		f[links.to[i]] = S::rounded(v, noiseOf<S>(noise, place, 0));
	}
}

package lbm

import (
	"math"

	"lbmib/internal/parallel"
)

// openFace is an open face of a fluid on the CPU.
//
// Behind each lies a ghost with a state (ρ, u), half a node outside the domain;
// what the fluid pulls from it is the equilibrium of that state plus the
// non-equilibrium part of the face node, which carries the shear (Guo, Zheng &
// Shi, Phys. Fluids 14 (2002) 2007).
//
// Pressure: the ghost's density is such that the face's is the mean of both
// sides; its velocity is that of the face node.
//
// Velocity, where it leaves the domain: the ghost has the face's velocity and the
// density of the face node, so that what leaves is ρu and the mean density settles
// where as much leaves as enters. With recursive collision, and where fluid leaves the domain somewhere, it enters by way of ghosts, too,
// with a velocity ρ₀u/ρ so that the flux is ρ₀u: bounce-back lacks third moments, so that a
// stream at an angle to the face would not be uniform, and feeds waves on a face that moves along itself.
// Bounce-back where fluid leaves feeds waves two nodes long along the face, for every
// collision. To reflect the velocity about the face instead,
// 2u − u of the face node, is of higher order where it varies along the normal, and
// makes streams along the face unstable (validation/stability).
//
// Outflow: the ghosts' states follow the one-dimensional characteristic
// equations normal to the face, with the transverse terms of Yoo & Im, Combust.
// Theory Model. 11 (2007) 259, as Izquierdo & Fueyo, Phys. Rev. E 78 (2008)
// 046707, brought them to the lattice: what leaves is taken from inside; what
// enters draws the density softly back to 1, and carries ρc_s d⟨U⟩/dt where the inflow
// varies (Drive), which the soft pull would otherwise have to bring about by a pressure
// of 4ρL d⟨U⟩/dt. Fluid that comes back at a speed v comes from rest: within 1/v steps
// its pressure becomes −ρv²/2 and its velocity along the face zero, so that it has no
// more energy than rest gave it. Let in freely it forms jets, which grow.
//
// A face node's populations are captured right after its row has been swept, while
// they are in the cache, and its links written right before its row is swept again.
// The states that links of step s use are those that an outflow has advanced to
// from the states and face nodes of step s − 1; that is done at the start of step
// s, because two steps that share a sweep capture the nodes of s − 1 only then.
//
// What enters through a face comes along three of the velocities in the plane and five in
// space, so that nothing but these is kept of a node: the non-equilibrium part when it is
// captured, and the equilibrium of an outflow's ghost when its state advances. A link
// adds the two.
type openFace[T Float] struct {
	OpenFace
	count   int // nodes
	ghost   func(o *OpenFace, n int, inner openState, a float64) openState
	dirs    []int          // the velocities that enter
	inner   [2][]openState // of the face nodes, at the start of even and odd steps
	excess  [2][]T         // non-equilibrium parts of what enters: [which·count + node]
	state   [2][]openState // of an outflow's ghosts, in even and odd steps
	sent    [2][]T         // equilibrium that enters from these, as excess
	regular []span         // nodes whose neighbours along the face are there
	others  []int32        // those that lie at its ends or beside walls
}

// maxEntering is how many velocities lead through a face: straight in, and in to either side
// along one of its tangents.
const maxEntering = 5

// entering are the velocities that lead into the domain through a face: straight, and down
// and up each tangent.
func entering(l *Lattice, o *OpenFace) (dirs []int) {
	for k := range 2*l.Dim - 1 {
		var c [3]int
		c[o.Axis] = -int(o.Outward)
		if k > 0 {
			c[o.Tangents[(k-1)/2]] = (k-1)%2*2 - 1
		}
		dirs = append(dirs, l.direction(c))
	}
	return dirs
}

// openState is ρ − 1 and the velocity, out of the domain and along the tangents of a face.
type openState struct{ r, n, p, q float64 }

// fromAxes is the state of a density and of a velocity along the axes.
func (o *OpenFace) fromAxes(r float64, u *[3]float64) openState {
	return openState{r, o.Outward * u[o.Axis], u[o.Tangents[0]], u[o.Tangents[1]]}
}

// velocity is that of a state along the axes.
func (o *OpenFace) velocity(s *openState) (u [3]float64) {
	u[o.Axis], u[o.Tangents[0]], u[o.Tangents[1]] = o.Outward*s.n, s.p, s.q
	return u
}

// outflowSmoothing is how much of the difference between the density of an outflow's
// ghost and the mean of its neighbours' is taken off per step. Transverse terms are
// explicit, and in space they feed waves a few nodes long along the face: without it
// these grow from rounding where U Δx/ν is above 10, with a quarter of it they do not up
// to 25 and beyond. A wave of 16 nodes loses 1.5 % to it per step, in which it relaxes by
// 60 % to what is inside: what is reflected stays the same.
const outflowSmoothing = 0.2

func newOpenFace[T Float](cfg *Config, face *OpenFace) *openFace[T] {
	o := &openFace[T]{OpenFace: *face, count: len(face.Absent), ghost: faceKinds[face.Kind].ghost}
	o.dirs = entering(cfg.Lattice, face)
	for parity := range 2 {
		o.inner[parity], o.excess[parity] = make([]openState, o.count), make([]T, len(o.dirs)*o.count)
		if o.Kind == Outflow {
			o.state[parity], o.sent[parity] = make([]openState, o.count), make([]T, len(o.dirs)*o.count)
		}
	}
	if o.Kind == Outflow {
		o.sortOut()
	}
	return o
}

// sortOut tells nodes whose neighbours along the face are there from others.
func (o *openFace[T]) sortOut() {
	for n, absent := range o.Absent {
		switch last := len(o.regular) - 1; {
		case absent || o.isGhost(n):
		case !o.hasNeighbours(n):
			o.others = append(o.others, int32(n))
		case last >= 0 && o.regular[last].hi == int32(n):
			o.regular[last].hi++
		default:
			o.regular = append(o.regular, span{int32(n), int32(n) + 1})
		}
	}
}

func (o *openFace[T]) hasNeighbours(n int) bool {
	at, stride := [2]int{n % o.Size[0], n / o.Size[0]}, [2]int{1, o.Size[0]}
	for b := range o.varying() {
		if !inside(at[b], o.Size[b]) || o.Absent[n-stride[b]] || o.Absent[n+stride[b]] {
			return false
		}
	}
	return true
}

// capture keeps of node n, whose populations are g at the start of a step, what its links
// and an outflow's next state need.
func (o *openFace[T]) capture(t *tables[T], k *rates[T], g *[MaxQ]T, step int64, n int) {
	r, x, y, z := t.moments(g)
	rho := 1 + r
	x, y = x/rho-k.accel[0]/2, y/rho-k.accel[1]/2
	if t.dim == 3 {
		z /= rho
	}
	z -= k.accel[2] / 2
	switch o.Axis { // normal, and tangents
	case 1:
		x, y = y, x
	case 2:
		x, y, z = z, x, y
	}
	s := &o.inner[step&1][n]
	s.r, s.n, s.p, s.q = float64(r), o.Outward*float64(x), float64(y), float64(z)
	var e [maxEntering]T
	o.equilibria(t, &e, s)
	excess := o.excess[step&1]
	for k, i := range o.dirs {
		excess[n] = g[i] - e[k]
		n += o.count
	}
}

// equilibria are those that enter from a state.
func (o *openFace[T]) equilibria(t *tables[T], to *[maxEntering]T, s *openState) {
	r, m, p, q := T(s.r), T(-s.n), T(s.p), T(s.q)
	rho, square := 1+r, m*m+p*p+q*q
	if o.Axis == 2 { // terms are added in the order of the axes, as everywhere
		square = p*p + q*q + m*m
	}
	square *= 1.5
	straight, aside := t.w[1], t.w[t.q-1]
	to[0] = straight * (r + rho*(3*m+4.5*m*m-square))
	c := m - p
	to[1] = aside * (r + rho*(3*c+4.5*c*c-square))
	c = m + p
	to[2] = aside * (r + rho*(3*c+4.5*c*c-square))
	if t.dim == 3 {
		c = m - q
		to[3] = aside * (r + rho*(3*c+4.5*c*c-square))
		c = m + q
		to[4] = aside * (r + rho*(3*c+4.5*c*c-square))
	}
	if t.frame {
		v := o.velocity(s)
		u := [3]T{T(v[0]), T(v[1]), T(v[2])}
		for k, i := range o.dirs {
			to[k] += rho * t.beyond(i, &u)
		}
	}
}

// send finds what enters from the ghost of node n of an outflow in a step.
func (o *openFace[T]) send(t *tables[T], step int64, n int) {
	var e [maxEntering]T
	o.equilibria(t, &e, &o.state[step&1][n])
	sent := o.sent[step&1]
	for k := range o.dirs {
		sent[n] = e[k]
		n += o.count
	}
}

// sendAll does so for all of its nodes.
func (o *openFace[T]) sendAll(t *tables[T], step int64) {
	for n, absent := range o.Absent {
		if !absent {
			o.send(t, step, n)
		}
	}
}

// arriving is the population that the ghost behind node n of a face other than an outflow
// sends along the k-th entering velocity in a step, in which the faces have the given
// amplitudes.
func (o *openFace[T]) arriving(t *tables[T], step int64, amplitude *[6]T, n, k int) T {
	inner := &o.inner[step&1][n]
	state := o.ghost(&o.OpenFace, n, *inner, float64(amplitude[o.Side]))
	var e [maxEntering]T
	o.equilibria(t, &e, &state)
	return e[k] + o.excess[step&1][k*o.count+n]
}

// pressureGhost has the density that the face's is the mean with, and the velocity of the node.
func pressureGhost(o *OpenFace, _ int, inner openState, a float64) openState {
	inner.r = 2*a*(o.Density-1) - inner.r
	return inner
}

// velocityGhost has the velocity of the face and the density of the node; ρ₀u enters.
func velocityGhost(o *OpenFace, n int, inner openState, a float64) openState {
	u := &o.Velocity[n]
	if a*o.Outward*u[o.Axis] < 0 {
		a /= 1 + inner.r
	}
	return o.fromAxes(inner.r, &[3]float64{a * u[0], a * u[1], a * u[2]})
}

// advance finds worker's share of an outflow's states in a step from those and the
// face nodes of the step before, while the mean velocity through it rises as Drive
// tells.
func (o *openFace[T]) advance(t *tables[T], step int64, rise float64, worker, workers int) {
	before, inner, after := o.state[(step-1)&1], o.inner[(step-1)&1], o.state[step&1]
	second, d := len(o.varying()) == 2, o.Size[0]
	var x, y beside
	lo, hi := parallel.Share(o.count, worker, workers)
	for _, run := range o.regular {
		for n := max(lo, int(run.lo)); n < min(hi, int(run.hi)); n++ {
			x = beside{&inner[n-1], &inner[n+1], before[n-1].r, before[n+1].r}
			if second {
				y = beside{&inner[n-d], &inner[n+d], before[n-d].r, before[n+d].r}
			}
			o.follow(&after[n], &before[n], &inner[n], &x, &y, second, rise)
			o.send(t, step, n)
		}
	}
	var room [8]openState
	lo, hi = parallel.Share(len(o.others), worker, workers)
	for _, k := range o.others[lo:hi] {
		n := int(k)
		x = o.neighbours(before, inner, n, 0, room[:4])
		if second {
			y = o.neighbours(before, inner, n, 1, room[4:])
		}
		o.follow(&after[n], &before[n], &inner[n], &x, &y, second, rise)
		o.send(t, step, n)
	}
}

// beside are the states of face nodes before and after one along a tangent, and the densities
// of their ghosts.
type beside struct {
	before, after *openState
	lower, upper  float64
}

// follow finds a ghost's state d in the step after it was s and its face node in, from those
// beside them along the tangents x and, if there is a second, y. Transverse terms are those of
// the face nodes, which the lattice keeps smooth.
func (o *openFace[T]) follow(d, s, in *openState, x, y *beside, second bool, rise float64) {
	const c2 = 1. / 3
	c := math.Sqrt(c2)
	rho, un := 1+s.r, s.n
	leaving := (un + c) * (c2*(s.r-in.r) + rho*c*(un-in.n))

	b, a, v, inv := x.before, x.after, in.p, c2/rho
	r := (a.r - b.r) / 2
	tp := v*c2*r + rho*c2*((a.p-b.p)/2) // transverse terms of pressure
	tn := v * ((a.n - b.n) / 2)         // of the normal velocity
	up, uq := v*((a.p-b.p)/2)+inv*r, v*((a.q-b.q)/2)
	uneven := (x.lower + x.upper - 2*s.r) / 4 // by how much the density around is higher in the mean
	if second {
		b, a, v = y.before, y.after, in.q
		r = (a.r - b.r) / 2
		tp += v*c2*r + rho*c2*((a.q-b.q)/2)
		tn += v * ((a.n - b.n) / 2)
		up += v * ((a.p - b.p) / 2)
		uq += v * ((a.q - b.q) / 2)
		uq += inv * r
		uneven += (y.lower + y.upper - 2*s.r) / 4
	}

	out, back := un, 0. // at which fluid leaves, or enters
	if un < 0 {
		out, back = 0, -un
	}
	damp := 1 - min(out/c, 1)
	entering := (o.Relax+back)*c2*s.r + back*rho*back*back/2 + rho*c*rise - damp*(tp-rho*c*tn)
	d.r = s.r - (leaving+entering)/(2*c2) - tp/c2 + outflowSmoothing*uneven
	d.n = s.n - ((leaving-entering)/(2*rho*c) + tn)
	d.p = s.p - out*(s.p-in.p) - back*s.p - up
	d.q = s.q - out*(s.q-in.q) - back*s.q - uq
}

// neighbours are the states beside node n along tangent b; room is for those beyond the ends.
func (o *openFace[T]) neighbours(states, inner []openState, n, b int, room []openState) beside {
	stride, size, k := 1, o.Size[0], n%o.Size[0]
	if b == 1 {
		stride, size, k = o.Size[0], o.Size[1], n/o.Size[0]
	}
	at := func(of []openState, end int, room *openState) *openState {
		if end == 0 {
			return o.beside(of, n, n-stride, n+(size-1)*stride, k == 0, b, 0, room)
		}
		return o.beside(of, n, n+stride, n-(size-1)*stride, k == size-1, b, 1, room)
	}
	return beside{at(inner, 0, &room[0]), at(inner, 1, &room[1]), at(states, 0, &room[2]).r, at(states, 1, &room[3]).r}
}

// beside is the state next to node n: of node next, or, where n is the last of
// tangent b at the given end, of node wrapped or of what lies beyond. Walls
// reverse the velocity.
func (o *openFace[T]) beside(of []openState, n, next, wrapped int, last bool, b, end int, room *openState) *openState {
	kind := o.Edge[b][end]
	switch {
	case last && kind != edgeWraps:
		return o.reflect(room, &of[n], b, kind)
	case last:
		next = wrapped
	}
	if o.Absent[next] {
		return o.reflect(room, &of[n], b, edgeSticks)
	}
	return &of[next]
}

// reflect finds a node's state as it is beyond an edge of tangent b.
func (o *openFace[T]) reflect(to, of *openState, b int, kind EdgeKind) *openState {
	*to = *of
	switch {
	case kind == edgeSticks:
		to.n, to.p, to.q = -of.n, -of.p, -of.q
	case kind == edgeMirrors && b == 0:
		to.p = -of.p
	case kind == edgeMirrors:
		to.q = -of.q
	}
	return to
}

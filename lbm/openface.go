package lbm

import (
	"math"

	"lbmib/internal/parallel"
)

// OpenFace is where a pressure or an outflow face lies, or a velocity face through which
// fluid leaves at some time. Its nodes are those of the outermost layer of fluid, numbered
// with the lower tangential axis fastest.
type OpenFace struct {
	Kind     FaceKind
	Side     int // of the domain
	Axis     int
	Outward  float64 // +1 or −1
	Density  float64
	Layer    int            // of the face's nodes along the axis
	Tangents [2]int         // tangential axes
	Size     [2]int         // nodes along them
	Edge     [2][2]EdgeKind // what lies beyond their lower and upper ends
	Relax    float64        // rate at which an outflow draws the density to 1, per step
	Velocity [][3]float64   // of a velocity face in front of each of its nodes, times the amplitude
	Entering bool           // fluid enters a velocity face by way of ghosts, too, and moves along it: recursive collision, where fluid leaves somewhere
	Absent   []bool         // face nodes that take no part: walls, and where nothing ever leaves a velocity face
}

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
type openFace[T Float] struct {
	OpenFace
	at    [][][MaxQ]int  // per phase: places of each face node's populations
	held  [2][][MaxQ]T   // the face nodes' populations at the start of even and odd steps
	inner [2][]openState // and their moments
	state [2][]openState // of the ghosts, in even and odd steps
}

// EdgeKind is what lies beyond the end of an open face.
type EdgeKind int

const (
	edgeWraps   EdgeKind = iota // the other end
	edgeMirrors                 // the same state with the tangential velocity reversed
	edgeSticks                  // the same with all velocities reversed: zero at the wall
	edgeOpen                    // the same state
)

func edgeOf(cfg *Config, side int) EdgeKind {
	switch {
	case side/2 >= cfg.Lattice.Dim || cfg.Faces[side].Kind == Periodic:
		return edgeWraps
	case cfg.Faces[side].Kind.IsMirror():
		return edgeMirrors
	case cfg.Faces[side].Kind == NoSlip:
		return edgeSticks
	}
	return edgeOpen
}

// openState is ρ − 1 and the velocity.
type openState struct {
	r float64
	u [3]float64
}

// outflowRelaxation is σ in the rate σ·c_s/L at which an outflow restores the
// mean density; Poinsot & Lele, J. Comput. Phys. 101 (1992) 104, find 0.25 best:
// smaller drifts, larger reflects.
const outflowRelaxation = 0.25

// outflowSmoothing is how much of the difference between the density of an outflow's
// ghost and the mean of its neighbours' is taken off per step. Transverse terms are
// explicit, and in space they feed waves a few nodes long along the face: without it
// these grow from rounding where U Δx/ν is above 10, with a quarter of it they do not up
// to 25 and beyond. A wave of 16 nodes loses 1.5 % to it per step, in which it relaxes by
// 60 % to what is inside: what is reflected stays the same.
const outflowSmoothing = 0.2

// OpenFaceAt describes the open face on a side of the domain.
func (c *Config) OpenFaceAt(side int) *OpenFace {
	o := &OpenFace{Kind: c.Faces[side].Kind, Side: side, Axis: side / 2, Outward: float64(side%2*2 - 1), Density: c.Faces[side].Density}
	o.Relax = outflowRelaxation / math.Sqrt(3) / float64(c.Size[o.Axis])
	o.place(c)
	o.Absent = make([]bool, o.Size[0]*o.Size[1])
	for k := range o.Absent {
		o.Absent[k] = c.solid(o.Position(k))
	}
	if o.Kind == Velocity {
		o.Entering = c.Collision.Recursive && c.letsOut()
		o.setVelocity(&c.Faces[side])
	}
	return o
}

// place finds where the face's nodes lie, and what lies beyond their ends.
func (o *OpenFace) place(c *Config) {
	k := 0
	for a := range 3 {
		if a != o.Axis {
			o.Tangents[k], o.Size[k] = a, c.Size[a]
			for end := range 2 {
				o.Edge[k][end] = edgeOf(c, 2*a+end)
			}
			k++
		}
	}
	if o.Outward > 0 {
		o.Layer = c.Size[o.Axis] - 1
	}
}

// letsOut tells whether fluid leaves the domain at some face, which settles the mean density:
// ghosts do not conserve mass to rounding, and in a box that nothing leaves it would drift.
func (c *Config) letsOut() bool {
	for side, f := range c.Faces[:2*c.Lattice.Dim] {
		switch f.Kind {
		case Pressure, Outflow:
			return true
		case Velocity:
			o := OpenFace{Kind: Velocity, Axis: side / 2, Outward: float64(side%2*2 - 1)}
			o.place(c)
			for n := range o.Size[0] * o.Size[1] {
				if o.Outward*f.Velocity(o.front(n))[o.Axis] > 0 {
					return true
				}
			}
		}
	}
	return false
}

// setVelocity asks for a velocity face's velocity where the normals of its nodes meet it.
func (o *OpenFace) setVelocity(f *Face) {
	for k := range o.Absent {
		u := f.Velocity(o.front(k))
		o.Velocity = append(o.Velocity, u)
		normal := o.Outward * u[o.Axis]
		leaves := normal > 0 || normal < 0 && f.Amplitude != nil && !f.OneWay || o.Entering && u != [3]float64{}
		o.Absent[k] = o.Absent[k] || !leaves
	}
}

// front is where the normal of face node n meets the face.
func (o *OpenFace) front(n int) (at [3]float64) {
	for a, x := range o.Position(n) {
		at[a] = float64(x)
	}
	at[o.Axis] += o.Outward / 2
	return at
}

// Leaves tells whether fluid leaves through a velocity face at node n, at an amplitude, or
// enters as if it did.
func (o *OpenFace) Leaves(n int, amplitude float64) bool {
	return o.Entering || o.Outward*amplitude*o.Velocity[n][o.Axis] > 0
}

func newOpenFace[T Float](cfg *Config, face *OpenFace, phases []addresses) *openFace[T] {
	o := &openFace[T]{OpenFace: *face}
	count := len(o.Absent)
	for range phases {
		o.at = append(o.at, make([][MaxQ]int, count))
	}
	for parity := range 2 {
		o.held[parity] = make([][MaxQ]T, count)
		o.inner[parity], o.state[parity] = make([]openState, count), make([]openState, count)
	}
	for k := range count {
		p := o.Position(k)
		for phase, a := range phases {
			for i := range cfg.Lattice.Q {
				o.at[phase][k][i] = a.post(i, p)
			}
		}
	}
	return o
}

// Position is where face node n lies.
func (o *OpenFace) Position(n int) (p [3]int) {
	p[o.Tangents[0]], p[o.Tangents[1]] = n%o.Size[0], n/o.Size[0]
	p[o.Axis] = o.Layer
	return p
}

// node is the face node nearest to p.
func (o *OpenFace) node(p [3]int) int {
	k := [2]int{}
	for s, a := range o.Tangents {
		k[s] = min(max(p[a], 0), o.Size[s]-1)
	}
	return k[0] + o.Size[0]*k[1]
}

// load reads the populations at the given offsets.
func load[T Float, S Stored](f []S, at *[MaxQ]int, q int) (g [MaxQ]T) {
	for i := range q {
		g[i] = decode[T](f[at[i]])
	}
	return g
}

// read is the state of a node's populations g.
func (o *openFace[T]) read(t *tables[T], k *rates[T], g *[MaxQ]T) openState {
	r, j := t.moments(g)
	s := openState{r: float64(r)}
	for a := range 3 {
		s.u[a] = float64(j[a]/(1+r) - k.accel[a]/2)
	}
	return s
}

// captureOpenNode keeps the populations of face node n, which lie where a phase
// begins with them, for the links of a step.
func captureOpenNode[T Float, S Stored](o *openFace[T], t *tables[T], k *rates[T], f []S, phase int, step int64, n int) {
	if o.Absent[n] {
		return
	}
	g := load[T](f, &o.at[phase][n], t.q)
	o.held[step&1][n] = g
	o.inner[step&1][n] = o.read(t, k, &g)
}

// arriving is the population that the ghost behind face node n sends along dir in
// a step, in which the faces have the given amplitudes.
func (o *openFace[T]) arriving(t *tables[T], step int64, amplitude *[6]T, n, dir int) T {
	inner, state := &o.inner[step&1][n], o.state[step&1][n]
	a := float64(amplitude[o.Side])
	switch o.Kind {
	case Pressure:
		state = openState{2*a*(o.Density-1) - inner.r, inner.u}
	case Velocity:
		u := &o.Velocity[n]
		if a*o.Outward*u[o.Axis] < 0 { // ρ₀u enters
			a /= 1 + inner.r
		}
		state = openState{inner.r, [3]float64{a * u[0], a * u[1], a * u[2]}}
	}
	var us, ui [3]T
	for a := range us {
		us[a], ui[a] = T(state.u[a]), T(inner.u[a])
	}
	return t.equilibrium(dir, T(state.r), &us) + (o.held[step&1][n][dir] - t.equilibrium(dir, T(inner.r), &ui))
}

// advance finds worker's share of an outflow's states in a step from those and the
// face nodes of the step before, while the mean velocity through it rises as Drive
// tells. Transverse terms are those of the face nodes, which the lattice keeps smooth.
func (o *openFace[T]) advance(step int64, rise float64, worker, workers int) {
	const c2 = 1. / 3
	c := math.Sqrt(c2)
	before, inner, after := o.state[(step-1)&1], o.inner[(step-1)&1], o.state[step&1]
	lo, hi := parallel.Share(len(o.Absent), worker, workers)
	for n := lo; n < hi; n++ {
		if o.Absent[n] {
			continue
		}
		s, in := &before[n], &inner[n]
		rho, un := 1+s.r, o.Outward*s.u[o.Axis]
		leaving := (un + c) * (c2*(s.r-in.r) + rho*c*o.Outward*(s.u[o.Axis]-in.u[o.Axis]))
		var tp, tn float64 // transverse terms of pressure and normal velocity
		var ut [3]float64  // and of the other velocities
		for b, axis := range o.varying() {
			g, v := o.gradient(inner, n, b), in.u[axis]
			tp += v*c2*g.r + rho*c2*g.u[axis]
			tn += v * o.Outward * g.u[o.Axis]
			for _, a := range o.Tangents {
				ut[a] += v * g.u[a]
			}
			ut[axis] += c2 / rho * g.r
		}
		damp := 1 - min(max(un/c, 0), 1)
		back := -min(un, 0) // at which fluid enters
		entering := (o.Relax+back)*c2*s.r + back*rho*back*back/2 + rho*c*rise - damp*(tp-rho*c*tn)
		d := &after[n]
		d.r = s.r - (leaving+entering)/(2*c2) - tp/c2 + outflowSmoothing*o.unevenness(before, n)
		d.u[o.Axis] = s.u[o.Axis] - o.Outward*((leaving-entering)/(2*rho*c)+tn)
		for _, a := range o.Tangents {
			d.u[a] = s.u[a] - max(un, 0)*(s.u[a]-in.u[a]) - back*s.u[a] - ut[a]
		}
	}
}

// varying are the tangential axes along which states may differ: along one node that is its own
// neighbour there is no gradient, as in the plane.
func (o *OpenFace) varying() []int {
	if o.Size[1] == 1 && o.Edge[1][0] == edgeWraps {
		return o.Tangents[:1]
	}
	return o.Tangents[:]
}

// unevenness is by how much the density of node n's four neighbours along the face is
// higher than its own in the mean.
func (o *openFace[T]) unevenness(of []openState, n int) (r float64) {
	for b := range o.varying() {
		before, after := o.neighbours(of, n, b)
		r += (before.r + after.r - 2*of[n].r) / 4
	}
	return r
}

// gradient is the derivative of the face nodes' state at n along tangent b.
func (o *openFace[T]) gradient(inner []openState, n, b int) (g openState) {
	before, after := o.neighbours(inner, n, b)
	g.r = (after.r - before.r) / 2
	for a := range g.u {
		g.u[a] = (after.u[a] - before.u[a]) / 2
	}
	return g
}

// neighbours are the states before and after node n along tangent b.
func (o *openFace[T]) neighbours(of []openState, n, b int) (before, after openState) {
	stride, size, k := 1, o.Size[0], n%o.Size[0]
	if b == 1 {
		stride, size, k = o.Size[0], o.Size[1], n/o.Size[0]
	}
	before = o.beside(of, n, n-stride, n+(size-1)*stride, k == 0, b, 0)
	after = o.beside(of, n, n+stride, n-(size-1)*stride, k == size-1, b, 1)
	return before, after
}

// beside is the state next to node n: of node next, or, where n is the last of
// tangent b at the given end, of node wrapped or of what lies beyond. Walls
// reverse the velocity.
func (o *openFace[T]) beside(inner []openState, n, next, wrapped int, last bool, b, end int) openState {
	kind := o.Edge[b][end]
	switch {
	case last && kind != edgeWraps:
		return o.reflected(inner, n, b, kind)
	case last:
		next = wrapped
	}
	if o.Absent[next] {
		return o.reflected(inner, n, b, edgeSticks)
	}
	return inner[next]
}

// reflected is the state of node n as it is beyond an edge of tangent b.
func (o *openFace[T]) reflected(inner []openState, n, b int, kind EdgeKind) openState {
	s := inner[n]
	for a := range s.u {
		if kind == edgeSticks || kind == edgeMirrors && a == o.Tangents[b] {
			s.u[a] = -s.u[a]
		}
	}
	return s
}

package beam

import (
	"lbmib/geometry"
)

// Line is a filament or beam of n nodes, made by New. One goroutine at a time uses it; lines
// share nothing.
type Line struct {
	dim     int
	dt      float64
	scheme  Scheme
	gravity geometry.Vec
	ends    [2]support

	lengths    []float64 // of segments, unstrained
	shares     []float64 // of nodes in the line's length: half of the segments on both sides
	mass, drag []float64 // of nodes
	curvature  []float64 // natural, at nodes
	longest    float64   // of lengths
	bending    *bending

	stretching, bendingStiffness, stretchingDamping, bendingDamping float64
	inextensible                                                    bool

	now, before state // at the end of the last step and of the one before it
	steps       int64

	// A step's own.
	at, from []geometry.Vec // where it is linearised; where nodes are with U′ = 0
	kept     []geometry.Vec // velocities that the mass keeps
	force    []geometry.Vec // of the line at from
	segments []segment
	inertia  []float64 // of nodes: βM + A + Δt·drag
	system   system
	rhs      []float64 // and, solved, U′
}

// state is what a step leaves: places, velocities, and the tensions that acted.
type state struct {
	x, u    []geometry.Vec
	tension []float64
}

func newState(n int) state {
	return state{make([]geometry.Vec, n), make([]geometry.Vec, n), make([]float64, n-1)}
}

func (s *state) copy(from *state) {
	copy(s.x, from.x)
	copy(s.u, from.u)
	copy(s.tension, from.tension)
}

// New makes the line at t = 0. What no line can be made of is refused.
func New(c Config) (*Line, error) {
	if err := c.check(); err != nil {
		return nil, err
	}
	n := len(c.X)
	l := &Line{
		dim: c.Dim, dt: c.Step, scheme: c.Scheme, gravity: c.Gravity,
		lengths: make([]float64, n-1), shares: make([]float64, n),
		mass: make([]float64, n), drag: make([]float64, n), curvature: make([]float64, n),
		stretching: c.Stretching, inextensible: c.Inextensible, bendingStiffness: c.Bending,
		stretchingDamping: c.StretchingDamping, bendingDamping: c.BendingDamping,
		now: newState(n), before: newState(n),
		at: make([]geometry.Vec, n), from: make([]geometry.Vec, n), kept: make([]geometry.Vec, n),
		force: make([]geometry.Vec, n), segments: make([]segment, n-1), inertia: make([]float64, n),
	}
	for j := range l.lengths {
		l.lengths[j] = c.length(j)
		l.longest = max(l.longest, l.lengths[j])
		l.shares[j] += l.lengths[j] / 2
		l.shares[j+1] += l.lengths[j] / 2
	}
	for i, share := range l.shares {
		l.mass[i], l.drag[i] = c.Mass*share, c.Drag*share
	}
	copy(l.curvature, c.Curvature)
	l.start(&c)
	l.system, l.rhs = newSystem(c.Dim, n)
	return l, nil
}

// start puts nodes and ends where they are at t = 0.
func (l *Line) start(c *Config) {
	copy(l.now.x, c.X)
	copy(l.now.u, c.U)
	if !l.inextensible { // of an inextensible line they are not known before a step
		for j, rest := range l.lengths {
			l.now.tension[j] = l.stretching * (c.X[j+1].Sub(c.X[j]).Norm()/rest - 1)
		}
	}
	l.before.copy(&l.now)
	n := len(c.X)
	l.bending = newBending(c.Bending, l.lengths, l.shares, l.curvature, [2]End{c.First, c.Last})
	for e, end := range [2]End{c.First, c.Last} {
		tangent := end.Tangent
		if tangent.Norm() == 0 {
			tangent = c.X[1].Sub(c.X[0])
			if e == 1 {
				tangent = c.X[n-1].Sub(c.X[n-2])
			}
		}
		s := &l.ends[e]
		s.kind, s.node = end.Kind, e*(n-1)
		s.place, s.tangent = c.X[s.node], tangent.Scale(1/tangent.Norm())
		s.was = s.tangent
		l.clamp(e)
	}
}

// X are the places of the nodes. The line goes on owning them.
func (l *Line) X() []geometry.Vec { return l.now.x }

// U are the velocities of the nodes. The line goes on owning them.
func (l *Line) U() []geometry.Vec { return l.now.u }

// Len is the number of nodes.
func (l *Line) Len() int { return len(l.now.x) }

// Share is the length of the line that node i stands for: half of the segments beside it.
func (l *Line) Share(i int) float64 { return l.shares[i] }

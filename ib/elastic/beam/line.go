package beam

import "lbmib/geometry"

// Line is a filament or beam of n nodes, made by New. One goroutine at a time uses it; lines
// share nothing.
type Line struct {
	material
	scheme      Scheme
	ends        [2]support
	now, before state     // at the end of the last step and of the one before it
	tension     []float64 // that acted in the last step
	steps       int64
	equations   equations
}

// material is what does not change.
type material struct {
	dim        int
	unknowns   int // of a node in a step: its velocity and, in space with bending damping, the spin of the segment behind it
	dt         float64
	gravity    geometry.Vec
	lengths    []float64 // of segments, unstrained
	shares     []float64 // of nodes in the line's length: half of the segments on both sides
	mass, drag []float64 // of nodes
	curvature  []float64 // natural, at nodes
	longest    float64   // of lengths
	bending    *bending
	markers    []Marker
	isThin     bool // all markers are at nodes and face no way

	stretching, bendingStiffness, stretchingDamping, bendingDamping float64
	inextensible                                                    bool
}

// state is where nodes are and how they move.
type state struct{ x, u []geometry.Vec }

func newState(n int) state { return state{make([]geometry.Vec, n), make([]geometry.Vec, n)} }

func (s *state) copy(from *state) {
	copy(s.x, from.x)
	copy(s.u, from.u)
}

// New makes the line at t = 0. What no line can be made of is refused.
func New(c Config) (*Line, error) {
	if err := c.check(); err != nil {
		return nil, err
	}
	n := len(c.X)
	l := &Line{material: newMaterial(&c), scheme: c.Scheme, now: newState(n), before: newState(n), tension: make([]float64, n-1)}
	copy(l.now.x, c.X)
	copy(l.now.u, c.U)
	if !l.inextensible { // of an inextensible line they are not known before a step
		for j, rest := range l.lengths {
			l.tension[j] = l.stretching * (c.X[j+1].Sub(c.X[j]).Norm()/rest - 1)
		}
	}
	for e, end := range [2]End{c.First, c.Last} {
		tangent := end.Tangent
		if segment := e * (n - 2); tangent.Norm() == 0 {
			tangent = c.X[segment+1].Sub(c.X[segment])
		}
		s := &l.ends[e]
		s.kind, s.node = end.Kind, e*(n-1)
		s.place, s.tangent = c.X[s.node], tangent.Scale(1/tangent.Norm())
		s.was = s.tangent
		l.clamp(e)
	}
	l.equations = newEquations(&l.material, &l.ends)
	return l, nil
}

// newMaterial is that of a configuration that has been checked.
func newMaterial(c *Config) material {
	n := len(c.X)
	m := material{
		dim: c.Dim, dt: c.Step, gravity: c.Gravity,
		lengths: make([]float64, n-1), shares: make([]float64, n),
		mass: make([]float64, n), drag: make([]float64, n), curvature: make([]float64, n),
		stretching: c.Stretching, inextensible: c.Inextensible, bendingStiffness: c.Bending,
		stretchingDamping: c.StretchingDamping, bendingDamping: c.BendingDamping,
	}
	if m.unknowns = c.Dim; c.Dim == 3 && c.BendingDamping > 0 {
		m.unknowns = spinning + 1
	}
	for j := range m.lengths {
		m.lengths[j] = c.length(j)
		m.longest = max(m.longest, m.lengths[j])
		m.shares[j] += m.lengths[j] / 2
		m.shares[j+1] += m.lengths[j] / 2
	}
	for i, share := range m.shares {
		m.mass[i], m.drag[i] = c.Mass*share, c.Drag*share
	}
	copy(m.curvature, c.Curvature)
	m.markers = c.Markers
	if m.markers == nil {
		m.markers = atNodes(n)
	}
	m.isThin = thickest(m.markers) == 0 && !facesAny(m.markers)
	m.bending = newBending(c.Bending, m.lengths, m.shares, m.curvature, [2]End{c.First, c.Last})
	return m
}

// clamp tells bending about an end's tangent.
func (l *Line) clamp(end int) {
	if s := &l.ends[end]; s.kind == Clamped {
		l.bending.hold(end, s.tangent, l.shares[s.node], l.curvature[s.node])
	}
}

// X are the places of the nodes. Ask again after a step: its places are others.
func (l *Line) X() []geometry.Vec { return l.now.x }

// U are the velocities of the nodes. Ask again after a step.
func (l *Line) U() []geometry.Vec { return l.now.u }

// Len is the number of nodes.
func (l *Line) Len() int { return len(l.now.x) }

// Share is the length of the line that node i stands for: half of the segments beside it.
func (l *Line) Share(i int) float64 { return l.shares[i] }

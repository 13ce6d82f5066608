package beam

import (
	"fmt"
	"math"
	"slices"

	"lbmib/geometry"
	"lbmib/internal/finite"
)

// Marker is a place where a line and the fluid act on each other: at a node, or beside it, on
// the section through it that stays straight and at right angles to the line (Bernoulli). Across is how
// far, to the left of the line where that is positive. A section turns with the segments beside its
// node, so that
//
//	x = X + y n,   v = U − y θ̇ t,   n = J t,   θ̇ = n·ΔU/|ΔX|
//
// with ΔX the difference of the neighbours' places, or of the two last nodes at an end; at
// a clamped end t and θ̇ are those of its tangent. Lines in 3D have markers at nodes alone, which face no way: without a
// frame they do not know where their sections are.
type Marker struct {
	Node   int
	Across float64
	Facing Facing
}

// Facing is the direction of the normal of a marker's surface, along which a wall that a delta smears reacts
// in full (Fluid.Share).
type Facing int

// The ways to face.
const (
	NoWay  Facing = iota // the reaction is the same in all directions
	Across               // as faces of the line do, and the line itself
	Along                // as the faces of its ends do
)

// Fluid is what surrounds a line: an element per marker.
type Fluid struct {
	Velocity []geometry.Vec // Û as it is without the line
	Reaction []float64      // a: a slip of v in it gives it the momentum a v
	Share    []float64      // of that in directions along the marker's surface; nil: all
}

// reaction is what a marker's slip is multiplied with along and across the line.
func (f *Fluid) reaction(k int, m Marker) (along, across float64) {
	along, across = f.Reaction[k], f.Reaction[k]
	if f.Share == nil {
		return along, across
	}
	switch m.Facing {
	case Across:
		along *= f.Share[k]
	case Along:
		across *= f.Share[k]
	}
	return along, across
}

// checkMarkers refuses markers of other lines.
func (c *Config) checkMarkers() error {
	for k, m := range c.Markers {
		switch {
		case m.Node < 0 || m.Node >= len(c.X):
			return fmt.Errorf("beam: marker %d is of node %d, the line has 0 to %d: give one of these", k, m.Node, len(c.X)-1)
		case !finite.Is(m.Across):
			return fmt.Errorf("beam: marker %d is %g across the line, must be finite", k, m.Across)
		case c.Dim == 3 && (m.Across != 0 || m.Facing != NoWay):
			return fmt.Errorf("beam: marker %d is %g across a line in 3D, or faces some way, which has no frame to know where that is: set 0", k, m.Across)
		case m.Facing < NoWay || m.Facing > Along:
			return fmt.Errorf("beam: marker %d faces %d, must be NoWay (%d), Across (%d) or Along (%d)", k, int(m.Facing), int(NoWay), int(Across), int(Along))
		}
	}
	return nil
}

// atNodes are a marker at every node.
func atNodes(n int) []Marker {
	m := make([]Marker, n)
	for i := range m {
		m[i].Node = i
	}
	return m
}

// section is that through a node: how it lies and turns, and what the fluid does to it.
type section struct {
	t    geometry.Vec // along the line
	back int          // θ̇ = n·(U_{back+over} − U_back) rate + known
	over int          // 0: known is all
	rate float64
	spin float64 // known

	pull   geometry.Vec // Σ a (Û − v), v being markers' velocities where U′ = U
	twist  float64      // Σ −a y t·(Û − v)
	along  [3]float64   // Σ a yᵏ, a along the line
	across float64      // Σ a across it
}

// sectionOf is how the section through node i lies where nodes are at x.
func (l *material) sectionOf(ends *[2]support, i int, x []geometry.Vec) (s section) {
	last := len(x) - 1
	e := min(i, 1) // of an end: which
	if (i == 0 || i == last) && ends[e].kind == Clamped {
		end := &ends[e]
		s.t = end.tangent
		s.spin = end.turns(l.dt)[2]
		return s
	}
	s.back = max(i-1, 0)
	s.over = min(i+1, last) - s.back
	d := x[s.back+s.over].Sub(x[s.back])
	s.rate = 1 / d.Norm()
	s.t = d.Scale(s.rate)
	return s
}

// turning is θ̇ of a section with velocities u of all nodes.
func (s *section) turning(u []geometry.Vec) float64 {
	if s.over == 0 {
		return s.spin
	}
	return s.rate * turn(s.t).Dot(u[s.back+s.over].Sub(u[s.back]))
}

// Places stores where the markers are.
func (l *Line) Places(to []geometry.Vec) { l.placesAt(to, l.now.x) }

// Predict stores where the markers will be after the next step as far as the last two tell: of
// second order in Δt. Forces of the fluid are to be found there.
func (l *Line) Predict(to []geometry.Vec) {
	expected := l.equations.from // which a step sets anew
	for i, x := range l.now.x {
		if l.steps > 0 {
			expected[i] = x.Add(x.Sub(l.before.x[i]))
		} else {
			expected[i] = x.Add(l.now.u[i].Scale(l.dt))
		}
	}
	l.placesAt(to, expected)
}

func (l *Line) placesAt(to, x []geometry.Vec) {
	if l.isThin || thickest(l.markers) == 0 {
		for k, m := range l.markers {
			to[k] = x[m.Node]
		}
		return
	}
	node, n := -1, geometry.Vec{}
	for k, m := range l.markers {
		if m.Node != node {
			node = m.Node
			s := l.sectionOf(&l.ends, node, x)
			n = turn(s.t)
		}
		to[k] = x[node].Add(n.Scale(m.Across))
	}
}

// Velocities stores those of the markers after the last step.
func (l *Line) Velocities(to []geometry.Vec) {
	if l.isThin {
		for k, m := range l.markers {
			to[k] = l.now.u[m.Node]
		}
		return
	}
	node, v := -1, geometry.Vec{}
	for k, m := range l.markers {
		if m.Node != node {
			node = m.Node
			s := l.sectionOf(&l.ends, node, l.equations.at) // where the step was made
			v = s.t.Scale(-s.turning(l.now.u))
		}
		to[k] = l.now.u[node].Add(v.Scale(m.Across))
	}
}

// feel sums, section by section, what the fluid does at the markers, with nodes at X*.
func (q *equations) feel() {
	for i := range q.sections {
		s := &q.sections[i]
		if *s = (section{}); !q.isThin {
			*s = q.sectionOf(q.ends, i, q.at)
			s.spin = s.turning(q.u)
		}
	}
	for k, m := range q.markers {
		s, y := &q.sections[m.Node], m.Across
		along, across := q.fluid.reaction(k, m)
		slip := q.fluid.Velocity[k].Sub(q.u[m.Node]).Add(s.t.Scale(y * s.spin))
		tangent := s.t.Dot(slip)
		s.pull = s.pull.Add(slip.Scale(across)).Add(s.t.Scale((along - across) * tangent))
		s.twist -= y * along * tangent
		s.along[0] += along
		s.along[1] += along * y
		s.along[2] += along * y * y
		s.across += across
	}
}

// react adds to the system what the fluid does beside pulling at nodes: Σ a (Û − v)² /2 as a function of the nodes'
// velocities, whose sections turn.
func (q *equations) react() {
	if q.isThin {
		return
	}
	for i := range q.sections {
		s := &q.sections[i]
		if more := s.along[0] - s.across; more != 0 { // than the inertia has
			for r := range 2 {
				for c := range r + 1 {
					q.system.add(2*i+r, 2*i+c, more*s.t[r]*s.t[c])
				}
			}
		}
		if s.over == 0 || s.along[1] == 0 && s.along[2] == 0 {
			continue
		}
		// v = e − y t g: the velocity of the node and the rate of turning as linear functions of
		// the six velocities of nodes back, back+1, back+2.
		var e, g [6]float64
		n := turn(s.t).Scale(s.rate)
		for c := range 2 {
			g[2*s.over+c] += n[c]
			g[c] -= n[c]
			e[2*(i-s.back)+c] = s.t[c]
		}
		first := 2 * s.back
		for r := range 2*s.over + 2 {
			q.rhs[first+r] += g[r] * s.twist
			for c := range r + 1 {
				q.system.add(first+r, first+c, s.along[2]*g[r]*g[c]-s.along[1]*(e[r]*g[c]+g[r]*e[c]))
			}
		}
	}
}

// twistedBy is the moment of the fluid at a clamped section, whose node's velocity changed by change.
func (s *section) twistedBy(change geometry.Vec, dt float64) float64 {
	return (s.twist + s.along[1]*s.t.Dot(change)) / dt
}

// give stores the force on the fluid at every marker in the step that led to now: a (v′ − Û)/Δt.
func (l *Line) give(force []geometry.Vec) {
	q := &l.equations
	l.Velocities(force)
	for k, m := range l.markers {
		along, across := q.fluid.reaction(k, m)
		slip, t := force[k].Sub(q.fluid.Velocity[k]), q.sections[m.Node].t
		force[k] = slip.Scale(across / l.dt).Add(t.Scale((along - across) / l.dt * t.Dot(slip)))
	}
}

// Normals stores the normals of the markers' surfaces where Predict expects them, 0 of those that face no way. It is
// called after Predict.
func (l *Line) Normals(to []geometry.Vec) {
	l.normalsAt(to, l.equations.from)
}

// NormalsNow are those where the line is.
func (l *Line) NormalsNow(to []geometry.Vec) { l.normalsAt(to, l.now.x) }

func (l *Line) normalsAt(to, x []geometry.Vec) {
	for k, m := range l.markers {
		switch m.Facing {
		case NoWay:
			to[k] = geometry.Vec{}
		case Across:
			to[k] = turn(l.sectionOf(&l.ends, m.Node, x).t)
			if m.Across < 0 {
				to[k] = to[k].Scale(-1)
			}
		case Along:
			to[k] = l.sectionOf(&l.ends, m.Node, x).t
			if m.Node == 0 {
				to[k] = to[k].Scale(-1)
			}
		}
	}
}

// thickest is the largest distance of a marker from the line.
func thickest(m []Marker) (y float64) {
	for _, m := range m {
		y = math.Max(y, math.Abs(m.Across))
	}
	return y
}

// facesAny tells whether some marker faces a way.
func facesAny(m []Marker) bool {
	return slices.ContainsFunc(m, func(m Marker) bool { return m.Facing != NoWay })
}

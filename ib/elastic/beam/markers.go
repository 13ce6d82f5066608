package beam

import (
	"fmt"
	"math"

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
// a clamped end t and θ̇ are those of its tangent. Lines in 3D have markers at nodes alone: without a frame they do not
// know where their sections are.
type Marker struct {
	Node   int
	Across float64
}

// checkMarkers refuses markers of other lines.
func (c *Config) checkMarkers() error {
	for k, m := range c.Markers {
		switch {
		case m.Node < 0 || m.Node >= len(c.X):
			return fmt.Errorf("beam: marker %d is of node %d, the line has 0 to %d: give one of these", k, m.Node, len(c.X)-1)
		case !finite.Is(m.Across):
			return fmt.Errorf("beam: marker %d is %g across the line, must be finite", k, m.Across)
		case c.Dim == 3 && m.Across != 0:
			return fmt.Errorf("beam: marker %d is %g across a line in 3D, which has no frame to know where that is: set 0", k, m.Across)
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

	pull  geometry.Vec // Σ a (Û − v), v being markers' velocities where U′ = U
	twist float64      // Σ −a y t·(Û − v)
	a     [3]float64   // Σ a yᵏ
}

// sectionOf is how the section through node i lies where nodes are at x.
func (l *material) sectionOf(ends *[2]support, i int, x []geometry.Vec) (s section) {
	last := len(x) - 1
	e := min(i, 1) // of an end: which
	if (i == 0 || i == last) && ends[e].kind == Clamped {
		end := &ends[e]
		s.t = end.tangent
		s.spin = turn(end.was.Add(end.tangent)).Scale(0.5).Dot(end.tangent.Sub(end.was)) / l.dt
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
	if l.isThin {
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
		s, a, y := &q.sections[m.Node], q.reaction[k], m.Across
		slip := q.velocity[k].Sub(q.u[m.Node]).Add(s.t.Scale(y * s.spin)).Scale(a)
		s.pull = s.pull.Add(slip)
		s.twist -= y * s.t.Dot(slip)
		s.a[0] += a
		s.a[1] += a * y
		s.a[2] += a * y * y
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
		if s.over == 0 || s.a[1] == 0 && s.a[2] == 0 {
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
				q.system.add(first+r, first+c, s.a[2]*g[r]*g[c]-s.a[1]*(e[r]*g[c]+g[r]*e[c]))
			}
		}
	}
}

// twistedBy is the moment of the fluid at a clamped section, whose node's velocity changed by change.
func (s *section) twistedBy(change geometry.Vec, dt float64) float64 {
	return (s.twist + s.a[1]*s.t.Dot(change)) / dt
}

// give stores the force on the fluid at every marker in the step that led to now: a (v′ − Û)/Δt.
func (l *Line) give(force []geometry.Vec) {
	q := &l.equations
	l.Velocities(force)
	for k := range force {
		force[k] = force[k].Sub(q.velocity[k]).Scale(q.reaction[k] / l.dt)
	}
}

// thickest is the largest distance of a marker from the line.
func thickest(m []Marker) (y float64) {
	for _, m := range m {
		y = math.Max(y, math.Abs(m.Across))
	}
	return y
}

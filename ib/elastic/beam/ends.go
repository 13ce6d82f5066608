package beam

import (
	"fmt"

	"lbmib/geometry"
	"lbmib/internal/finite"
)

// support is an end and what holds it.
type support struct {
	kind    EndKind
	node    int
	place   geometry.Vec // at the end of the next step
	tangent geometry.Vec // of length 1, then
	was     geometry.Vec // at the end of the last step

	velocity geometry.Vec // U′ of the node that leads to place
	rows     [3][2*reach + 1]float64
	rhs      [3]float64
	force    geometry.Vec // of the line on what holds it, in the last step
	moment   geometry.Vec
}

// Hold says where an end (0: the first, 1: the last) is at the end of the next step, and of
// all later ones: its place and, where it is clamped, its tangent from the first node towards
// the last, of any length but 0. An end that is free, and vectors that are not finite, are
// refused.
func (l *Line) Hold(end int, place, tangent geometry.Vec) error {
	s := &l.ends[end]
	name := [2]string{"first", "last"}[end]
	if s.kind == Free {
		return fmt.Errorf("beam: the %s end is free, nothing holds it: make it Hinged or Clamped", name)
	}
	if s.kind == Hinged {
		tangent = s.tangent // has no effect
	}
	length := tangent.Norm()
	if !finite.Is(place.Dot(place)) || !finite.Is(length) || length == 0 {
		return fmt.Errorf("beam: the %s end is held at %g with tangent %g, both must be finite and the tangent not 0", name, place, tangent)
	}
	if l.dim == 2 && (place[2] != 0 || tangent[2] != 0) {
		return fmt.Errorf("beam: the %s end is held at %g with tangent %g, a line in 2D stays in the plane z = 0: set both z to 0", name, place, tangent)
	}
	s.place, s.tangent = place, tangent.Scale(1/length)
	l.clamp(end)
	return nil
}

// clamp tells bending about an end's tangent.
func (l *Line) clamp(end int) {
	if s := &l.ends[end]; s.kind == Clamped {
		l.bending.hold(end, s.tangent, l.shares[s.node], l.curvature[s.node])
	}
}

// Support is what the line did to what holds an end (0: the first, 1: the last) in the last
// step: the force, with the inertia of the node's share and what the fluid gave there, and the
// moment about the node. A free end has none of the two, a hinged one no moment.
func (l *Line) Support(end int) (force, moment geometry.Vec) {
	return l.ends[end].force, l.ends[end].moment
}

// holdEnds makes held ends known in the system of equations.
func (l *Line) holdEnds(step float64) {
	for e := range l.ends {
		s := &l.ends[e]
		if s.kind == Free {
			continue
		}
		first := s.node * l.dim
		s.velocity = s.place.Sub(l.from[s.node]).Scale(1 / step)
		for a := range l.dim {
			s.rows[a], s.rhs[a] = l.system.row(first+a), l.rhs[first+a]
		}
	}
	for e := range l.ends { // both rows are kept before either changes: of 3 nodes they meet
		if s := &l.ends[e]; s.kind != Free {
			for a := range l.dim {
				l.system.hold(s.node*l.dim+a, s.velocity[a], l.rhs)
			}
		}
	}
}

// support finds what the line did to what holds an end, after a step.
func (l *Line) support(end int) {
	s := &l.ends[end]
	if s.kind == Free {
		return
	}
	for a := range l.dim {
		r, sum := s.node*l.dim+a, 0.
		for k, v := range s.rows[a] {
			if v != 0 {
				sum += v * l.rhs[r+k-reach]
			}
		}
		s.force[a] = (s.rhs[a] - sum) / l.dt
	}
	if s.kind == Clamped {
		bent := l.bending.vector(s.node, l.now.x).Scale(l.bendingStiffness)
		s.moment = s.tangent.Cross(bent)
		if end == 1 {
			s.moment = s.moment.Scale(-1)
		}
		s.moment[2] += l.dampedMoment(end)
	}
	s.was = s.tangent
}

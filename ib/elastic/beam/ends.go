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
	tangent geometry.Vec // then, of length 1
	was     geometry.Vec // the tangent at the end of the last step
	about   float64      // how fast what holds it turns about the tangent

	change geometry.Vec // U′ − U of the node, which leads to place
	rows   [3][2*reach + 1]float64
	rhs    [3]float64
	force  geometry.Vec // of the line on what holds it, in the last step
	moment geometry.Vec

	carrier
}

var endNames = [2]string{"first", "last"}

// Hold says where an end (0: the first, 1: the last) is at the end of the next step, and of
// all later ones: its place and, where it is clamped, its tangent from the first node towards
// the last, of any length but 0. An end that is free, and vectors that are not finite, are
// refused.
func (l *Line) Hold(end int, place, tangent geometry.Vec) error {
	s := &l.ends[end]
	name := endNames[end]
	if s.kind == Free {
		return fmt.Errorf("beam: the %s end is free, nothing holds it: make it Hinged or Clamped", name)
	}
	if s.kind == Hinged {
		tangent = s.tangent // has no effect
	}
	length := tangent.Norm()
	if !finite.Is(place.Norm()) || !finite.Is(length) || length == 0 {
		return fmt.Errorf("beam: the %s end is held at %g with tangent %g, both must be finite and the tangent not 0", name, place, tangent)
	}
	if l.dim == 2 && (place[2] != 0 || tangent[2] != 0) {
		return fmt.Errorf("beam: the %s end is held at %g with tangent %g, a line in 2D stays in the plane z = 0: set both z to 0", name, place, tangent)
	}
	s.place, s.tangent, s.carried, s.about = place, tangent.Scale(1/length), false, 0
	l.clamp(end)
	return nil
}

// Spin says, after Hold, with which spin what clamps an end turns: of that the part about the tangent, which places and tangents do not tell,
// matters to bending damping in 3D. Hold sets it to 0.
func (l *Line) Spin(end int, spin geometry.Vec) {
	s := &l.ends[end]
	s.about = s.tangent.Dot(spin)
}

// Support is what the line did to what holds an end (0: the first, 1: the last) in the last
// step: the force, with the inertia of the node's share and what the fluid gave there, and the
// moment about the node. A free end has neither, a hinged one no moment.
func (l *Line) Support(end int) (force, moment geometry.Vec) {
	return l.ends[end].force, l.ends[end].moment
}

// holdEnds makes the velocities of held ends known. Their equations are kept: they tell the forces that hold
// them.
func (q *equations) holdEnds() {
	for e := range q.ends {
		if s := &q.ends[e]; s.kind != Free {
			s.change = s.place.Sub(q.from[s.node]).Scale(1 / q.tau)
			for a := range q.dim {
				r := s.node*q.unknowns + a
				s.rows[a], s.rhs[a] = q.system.row(r), q.rhs[r]
			}
		}
	}
	for e := range q.ends { // only now: rows of the two meet in lines of 3 nodes
		if s := &q.ends[e]; s.kind != Free {
			for a := range q.dim {
				q.system.hold(s.node*q.unknowns+a, s.change[a], q.rhs)
			}
		}
	}
}

// feel finds what the line did to what holds it in the step that was solved.
func (s *support) feel(q *equations) {
	if s.kind == Free {
		return
	}
	impulse, moment := s.pull(q)
	s.force, s.moment = impulse.Scale(1/q.dt), moment
	s.was = s.tangent
}

// pull is what the line gives to what holds it in the step that was solved: momentum, and the moment about the node.
func (s *support) pull(q *equations) (impulse, moment geometry.Vec) {
	for a := range q.dim {
		impulse[a] = s.rhs[a] - dotRow(&s.rows[a], q.rhs, s.node*q.unknowns+a)
	}
	if s.kind == Clamped {
		x, u := q.atEnd(s.node)
		tangent := s.tangent
		if s.carried {
			tangent = s.along
		}
		bent := q.bending.vectorAtEnd(s.node, x).Scale(q.bendingStiffness)
		moment = tangent.Cross(bent) // t × −∂E/∂t
		if s.node > 0 {
			moment = moment.Scale(-1)
		}
		moment[2] -= q.shares[s.node] * q.curvature[s.node] * tangent.Dot(bent)
		if q.bendingDamping > 0 {
			r := q.turning(s.node)
			moment = moment.Add(q.dampedMoment(s.node, q.ratesAt(&r, u)))
		}
		moment[2] += q.sections[s.node].twistedBy(s.change, q.dt)
	}
	return impulse, moment
}

// dotRow is row r of a matrix, its diagonal in the middle, times a vector.
func dotRow(row *[2*reach + 1]float64, v []float64, r int) (sum float64) {
	for k, m := range row {
		if m != 0 {
			sum += m * v[r+k-reach]
		}
	}
	return sum
}

// atEnd are the places and velocities that the step leads to, of the two nodes at the end where a node is, in the line's order.
func (q *equations) atEnd(node int) (x, u [2]geometry.Vec) {
	first := max(node-1, 0)
	for k := range x {
		i := first + k
		for a, v := range q.of(i) {
			x[k][a] = q.from[i][a] + q.tau*v
			u[k][a] = q.u[i][a] + v
		}
	}
	return x, u
}

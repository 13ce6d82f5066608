package rigid

import (
	"lbmib/geometry"
)

// accelerated is by how many nodes per step a freely moving body's velocity may change in a
// step: half the speed of sound.
const accelerated = 0.25

// IsClear tells whether the bodies' next step, to time t, cannot fail: for a schedule in
// which the fluid makes its step at the same time, which cannot be taken back. It costs
// next to nothing and errs on the safe side. fits tells whether a body may move by so many
// nodes along an axis.
func (s *System) IsClear(t float64, fits func(b *Body, axis int, by float64) bool) bool {
	farthest, due := 0., false
	for i, b := range s.Bodies {
		s.before[i].reach = b.lookahead(t)
		far := s.before[i].reach
		if !(far < 1) { // nor does it where that is not a number
			return false
		}
		if !b.Moving() {
			continue
		}
		for a := range s.domain.Dim {
			if !fits(b, a, far) {
				return false
			}
		}
		farthest = max(farthest, far)
		due = due || b.sinceCheck()+far > checkAfter
	}
	if s.closest-2*farthest <= -deepest {
		return false
	}
	return !due || s.staysApart()
}

// lookahead bounds how far a place of a body can move in the step to time t.
func (b *Body) lookahead(t float64) float64 {
	radius := b.reach()
	switch {
	case b.Structure != nil:
		return fastest(b.Structure) + accelerated
	case b.Motion != nil:
		to, turn := b.Motion.At(t), 0.
		for a, row := range to.Rotation {
			d := geometry.Vec(row).Sub(geometry.Vec(b.state.Rotation[a]))
			turn = max(turn, d.Norm())
		}
		return to.Position.Sub(b.state.Position).Norm() + 2*turn*radius // |ΔR| ≤ √3 of its largest row
	case b.Free != nil:
		speed := b.state.Velocity.Norm() + b.state.Spin.Norm()*radius
		if t >= b.Free.Release && t-1 < b.Free.Release {
			speed = max(speed, b.Free.Velocity.Norm()+b.Free.Spin.Norm()*radius)
		}
		return speed + accelerated
	}
	return 0
}

// staysApart tells whether no two bodies can come to cut each other in a step.
func (s *System) staysApart() bool {
	farthest := 0.
	for i := range s.Bodies {
		farthest = max(farthest, s.before[i].reach)
	}
	s.neighbours.Find(s.Bodies, 2*farthest)
	for i, b := range s.Bodies {
		for _, j := range s.neighbours.Of(i) {
			o := s.Bodies[j]
			if o.Shape.Open() || o.Structure != nil || joined(b, o) { // which nothing reaches into, or may
				continue
			}
			if (b.Moving() || o.Moving()) && s.couldReachInto(b, o, s.before[i].reach+s.before[j].reach) {
				return false
			}
		}
	}
	return true
}

// couldReachInto tells whether a marker of body b is within a distance of the ball around body o.
func (s *System) couldReachInto(b, o *Body, distance float64) bool {
	if !s.near(b, o, distance) {
		return false
	}
	center, reach := o.Here().Position, o.reach()+distance
	for _, x := range b.Markers.X {
		if s.image(x, center).Sub(center).Norm() <= reach {
			return true
		}
	}
	return false
}

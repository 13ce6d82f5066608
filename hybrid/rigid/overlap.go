package rigid

import (
	"fmt"
	"math"

	"lbmib/geometry"
)

// checkOverlaps checks that no two bodies have come to overlap, whenever one has moved by
// half a node since the last check.
func (s *System) checkOverlaps(t float64) error {
	moved := false
	for _, b := range s.Bodies {
		if !b.Moving() {
			continue
		}
		if b.sinceCheck() > checkAfter {
			b.check()
			moved = true
		}
	}
	if !moved {
		return nil
	}
	if err := s.apart(); err != nil {
		return &MotionError{Step: int64(t), Msg: err.Error()}
	}
	return nil
}

// checkAfter is by how many nodes a body moves between two checks of overlaps.
const checkAfter = 0.5

// tips are two places at the body's farthest from the centre, at right angles: whatever axis
// the body turns about, one of them moves at least 0.7 times as far as any place of the body.
func (b *Body) tips() [2]geometry.Vec {
	r := b.reach()
	return [2]geometry.Vec{b.state.ToSpace(geometry.Vec{r}), b.state.ToSpace(geometry.Vec{0, r})}
}

// check keeps where the body is checked.
func (b *Body) check() {
	if b.Structure != nil {
		b.seen = append(b.seen[:0], b.Markers.X...)
		return
	}
	b.checked = b.tips()
}

// sinceCheck is how far the tips, or markers of a structure, have moved since the last check of overlaps, in nodes.
func (b *Body) sinceCheck() (far float64) {
	if b.Structure != nil {
		if len(b.seen) == 0 {
			return math.Inf(1)
		}
		for k, x := range b.seen {
			far = max(far, b.Markers.X[k].Sub(x).Norm())
		}
		return far
	}
	now := b.tips()
	return max(now[0].Sub(b.checked[0]).Norm(), now[1].Sub(b.checked[1]).Norm())
}

// mostAround is how many bodies a body may lie inside of: checks of bodies that nest are
// checks of pairs.
const mostAround = 100

// apart refuses bodies that cut each other. One inside another is welcome.
func (s *System) apart() error {
	s.neighbours.Find(s.Bodies, 0)
	for i, b := range s.Bodies {
		around := 0
		for _, j := range s.neighbours.Of(i) {
			o := s.Bodies[j]
			if o.Shape.Open() || joined(b, o) || !s.near(b, o, 0) {
				continue
			}
			inside, cut := s.inside(b, o)
			if cut {
				return fmt.Errorf("body %q reaches into body %q: move them apart or make them smaller", b.Name, o.Name)
			}
			if inside {
				o.holds = true
				around++
			}
			if around > mostAround {
				return fmt.Errorf("body %q lies inside more than %d others, %q among them: nest no more than %d bodies", b.Name, mostAround, o.Name, mostAround)
			}
		}
	}
	return nil
}

// inside tells whether body b lies inside body o, and whether their surfaces cut each other.
func (s *System) inside(b, o *Body) (inside, cut bool) {
	center := o.Here().Position
	within := func(x geometry.Vec) bool { return o.contains(s.image(x, center)) }
	inside = within(b.Markers.X[0])
	apart := s.image(b.Here().Position, center).Sub(center).Norm()
	if apart+b.reach() < o.hollowRadius() || apart+o.reach() < b.hollowRadius() {
		return inside, false // one is where the other's surface is nowhere near
	}
	for _, x := range b.Markers.X[1:] {
		if within(x) != inside {
			return false, true
		}
	}
	return inside, false
}

// image is the copy of a point across periodic faces that is nearest to another.
func (s *System) image(x, to geometry.Vec) geometry.Vec {
	for a := range s.domain.Dim {
		if n := float64(s.domain.Size[a]); s.domain.Periodic[a] {
			for x[a]-to[a] > n/2 {
				x[a] -= n
			}
			for x[a]-to[a] < -n/2 {
				x[a] += n
			}
		}
	}
	return x
}

// near tells whether two bodies could be within a distance of each other, by the
// spheres around them.
func (s *System) near(b, o *Body, distance float64) bool {
	x := s.image(b.Here().Position, o.Here().Position)
	return x.Sub(o.Here().Position).Norm() <= b.reach()+o.reach()+distance
}

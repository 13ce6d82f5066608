package beam

import (
	"fmt"
	"slices"

	"lbmib/geometry"
	"lbmib/internal/finite"
)

// Saved is all that a line's further steps depend on beside its Config and what acts on it.
type Saved struct {
	Steps                  int64
	X, U, XBefore, UBefore []geometry.Vec
	Tension                []float64
	Ends                   [2]SavedEnd
}

// SavedEnd is where an end is held, and its tangent of the last step.
type SavedEnd struct{ Place, Tangent, Was geometry.Vec }

// Save is a copy of the line's state.
func (l *Line) Save() Saved {
	now, before := newState(l.Len()), newState(l.Len())
	now.copy(&l.now)
	before.copy(&l.before)
	s := Saved{l.steps, now.x, now.u, before.x, before.u, slices.Clone(l.tension), [2]SavedEnd{}}
	for e := range l.ends {
		s.Ends[e] = SavedEnd{l.ends[e].place, l.ends[e].tangent, l.ends[e].was}
	}
	return s
}

// Restore makes a line of the same Config go on from where it was saved, bit for bit. What
// Support tells comes back with the next step. A state of another number of nodes, or with
// numbers that are not finite, is refused.
func (l *Line) Restore(s Saved) error {
	n := l.Len()
	for _, v := range [4][]geometry.Vec{s.X, s.U, s.XBefore, s.UBefore} {
		if len(v) != n {
			return fmt.Errorf("beam: a saved line of %d nodes does not fit one of %d: restore it with the case that saved it", len(v), n)
		}
		for i, x := range v {
			if !finite.Is(x.Norm()) {
				return fmt.Errorf("beam: node %d of a saved line has %g, must be finite: take an earlier one", i, x)
			}
		}
	}
	if len(s.Tension) != n-1 {
		return fmt.Errorf("beam: a saved line of %d segments does not fit one of %d: restore it with the case that saved it", len(s.Tension), n-1)
	}
	for j, tension := range s.Tension {
		if !finite.Is(tension) {
			return fmt.Errorf("beam: segment %d of a saved line has tension %g, must be finite: take an earlier one", j, tension)
		}
	}
	l.steps = s.Steps
	l.now.copy(&state{s.X, s.U})
	l.before.copy(&state{s.XBefore, s.UBefore})
	copy(l.tension, s.Tension)
	for e, end := range s.Ends {
		l.ends[e].place, l.ends[e].tangent, l.ends[e].was = end.Place, end.Tangent, end.Was
		l.clamp(e)
	}
	return nil
}

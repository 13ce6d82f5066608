package plate

import (
	"fmt"
	"slices"

	"lbmib/geometry"
	"lbmib/internal/finite"
)

// Saved is all that a sheet's further steps depend on beside its Config and what acts on it.
type Saved struct {
	Steps                  int64
	X, U, XBefore, UBefore []geometry.Vec
	Tension, Shear         []float64 // of edges and cells
}

// Save is a copy of the sheet's state.
func (s *Sheet) Save() Saved {
	return Saved{s.steps, slices.Clone(s.now.x), slices.Clone(s.now.u), slices.Clone(s.before.x), slices.Clone(s.before.u),
		slices.Clone(s.stress.tension), slices.Clone(s.stress.shear)}
}

// NewSaved has room for the state of a sheet like this one.
func (s *Sheet) NewSaved() Saved {
	n := s.Len()
	a, b := newState(n), newState(n)
	return Saved{0, a.x, a.u, b.x, b.u, make([]float64, len(s.edges)), make([]float64, s.cells())}
}

// Restore makes a sheet of the same Config go on from where it was saved, bit for bit. What
// Support tells comes back with the next step. A state of another number of nodes, or with
// numbers that are not finite, is refused.
func (s *Sheet) Restore(from Saved) error {
	n := s.Len()
	for _, v := range [4][]geometry.Vec{from.X, from.U, from.XBefore, from.UBefore} {
		if len(v) != n {
			return fmt.Errorf("plate: a saved sheet of %d nodes does not fit one of %d: restore it with the case that saved it", len(v), n)
		}
		for k, x := range v {
			if !finite.Is(x.Norm()) {
				return fmt.Errorf("plate: node %d of a saved sheet has %g, must be finite: take an earlier one", k, x)
			}
		}
	}
	if len(from.Tension) != len(s.edges) || len(from.Shear) != s.cells() {
		return fmt.Errorf("plate: a saved sheet of %d edges and %d cells does not fit one of %d and %d: restore it with the case that saved it", len(from.Tension), len(from.Shear), len(s.edges), s.cells())
	}
	for _, v := range [2][]float64{from.Tension, from.Shear} {
		for k, stress := range v {
			if !finite.Is(stress) {
				return fmt.Errorf("plate: a saved sheet has stress %g at %d, must be finite: take an earlier one", stress, k)
			}
		}
	}
	s.steps = from.Steps
	s.now.copy(&state{from.X, from.U})
	s.before.copy(&state{from.XBefore, from.UBefore})
	copy(s.stress.tension, from.Tension)
	copy(s.stress.shear, from.Shear)
	return nil
}

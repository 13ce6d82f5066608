package hybrid

import (
	"errors"
	"fmt"

	"lbmib/lbm"
)

// Shift moves the domain by so many nodes along an axis, forward or back, with all that is in it: see lbm.Shift. All bodies are rigid and move freely, and
// none is held by a spring along the axis. Steps are those of the serial schedule. The error is that a body would leave the domain, ahead or behind: then all is as it was.
func (s *Simulation[T]) Shift(axis, by int, velocity func(p [3]float64) [3]float64) error {
	fluid, ok := s.fluid.(interface {
		lbm.Fluid[T]
		lbm.Exchanger[T]
	})
	if !ok || s.coupling == nil || s.coupling.cells != nil || s.partial != nil || s.schedule.name() != "serial" {
		return errors.New("hybrid: this simulation cannot be shifted")
	}
	held := s.Held()
	s.coupling.system.Shift(axis, -float64(by))
	if err := s.coupling.follow(); err != nil {
		s.coupling.system.Shift(axis, float64(by))
		if err := s.coupling.follow(); err != nil { // they were there before
			panic(fmt.Sprintf("hybrid: bodies cannot go back to where they were: %v", err))
		}
		if err := s.SetHeld(held); err != nil {
			panic(fmt.Sprintf("hybrid: %v", err))
		}
		return err
	}
	lbm.Shift(fluid, axis, by, velocity)
	return s.SetHeld(held)
}

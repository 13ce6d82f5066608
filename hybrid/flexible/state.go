package flexible

import (
	"fmt"

	"lbmib/geometry"
)

// State is what a checkpoint holds of all cells: whether they have started, the positions of all points, and of those
// that move with the fluid their velocities after the last two steps. Sample sites are among the positions, though
// data sites tell where they are, so that a coupling finds its support nodes without working on membranes.
func (s *System) State() []float64 {
	state := make([]float64, 1, s.stateLen())
	if s.started {
		state[0] = 1
	}
	for _, c := range s.Cells {
		for _, part := range [][]geometry.Vec{c.x, c.u, c.past} {
			for _, v := range part {
				state = append(state, v[:]...)
			}
		}
	}
	return state
}

func (s *System) stateLen() int {
	n := 1
	for _, c := range s.Cells {
		n += 3 * (len(c.x) + len(c.u) + len(c.past))
	}
	return n
}

// SetState restores what State returned for the same cells.
func (s *System) SetState(state []float64) error {
	if len(state) != s.stateLen() {
		return fmt.Errorf("the state of other elastic bodies: %d values, those here have %d: resume with the case that wrote it", len(state), s.stateLen())
	}
	s.started = state[0] != 0
	state = state[1:]
	for _, c := range s.Cells {
		for _, part := range [][]geometry.Vec{c.x, c.u, c.past} {
			for k := range part {
				copy(part[k][:], state)
				state = state[3:]
			}
		}
	}
	return nil
}

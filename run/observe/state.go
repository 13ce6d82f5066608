// Package observe reads the state at hand of a run: snapshots of density and velocity, the fields of
// regions with their derivatives, points and lines, means over time, noise of the grid, and the
// velocity that the flow outside has at walls.
package observe

import (
	"lbmib/hybrid"
	"lbmib/internal/parallel"
	"lbmib/lbm"
	"lbmib/run/rundir"
	"lbmib/run/setup"
)

// State is the state at hand of a run: what its outputs are made of.
type State[T lbm.Float] struct {
	*setup.Problem
	Sim  *hybrid.Simulation[T]
	Pool *parallel.Pool
	Dir  rundir.Dir
	Step int64 // done
}

// Time is the time of the state at hand, in L/U.
func (r *State[T]) Time() float64 { return float64(r.Step) * r.Units.Dt }

// Moment is when a state was: the run itself goes on while it is written.
type Moment struct {
	Step int64
	Time float64 // L/U
}

// Now is that of the state at hand.
func (r *State[T]) Now() Moment { return Moment{r.Step, r.Time()} }

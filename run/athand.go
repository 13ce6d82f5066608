package run

import (
	"lbmib/hybrid"
	"lbmib/internal/parallel"
	"lbmib/lbm"
	"lbmib/run/rundir"
	"lbmib/run/setup"
)

// state is the state at hand of a run: what its outputs are made of.
type state[T lbm.Float] struct {
	*setup.Problem
	sim   *hybrid.Simulation[T]
	pool  *parallel.Pool
	dir   rundir.Dir
	steps int64 // done
}

// time is the time of the state at hand, in L/U.
func (r *state[T]) time() float64 { return float64(r.steps) * r.Units.Dt }

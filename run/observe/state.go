// Package observe holds the outputs of a run, a file each behind one Observer: forces, bodies,
// probes, lines, means and fields, the tests that end a run, and the health of its states. Each
// file registers its own. It also reads the state at hand for them: snapshots of density and
// velocity, the fields of regions with their derivatives, points and lines, noise of the grid, and
// the velocity that the flow outside has at walls.
package observe

import (
	"lbmib/hybrid"
	"lbmib/internal/parallel"
	"lbmib/lbm"
	"lbmib/run/backend"
	"lbmib/run/rundir"
	"lbmib/run/setup"
)

// State is the state at hand of a run: what its outputs are made of.
type State[T lbm.Float] struct {
	*fields                // of Problem
	Problem *setup.Problem // and its methods
	Sim     *hybrid.Simulation[T]
	Pool    *parallel.Pool
	Dir     rundir.Dir
	Step    int64 // done
}

// fields are those of a problem without its hundred methods: for each output, which embeds the state, the compiler would make
// all of them anew, in both precisions and in every package with outputs.
type fields setup.Problem

// NewState is the state of a problem before the first step, without what computes it.
func NewState[T lbm.Float](p *setup.Problem) State[T] {
	return State[T]{fields: (*fields)(p), Problem: p}
}

// Time is the time of the state at hand, in L/U.
func (r *State[T]) Time() float64 { return r.Units.TimeAt(r.Step) }

// Moment is when a state was: the run itself goes on while it is written.
type Moment struct {
	Step int64
	Time float64 // L/U
}

// Lost is the error of a device that has failed, nil where none has. What has been read since is
// not to be kept; to be asked for after reading, which waits for the device.
func (r *State[T]) Lost() error {
	if err := r.Sim.Err(); backend.IsFault(err) {
		return err
	}
	return nil
}

// Now is that of the state at hand.
func (r *State[T]) Now() Moment { return Moment{r.Step, r.Time()} }

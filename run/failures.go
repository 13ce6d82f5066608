package run

import (
	"errors"
	"fmt"
	"math"

	"lbmib/lbm"
	"lbmib/run/backend"
	"lbmib/run/check"
	"lbmib/run/exit"
	"lbmib/run/observe"
)

// failures are the errors that end a run, in words: what happened, where, and what to change.
type failures[T lbm.Float] struct {
	*observe.State[T]
	*ending
	resume string // the command that continues the run
}

// of is the error that ends the run for one of its parts.
func (f *failures[T]) of(err error) error {
	var marked *exit.Error
	var step *observe.StepError
	var ill *observe.Unhealthy
	switch {
	case err == nil, errors.As(err, &marked):
		return err
	case errors.As(err, &ill):
		return f.diverged(ill.At, worstNode(f.State, ill.Health))
	case backend.IsFault(err):
		return f.deviceFailed(err)
	case errors.As(err, &step):
		return f.forceDiverged(step.Err)
	}
	return exit.AsInputOutput(err)
}

// deviceFailed is the error of a device that fails in the middle of the run.
func (f *failures[T]) deviceFailed(err error) error {
	f.reason = err.Error()
	return exit.InputOutputf("%s: the device failed by step %d (t = %.4g L/U): %w\nwhat had been written stays; to continue from the last checkpoint, if there is one: %s", f.Case.File, f.Step, f.Time(), err, f.resume)
}

// forceDiverged is the error of a force on a marker that is not finite.
func (r *failures[T]) forceDiverged(marker error) error {
	what := marker.Error()
	if h := r.Sim.Fluid.Health(); !h.OK {
		what += "; " + worstNode(r.State, h)
	}
	return r.diverged(r.Now(), what)
}

// worstNode says where the flow is worst, and how.
func worstNode[T lbm.Float](r *observe.State[T], h lbm.Health) string {
	at := r.Place(r.Problem.CellCentre(h.Worst))
	return fmt.Sprintf("at node %v, x = %.4g, y = %.4g, z = %.4g L, density is %.3g and speed %.3g of the lattice (sound: %.3g)",
		h.Worst, at[0], at[1], at[2], h.Rho, h.Speed, 1/math.Sqrt(3))
}

// diverged is the error of a flow that has: where, the likely cause, what to change.
func (r *failures[T]) diverged(at observe.Moment, where string) error {
	r.reason = "the flow diverged " + where
	return exit.As(exit.Diverged, fmt.Errorf("%s: the flow diverged by step %d (t = %.4g L/U): %s.\nlikely cause: %s\n%s\n%s",
		r.Case.File, at.Step, at.Time, where, likelyCause(r.State), check.Advice(r.Case, true), whatIsLeft(r.State)))
}

// likelyCause names what is known to make such a case unstable.
func likelyCause[T lbm.Float](r *observe.State[T]) string {
	u, tau, grid := r.Units, r.Case.WallTau(), r.Case.GridReynolds()
	switch {
	case tau < 0.51 && r.Case.Fluid.Collision == "bgk":
		return fmt.Sprintf("τ = %.5g is close to 1/2 and bgk is little damped there (grid Reynolds number %.3g)", tau, grid)
	case grid > 10:
		return fmt.Sprintf("the grid is coarse for this Reynolds number: U Δx/ν = %.3g", grid)
	case u.Mach > 0.2:
		return fmt.Sprintf("Ma = %.3g leaves little room below the speed of sound; flow around a body is up to twice as fast as U", u.Mach)
	}
	return "boundary conditions that contradict each other or pump energy into the flow (a net inflow without an outlet, say)"
}

// whatIsLeft says where the last good state is.
func whatIsLeft[T lbm.Float](r *observe.State[T]) string {
	if kept := r.Dir.Matching("checkpoint/*.ckpt"); len(kept) > 0 {
		return "the last good checkpoint is kept: " + kept[len(kept)-1]
	}
	return "no checkpoint had been written yet: to look at what went before, lower output.checkpoint.every or output.fields.every"
}

package run

import (
	"fmt"
	"math"

	"lbmib/io/casefile"
	"lbmib/io/statistics"
	"lbmib/lbm"
	"lbmib/run/check"
	"lbmib/run/exit"
	"lbmib/run/observe"
)

// watch decides when to look at every node.
type watch struct {
	health int64   // steps between looks
	steady int64   // steps between tests for a steady state; 0: none
	drag   int64   // steps between looks at what the mean drag is known to; 0: none
	before any     // velocity before the step that is tested for steadiness
	after  any     // and after it
	since  any     // and at the test before; nil: there was none
	rate   float64 // |∂u/∂t|, U²/L, at the last test; NaN: there was none
}

// healthLeast is the least number of steps between looks at all nodes: a look
// costs about as much as a step.
const healthLeast = 100

func newWatch(c *casefile.Case) *watch {
	w := &watch{rate: math.NaN(), health: max(healthLeast, c.StepsOf(c.Output.Forces.Every))}
	if c.Run.StopSteady > 0 {
		w.steady = c.StepsOf(1)
	}
	if c.Run.StopCd > 0 {
		w.drag = c.StepsOf(dragLook)
	}
	return w
}

// dragLook is the time, in L/U, between looks at the mean drag.
const dragLook = 2

func (w *watch) healthDue(step int64) bool { return step%w.health == 0 }
func (w *watch) steadyDue(step int64) bool { return w.steady > 0 && step%w.steady == 0 }
func (w *watch) dragDue(step int64) bool   { return w.drag > 0 && step%w.drag == 0 }

// isDragKnown tells whether the confidence interval of the mean drag is as narrow
// as the case asks for.
func (r *run[T]) isDragKnown() bool {
	i := statistics.MeanDrag(r.records.drag)
	return i.HalfWidth <= r.Case.Run.StopCd*math.Abs(i.Mean)
}

// forceDiverged is the error of a force on a marker that is not finite.
func (r *run[T]) forceDiverged(marker error) error {
	what := marker.Error()
	if h := r.Sim.Fluid.Health(); !h.OK {
		what += "; " + worstNode(&r.State, h)
	}
	return r.diverged(r.Now(), what)
}

// worstNode says where the flow is worst, and how.
func worstNode[T lbm.Float](r *observe.State[T], h lbm.Health) string {
	at := r.Place([3]float64{float64(h.Worst[0]), float64(h.Worst[1]), float64(h.Worst[2])})
	return fmt.Sprintf("at node %v, x = %.4g, y = %.4g, z = %.4g L, density is %.3g and speed %.3g of the lattice (sound: %.3g)",
		h.Worst, at[0], at[1], at[2], h.Rho, h.Speed, 1/math.Sqrt(3))
}

// diverged is the error of a flow that has: where, the likely cause, what to change.
func (r *run[T]) diverged(at observe.Moment, where string) error {
	r.reason = "the flow diverged " + where
	return exit.As(exit.Diverged, fmt.Errorf("%s: the flow diverged by step %d (t = %.4g L/U): %s.\nlikely cause: %s\n%s\n%s",
		r.Case.File, at.Step, at.Time, where, likelyCause(&r.State), check.Advice(r.Case, true), whatIsLeft(&r.State)))
}

// likelyCause names what is known to make such a case unstable.
func likelyCause[T lbm.Float](r *observe.State[T]) string {
	u := r.Units
	switch {
	case u.Tau < 0.51 && r.Case.Fluid.Collision == "bgk":
		return fmt.Sprintf("τ = %.5g is close to 1/2 and bgk is little damped there (grid Reynolds number %.3g)", u.Tau, u.GridReynolds)
	case u.GridReynolds > 10:
		return fmt.Sprintf("the grid is coarse for this Reynolds number: U Δx/ν = %.3g", u.GridReynolds)
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

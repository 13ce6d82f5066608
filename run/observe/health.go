package observe

import (
	"fmt"
	"math"

	"lbmib/lbm"
)

// healthLeast is the least number of steps between looks at all nodes: a look
// costs about as much as a step.
const healthLeast = 100

// Health looks at all nodes: where it is time to, and before anything is written of a whole state.
// What it finds may come later than the state. Until then nothing is written of it: neither a file
// nor a checkpoint that replaces another.
type Health[T lbm.Float] struct {
	*State[T]
	Extremes Extremes // over the looks that are due by the case

	every  int64        // steps between looks
	before []Observer   // of sound states
	check  *HealthCheck // of the last state checked; nil: it has been passed
}

func newHealth[T lbm.Float](s *State[T]) *Health[T] {
	return &Health[T]{State: s, every: max(healthLeast, s.Case.StepsOf(s.Case.Output.Every("forces")))}
}

// HealthCheck is the health of the state of a moment.
type HealthCheck struct {
	at     Moment
	health lbm.Pending[lbm.Health]
}

// Unhealthy is the error of a state in which the flow has diverged.
type Unhealthy struct {
	At     Moment
	Health lbm.Health
}

func (e *Unhealthy) Error() string { return fmt.Sprintf("the flow diverged by step %d", e.At.Step) }

// Healthy waits for the health; nil is a check that has been passed.
func (c *HealthCheck) Healthy() error {
	if c == nil {
		return nil
	}
	h, err := c.health.Wait()
	if err == nil && !h.OK {
		err = &Unhealthy{c.at, h}
	}
	return err
}

// Due is where a look is due by the case, at the end, and where something is kept of the state.
func (h *Health[T]) Due(step int64) bool {
	if h.dueByCase(step) || step == h.Problem.Steps || h.Dir.CheckpointDue(step) {
		return true
	}
	for _, o := range h.before {
		if o.Due(step) {
			return true
		}
	}
	return false
}

func (h *Health[T]) dueByCase(step int64) bool { return step%h.every == 0 }

// Observe has the health of the state at hand found, after that of the state before has been
// looked at.
func (h *Health[T]) Observe() error {
	if err := h.End(true); err != nil {
		return err
	}
	h.check = &HealthCheck{h.Now(), h.Sim.PendingHealth()}
	if err := h.Lost(); err != nil {
		return err
	}
	return h.End(false)
}

// At is the check of the state of a moment; nil: it has been passed.
func (h *Health[T]) At(m Moment) *HealthCheck {
	if h.check == nil || h.check.at != m {
		return nil
	}
	return h.check
}

// End looks at the health of the last state checked, if it is known or to be waited for.
func (h *Health[T]) End(wait bool) error {
	c := h.check
	if c == nil || !wait && !c.health.Ready() {
		return nil
	}
	h.check = nil
	if err := c.Healthy(); err != nil {
		return err
	}
	found, _ := c.health.Wait() // which did not fail
	h.Keep(c.at.Step, found)
	return nil
}

// Check looks at all nodes now.
func (h *Health[T]) Check() error {
	found := h.Sim.Fluid.Health()
	if err := h.Lost(); err != nil {
		return err
	}
	if !found.OK {
		return &Unhealthy{h.Now(), found}
	}
	h.Keep(h.Step, found)
	return nil
}

// Keep takes in a look at the state of a step, if it was due there by the case.
func (h *Health[T]) Keep(step int64, found lbm.Health) {
	if h.dueByCase(step) {
		h.Extremes.Take(found)
	}
}

// Save keeps the extremes.
func (h *Health[T]) Save(to *Saved) error {
	to.Extremes = h.Extremes
	return nil
}

// Restore goes on from the extremes of a checkpoint, and the look at its state, which came after it.
func (h *Health[T]) Restore(from *Saved) error {
	h.Extremes = from.Extremes
	if h.dueByCase(h.Step) {
		h.Keep(h.Step, h.Sim.Fluid.Health())
	}
	return nil
}

// Close has nothing to free.
func (h *Health[T]) Close() error { return nil }

// Extremes are the largest values over the looks at all nodes that are due by the case. They
// are part of a checkpoint, so that those of a run that was interrupted are the same.
type Extremes struct {
	Speed     float64 `json:"speed"`     // lattice units
	Deviation float64 `json:"deviation"` // of the density from 1
}

// Take takes in what a look at a sound state found.
func (e *Extremes) Take(h lbm.Health) {
	if h.OK && h.Worst[0] >= 0 {
		e.Speed = math.Max(e.Speed, h.MaxSpeed)
		e.Deviation = math.Max(e.Deviation, math.Max(h.MaxRho-1, 1-h.MinRho))
	}
}

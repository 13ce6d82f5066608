package run

import (
	"errors"
	"fmt"

	"lbmib/lbm"
	"lbmib/run/backend"
	"lbmib/run/exit"
	"lbmib/run/observe"
)

// The health of a state may come later than the state (lbm.Pending). Until it is known
// nothing is written of the state: neither a file nor a checkpoint that replaces another.

// healthCheck is the health of the state of a moment.
type healthCheck struct {
	at     observe.Moment
	health lbm.Pending[lbm.Health]
}

// unhealthy is the error of a state in which the flow has diverged.
type unhealthy struct {
	at     observe.Moment
	health lbm.Health
}

func (e *unhealthy) Error() string { return fmt.Sprintf("the flow diverged by step %d", e.at.Step) }

// healthy waits for the health; nil is a check that has been passed.
func (c *healthCheck) healthy() error {
	if c == nil {
		return nil
	}
	h, err := c.health.Wait()
	if err == nil && !h.OK {
		err = &unhealthy{c.at, h}
	}
	return err
}

// beginHealthCheck has the health of the state at hand found, after that of the state
// before has been looked at.
func (r *run[T]) beginHealthCheck() error {
	if err := r.endHealthCheck(true); err != nil {
		return err
	}
	r.pendingHealth = &healthCheck{r.Now(), r.Sim.PendingHealth()}
	if err := r.deviceLost(); err != nil {
		return err
	}
	return r.endHealthCheck(false)
}

// pendingHealthAt is the check of the state of a moment; nil: it has been passed.
func (r *run[T]) pendingHealthAt(m observe.Moment) *healthCheck {
	if r.pendingHealth == nil || r.pendingHealth.at != m {
		return nil
	}
	return r.pendingHealth
}

// endHealthCheck looks at the health of the last state checked, if it is known or to be
// waited for.
func (r *run[T]) endHealthCheck(wait bool) error {
	c := r.pendingHealth
	if c == nil || !wait && !c.health.Ready() {
		return nil
	}
	r.pendingHealth = nil
	if err := r.asRunError(c.healthy()); err != nil {
		return err
	}
	h, _ := c.health.Wait() // which did not fail
	r.keepExtremes(c.at.Step, h)
	return nil
}

// asRunError is the error that ends the run for one of work in the background.
func (r *run[T]) asRunError(err error) error {
	var marked *exit.Error
	var ill *unhealthy
	switch {
	case err == nil, errors.As(err, &marked):
		return err
	case errors.As(err, &ill):
		return r.diverged(ill.at, worstNode(&r.State, ill.health))
	case backend.IsFault(err):
		return r.deviceFailed(err)
	}
	return exit.AsInputOutput(err)
}

// checkHealth looks at all nodes; a flow that has diverged is an error that says
// where, why and what to change.
func (r *run[T]) checkHealth() error {
	h := r.Sim.Fluid.Health()
	if err := r.deviceLost(); err != nil {
		return err
	}
	if h.OK {
		r.keepExtremes(r.Step, h)
		return nil
	}
	return r.diverged(r.Now(), worstNode(&r.State, h))
}

package run

import (
	"errors"
	"fmt"

	"lbmib/lbm"
	"lbmib/run/backend"
	"lbmib/run/exit"
	"lbmib/run/observe"
)

// The health of a state is asked for, and looked at when it is known; where the fluid
// cannot be asked it is found at once. Before the answer nothing is written of the state:
// neither a file nor a checkpoint that replaces another.

// question is what has been asked about the health of a state.
type question struct {
	at     observe.Moment
	answer lbm.HealthAnswer
}

// unhealthy is the error of a state in which the flow has diverged.
type unhealthy struct {
	at     observe.Moment
	health lbm.Health
}

func (e *unhealthy) Error() string { return fmt.Sprintf("the flow diverged by step %d", e.at.Step) }

// healthy waits for the answer; no question has a good one.
func (q *question) healthy() error {
	if q == nil {
		return nil
	}
	h, err := q.answer.Health()
	if err == nil && !h.OK {
		err = &unhealthy{q.at, h}
	}
	return err
}

// askHealth asks for the health of the state at hand. The answer to the question before
// is looked at first.
func (r *run[T]) askHealth() error {
	if err := r.answered(true); err != nil {
		return err
	}
	answer := r.Sim.AskHealth()
	if answer == nil {
		return r.checkHealth()
	}
	r.asked = &question{r.Now(), answer}
	return r.deviceLost()
}

// questionAt is what has been asked about the state of a moment; nil: it is known.
func (r *run[T]) questionAt(m observe.Moment) *question {
	if r.asked == nil || r.asked.at != m {
		return nil
	}
	return r.asked
}

// answered looks at the answer to the last question, if it is known or to be waited for.
func (r *run[T]) answered(wait bool) error {
	q := r.asked
	if q == nil || !wait && !q.answer.Known() {
		return nil
	}
	r.asked = nil
	err := r.told(q.healthy())
	if err == nil {
		if h, failed := q.answer.Health(); failed == nil {
			r.keepExtremes(q.at.Step, h)
		}
	}
	return err
}

// told is the error that ends the run for one that came to light beside the stepping.
func (r *run[T]) told(err error) error {
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

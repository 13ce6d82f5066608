package run

import (
	"fmt"
	"slices"
	"strings"

	"lbmib/hybrid/rigid"
	"lbmib/run/exit"
	"lbmib/run/setup"
)

// wentAstray ends the run because of a body that would move to where it cannot be:
// out of the domain, into another body or a solid. The step was not made; the state
// before it is kept, as a checkpoint and in the fields that the case asks for. Where
// that state is none, the flow has diverged and taken the body with it.
func (r *run[T]) wentAstray(e *rigid.MotionError) error {
	r.Step = r.Sim.Fluid.Steps()
	if err := r.out.Health.Check(); err != nil {
		return r.asRunError(err)
	}
	r.status, r.stopped = "stopped", "body"
	at := float64(e.Step) * r.Units.Dt
	r.reason = fmt.Sprintf("at t = %.4g L/U %s", at, astrayText(e))
	r.out.Forces.TakeLast() // before the checkpoint, which knows how long the series are
	if err := r.out.Fields.Write(true); err != nil {
		return r.asRunError(err)
	}
	if err := r.saves.now(); err != nil {
		return r.asRunError(err)
	}
	return exit.As(exit.Diverged, fmt.Errorf("%w\n%s", r.Case.Errorf(keyOfBody(r.Problem, e), "stopped: %s", r.reason), whatIsLeft(&r.State)))
}

// astrayText says what a body has done. That it needs nodes which the domain does
// not have means, in a run, that it has left.
func astrayText(e *rigid.MotionError) string {
	return strings.Replace(e.Msg, `": its markers need`, `" left the domain: its markers need`, 1)
}

// keyOfBody is the table in the case file of the body that an error is about, the first
// that it names.
func keyOfBody(p *setup.Problem, e *rigid.MotionError) string {
	key, first := "body", len(e.Msg)
	for _, b := range slices.Concat(p.Case.Bodies, p.Drawn) {
		if b.Name == e.Body {
			return b.Key
		}
		if at := strings.Index(e.Msg, fmt.Sprintf("%q", b.Name)); at >= 0 && at < first {
			key, first = b.Key, at
		}
	}
	return key
}

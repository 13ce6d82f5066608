package run

import (
	"lbmib/hybrid/rigid"
	"lbmib/run/observe"
	"lbmib/run/setup"
)

// follow moves the domain along with the body that it follows, before a step, once that has gone on by as many nodes as the domain moves by at once.
func (r *run[T]) follow() error {
	f := r.Case.Domain.Follow
	if f == nil {
		return nil
	}
	for _, b := range r.Bodies {
		if b.Name != f.Body {
			continue
		}
		by := int((b.Here().Position[f.Axis] - b.Shape.Center()[f.Axis]) / setup.MovesBy) // towards zero
		if by == 0 {
			return nil
		}
		by *= setup.MovesBy
		begin := r.Initial()
		far := func(p [3]float64) [3]float64 {
			_, u := begin(p)
			return u
		}
		if err := r.Sim.Shift(f.Axis, by, far); err != nil { // another body stays behind
			return r.asRunError(&observe.StepError{Err: &rigid.MotionError{Step: r.Step, Msg: err.Error()}})
		}
		r.Moved[f.Axis] += by
	}
	return nil
}

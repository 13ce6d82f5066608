package hybrid

import (
	"lbmib/hybrid/rigid"
	"lbmib/lbm"
)

// region is the inside of a body as accounts have it, none where it has no fluid inside.
func region(b *rigid.Body) lbm.Region {
	if b.Hollow {
		return lbm.Region{}
	}
	in := b.Inside()
	return lbm.Region{Low: in.Low, Step: in.Step, Cells: in.Cells, Shares: in.Shares}
}

// pose is where the region is.
func pose(b *rigid.Body) lbm.Pose {
	s := b.Here()
	return lbm.Pose{Center: s.Position, Rotation: [3][3]float64(s.Rotation)}
}

// within asks for the momentum of the fluid inside freely moving bodies: of a fluid that
// answers later all at once, so that the answer comes while other things are done.
type within struct {
	prepared bool
	account  lbm.Account // nil: the fluid answers at once
	question lbm.Question
	asked    bool
}

func (w *within) close() {
	if w.account != nil {
		w.account.Close()
	}
}

// prepareWithin asks the fluid for an account, once.
func (c *Coupling[T]) prepareWithin(fluid lbm.Fluid[T]) {
	w := &c.within
	w.prepared = true
	of, ok := fluid.(lbm.Accountant)
	if !ok {
		return
	}
	terms := lbm.AccountTerms{Regions: make([]lbm.Region, len(c.bodies)), Depth: 1}
	for i, b := range c.bodies {
		if b.Free != nil {
			terms.Regions[i] = region(b)
		}
	}
	w.question.Poses = make([]lbm.Pose, len(c.bodies))
	if a, err := of.NewAccount(terms); err == nil { // else it has no memory for that: it is asked and waited for
		w.account = a
	}
}

// askInside asks for the momentum of the fluid inside freely moving bodies as it is now.
func (c *Coupling[T]) askInside(fluid lbm.Fluid[T]) {
	if !c.system.Frees() {
		return
	}
	w := &c.within
	if !w.prepared {
		c.prepareWithin(fluid)
	}
	if w.account == nil {
		for _, b := range c.bodies {
			if b.Free != nil {
				b.Free.SetInner(c.inner.read(fluid, b))
			}
		}
		return
	}
	for i, b := range c.bodies {
		w.question.Poses[i] = pose(b)
	}
	w.account.Ask(&w.question)
	w.account.Fetch()
	w.asked = true
}

// takeInside takes the answer. Of a device that has failed there is none: that is the
// fluid's error.
func (c *Coupling[T]) takeInside() {
	w := &c.within
	if !w.asked {
		return
	}
	w.asked = false
	a := w.account.Answer(true)
	if a == nil {
		return
	}
	for i, b := range c.bodies {
		if b.Free != nil {
			b.Free.SetInner(rigid.Momentum{Linear: a.Regions[i].Linear, Angular: a.Regions[i].Angular})
		}
	}
}

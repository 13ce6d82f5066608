package hybrid

import (
	"errors"

	"lbmib/geometry"
	"lbmib/hybrid/flexible"
	"lbmib/hybrid/patch"
	"lbmib/hybrid/rigid"
	"lbmib/lbm"
)

// implicitForces are what a coupling finds for cells that are implicit (flexible.System.Solve): what their vertices feel before the forces of a step, and
// how they answer to these.
type implicitForces[T lbm.Float] struct {
	ones, response [][]T // of all points: 1 at vertices of cells in the fluid; r_k = Σ_l A_kl of these
	failed         error
	take           func(worker int) // a loop over cells, made once
}

// newImplicitForces is of so many points in all; nil where no cell is implicit.
func newImplicitForces[T lbm.Float](c *cellForces[T], points int) *implicitForces[T] {
	if !c.system.Implicit() {
		return nil
	}
	m := &implicitForces[T]{ones: patch.Fields[T](1, points), response: patch.Fields[T](1, points)}
	cells, n := c.cfg.Cells, c.loops.Workers()
	m.take = func(w int) {
		for i := w; i < len(cells); i += n {
			if cells[i].Implicit() {
				c.takeAnswers(cells[i])
			}
		}
	}
	return m
}

// follow finds how vertices answer where they are.
func (m *implicitForces[T]) follow(c *cellForces[T]) {
	for _, cell := range c.cfg.Cells {
		one := T(1)
		if cell.Away() {
			one = 0
		}
		ones := m.ones[0][cell.First():][:len(cell.Points())]
		for k := range ones {
			ones[k] = one
		}
	}
	c.window.Feel(m.response, m.ones)
}

// takeAnswers tells a cell what its vertices feel, and how they answer to forces.
func (c *cellForces[T]) takeAnswers(cell *flexible.Cell) {
	felt, ease := cell.Answers()
	c.takeVelocity(felt, cell.First())
	rho, response := c.felt[0][cell.First():], c.implicit.response[0][cell.First():]
	for k := range ease {
		ease[k] = float64(response[k]) / (2 * float64(rho[k]))
	}
}

// solve has forces of implicit cells be those of where they go. It is false where they are not finite.
func (c *cellForces[T]) solve(step int64) bool {
	if c.implicit == nil {
		return true
	}
	c.loops.Run(c.system.Vertices(), c.implicit.take)
	per, over := 0., (func(geometry.Vec) float64)(nil)
	if c.slip != nil {
		per, over = c.slip.per, c.slip.over
	}
	cell, err := c.system.Solve(per, over)
	if err := c.sharing.agree(motionError(cell, step, err)); err != nil {
		text := err.Error()
		if motion := (*rigid.MotionError)(nil); errors.As(err, &motion) { // it is none: the fluid has made its step, and no state is left to keep
			text = motion.Msg
		}
		c.implicit.failed = errors.New(text)
		return false
	}
	c.sharing.tellForces()
	return true
}

// areKnown tells whether the forces of cells are known before the fluid's step.
func (c *cellForces[T]) areKnown() bool { return c != nil && c.implicit == nil }

// isImplicit tells whether some are not.
func (c *cellForces[T]) isImplicit() bool { return c != nil && c.implicit != nil }

package hybrid

import (
	"fmt"

	"lbmib/hybrid/patch"
	"lbmib/hybrid/rigid"
	"lbmib/lbm"
)

// A coupled step is
//
//	move(t)          bodies, where any moves: places, window, supports, weights
//	fluid.Step()     every node: pull, collide
//	Correct(fluid)   support nodes only: interpolate, force, spread, correct
//
// in an order that a schedule chooses. Where all bodies are cells, and their forces are known before the step, none being implicit,
//
//	move(t)          cells, and all that depends on their place; F(X)
//	Step(fluid)      spread F; every node: pull, collide with F; interpolate u

// move puts the moving bodies where they are at time t, and all that depends on
// their place after them. Where that cannot be they stay, and failure tells why.
func (c *Coupling[T]) move(t float64) (moved bool) {
	c.system.Save()
	if c.cells != nil {
		c.cells.save()
	}
	err := c.tryMove(t)
	if err == nil {
		return true
	}
	c.failure = err
	c.system.Restore()
	if c.cells != nil {
		c.cells.restore()
	}
	if err := c.follow(); err != nil { // they were there a step ago
		panic(fmt.Sprintf("hybrid: bodies cannot go back to where they were: %v", err))
	}
	return false
}

func (c *Coupling[T]) tryMove(t float64) error {
	if err := c.system.Advance(t); err != nil { // X, R
		return err
	}
	c.loops.Run(len(c.at), c.place) // markers along
	if err := c.system.Check(t); err != nil {
		return err
	}
	switch {
	case c.cells != nil:
		if err := c.cells.move(int64(t)); err != nil {
			return err
		}
	case c.soft != nil:
		c.soft.act() // loads of structures in this step
	}
	return c.followTo(int64(t))
}

// followTo is follow where bodies are after a step.
func (c *Coupling[T]) followTo(step int64) error {
	err := c.reach()
	if err != nil {
		err = c.explain(step, err)
	}
	return c.weighed(c.sharing.agree(err))
}

// explain is why supports of bodies cannot be where they are after a step: a cell that is no membrane any more, or the error itself.
func (c *Coupling[T]) explain(step int64, err error) error {
	if c.cells != nil {
		if cause := c.cells.inspect(step); cause != nil {
			return cause
		}
	}
	return &rigid.MotionError{Step: step, Msg: err.Error()}
}

// follow makes window, supports and weights those of the bodies' places.
func (c *Coupling[T]) follow() error { return c.weighed(c.sharing.agree(c.reach())) }

// reach makes window and supports those of the bodies' places.
func (c *Coupling[T]) reach() error {
	if err := c.window.Place(c.direct.putInsides); err != nil {
		return err
	}
	if c.partial != nil && c.supports != c.window.Supports {
		if err := c.partial.TakesForces(c.window.Reached()); err != nil {
			return err
		}
		c.supports = c.window.Supports
	}
	return nil
}

// weighed makes weights those of the bodies' places, if these can be.
func (c *Coupling[T]) weighed(err error) error {
	if err != nil {
		return err
	}
	for _, f := range c.forces {
		f.follow()
	}
	return nil
}

// Correct makes the fluid, which has just made its step, move with the markers. A
// force that is not finite is not applied: see Err.
func (c *Coupling[T]) Correct(fluid lbm.Fluid[T]) {
	c.sumInside(fluid)
	c.sharing.tell(togetherCorrect)
	c.correct(fluid)
}

// correct is Correct, of a fluid whose momentum inside bodies has been asked for.
func (c *Coupling[T]) correct(fluid patch.Part[T]) {
	t := float64(fluid.Steps())
	c.setTargets(t)      // U_d
	c.window.Read(fluid) // ρ, û
	if len(c.bodies) > 0 || c.cells.isImplicit() {
		c.window.Interpolate(c.felt) // ρ, Û = Σ û δ(x−X)
	}
	c.takeInside() // momentum of the fluid inside free bodies
	for _, p := range c.push {
		clear(p)
	}
	for i, f := range c.forces {
		if i > 0 {
			c.window.InterpolateForced(c.felt[1:]) // of û + F/(2ρ)
		}
		if !f.act(t) { // F(x) = Σ F δ(x−X)
			c.fail(fluid.Steps())
			return
		}
	}
	if c.cells != nil {
		c.window.InterpolateForced(c.felt[1:]) // of u, with the forces of all
		c.cells.takeVelocities()
	}
	if times := c.cells.times(); times != nil {
		c.window.CorrectRelaxing(fluid, times)
		return
	}
	c.window.Correct(fluid)
}

// stepFree makes a step of the fluid that Correct is to come after.
func (c *Coupling[T]) stepFree(fluid lbm.Fluid[T]) {
	c.stepFreeBy(fluid, c.cells.times())
}

// stepFreeBy is stepFree by relaxation times of nodes, or nil.
func (c *Coupling[T]) stepFreeBy(fluid lbm.Fluid[T], times *lbm.Relaxation[T]) {
	switch {
	case times != nil:
		c.window.StepFree(fluid, times)
	case c.sharing != nil:
		c.sharing.fluid.StepShare(nil)
	default:
		fluid.Step()
	}
}

// Step makes a step of the fluid with the forces of cells in its collision; there are no other bodies.
func (c *Coupling[T]) Step(fluid lbm.Fluid[T]) {
	c.setTargets(float64(fluid.Steps() + 1))
	c.cells.act(float64(fluid.Steps() + 1)) // F(x) = Σ F δ(x−X)
	c.window.Step(fluid, c.cells.times())   // f ← pull, collide with F
	c.window.InterpolateVelocity(c.felt[1:])
	c.cells.takeVelocities()
}

// setTargets sets what the points are to reach at time t, and tells whether that may be
// other than before.
func (c *Coupling[T]) setTargets(t float64) (changed bool) {
	c.window.Ghosts.SetTime(t)
	for _, f := range c.forces {
		changed = f.setTargets(t) || changed
	}
	return changed
}

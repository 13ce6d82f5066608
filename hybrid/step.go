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
// in an order that a schedule chooses.

// move puts the moving bodies where they are at time t, and all that depends on
// their place after them. Where that cannot be they stay, and failure tells why.
func (c *Coupling[T]) move(t float64) (moved bool) {
	c.system.Save()
	err := c.tryMove(t)
	if err == nil {
		return true
	}
	c.failure = err
	c.system.Restore()
	if err := c.follow(); err != nil { // they were there a step ago
		panic(fmt.Sprintf("hybrid: bodies cannot go back to where they were: %v", err))
	}
	return false
}

func (c *Coupling[T]) tryMove(t float64) error {
	c.system.Advance(t)                 // X, R
	c.loops.Run(len(c.points), c.place) // markers along
	if err := c.system.Check(t); err != nil {
		return err
	}
	if err := c.follow(); err != nil {
		return &rigid.MotionError{Step: int64(t), Msg: err.Error()}
	}
	return nil
}

// follow makes window, supports and weights those of the bodies' places.
func (c *Coupling[T]) follow() error {
	if err := c.window.Place(c.putInsides); err != nil {
		return err
	}
	c.reweigh()
	if c.wall != nil {
		for _, b := range c.bodies {
			if b.Moving() {
				c.wall.turn(b)
			}
		}
		c.wall.weigh(c.weight)
	}
	return nil
}

// Correct makes the fluid, which has just made its step, move with the markers. A
// force that is not finite is not applied: see Err.
func (c *Coupling[T]) Correct(fluid lbm.Fluid[T]) {
	c.askInside(fluid)
	c.correct(fluid)
}

// correct is Correct, of a fluid whose momentum inside bodies has been asked for.
func (c *Coupling[T]) correct(fluid patch.Part[T]) {
	t := float64(fluid.Steps())
	c.setTargets(t)              // U_d
	c.window.Read(fluid)         // ρ, û
	c.window.Interpolate(c.felt) // ρ, Û = Σ û δ(x−X)
	c.takeInside()               // momentum of the fluid inside free bodies
	c.meetEddies(true)           // what walls leave of slip
	c.forced = len(c.points)
	c.free(t) // velocities of bodies that the fluid moves
	for _, p := range c.push {
		clear(p)
	}
	if !c.addForces() { // F = 2ρ(U_d − Û)ε
		c.fail(fluid.Steps())
		return
	}
	c.window.Spread(c.push) // F(x) = Σ F δ(x−X)
	c.forced = c.surface    // what is inside is damped once
	for i := 1; i < c.cfg.Iterations && c.cfg.Forcing == "multidirect"; i++ {
		c.meetEddies(false)
		if c.Slip() < c.cfg.Tolerance { // of u = û + F/(2ρ)
			break
		}
		if !c.addForces() {
			c.fail(fluid.Steps())
			return
		}
		c.window.Spread(c.push)
	}
	c.storeResiduals()
	c.window.Correct(fluid)
}

// setTargets sets the velocities U_d of the markers at time t, and tells whether any
// may be others than before.
func (c *Coupling[T]) setTargets(t float64) (changed bool) {
	c.now = t
	c.window.SetTime(t)
	c.loops.Run(len(c.points), c.carry)
	for _, b := range c.bodies {
		if b.Carries(t) { // its markers along
			changed = true
			continue
		}
		if b.Velocity == nil || t-1 >= b.Moves { // rest was set in the step before
			continue
		}
		changed = true
		c.setVelocity(b)
	}
	return changed
}

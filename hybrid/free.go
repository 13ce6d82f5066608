package hybrid

import (
	"lbmib/geometry"
	"lbmib/hybrid/rigid"
)

// freeBody finds the velocity of a freely moving body after the step, from what its markers feel.
func (c *directForcing[T]) freeBody(_ int, b *rigid.Body) {
	if b.Free == nil {
		return
	}
	var e rigid.MarkerEquations
	center, first := b.Here().Position, b.First()
	for k, x := range b.Markers.X {
		k += first
		var felt geometry.Vec
		for a := range c.push {
			felt[a] = float64(c.felt[1+a][k])
		}
		full := 2 * float64(c.felt[0][k]*c.weight[k])
		if c.wall == nil {
			e.Add(full, x.Sub(center), felt)
			continue
		}
		share := float64(c.wall.share[k])
		e.Add(full*share, x.Sub(center), felt)
		e.AddAcross(full*(1-share), b.Markers.Normal[k-first], x.Sub(center), felt)
	}
	c.feelDamped(b, &e)
	if j := c.joinedWith[b.Index()]; j != nil {
		j.Felt(b, &e)
		return
	}
	c.release(b, &e, c.now)
}

// release lets a freely moving body go on with the velocity that follows from what its
// markers feel.
func (c *directForcing[T]) release(b *rigid.Body, felt *rigid.MarkerEquations, t float64) {
	b.Free.Solve(felt, t, c.dim)
	c.setVelocity(b)
}

// storeResidual compares what the markers of a freely moving body have done with what it
// expected; the rest is the body's in the next step.
func (c *directForcing[T]) storeResidual(_ int, b *rigid.Body) {
	if b.Free != nil {
		b.Free.StoreResidual(c.sum(b))
	}
}

// fits tells whether the supports of a body stay where they can be, should it move by so many nodes.
func (c *Coupling[T]) fits(b *rigid.Body, axis int, by float64) bool {
	return c.window.Fits(b.Index(), axis, by)
}

// isClear tells whether the bodies' next move, to time t, cannot fail.
func (c *Coupling[T]) isClear(t float64) bool {
	if c.window.BesideSolids() || c.system.Moves() && !c.system.IsClear(t, c.fits) {
		return false
	}
	return c.cells == nil || c.cells.isClear()
}

// setRigid restores the state of all moving bodies.
func (c *Coupling[T]) setRigid(state []float64) error {
	if err := c.system.SetState(state); err != nil {
		return err
	}
	return c.follow()
}

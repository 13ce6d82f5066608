package flexible

import "lbmib/geometry"

// Leave takes a cell out of the fluid: it waits where it began, in its shape at rest, without force and without being moved, until it enters again.
func (c *Cell) Leave() {
	c.away = true
	c.start()
}

// Away tells whether the cell waits outside of the fluid.
func (c *Cell) Away() bool { return c.away }

// Enter puts a cell that waits into the fluid, in its shape at rest, where it moves with velocity u in nodes per step.
func (c *Cell) Enter(center geometry.Vec, turn geometry.Mat, u geometry.Vec) {
	c.away = false
	began, turned := c.Center, c.Turn
	c.Center, c.Turn = center, turn
	c.start()
	c.Center, c.Turn = began, turned
	for k := range c.u {
		c.u[k], c.past[k] = u, u
	}
}

// SetAway restores whether the cell waits: see Away. Its place is in the state of its System.
func (c *Cell) SetAway(away bool) { c.away = away }

// dropForces leaves a cell that waits without forces.
func (c *Cell) dropForces() {
	if c.away {
		clear(c.force)
	}
}

package hybrid

import (
	"lbmib/geometry"
)

// A schedule in which the fluid makes a step while the bodies are about to be moved
// cannot take the step back where that turns out to be impossible. So it looks ahead:
// where a body could come to be where it cannot, in one step, things are done one
// after the other. What is asked costs next to nothing and errs on the safe side.

// give is by how many nodes per step a freely moving body's velocity may change in a
// step: half the speed of sound.
const give = 0.25

// isClear tells whether the bodies' next move, to time t, cannot fail.
func (c *Coupling[T]) isClear(t float64) bool {
	farthest, due := 0., false
	for i, b := range c.bodies {
		c.before[i].reach = c.farAhead(b, t)
		far := c.before[i].reach
		if !(far < 1) { // nor does it where that is not a number
			return false
		}
		if !b.Moving() {
			continue
		}
		for a := range c.dim {
			if !c.fits(b, a, far) {
				return false
			}
		}
		farthest = max(farthest, far)
		due = due || b.sinceLook()+far > lookAfter
	}
	if c.beside || c.closest-2*farthest <= -deepest {
		return false
	}
	return !due || c.keepApart()
}

// farAhead bounds how far a place of a body can move in the step to time t.
func (c *Coupling[T]) farAhead(b *Body, t float64) float64 {
	radius := b.reach()
	switch {
	case b.Motion != nil:
		to, turn := b.Motion.At(t), 0.
		for a, row := range to.Rotation {
			d := geometry.Vec(row).Sub(geometry.Vec(b.state.Rotation[a]))
			turn = max(turn, d.Norm())
		}
		return to.Position.Sub(b.state.Position).Norm() + 2*turn*radius // |ΔR| ≤ √3 of its largest row
	case b.Free != nil:
		speed := b.state.Velocity.Norm() + b.state.Spin.Norm()*radius
		if t >= b.Free.Release && t-1 < b.Free.Release {
			speed = max(speed, b.Free.Velocity.Norm()+b.Free.Spin.Norm()*radius)
		}
		return speed + give
	}
	return 0
}

// keepApart tells whether no two bodies can come to cut each other in a step.
func (c *Coupling[T]) keepApart() bool {
	farthest := 0.
	for i := range c.bodies {
		farthest = max(farthest, c.before[i].reach)
	}
	c.neighbours.find(c.bodies, 2*farthest)
	for i, b := range c.bodies {
		for _, j := range c.neighbours.of(i) {
			o := c.bodies[j]
			if (b.Moving() || o.Moving()) && c.near(b, o, c.before[i].reach+c.before[j].reach) {
				return false
			}
		}
	}
	return true
}

// besideSolids tells whether a solid node is next to the support.
func (c *Coupling[T]) besideSolids() bool {
	for _, n := range c.nodes {
		p := c.flow.Position(int(n))
		for i := range 27 {
			q := p
			for a, d := range [3]int{i%3 - 1, i/3%3 - 1, i/9 - 1} {
				if q[a] += d; c.flow.Periodic(a) {
					q[a] = (q[a] + c.flow.Size[a]) % c.flow.Size[a]
				}
			}
			if c.exists(q) && c.flow.Solid[c.flow.Node(q)] {
				return true
			}
		}
	}
	return false
}

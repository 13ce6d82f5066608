package hybrid

import (
	"fmt"
	"math"

	"lbmib/geometry"
	"lbmib/geometry/kinematics"
)

// MotionError is a body that has moved to where it cannot be.
type MotionError struct {
	Body string
	Step int64
	Msg  string
}

func (e *MotionError) Error() string { return fmt.Sprintf("step %d: %s", e.Step, e.Msg) }

// move puts the moving bodies where they are at time t, and all that depends on
// their place after them. Where that cannot be they stay, and failure tells why.
func (c *Coupling[T]) move(t float64) (moved bool) {
	for i, b := range c.bodies {
		c.before[i].state, c.before[i].look = b.state, b.lastLook
		if b.Free != nil {
			c.before[i].free = *b.Free
		}
	}
	err := c.tryMove(t)
	if err == nil {
		return true
	}
	c.failure = err
	for i, b := range c.bodies {
		if !b.Moving() {
			continue
		}
		b.state, b.lastLook = c.before[i].state, c.before[i].look
		if b.Free != nil {
			*b.Free = c.before[i].free
		}
		b.place()
	}
	if err := c.follow(); err != nil { // they were there a step ago
		panic(fmt.Sprintf("hybrid: bodies cannot go back to where they were: %v", err))
	}
	return false
}

// moment is what a move changes of a body.
type moment struct {
	state kinematics.State
	free  Free
	look  [2]geometry.Vec
	reach float64 // how far the next move may take it, in nodes
}

func (c *Coupling[T]) tryMove(t float64) error {
	for _, b := range c.bodies {
		switch {
		case b.Motion != nil:
			b.state = b.Motion.At(t)
		case b.Free != nil:
			b.Free.advance(b, t)
		}
	}
	c.share(len(c.points), c.phases.place)
	if err := finite(c.bodies, int64(t)); err != nil {
		return &MotionError{Step: int64(t), Msg: err.Error()}
	}
	if err := c.contacts(t); err != nil {
		return err
	}
	if err := c.look(t); err != nil {
		return err
	}
	if err := c.follow(); err != nil {
		return &MotionError{Step: int64(t), Msg: err.Error()}
	}
	return nil
}

// look checks that no two bodies have come to overlap, whenever one has moved by
// half a node since the last look.
func (c *Coupling[T]) look(t float64) error {
	moved := false
	for _, b := range c.bodies {
		if !b.Moving() {
			continue
		}
		if b.sinceLook() > lookAfter {
			b.lastLook, moved = b.tips(), true
		}
	}
	if !moved {
		return nil
	}
	if err := c.apart(); err != nil {
		return &MotionError{Step: int64(t), Msg: err.Error()}
	}
	return nil
}

// lookAfter is by how many nodes a body moves between two looks.
const lookAfter = 0.5

// tips are two places at the body's farthest from the centre, at right angles: whatever axis
// the body turns about, one of them moves at least 0.7 times as far as any place of the body.
func (b *Body) tips() [2]geometry.Vec {
	r := b.reach()
	return [2]geometry.Vec{b.toSpace(geometry.Vec{r}), b.toSpace(geometry.Vec{0, r})}
}

// sinceLook is how far the tips have moved since the last look, in nodes.
func (b *Body) sinceLook() float64 {
	now := b.tips()
	return max(now[0].Sub(b.lastLook[0]).Norm(), now[1].Sub(b.lastLook[1]).Norm())
}

// follow makes window, supports and weights those of the bodies' places.
func (c *Coupling[T]) follow() error {
	if err := c.place(); err != nil {
		return err
	}
	c.reweigh()
	if c.smear != nil {
		for _, b := range c.bodies {
			if b.Moving() {
				c.smear.turn(b)
			}
		}
		c.smear.weigh(c.weight)
	}
	return nil
}

// free finds the velocities of freely moving bodies after the step, from what
// their markers feel.
func (c *Coupling[T]) free(t float64) {
	for _, b := range c.bodies {
		if b.Free == nil {
			continue
		}
		var e BodyFelt
		for k, x := range b.Markers.X {
			k += b.first
			var felt geometry.Vec
			for a := range c.push {
				felt[a] = float64(c.felt[1+a][k])
			}
			full := 2 * float64(c.felt[0][k]*c.weight[k])
			if c.smear == nil {
				e.Add(full, x.Sub(b.state.Position), felt)
				continue
			}
			share := float64(c.smear.share[k])
			e.Add(full*share, x.Sub(b.state.Position), felt)
			e.AddAcross(full*(1-share), b.Markers.Normal[k-b.first], x.Sub(b.state.Position), felt)
		}
		c.feelDamped(b, &e)
		c.release(b, &e, t)
	}
}

// release lets a freely moving body go on with the velocity that follows from what its
// markers feel.
func (c *Coupling[T]) release(b *Body, felt *BodyFelt, t float64) {
	b.Free.solve(b, felt, b.Free.now, t, c.dim)
	c.setVelocity(b)
	b.Free.expect(b, felt)
}

// settle compares what the markers have done with what freely moving bodies
// reckoned with; the rest is theirs in the next step.
func (c *Coupling[T]) settle() {
	for _, b := range c.bodies {
		if b.Free != nil {
			force, moment := c.sum(b)
			b.Free.settle(force, moment)
		}
	}
}

// finite refuses markers without a position, or so far away that nodes there cannot be
// numbered, at a step.
func finite(bodies []*Body, step int64) error {
	for _, b := range bodies {
		for k, x := range b.Markers.X {
			if !(math.Abs(x[0]) <= geometry.MaxCoordinate && math.Abs(x[1]) <= geometry.MaxCoordinate && math.Abs(x[2]) <= geometry.MaxCoordinate) {
				return fmt.Errorf("body %q: marker %d is at x = %g, y = %g, z = %g nodes at step %d: positions must be finite and within ±%.3g, its shape or motion is wrong", b.Name, k, x[0], x[1], x[2], step, float64(geometry.MaxCoordinate))
			}
		}
	}
	return nil
}

// mostAround is how many bodies a body may lie inside of: looks at bodies that nest are
// looks at pairs.
const mostAround = 100

// apart refuses bodies that cut each other. One inside another is welcome.
func (c *Coupling[T]) apart() error {
	c.neighbours.find(c.bodies, 0)
	for i, b := range c.bodies {
		around := 0
		for _, j := range c.neighbours.of(i) {
			o := c.bodies[j]
			if o.Shape.Open() || !c.near(b, o, 0) {
				continue
			}
			inside, cut := c.inside(b, o)
			if cut {
				return fmt.Errorf("body %q reaches into body %q: move them apart or make them smaller", b.Name, o.Name)
			}
			if inside {
				o.holds = true
				around++
			}
			if around > mostAround {
				return fmt.Errorf("body %q lies inside more than %d others, %q among them: nest no more than %d bodies", b.Name, mostAround, o.Name, mostAround)
			}
		}
	}
	return nil
}

// inside tells whether body b lies inside body o, and whether their surfaces cut each other.
func (c *Coupling[T]) inside(b, o *Body) (inside, cut bool) {
	center := o.here().Position
	within := func(x geometry.Vec) bool { return o.contains(c.image(x, center)) }
	inside = within(b.Markers.X[0])
	apart := c.image(b.here().Position, center).Sub(center).Norm()
	if apart+b.reach() < o.hollow() || apart+o.reach() < b.hollow() {
		return inside, false // one is where the other's surface is nowhere near
	}
	for _, x := range b.Markers.X[1:] {
		if within(x) != inside {
			return false, true
		}
	}
	return inside, false
}

// image is the copy of a point across periodic faces that is nearest to another.
func (c *Coupling[T]) image(x, to geometry.Vec) geometry.Vec {
	for a := range c.dim {
		if n := float64(c.flow.Size[a]); c.flow.Periodic(a) {
			for x[a]-to[a] > n/2 {
				x[a] -= n
			}
			for x[a]-to[a] < -n/2 {
				x[a] += n
			}
		}
	}
	return x
}

// near tells whether two bodies could be within a distance of each other, by the
// spheres around them.
func (c *Coupling[T]) near(b, o *Body, distance float64) bool {
	x := c.image(b.here().Position, o.here().Position)
	return x.Sub(o.here().Position).Norm() <= b.reach()+o.reach()+distance
}

// rigid is the state of all moving bodies at time t.
func (c *Coupling[T]) rigid(t float64) []float64 {
	state := []float64{t}
	for _, b := range c.bodies {
		if b.Free != nil {
			state = b.Free.keep(b, state)
		}
	}
	return state
}

func (c *Coupling[T]) setRigid(state []float64) error {
	want := 1
	for _, b := range c.bodies {
		if b.Free != nil {
			want += stateLength
		}
	}
	if len(state) != want {
		return fmt.Errorf("the motions of other bodies: %d values, the bodies here have %d: resume with the case that wrote them", len(state), want)
	}
	t, from := state[0], state[1:]
	for _, b := range c.bodies {
		switch {
		case b.Free != nil:
			b.Free.restore(b, from[:stateLength])
			from = from[stateLength:]
		case b.Motion != nil:
			b.state = b.Motion.At(t)
			b.place()
		}
	}
	return c.follow()
}

package hybrid

import (
	"math"

	"lbmib/geometry"
)

// loads sums what the last correction did over each body's markers.
func (c *Coupling[T]) loads(into []Load) {
	c.Slip()
	for i, b := range c.bodies {
		var l Load
		force, moment := c.sum(b)
		l.Force, l.Torque = force.Scale(-1), moment.Scale(-1)
		for k := range b.Markers.X {
			l.Slip = math.Max(l.Slip, c.slipOf(b.first+k))
			l.Granted += c.granted(b.first+k) / float64(len(b.Markers.X))
		}
		into[i] = l
	}
}

// sum is the force of a body's markers, and of the places inside it, on the fluid and its
// moment about the body's centre.
func (c *Coupling[T]) sum(b *Body) (force, moment geometry.Vec) {
	center := b.here().Position
	force, moment = sumPoints(b.Markers.X, b.first, c.push, center)
	inside := &b.damped
	f, m := sumPoints(c.points[inside.first:][:len(inside.places)], inside.first, c.push, center)
	return force.Add(f), moment.Add(m)
}

// addInner adds the change of the inside fluid's momentum over a step.
func (l *Load) addInner(change innerMomentum) {
	l.Inner = change.linear
	for a := range 3 {
		l.Force[a] += change.linear[a]
		l.Balance[a] += change.linear[a]
		l.Torque[a] += change.angular[a]
	}
}

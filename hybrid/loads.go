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

// sum is the force of a body's markers on the fluid and its moment about the
// body's centre.
func (c *Coupling[T]) sum(b *Body) (force, moment geometry.Vec) {
	center := b.here().Position
	for k, x := range b.Markers.X {
		var f geometry.Vec
		for a := range c.push {
			f[a] = float64(c.push[a][b.first+k])
			force[a] += f[a]
		}
		m := x.Sub(center).Cross(f)
		for a := range m {
			moment[a] += m[a]
		}
	}
	return force, moment
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

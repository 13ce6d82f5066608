package hybrid

import (
	"math"
	"slices"

	"lbmib/geometry"
	"lbmib/ib"
	"lbmib/lbm"
)

// damped are the places inside a body from which forces keep the fluid there moving with
// the body (Body.Damped). They are coupled as markers are, by the same delta, with a weight
// so small that the momentum of the fluid inside, relative to the body, decays by e in
// dampingTime. The forces are taken from the body, so that momentum is kept.
//
// A body that starts at once sets the fluid inside swinging to and fro, as sound does in a
// closed circle, and it goes on for several D/U: viscosity ends waves of that length slowly,
// and walls of markers give way a little. Its velocity is largest in the middle.
type damped struct {
	first  int            // of the places among all points of a coupling
	places []geometry.Vec // relative to the body's centre, as drawn
	weight float64        // of each
}

// dampingTime is in steps per node of the body's diameter. Of sound, half of whose energy is
// in the velocity, e^(−n/2) is left after n D steps: little in D/U, which are 10 D at U = 0.1.
const dampingTime = 1.0

// mostDamping bounds the weight: A of a place alone, the sum of squares of the delta, is 1 at
// most, and what takes away all of its slip is a weight of 1/A.
const mostDamping = 1.0

// dampedSpacing is the distance between the places in a body of so many nodes in diameter. A
// tenth of a wave's length suffices, 1.7 D, so long as the bound on the weights leaves half of
// what is asked for: a place takes no more than mostDamping allows, whatever it stands for.
func dampedSpacing(diameter float64, dim int) float64 {
	return max(2, min(diameter/6, math.Pow(4*mostDamping*diameter, 1/float64(dim))))
}

// damping finds the places inside the body, none where it is not to be damped or has no node
// beyond the supports of its markers.
func (b *Body) damping(delta ib.Stencil) (d damped) {
	s := b.Shape
	if !b.Damped || b.Hollow || s.Open() {
		return d
	}
	dim, center, diameter := s.Dim(), s.Center(), b.across()
	spacing, depth := dampedSpacing(diameter, dim), float64(delta.Support())+math.Max(0, b.setBack)
	lo, hi := s.Bounds()
	var from, to [3]int
	for a := range dim {
		from[a], to[a] = int(math.Ceil((lo[a]-center[a])/spacing)), int(math.Floor((hi[a]-center[a])/spacing))
	}
	for z := from[2]; z <= to[2]; z++ {
		for y := from[1]; y <= to[1]; y++ {
			for x := from[0]; x <= to[0]; x++ {
				r := geometry.Vec{float64(x), float64(y), float64(z)}.Scale(spacing)
				if isDeep(s, center.Add(r), depth) {
					d.places = append(d.places, r)
				}
			}
		}
	}
	if n := len(d.places); n > 0 {
		d.weight = min(mostDamping, s.Enclosed()/(2*dampingTime*diameter*float64(n)))
	}
	return d
}

// across is the diameter of the disc or ball that is as large as the body.
func (b *Body) across() float64 {
	if b.Shape.Dim() == 3 {
		return math.Cbrt(6 * b.Shape.Enclosed() / math.Pi)
	}
	return math.Sqrt(4 * b.Shape.Enclosed() / math.Pi)
}

// RingingPeriod is that of the sound by which the fluid inside swings to and fro, in steps:
// of the first mode of a closed circle or ball, whose wave number is 1.841 or 2.082 over the radius.
func (b *Body) RingingPeriod() float64 {
	root := [4]float64{2: 1.841, 3: 2.082}[b.Shape.Dim()]
	return math.Sqrt(3) * math.Pi * b.across() / root
}

// isDeep tells whether a point is inside a shape by more than a distance, along the axes and
// halfway between them.
func isDeep(s geometry.Shape, x geometry.Vec, distance float64) bool {
	if !s.Contains(x) {
		return false
	}
	for i := range 27 {
		d := geometry.Vec{float64(i%3 - 1), float64(i/3%3 - 1), float64(i/9 - 1)}
		if s.Dim() == 2 && d[2] != 0 || d == (geometry.Vec{}) {
			continue
		}
		if !s.Contains(x.Add(d.Scale(distance / d.Norm()))) {
			return false
		}
	}
	return true
}

// HasDamping tells whether the fluid inside is to be damped, and there are nodes beyond the
// supports of markers that are coupled by a delta.
func (b *Body) HasDamping(delta ib.Stencil) bool { return len(b.damping(delta).places) > 0 }

// IsDamped is HasDamping, of a body that has been put into a fluid or checked: there are none in one that
// holds another.
func (b *Body) IsDamped(delta ib.Stencil) bool { return !b.holds && b.HasDamping(delta) }

// addDamped appends the places inside bodies to the points.
func (c *Coupling[T]) addDamped() {
	c.surface = len(c.points)
	for _, b := range c.bodies {
		b.damped = damped{}
		if !b.holds {
			b.damped = b.damping(c.delta)
		}
		b.damped.places = slices.DeleteFunc(b.damped.places, func(r geometry.Vec) bool { return !c.isFluid(b.toSpace(r)) })
		b.damped.first = len(c.points)
		for _, r := range b.damped.places {
			c.points = append(c.points, b.toSpace(r))
		}
		if len(b.damped.places) > 0 {
			c.damped = append(c.damped, b)
		}
	}
}

// isFluid tells whether all nodes of the support of a point are the fluid's.
func (c *Coupling[T]) isFluid(x geometry.Vec) bool {
	n, nz := c.delta.Support(), 1
	if c.dim == 3 {
		nz = n
	}
	var first [3]int
	for a := range c.dim {
		first[a] = c.delta.First(x[a])
	}
	for k := range n * n * nz {
		p := [3]int{first[0] + k%n, first[1] + k/n%n, first[2] + k/(n*n)}
		if !c.wrap(&p) || c.flow.Solid != nil && c.flow.Solid[c.flow.Node(p)] {
			return false
		}
	}
	return true
}

// putDamped moves the places inside body i to where it is.
func (c *Coupling[T]) putDamped(i int, b *Body) {
	d := &b.damped
	to := c.points[d.first : d.first+len(d.places)]
	for k, r := range d.places {
		to[k] = b.toSpace(r)
	}
	c.plan.put(c.placed[d.first:], to, i)
}

// weighDamped sets the weights of the places inside bodies.
func (c *Coupling[T]) weighDamped() {
	for _, b := range c.damped {
		own := c.weight[b.damped.first:][:len(b.damped.places)]
		for k := range own {
			own[k] = T(b.damped.weight)
		}
	}
}

// feelDamped adds to what a freely moving body's markers feel what the places inside do.
func (c *Coupling[T]) feelDamped(b *Body, to *BodyFelt) {
	var e BodyFelt
	for k := b.damped.first; k < b.damped.first+len(b.damped.places); k++ {
		var felt geometry.Vec
		for a := range c.push {
			felt[a] = float64(c.felt[1+a][k])
		}
		e.Add(2*float64(c.felt[0][k]*c.weight[k]), c.points[k].Sub(b.state.Position), felt)
	}
	if len(b.damped.places) > 0 {
		to.include(&e)
	}
}

// sumPoints is the force on the fluid at points and its moment about a centre.
func sumPoints[T lbm.Float](points []geometry.Vec, first int, push [][]T, center geometry.Vec) (force, moment geometry.Vec) {
	for k, x := range points {
		var f geometry.Vec
		for a := range push {
			f[a] = float64(push[a][first+k])
			force[a] += f[a]
		}
		m := x.Sub(center).Cross(f)
		for a := range m {
			moment[a] += m[a]
		}
	}
	return force, moment
}

// To a device the places inside a damped body are markers of one more body, after all others.

// centers are those of bodies as a device has them.
func (c *Coupling[T]) centers(to []geometry.Vec) {
	for i, b := range c.bodies {
		to[i] = b.here().Position
	}
	for k, b := range c.damped {
		to[len(c.bodies)+k] = b.here().Position
	}
}

// addInsides adds what the places inside did to what the bodies' markers did. Slip is that of markers.
func (c *Coupling[T]) addInsides(of []BodyTally) {
	if of == nil {
		return // of a device that has failed
	}
	for k, b := range c.damped {
		to, from := &of[b.index], &of[len(c.bodies)+k]
		to.Force, to.Moment = to.Force.Add(from.Force), to.Moment.Add(from.Moment)
	}
}

// include adds what other markers feel.
func (e *BodyFelt) include(o *BodyFelt) {
	for i := range e.RHS {
		e.RHS[i] += o.RHS[i]
		for j := range e.A[i] {
			e.A[i][j] += o.A[i][j]
		}
	}
}

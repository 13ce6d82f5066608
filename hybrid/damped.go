package hybrid

import (
	"slices"

	"lbmib/geometry"
	"lbmib/hybrid/patch"
	"lbmib/hybrid/rigid"
	"lbmib/lbm"
)

// dampedInside is the places inside a body from which the fluid there is damped
// (rigid.Damping), as points of a coupling after all markers.
type dampedInside struct {
	rigid.Damping
	first int // of the places among all points
}

// findDamped finds the places inside bodies and numbers them behind all markers; it
// returns how many they are.
func (c *directForcing[T]) findDamped() int {
	c.inside = make([]dampedInside, len(c.bodies))
	n := 0
	for i, b := range c.bodies {
		d := &c.inside[i]
		d.Damping = b.Damping(c.delta.Support())
		at := b.Here()
		d.Places = slices.DeleteFunc(d.Places, func(r geometry.Vec) bool { return !c.isFluid(at.ToSpace(r)) })
		d.first = c.surface + n
		n += len(d.Places)
		if len(d.Places) > 0 {
			c.damped = append(c.damped, b)
		}
	}
	return n
}

// placesInside are those of a body where they are now.
func (c *directForcing[T]) placesInside(b *rigid.Body) []geometry.Vec {
	d := &c.inside[b.Index()]
	return c.at[d.first:][:len(d.Places)]
}

// isFluid tells whether all nodes of the support of a point are the fluid's.
func (c *directForcing[T]) isFluid(x geometry.Vec) bool {
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
		if !patch.Wrap(c.flow, &p) || c.flow.Solid != nil && c.flow.Solid[c.flow.Node(p)] {
			return false
		}
	}
	return true
}

// putDamped moves the places inside body i to where it is.
func (c *directForcing[T]) putDamped(i int, b *rigid.Body) {
	d, to, at := &c.inside[i], c.placesInside(b), b.Here()
	for k, r := range d.Places {
		to[k] = at.ToSpace(r)
	}
	c.window.Put(d.first, to, i)
}

// weighDamped sets the weights of the places inside bodies.
func (c *directForcing[T]) weighDamped() {
	for _, b := range c.damped {
		d := &c.inside[b.Index()]
		own := c.weight[d.first:][:len(d.Places)]
		for k := range own {
			own[k] = T(d.Weight)
		}
	}
}

// feelDamped adds to what a freely moving body's markers feel what the places inside do.
func (c *directForcing[T]) feelDamped(b *rigid.Body, to *rigid.MarkerEquations) {
	d, center := &c.inside[b.Index()], b.Here().Position
	var e rigid.MarkerEquations
	for k := d.first; k < d.first+len(d.Places); k++ {
		var felt geometry.Vec
		for a := range c.push {
			felt[a] = float64(c.felt[1+a][k])
		}
		e.Add(2*float64(c.felt[0][k]*c.weight[k]), c.at[k].Sub(center), felt)
	}
	if len(d.Places) > 0 {
		to.Include(&e)
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

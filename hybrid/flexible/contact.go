package flexible

import (
	"lbmib/geometry"
)

// Areas are the shares of the surface as drawn, in nodes², that Points stand for in contact: of a vertex a third of the
// triangles around it. Sample sites share the area alike; data sites have none.
func (c *Cell) Areas() []float64 {
	areas := make([]float64, len(c.x))
	if c.Smooth != nil {
		samples := areas[len(c.u):]
		each := c.smoothMeasure().Area / float64(len(samples))
		for k := range samples {
			samples[k] = each
		}
		return areas
	}
	mesh := c.Membrane.Mesh()
	for k := range mesh.Triangles() {
		t := mesh.Triangle(k)
		a, b, d := mesh.Point(t[0]), mesh.Point(t[1]), mesh.Point(t[2])
		for _, v := range t {
			areas[v] += b.Sub(a).Cross(d.Sub(a)).Norm() / 6
		}
	}
	return areas
}

// ContactPressure is what holds the cell away from others at half of a range of contact, in lattice units: (G_s + κ/d²)/d.
// Another scale of the same kind is the pressure G_s/a that flattens a capsule of radius a; this one is a/d times that, so
// that what presses cells together deforms them rather than has them meet. It is μγ̇ · (a/d)/Ca in a flow with a capillary
// number Ca. And contact makes vertices, of areas of about a square node, no stiffer than their own membrane does.
func (c *Cell) ContactPressure(reach float64) float64 {
	shear, bending := 0., 0.
	if c.Smooth != nil {
		m := c.Smooth.Material()
		shear, bending = m.Shear, m.Bending
	} else {
		m := c.Membrane.Material()
		shear, bending = m.Shear, m.Bending
	}
	return (shear + bending/(reach*reach)) / reach
}

// LineWidth is how wide, in nodes, a line is in contact: about what the delta makes of it.
const LineWidth = 1.

// Load sets the forces on markers, other than the fluid's, for the next step: of contact.
func (f *Filament) Load(force []geometry.Vec) {
	clear(f.loads)
	for k, m := range f.config.Markers {
		f.loads[m.Node] = f.loads[m.Node].Add(force[k])
	}
}

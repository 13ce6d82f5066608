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

// ContactPressure is the pressure at which the cell touches others, in lattice units, for a range of contact: 8 (G_s + κ/d²)/d, of which half
// the range bears (G_s + κ/d²)/d. The pressure that flattens a capsule of radius a is G_s/a, a/d times less: what presses cells together
// deforms them before they meet. In a flow of capillary number Ca half the range bears μγ̇ (a/d)/Ca.
func (c *Cell) ContactPressure(reach float64) float64 {
	shear, bending := 0., 0.
	if c.Smooth != nil {
		m := c.Smooth.Material()
		shear, bending = m.Shear, m.Bending
	} else {
		m := c.Membrane.Material()
		shear, bending = m.Shear, m.Bending
	}
	return 8 * (shear + bending/(reach*reach)) / reach
}

// ContactStiffness is how the force of contact on a vertex changes with the gap where surfaces touch, 3 P A/d for a mean vertex
// of area A: of vertices a node apart and a range of two nodes 5 G_s, when membranes have 20 G_s.
func (c *Cell) ContactStiffness(reach float64) float64 {
	points, area := 0, 0.
	for _, a := range c.Areas() {
		if a > 0 {
			points, area = points+1, area+a
		}
	}
	return 3 * c.ContactPressure(reach) * area / float64(points) / reach
}

// LineWidth is how wide, in nodes, a line is in contact: about what the delta makes of it.
const LineWidth = 1.

// Load is rigid.Structure.
func (f *Filament) Load(force []geometry.Vec) {
	clear(f.loads)
	for k, m := range f.config.Markers {
		f.loads[m.Node] = f.loads[m.Node].Add(force[k])
	}
}

package flexible

import (
	"lbmib/geometry"
)

// Areas are the shares of the surface as drawn, in nodes², that Points stand for in contact: see the surfaces. A ring's are per node of depth.
func (c *Cell) Areas() []float64 { return c.surface.areas(c) }

// ContactPressure is the pressure at which the cell touches others, in lattice units, for a range of contact: 8 (G_s + κ/d²)/d, of which half
// the range bears (G_s + κ/d²)/d. The pressure that flattens a capsule of radius a is G_s/a, a/d times less: what presses cells together
// deforms them before they meet. In a flow of capillary number Ca half the range bears μγ̇ (a/d)/Ca.
func (c *Cell) ContactPressure(reach float64) float64 {
	shear, bending := c.surface.moduli()
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

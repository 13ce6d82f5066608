package flexible

import (
	"slices"

	"lbmib/geometry"
	"lbmib/ib/elastic/beam"
	"lbmib/ib/elastic/plate"
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

// structurePressure is the pressure at which a structure of a mass m per area touches others: 8 (m + d) U²/d for a range d and a flow of speed U. Over the
// range P (1 − g/d)³ does four times the work that stops the structure, and fluid of the thickness d with it, from U; at half of it the pressure is (m + d)/d times ρU².
// The step is explicit in it, and follows: the force of a marker a node from its neighbours changes by less than 24 (m + d) U²/d² per node,
// when what resists is (1.5 m + a) with a ≈ 4 of the fluid.
func structurePressure(mass, reach, speed float64) float64 {
	return 8 * (mass + reach) * speed * speed / reach
}

// sparedRanges is how many ranges of contact from an end, or edge, that is held markers take no part: what holds them there may be as near.
const sparedRanges = 2

// ContactPressure is that where surfaces touch, for a range of contact and the speed of the flow.
func (f *Filament) ContactPressure(reach, speed float64) float64 {
	mass := f.Mass()
	if f.Thickness == 0 && f.config.Dim == 3 {
		mass /= LineWidth
	}
	return structurePressure(mass, reach, speed)
}

// ContactAreas are the areas that markers stand for, in nodes²: lengths in 2D. Near ends that are held they are 0.
func (f *Filament) ContactAreas(reach float64) []float64 {
	n := len(f.config.X)
	arc := make([]float64, n)
	for i := 1; i < n; i++ {
		arc[i] = arc[i-1] + f.config.X[i].Sub(f.config.X[i-1]).Norm()
	}
	held := [2]bool{f.config.First.Kind != beam.Free, f.config.Last.Kind != beam.Free}
	area := slices.Clone(f.Markers().Area)
	for k, m := range f.config.Markers {
		s, spared := arc[m.Node], sparedRanges*reach
		if held[0] && s < spared || held[1] && arc[n-1]-s < spared {
			area[k] = 0
		}
		if f.Thickness == 0 && f.config.Dim == 3 {
			area[k] *= LineWidth
		}
	}
	return area
}

// ContactPressure is that where surfaces touch, for a range of contact and the speed of the flow.
func (s *Sheet) ContactPressure(reach, speed float64) float64 {
	return structurePressure(s.config.Mass, reach, speed)
}

// ContactAreas are the areas that markers stand for, in nodes². Near edges that are held they are 0.
func (s *Sheet) ContactAreas(reach float64) []float64 {
	area := slices.Clone(s.Markers().Area)
	n, spared := s.config.Nodes, sparedRanges*reach
	for k := range area {
		at := [2]int{k % n[0], k / n[0]}
		for e, kind := range s.config.Edges { // left, right, bottom, top
			a := e / 2
			far := float64(at[a]) * s.config.Spacing[a]
			if e%2 == 1 {
				far = float64(n[a]-1-at[a]) * s.config.Spacing[a]
			}
			if kind != plate.Free && far < spared {
				area[k] = 0
			}
		}
	}
	return area
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

package ring

import (
	"fmt"
	"math"

	"lbmib/geometry"
)

// leastStretch is the part of its length free of stress below which a segment has collapsed; folded the angle above which a
// ring folds back at a vertex, 165°: sharper than any as drawn.
const (
	leastStretch = 0.05
	folded       = 165 * math.Pi / 180
)

// Inspect refuses a ring at x that is none any more: vertices without a place, a segment that has lost 95 % of its length, a vertex where it folds back on itself, loops.
func (r *Ring) Inspect(x []geometry.Vec) error {
	const remedy = "use a smaller time step or velocity, a softer ring or more vertices, or more bending stiffness"
	n, turned := len(r.points), 0.
	before := r.segment(x[:n], n-1)
	for i := range n {
		s := r.segment(x[:n], i)
		if !(s.length < math.Inf(1)) {
			return fmt.Errorf("%s: its place, or its neighbour's, is not finite: %s", vertexAt(i, x), remedy)
		}
		if part := s.length / (r.rest[i] * r.material.Prestress); part < leastStretch {
			return fmt.Errorf("%s: the segment after it has shrunk to %.3g of its length, must keep %g: %s", vertexAt(i, x), part, leastStretch, remedy)
		}
		angle := turning(before.along, s.along)
		if math.Abs(angle) > folded {
			return fmt.Errorf("%s: the ring folds back by %.0f° there, must be below %.0f°: %s", vertexAt(i, x), math.Abs(angle)*180/math.Pi, folded*180/math.Pi, remedy)
		}
		turned += angle
		before = s
	}
	if turns := math.Round(turned / (2 * math.Pi)); turns != 1 {
		return fmt.Errorf("ring: around (%.4g, %.4g) it turns by %.0f times 360°, must be once: it crosses itself; %s", x[0][0], x[0][1], turns, remedy)
	}
	return nil
}

// vertexAt names vertex i of a ring at x.
func vertexAt(i int, x []geometry.Vec) string {
	return fmt.Sprintf("ring: vertex %d at (%.4g, %.4g)", i, x[i][0], x[i][1])
}

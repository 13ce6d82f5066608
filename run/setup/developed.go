package setup

import (
	"math"

	"lbmib/geometry"
	"lbmib/hybrid/rigid"
	"lbmib/io/casefile"
	"lbmib/lbm"
)

// IsDeveloped tells whether the flow along body i is the same from end to end, as that between parallel plates or in a pipe: the
// body spans the domain along an axis with periodic faces, straight, and all that the case drives is along that axis. No
// boundary layer grows along it from a leading edge.
func (p *Problem) IsDeveloped(i int) bool {
	for a := range p.Case.Domain.Dim {
		if p.spansStraight(i, a) && drivenAlong(p.Case, a) && movesAlong(p.Bodies[i], p.Steps, a) {
			return true
		}
	}
	return false
}

// straight is how far the normals of a wall that goes straight along an axis may lean, as those of a mesh of triangles do.
const straight = 0.02

// spansStraight tells whether body i is a wall along axis a, from one periodic face to the other: a plate, a tube, or a passage through a surface from a file whose
// section is the same all along.
func (p *Problem) spansStraight(i, a int) bool {
	b, given := p.Bodies[i], p.Case.Bodies[i].Shape
	if p.Flow.Faces[2*a].Kind != lbm.Periodic {
		return false
	}
	lo, hi := b.Shape.Bounds()
	if hi[a]-lo[a] < float64(p.Flow.Size[a])-1.5 {
		return false
	}
	across := 0. // how wide it is across a
	switch {
	case given.Type == "line":
	case given.Type == "cylinder":
		across = given.Number("diameter") * p.Case.Reference.Resolution
	case b.Hollow && b.Shape.Open():
		for _, n := range b.Markers.Normal {
			if math.Abs(n[a]) > straight {
				return false
			}
		}
		return true
	default:
		return false
	}
	for b := range p.Case.Domain.Dim {
		if b != a && math.Abs(hi[b]-lo[b]-across) > 1e-6 {
			return false
		}
	}
	return true
}

// drivenAlong tells whether initial flow, faces and force are along axis a alone.
func drivenAlong(c *casefile.Case, a int) bool {
	only := func(v [3]float64) bool {
		v[a] = 0
		return Length(v) == 0
	}
	switch c.Domain.Initial.Type {
	case "taylor-green", "file":
		return false
	}
	if !only(c.Domain.Initial.Velocity) {
		return false
	}
	if flow := c.Domain.Flow; flow != nil && flow.Axis != a {
		return false
	}
	for k := range 2 * c.Domain.Dim {
		if f := &c.Domain.Boundary[k]; !only(f.Value) || f.Peak != 0 && k/2 != a {
			return false
		}
	}
	for b, f := range c.Domain.Force[:c.Domain.Dim] {
		if b != a && (!f.Constant() || f.Value != 0) {
			return false
		}
	}
	return true
}

// movesAlong tells whether a body is fixed or moves along axis a alone, at times over a run.
func movesAlong(b *rigid.Body, steps int64, a int) bool {
	if b.IsMovedByFluid() {
		return false
	}
	if b.Motion == nil {
		return true
	}
	for k := range Looks + 1 {
		s := b.Motion.At(math.Floor(float64(steps) * float64(k) / Looks))
		v, spin := s.Velocity, s.Spin
		if v[a] = 0; v != (geometry.Vec{}) || spin != (geometry.Vec{}) && (b.Shape.Dim() == 2 || spin.Norm() != math.Abs(spin[a])) {
			return false
		}
	}
	return true
}

package ring

import (
	"math"

	"lbmib/geometry"
)

// Energy is the elastic energy of a ring by part, per depth.
type Energy struct {
	Membrane float64 // of the law
	Bending  float64
	Length   float64 // ½ k_L (L−L0)²/L0
	Area     float64 // ½ k_A (A−A0)²/A0
}

// corner is vertex i in sweeping along a ring.
type corner struct {
	moment  float64 // m = κ(c − c⁰)
	lengths float64 // q = (κ/2)(c² − c⁰²), less ∂E/∂ℓ
}

// segment is a segment of a ring as it is.
type segment struct {
	along  geometry.Vec // X_{i+1} − X_i
	length float64
}

func (r *Ring) segment(x []geometry.Vec, i int) segment {
	j := i + 1
	if j == len(x) {
		j = 0
	}
	d := geometry.Vec{x[j][0] - x[i][0], x[j][1] - x[i][1]}
	return segment{d, math.Sqrt(d[0]*d[0] + d[1]*d[1])}
}

// Forces stores in f the forces −∂E/∂X on the vertices at x, per depth, less those of the membrane's viscosity where they move with u; a ring without
// viscosity does not read u, which may be nil. z is not looked at, and forces have none. Nothing is allocated. Vertices at one place make forces that are not finite:
// Inspect tells where.
func (r *Ring) Forces(x, u, f []geometry.Vec) {
	n := len(r.points)
	x, f = x[:n], f[:n]
	clear(f)
	length, area := r.around(x)
	m := &r.material
	common := m.LengthPenalty * (length - r.length) / r.length
	pressure := 0.5 * m.AreaPenalty * (area - r.area) / r.area
	first := r.segment(x, 0)
	start := r.corner(r.segment(x, n-1), first, 0)
	s, at := first, start
	for i := range n {
		j, next, then := i+1, first, start
		if j == n {
			j = 0
		} else {
			next = r.segment(x, j)
			then = r.corner(s, next, j)
		}
		tension := r.modulus*laws[r.law].tension(s.length/r.rest[i]) + common - 0.5*(at.lengths+then.lengths)
		if m.Viscosity != 0 {
			tension += m.Viscosity * ((u[j][0]-u[i][0])*s.along[0] + (u[j][1]-u[i][1])*s.along[1]) / (s.length * s.length)
		}
		tension /= s.length
		across := (at.moment - then.moment) / (s.length * s.length)
		fx := tension*s.along[0] - across*s.along[1]
		fy := tension*s.along[1] + across*s.along[0]
		// ∂A/∂X of the triangle of the segment and the first vertex: equal on both ends of it in sum around the ring.
		px, py := pressure*s.along[1], -pressure*s.along[0]
		f[i][0] += fx - px
		f[i][1] += fy - py
		f[j][0] -= fx + px
		f[j][1] -= fy + py
		s, at = next, then
	}
}

// corner is vertex i between two segments.
func (r *Ring) corner(before, after segment, i int) corner {
	kappa := r.material.Bending
	if kappa == 0 {
		return corner{}
	}
	c0 := r.material.Curvature
	if r.curvature != nil {
		c0 = r.curvature[i]
	}
	c := 2 * turning(before.along, after.along) / (before.length + after.length)
	return corner{kappa * (c - c0), 0.5 * kappa * (c - c0) * (c + c0)}
}

// around is the length and the enclosed area at x.
func (r *Ring) around(x []geometry.Vec) (length, area float64) {
	o := x[0] // so that little cancels
	for i := range x {
		s := r.segment(x, i)
		length += s.length
		area += ((x[i][0]-o[0])*s.along[1] - (x[i][1]-o[1])*s.along[0]) / 2
	}
	return length, area
}

// Viscous tells whether Forces reads velocities.
func (r *Ring) Viscous() bool { return r.material.Viscosity != 0 }

// Energy is that of the ring at x.
func (r *Ring) Energy(x []geometry.Vec) (e Energy) {
	n, m := len(r.points), &r.material
	length, area := r.around(x[:n])
	e.Length = 0.5 * m.LengthPenalty * (length - r.length) * (length - r.length) / r.length
	e.Area = 0.5 * m.AreaPenalty * (area - r.area) * (area - r.area) / r.area
	before := r.segment(x[:n], n-1)
	for i := range n {
		s := r.segment(x[:n], i)
		e.Membrane += r.modulus * laws[r.law].energy(s.length/r.rest[i]) * r.rest[i]
		if m.Bending > 0 {
			e.Bending += 0.25 * r.corner(before, s, i).moment * r.corner(before, s, i).moment / m.Bending * (before.length + s.length)
		}
		before = s
	}
	return e
}

package ring

import (
	"math"

	"lbmib/geometry"
)

// Measure is the shape of a ring. Its ellipse is the one whose area has the same second moments, as large, about the same centre.
type Measure struct {
	Length, Area float64
	Center       geometry.Vec // centroid of the area
	Axes         [2]float64   // half axes of the ellipse, longest first
	Deformation  float64      // Taylor's D = (L−B)/(L+B) of the axes
	Inclination  float64      // of the longest axis against x, −π/2 to π/2
}

// ReducedArea is the area over that of a circle of the same length: 1 of a circle.
func (m Measure) ReducedArea() float64 { return 4 * math.Pi * m.Area / (m.Length * m.Length) }

// Measure measures the ring at x.
func (r *Ring) Measure(x []geometry.Vec) (m Measure) {
	x = x[:len(r.points)]
	o := x[0]
	var first geometry.Vec
	var xx, xy, yy float64 // ∫ r rᵀ dA, r from o
	for i := range x {
		s := r.segment(x, i)
		a := x[i].Sub(o)
		b := a.Add(s.along)
		cross := a[0]*b[1] - a[1]*b[0]
		m.Length += s.length
		m.Area += cross / 2
		first = first.Add(a.Add(b).Scale(cross / 6))
		xx += cross / 12 * (a[0]*a[0] + a[0]*b[0] + b[0]*b[0])
		yy += cross / 12 * (a[1]*a[1] + a[1]*b[1] + b[1]*b[1])
		xy += cross / 24 * (2*a[0]*a[1] + a[0]*b[1] + b[0]*a[1] + 2*b[0]*b[1])
	}
	mean := first.Scale(1 / m.Area)
	m.Center = o.Add(mean)
	m.Center[2] = 0
	xx, yy, xy = xx-m.Area*mean[0]*mean[0], yy-m.Area*mean[1]*mean[1], xy-m.Area*mean[0]*mean[1]
	half, apart := (xx+yy)/2, math.Hypot((xx-yy)/2, xy)
	for k, v := range [2]float64{half + apart, half - apart} { // ∫ r² dA of an ellipse is A/4 times its half axis squared
		m.Axes[k] = math.Sqrt(max(4*v/m.Area, 0))
	}
	m.Deformation = (m.Axes[0] - m.Axes[1]) / (m.Axes[0] + m.Axes[1])
	m.Inclination = math.Atan2(2*xy, xx-yy) / 2
	return m
}

// Velocity is the rate at which the centroid of the enclosed area moves where vertices at x move with u:
// ∮ (X − c)(u·n) ds / A + the rate at which the area itself is displaced, linear along segments.
func (r *Ring) Velocity(x, u []geometry.Vec) (v geometry.Vec) {
	m := r.Measure(x)
	n := len(r.points)
	for i := range n {
		j := (i + 1) % n
		a, b := x[i].Sub(m.Center), x[j].Sub(m.Center)
		normal := geometry.Vec{b[1] - a[1], a[0] - b[0]} // outwards, times the length
		ua, ub := u[i].Dot(normal), u[j].Dot(normal)
		v = v.Add(a.Scale(2*ua + ub)).Add(b.Scale(ua + 2*ub))
	}
	v = v.Scale(1 / (6 * m.Area))
	v[2] = 0
	return v
}

// AtVertices are what pictures show of the ring at x, on each vertex: the tension of its law and of the
// penalty on its length, force per depth, as the mean of the segments beside it, and the curvature, 1/R of a circle. Viscosity
// has no part in the first.
func (r *Ring) AtVertices(x []geometry.Vec) (tension, curvature []float64) {
	n := len(r.points)
	x = x[:n]
	tension, curvature = make([]float64, n), make([]float64, n)
	length, _ := r.around(x)
	common := r.material.LengthPenalty * (length - r.length) / r.length
	before := r.segment(x, n-1)
	for i := range n {
		s := r.segment(x, i)
		of := r.modulus*laws[r.law].tension(s.length/r.rest[i]) + common
		tension[i] += of / 2
		tension[(i+1)%n] += of / 2
		curvature[i] = 2 * turning(before.along, s.along) / (before.length + s.length)
		before = s
	}
	return tension, curvature
}

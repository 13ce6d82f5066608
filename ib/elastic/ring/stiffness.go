package ring

import (
	"math"

	"lbmib/geometry"
)

// stiffnessSteps is so many that the estimate is within two percent of the largest eigenvalue (see the tests).
const stiffnessSteps = 60

// Stiffness is the largest eigenvalue K of −∂F/∂X of the elastic forces at the ring as drawn, force per length and depth, to about two percent. Vertices that
// move with a fluid of viscosity μ, X ← X + Δt U, feel a mobility of about 1/μ: explicit steps need K Δt/μ of order one at most.
func (r *Ring) Stiffness() float64 {
	n := len(r.points)
	x, forth, back := make([]geometry.Vec, n), make([]geometry.Vec, n), make([]geometry.Vec, n)
	still := make([]geometry.Vec, n)
	shortest, _, _ := r.Segments()
	h := 1e-5 * shortest // central differences: errors of 1e-10 by h², of 1e-9 by rounding
	v, w := make([]geometry.Vec, n), make([]geometry.Vec, n)
	for i := range v { // the stiffest motions go from vertex to vertex, along the ring and across it
		sign := float64(1 - 2*(i%2))
		v[i] = geometry.Vec{sign * math.Cos(1.3*float64(i)), sign * math.Sin(0.7*float64(i)+1)}
	}
	normalise(v)
	value := 0.
	for range stiffnessSteps { // powers of the matrix
		for i := range x {
			x[i] = r.points[i].Add(v[i].Scale(h))
		}
		r.Forces(x, still, forth)
		for i := range x {
			x[i] = r.points[i].Sub(v[i].Scale(h))
		}
		r.Forces(x, still, back)
		value = 0
		for i := range w {
			w[i] = back[i].Sub(forth[i]).Scale(1 / (2 * h))
			value += w[i].Dot(v[i])
		}
		v, w = w, v
		if size := normalise(v); size == 0 {
			return 0
		}
	}
	residual := 0. // of the last step: w is the vector before it, v its image's direction
	norm := 0.
	for i := range v {
		norm += v[i].Dot(w[i])
	}
	if norm > 0 { // |A w − value w|, |A w| = value/norm
		image := value / norm
		residual = math.Sqrt(max(image*image-value*value, 0))
	}
	return value + residual
}

// normalise gives v the norm one, and returns what it had.
func normalise(v []geometry.Vec) float64 {
	sum := 0.
	for _, x := range v {
		sum += x.Dot(x)
	}
	size := math.Sqrt(sum)
	if size > 0 {
		for i := range v {
			v[i] = v[i].Scale(1 / size)
		}
	}
	return size
}

// Damping is a bound of the largest eigenvalue of −∂F/∂U of the ring's viscosity as drawn, force per velocity and depth, which it is for equal segments.
func (r *Ring) Damping() float64 {
	shortest, _, _ := r.Segments()
	return 4 * r.material.Viscosity / shortest
}

package ib

import "math"

// BSpline4 is the cubic B-spline, four points wide (Schoenberg, Quart. Appl.
// Math. 4 (1946) 45): Σφ = 1, Σ(x−j)φ = 0, Σ(x−j)²φ = 1/3 and Σ(x−j)³φ = 0
// for every x. Its curvature is continuous; Σφ² depends on x, between 0.460
// and 1/2.
type BSpline4[T Float] struct{}

// Name is "bspline4".
func (BSpline4[T]) Name() string { return "bspline4" }

// Support is 4.
func (BSpline4[T]) Support() int { return 4 }

// First is the node below the one at or below x.
func (BSpline4[T]) First(x float64) int { return int(math.Floor(x)) - 1 }

// Weights stores φ(x−j) for j = first … first+3 in w and returns first.
func (BSpline4[T]) Weights(w *[MaxSupport]T, x float64) (first int) {
	c := math.Floor(x)
	r := x - c // 0 ≤ r ≤ 1
	s := 1 - r
	w[0] = T(s * s * s / 6)
	w[1] = T(2./3 - r*r*(1+s)/2)
	w[2] = T(2./3 - s*s*(1+r)/2)
	w[3] = T(r * r * r / 6)
	return int(c) - 1
}

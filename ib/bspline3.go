package ib

import "math"

// BSpline3 is the quadratic B-spline, three points wide (Schoenberg, Quart.
// Appl. Math. 4 (1946) 45): Σφ = 1, Σ(x−j)φ = 0 and Σ(x−j)²φ = 1/4 for every
// x. Its slope is continuous; Σφ² depends on x, between 1/2 and 19/32.
type BSpline3[T Float] struct{}

// Name is "bspline3".
func (BSpline3[T]) Name() string { return "bspline3" }

// Support is 3.
func (BSpline3[T]) Support() int { return 3 }

// First is the node before the one nearest to x.
func (BSpline3[T]) First(x float64) int { return int(math.Floor(x+0.5)) - 1 }

// Weights stores φ(x−j) for j = first … first+2 in w and returns first.
func (BSpline3[T]) Weights(w *[MaxSupport]T, x float64) (first int) {
	c := math.Floor(x + 0.5)
	r := x - c // −1/2 ≤ r ≤ 1/2
	w[0] = T((1 - 2*r) * (1 - 2*r) / 8)
	w[1] = T(3./4 - r*r)
	w[2] = T((1 + 2*r) * (1 + 2*r) / 8)
	return int(c) - 1
}

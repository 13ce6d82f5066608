package ib

import "math"

// Roma3 is the three-point delta of Roma, Peskin & Berger, J. Comput. Phys.
// 153 (1999) 509: Σφ = 1, Σ(x−j)φ = 0 and Σφ² = 1/2 for every x.
type Roma3[T Float] struct{}

// Name is "roma3".
func (Roma3[T]) Name() string { return "roma3" }

// Support is 3.
func (Roma3[T]) Support() int { return 3 }

// First is the node before the one nearest to x.
func (Roma3[T]) First(x float64) int { return int(math.Floor(x+0.5)) - 1 }

// Weights stores φ(x−j) for j = first … first+2 in w and returns first.
//
// The outer weights (2 ∓ 3r − s)/6, s = √(1−3r²), are written as quotients:
// no digits cancel where they vanish, and they are never negative.
func (Roma3[T]) Weights(w *[MaxSupport]T, x float64) (first int) {
	c := math.Floor(x + 0.5)
	r := x - c // −1/2 ≤ r ≤ 1/2
	s := math.Sqrt(1 - 3*r*r)
	w[0] = T((1 - 2*r) * (1 - 2*r) / (2 * (2 - 3*r + s)))
	w[1] = T((1 + s) / 3)
	w[2] = T((1 + 2*r) * (1 + 2*r) / (2 * (2 + 3*r + s)))
	return int(c) - 1
}

// Slopes is Sloped.
func (d Roma3[T]) Slopes(w, slope *[MaxSupport]T, x float64) (first int) {
	first = d.Weights(w, x)
	r := x - float64(first+1)
	q := r / math.Sqrt(1-3*r*r)
	slope[0], slope[1], slope[2] = T((q-1)/2), T(-q), T((q+1)/2)
	return first
}

package ib

import "math"

// Hat2 is the two-point hat φ(r) = 1 − |r|: linear interpolation. Σφ = 1 and
// Σ(x−j)φ = 0; Σφ² depends on x, so the grid is felt.
type Hat2[T Float] struct{}

// Name is "hat2".
func (Hat2[T]) Name() string { return "hat2" }

// Support is 2.
func (Hat2[T]) Support() int { return 2 }

// First is the node at or below x.
func (Hat2[T]) First(x float64) int { return int(math.Floor(x)) }

// Weights stores φ(x−j) for j = first, first+1 in w and returns first.
func (Hat2[T]) Weights(w *[MaxSupport]T, x float64) (first int) {
	c := math.Floor(x)
	r := x - c // 0 ≤ r < 1
	w[0], w[1] = T(1-r), T(r)
	return int(c)
}

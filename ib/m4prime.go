package ib

import "math"

// M4Prime is the four-point kernel M4′ of Monaghan, J. Comput. Phys. 60 (1985)
// 253, usual in vortex and remeshed particle methods: Σφ = 1, Σ(x−j)φ = 0 and
// Σ(x−j)²φ = 0 for every x, so that quadratic fields are reproduced and
// interpolation is of third order. φ is 1 at its node and 0 at all others, with
// a continuous slope; Σφ² depends on x, between 41/64 and 1.
//
// Its outer weights are negative, down to −2/27: interpolated values may
// overshoot those of the nodes, and a spread force pulls on some nodes against
// its own direction.
type M4Prime[T Float] struct{}

// Name is "m4prime".
func (M4Prime[T]) Name() string { return "m4prime" }

// Support is 4.
func (M4Prime[T]) Support() int { return 4 }

// First is the node below the one at or below x.
func (M4Prime[T]) First(x float64) int { return int(math.Floor(x)) - 1 }

// Weights stores φ(x−j) for j = first … first+3 in w and returns first.
//
// The inner weights 1 − 5q²/2 + 3q³/2 are written with their factor 1−q: no
// digits cancel where they vanish.
func (M4Prime[T]) Weights(w *[MaxSupport]T, x float64) (first int) {
	c := math.Floor(x)
	r := x - c // 0 ≤ r ≤ 1
	s := 1 - r
	w[0] = T(-r * s * s / 2)
	w[1] = T(s * (1 + r*(1-1.5*r)))
	w[2] = T(r * (1 + s*(1-1.5*s)))
	w[3] = T(-r * r * s / 2)
	return int(c) - 1
}

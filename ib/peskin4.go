package ib

import "math"

// Peskin4 is the four-point delta of Peskin, Acta Numerica 11 (2002) 479:
// Σφ = 1 with 1/2 on the even and 1/2 on the odd nodes, Σ(x−j)φ = 0 and
// Σφ² = 3/8 for every x.
type Peskin4[T Float] struct{}

// Name is "peskin4".
func (Peskin4[T]) Name() string { return "peskin4" }

// Support is 4.
func (Peskin4[T]) Support() int { return 4 }

// First is the node below the one at or below x.
func (Peskin4[T]) First(x float64) int { return int(math.Floor(x)) - 1 }

// Weights stores φ(x−j) for j = first … first+3 in w and returns first.
//
// The identities leave one unknown, so that one square root s gives all four:
// the inner ones are (3−2r+s)/8 and (1+2r+s)/8. The outer ones are the same
// with −s, written as quotients: no digits cancel where they vanish, and they
// are never negative.
func (Peskin4[T]) Weights(w *[MaxSupport]T, x float64) (first int) {
	c := math.Floor(x)
	r := x - c // 0 ≤ r ≤ 1
	s := math.Sqrt(1 + 4*r*(1-r))
	a, b := 3-2*r+s, 1+2*r+s
	w[0] = T((1 - r) * (1 - r) / a)
	w[1] = T(a / 8)
	w[2] = T(b / 8)
	w[3] = T(r * r / b)
	return int(c) - 1
}

// Slopes is Sloped.
func (d Peskin4[T]) Slopes(w, slope *[MaxSupport]T, x float64) (first int) {
	first = d.Weights(w, x)
	r := x - float64(first+1)
	q := (2 - 4*r) / math.Sqrt(1+4*r*(1-r))
	slope[0], slope[1], slope[2], slope[3] = T((-2-q)/8), T((q-2)/8), T((q+2)/8), T((2-q)/8)
	return first
}

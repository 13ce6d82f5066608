package ib

import "math"

// Cosine4 is the four-point delta φ(r) = (1 + cos(πr/2))/4 of Peskin, J.
// Comput. Phys. 25 (1977) 220: Σφ = 1 with 1/2 on the even and 1/2 on the odd
// nodes and Σφ² = 3/8 for every x, but Σ(x−j)φ is up to 0.021, not 0: linear
// fields are not reproduced and spreading changes the torque.
type Cosine4[T Float] struct{}

// Name is "cosine4".
func (Cosine4[T]) Name() string { return "cosine4" }

// Support is 4.
func (Cosine4[T]) Support() int { return 4 }

// First is the node below the one at or below x.
func (Cosine4[T]) First(x float64) int { return int(math.Floor(x)) - 1 }

// Weights stores φ(x−j) for j = first … first+3 in w and returns first. The
// four arguments are quarter turns apart: one sine and cosine give them all.
func (Cosine4[T]) Weights(w *[MaxSupport]T, x float64) (first int) {
	c := math.Floor(x)
	sin, cos := math.Sincos(math.Pi / 2 * (x - c))
	w[0] = T((1 - sin) / 4)
	w[1] = T((1 + cos) / 4)
	w[2] = T((1 + sin) / 4)
	w[3] = T((1 - cos) / 4)
	return int(c) - 1
}

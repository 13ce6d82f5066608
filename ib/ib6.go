package ib

import "math"

// IB6 is the six-point delta of Bao, Kaye & Peskin, J. Comput. Phys. 316 (2016)
// 139, three times continuously differentiable: Σφ = 1 with 1/2 on the even and
// 1/2 on the odd nodes, Σ(x−j)φ = 0, Σ(x−j)²φ = K = 59/60 − √29/20, Σ(x−j)³φ =
// 0 and Σφ² = 5431/19200 + 51√29/6400 = 0.3258 for every x. Of all deltas here
// it feels the grid least.
type IB6[T Float] struct{}

// Name is "ib6".
func (IB6[T]) Name() string { return "ib6" }

// Support is 6.
func (IB6[T]) Support() int { return 6 }

// First is the second node below the one at or below x.
func (IB6[T]) First(x float64) int { return int(math.Floor(x)) - 2 }

// root29 is √29.
const root29 = 5.385164807134504031250710491540329

// Weights stores φ(x−j) for j = first … first+5 in w and returns first.
//
// The linear identities leave one unknown, the outermost weight φ(r−3) = p, and
// Σφ² makes of it the quadratic 28p² + βp + γ = 0. Its discriminant is the same
// for r and for 1−r, a polynomial in r(1−r), so that one square root gives both
// outermost weights, and with them the other four. p is written as a quotient:
// no digits cancel where it vanishes, as r⁴, and no weight is ever negative.
func (IB6[T]) Weights(w *[MaxSupport]T, x float64) (first int) {
	const (
		c0 = 611./800 + 93./800*root29
		c1 = 111./50 + 61./100*root29
		c2 = 73./20 + 7./10*root29
		c3 = 7. / 3
	)
	c := math.Floor(x)
	r := x - c // 0 ≤ r ≤ 1
	q := r * (1 - r)
	s := math.Sqrt(c0 + q*(c1+q*(c2+q*c3)))
	p5, p4, p3 := half6(r, s)
	p0, p1, p2 := half6(1-r, s)
	w[0], w[1], w[2] = T(p0), T(p1), T(p2)
	w[3], w[4], w[5] = T(p3), T(p4), T(p5)
	return int(c) - 2
}

// half6 is φ(r−3), φ(r−2) and φ(r−1) for 0 ≤ r ≤ 1, with the root s = √(β²−112γ).
func half6(r, s float64) (outer, middle, inner float64) {
	const (
		b0 = 31./40 + 3./40*root29 // β, by powers of r
		b1 = 9./20 + 7./20*root29
		b2 = -3. / 2
		b3 = -7. / 3
		g4 = (6*root29 - 9) / 144 // −2γ
		g6 = -20. / 144
		m0 = 29./480 - 1./160*root29 // the middle weight, less the outer's part
		m1 = 13./80 - 1./80*root29
		m2 = 1. / 8
		m3 = 1. / 12
		n1 = 7./40 + 1./40*root29 // the inner weight, likewise
		n3 = -1. / 6
	)
	r2 := r * r
	outer = r2 * r2 * (g4 + g6*r2) / (b0 + r*(b1+r*(b2+r*b3)) + s)
	middle = m0 + r*(m1+r*(m2+r*m3)) - 3*outer
	inner = 1./4 + r*(n1+n3*r2) + 2*outer
	return outer, middle, inner
}

package rigid

import (
	"math"

	"lbmib/geometry"
)

// MarkerEquations is what the markers of a body feel before they act, as equations for its
// velocity and spin: at v = (U, Ω) they take A·v − RHS from the body's momentum and its
// moment about the centre.
type MarkerEquations struct {
	A   [6][6]float64
	RHS [6]float64
}

// Add adds what a marker with coefficient a at arm r from the centre does, given the
// velocity of the fluid that it feels: a·(U + Ω×r − felt) is taken from the body.
func (e *MarkerEquations) Add(a float64, r, felt geometry.Vec) {
	// Ω×r = −[r]Ω, and the moment is r×F.
	cross := [3][3]float64{{0, -r[2], r[1]}, {r[2], 0, -r[0]}, {-r[1], r[0], 0}} // [r]
	for i := range 3 {
		e.A[i][i] += a
		for j := range 3 {
			e.A[i][3+j] -= a * cross[i][j]
			e.A[3+i][j] += a * cross[i][j]
			for k := range 3 {
				e.A[3+i][3+j] -= a * cross[i][k] * cross[k][j]
			}
		}
	}
	moment := r.Cross(felt)
	for i := range 3 {
		e.RHS[i] += a * felt[i]
		e.RHS[3+i] += a * moment[i]
	}
}

// AddAcross is Add for a force along n alone, by the velocity along n.
func (e *MarkerEquations) AddAcross(a float64, n, r, felt geometry.Vec) {
	m := r.Cross(n)
	v := [6]float64{n[0], n[1], n[2], m[0], m[1], m[2]}
	u := a * n.Dot(felt)
	for i := range v {
		for j := range v {
			e.A[i][j] += a * v[i] * v[j]
		}
		e.RHS[i] += u * v[i]
	}
}

// Include adds what other markers feel.
func (e *MarkerEquations) Include(o *MarkerEquations) {
	for i := range e.RHS {
		e.RHS[i] += o.RHS[i]
		for j := range e.A[i] {
			e.A[i][j] += o.A[i][j]
		}
	}
}

// solve is the velocity and spin, by elimination with pivots. Rows that are fixed
// have the solution 0.
func (e *MarkerEquations) solve(fixed [6]bool) (v [6]float64) {
	a, rhs := e.A, e.RHS
	for i, is := range fixed {
		if !is {
			continue
		}
		for j := range 6 {
			a[i][j], a[j][i] = 0, 0
		}
		a[i][i], rhs[i] = 1, 0
	}
	for c := range 6 {
		p := c
		for r := c + 1; r < 6; r++ {
			if math.Abs(a[r][c]) > math.Abs(a[p][c]) {
				p = r
			}
		}
		a[c], a[p] = a[p], a[c]
		rhs[c], rhs[p] = rhs[p], rhs[c]
		for r := c + 1; r < 6; r++ {
			f := a[r][c] / a[c][c]
			for k := c; k < 6; k++ {
				a[r][k] -= f * a[c][k]
			}
			rhs[r] -= f * rhs[c]
		}
	}
	for c := 5; c >= 0; c-- {
		v[c] = rhs[c]
		for k := c + 1; k < 6; k++ {
			v[c] -= a[c][k] * v[k]
		}
		v[c] /= a[c][c]
	}
	return v
}

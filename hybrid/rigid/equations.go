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
	// Ω×r = −[r]Ω, the moment is r×F, and −[r][r] = |r|² − r rᵀ.
	x, y, z := r[0], r[1], r[2]
	ax, ay, az := a*x, a*y, a*z
	m := &e.A
	m[0][0], m[1][1], m[2][2] = m[0][0]+a, m[1][1]+a, m[2][2]+a
	m[0][4], m[1][5], m[2][3] = m[0][4]+az, m[1][5]+ax, m[2][3]+ay
	m[0][5], m[1][3], m[2][4] = m[0][5]-ay, m[1][3]-az, m[2][4]-ax
	m[4][0], m[5][1], m[3][2] = m[4][0]+az, m[5][1]+ax, m[3][2]+ay
	m[5][0], m[3][1], m[4][2] = m[5][0]-ay, m[3][1]-az, m[4][2]-ax
	m[3][3] += ay*y + az*z
	m[4][4] += az*z + ax*x
	m[5][5] += ax*x + ay*y
	m[3][4], m[4][3] = m[3][4]-ax*y, m[4][3]-ax*y
	m[3][5], m[5][3] = m[3][5]-ax*z, m[5][3]-ax*z
	m[4][5], m[5][4] = m[4][5]-ay*z, m[5][4]-ay*z
	e.RHS[0] += a * felt[0]
	e.RHS[1] += a * felt[1]
	e.RHS[2] += a * felt[2]
	e.RHS[3] += ay*felt[2] - az*felt[1]
	e.RHS[4] += az*felt[0] - ax*felt[2]
	e.RHS[5] += ax*felt[1] - ay*felt[0]
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

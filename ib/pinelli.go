package ib

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"lbmib/geometry"
)

const (
	// denseMarkers is the number of markers up to which the weights are solved
	// for directly, by Cholesky; beyond it conjugate gradients need less time
	// and far less memory.
	denseMarkers = 2000
	// maxCondition is the condition number beyond which markers count as
	// dependent on each other.
	maxCondition = 1e8
)

// SafeSpacing is a marker spacing, in nodes, at which PinelliWeights are
// positive on smooth bodies in dim dimensions: found by solving for circles and
// spheres of 8 to 40 nodes in diameter. On a surface markers need more room than
// on a curve, because they are not all equally far from their neighbours; the
// even–odd property of the four-point deltas makes markers one node apart along
// an axis dependent on each other.
func SafeSpacing(d Stencil, dim int) float64 {
	switch {
	case d.Support() == 3 && dim == 2:
		return 1
	case d.Support() == 3 || dim == 2:
		return 1.2
	}
	return 1.5
}

// PinelliWeights are the weights ε of direct forcing of Pinelli, Naqavi,
// Piomelli & Favier, J. Comput. Phys. 229 (2010) 9073: A ε = 1 with A_kl =
// Σ_x δ(x−X_k) δ(x−X_l), points x in nodes. A force per marker, times ε, spread
// and interpolated back returns itself when it is uniform: one application
// removes uniform slip. condition estimates the condition number of A; it grows
// fast when markers come nearer than a node.
//
// One application turns slip s into (1 − A·diag ε) s. With ε > 0 the matrix
// A·diag ε has no negative element and unit row sums, so all its eigenvalues
// are in (0, 1] and no slip grows; one negative weight gives a negative
// eigenvalue and a slip that grows with each application. So weights that are
// not positive are refused, as are markers so near to each other that A is
// numerically singular, points whose support leaves the grid and grids that are
// too narrow for the delta.
func PinelliWeights[T Float](g Grid, d Delta[T], x []geometry.Vec) (weights []float64, condition float64, err error) {
	if err := g.check(d); err != nil {
		return nil, 0, err
	}
	if len(x) == 0 {
		return nil, 1, nil
	}
	a, err := newOverlap(g, d, x)
	if err != nil {
		return nil, 0, err
	}
	solve := solveDense
	if len(x) > denseMarkers {
		solve = solveSparse
	}
	weights, condition = solve(a)
	if err := a.judge(d.Name(), weights, condition, SafeSpacing(d, g.Dim)); err != nil {
		return nil, condition, err
	}
	return weights, condition, nil
}

// judge refuses weights that direct forcing cannot use; nil weights are those
// of a matrix that could not be solved. safe is the spacing to propose.
func (a *overlap) judge(delta string, weights []float64, condition, safe float64) error {
	fault := ""
	if weights == nil || !(condition <= maxCondition) {
		fault = fmt.Sprintf("the weights of direct forcing are not determined (condition number %.1e, at most %.0e)", condition, maxCondition)
	}
	for k, e := range weights {
		if fault == "" && !(e > 0) {
			fault = fmt.Sprintf("the weight of direct forcing at marker %d is %.3g, must be positive (condition number %.1e)", k, e, condition)
		}
	}
	if fault == "" {
		return nil
	}
	return fmt.Errorf("ib: markers are too close for delta %s: smallest spacing %.3g nodes (markers %d and %d): %s: set the marker spacing to at least %.3g nodes and keep bodies as far apart",
		delta, a.spacing, a.nearest[0], a.nearest[1], fault, safe)
}

// solveDense solves A ε = 1 by Cholesky; nil if A is not positive definite.
func solveDense(a *overlap) (weights []float64, condition float64) {
	n := a.n()
	full := mat.NewSymDense(n, nil)
	for k := range n {
		for i := a.start[k]; i < a.start[k+1]; i++ {
			if l := int(a.column[i]); l >= k {
				full.SetSym(k, l, a.value[i])
			}
		}
	}
	var cholesky mat.Cholesky
	if !cholesky.Factorize(full) {
		return nil, math.Inf(1)
	}
	weights = make([]float64, n)
	one := mat.NewVecDense(n, nil)
	for k := range n {
		one.SetVec(k, 1)
	}
	// The error tells of a bad condition number, which the caller judges.
	_ = cholesky.SolveVecTo(mat.NewVecDense(n, weights), one)
	return weights, cholesky.Cond()
}

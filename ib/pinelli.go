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
	// maxGrowth is the eigenvalue of A·diag ε beyond which slip grows with
	// each application.
	maxGrowth = 2
	// growthIterations sharpen a bound on it within a few per cent.
	growthIterations = 16
)

// SafeSpacing is a marker spacing, in nodes, at which PinelliWeights are
// positive on smooth bodies in dim dimensions, none less than 0.3 of their mean,
// and the condition number is below 1000: found by solving for 1500 circles and
// 120 spheres of 8 to 40 nodes in diameter, anywhere between the nodes. On a
// surface markers need more room than on a curve, because they are not all equally
// far from their neighbours. The even–odd property makes markers one node apart
// along an axis dependent on each other; bspline4 has none and needs less room
// than others as wide. hat2 and m4prime, which vanish at all nodes but one for a
// marker on a node, need room because A changes most with the place of a marker.
func SafeSpacing(d Stencil, dim int) float64 {
	for _, known := range deltas[float64]() {
		if known.Name() == d.Name() && dim == 2 {
			return known.plane
		} else if known.Name() == d.Name() {
			return known.space
		}
	}
	panic(fmt.Sprintf("ib: delta %q is not in the table of deltas", d.Name()))
}

// PinelliWeights are the weights ε of direct forcing of Pinelli, Naqavi,
// Piomelli & Favier, J. Comput. Phys. 229 (2010) 9073: A ε = 1 with A_kl =
// Σ_x δ(x−X_k) δ(x−X_l) h^d, points in the units of the grid. A force per marker,
// times ε, spread and interpolated back returns itself when it is uniform: one
// application removes uniform slip. condition estimates the condition number of
// A; it grows fast when markers come nearer than a node.
//
// One application turns slip s into (1 − A·diag ε) s. A is a Gram matrix, never
// indefinite whatever the signs of the delta's weights, and with ε > 0 all
// eigenvalues of A·diag ε are positive; one negative ε gives a negative
// eigenvalue and a slip that grows with each application. Row sums are one, so
// that a delta without negative weights has no eigenvalue above one and takes off
// a part of any slip. That of m4prime leaves negative elements in A: eigenvalues
// reach 1.25 on circles and 1.6 on spheres at the SafeSpacing, up to 1.8 at wider
// ones, and such slip changes its sign before it decays. Beyond 2 it would grow,
// as it does where markers fill an area or a volume, 1.8 nodes apart.
//
// So weights that are not positive are refused, and those that may let slip grow,
// as are markers so near to each other that A is numerically singular, points
// whose support leaves the grid and grids that are too narrow for the delta.
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
	weights, condition = a.solve()
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
	if fault != "" {
		return fmt.Errorf("ib: markers are too close for delta %s: smallest spacing %.3g nodes (markers %d and %d): %s: set the marker spacing to at least %.3g nodes and keep bodies as far apart",
			delta, a.spacing, a.nearest[0], a.nearest[1], fault, safe)
	}
	if growth := a.growth(weights, maxGrowth); !(growth <= maxGrowth) {
		return fmt.Errorf("ib: direct forcing with delta %s at these %d markers may let slip grow %.3g times a step, must be at most 1: use a delta without negative weights, such as roma3, or put markers on the surface only, about %.3g nodes apart",
			delta, a.n(), growth-1, safe)
	}
	return nil
}

// solve solves A ε = 1; nil weights where it cannot.
func (a *overlap) solve() (weights []float64, condition float64) {
	if a.n() > denseMarkers {
		return solveSparse(a)
	}
	return solveDense(a)
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

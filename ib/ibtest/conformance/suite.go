// Package conformance holds what every transfer between markers and a grid must do:
// agreement with the definition, adjointness, conservation, reproduction of fields,
// and results that depend on nothing but the points. A strategy is tested by calling
// Transfer from its own tests, in both precisions.
package conformance

import (
	"math"
	"math/rand/v2"

	"lbmib/geometry"
	"lbmib/ib"
	"lbmib/internal/checking"
	"lbmib/internal/parallel"
)

// Maker makes a transfer of the strategy under test: component c of a field lies on
// grids[c], and any number of components on a grid that is the only one. pool may be
// nil.
type Maker[T ib.Float] func(grids []ib.Grid, d ib.Delta[T], pool *parallel.Pool) (ib.Transfer[T], error)

// Option is a promise that the strategy under test does not give.
type Option func(*promises)

type promises struct{ toRounding bool }

// ToRounding is for strategies that leave the order of sums to chance: what they
// spread with several workers need agree with what one worker spreads to rounding
// only, where others must give the same bits. What they interpolate must be the
// same bits all the same.
func ToRounding() Option { return func(p *promises) { p.toRounding = true } }

// suite is a strategy under test in one precision.
type suite[T ib.Float] struct {
	promises
	make Maker[T]
	// tolerance bounds differences relative to the sum of the absolute values
	// of all terms: some roundings of the precision.
	tolerance float64
}

// laws is the part of the suite that asks for the physics and for the moments of deltas.
type laws[T ib.Float] struct{ suite[T] }

// Transfer runs the suite.
func Transfer[T ib.Float](t checking.T, make Maker[T], options ...Option) {
	s := suite[T]{make: make, tolerance: 1e-13}
	if single[T]() {
		s.tolerance = 2e-6
	}
	for _, set := range options {
		set(&s.promises)
	}
	laws := laws[T]{s}
	for _, test := range []struct {
		name string
		run  func(checking.T)
	}{
		{"every delta on every grid agrees with the definition", s.everySetting},
		{"every arrangement of points agrees with the definition", s.everyArrangement},
		{"points beyond walls take no part", s.beyondWalls},
		{"spreading is the adjoint of interpolation", laws.adjoint},
		{"spreading conserves force", laws.force},
		{"spreading conserves torque", laws.torque},
		{"polynomials are interpolated with the delta's moments", laws.polynomials},
		{"checkerboards are not felt", laws.checkerboards},
		{"negative weights reach the grid", laws.negativeWeights},
		{"Pinelli's weights remove uniform slip at once", laws.uniformSlip},
		{"the order of points does not matter", s.permutation},
		{"a point and its periodic images are the same", s.images},
		{"any number of workers gives the same bits", s.workers},
		{"moving points leave no trace", s.moving},
		{"components do not influence each other", s.components},
		{"nodes that are not finite are felt by the points near them alone", s.notFinite},
		{"repeated use allocates nothing", s.allocations},
		{"positions that are none are refused and forgotten", s.noPositions},
		{"lengths that do not fit panic", s.lengths},
	} {
		t.Run(test.name, test.run)
	}
}

// random is reproducible.
func random() *rand.Rand { return rand.New(rand.NewPCG(1, 2)) }

// with is a transfer of the strategy that holds points x.
func (s suite[T]) with(t checking.T, set setting[T], pool *parallel.Pool, x []geometry.Vec) ib.Transfer[T] {
	t.Helper()
	transfer, err := s.make(set.grids, set.delta, pool)
	if err == nil {
		err = transfer.SetPoints(x)
	}
	if err != nil {
		t.Fatalf("%s: %v", set.name, err)
	}
	return transfer
}

// close fails the test unless got is want within the tolerance relative to scale.
func (s suite[T]) close(t checking.T, what string, got, want, scale float64) {
	if !(math.Abs(got-want) <= s.tolerance*scale) {
		t.Helper() // it is slow
		t.Fatalf("%s: %v, want %v: they differ by %.1e of %.3g", what, got, want, math.Abs(got-want)/scale, scale)
	}
}

// same fails the test unless a and b are the same bits.
func same[T ib.Float](t checking.T, what string, a, b [][]T) {
	t.Helper()
	for c := range a {
		for i := range a[c] {
			if a[c][i] != b[c][i] {
				t.Fatalf("%s: component %d, element %d: %v and %v", what, c, i, a[c][i], b[c][i])
			}
		}
	}
}

// mustSet gives a transfer other points.
func mustSet[T ib.Float](t checking.T, what string, transfer ib.Transfer[T], x []geometry.Vec) {
	t.Helper()
	if err := transfer.SetPoints(x); err != nil {
		t.Fatalf("%s: %v", what, err)
	}
}

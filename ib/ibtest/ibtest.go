// Package ibtest runs the conformance suite of transfers (package conformance) in tests.
package ibtest

import (
	"testing"

	"lbmib/geometry"
	"lbmib/ib"
	"lbmib/ib/ibtest/conformance"
	"lbmib/internal/checking/checkingtest"
)

// Maker makes a transfer of the strategy under test: see conformance.Maker.
type Maker[T ib.Float] = conformance.Maker[T]

// Option is a promise that the strategy under test does not give.
type Option = conformance.Option

// ToRounding is for strategies that leave the order of sums to chance: see
// conformance.ToRounding.
func ToRounding() Option { return conformance.ToRounding() }

// Transfer runs the suite.
func Transfer[T ib.Float](t *testing.T, make Maker[T], options ...Option) {
	conformance.Transfer(checkingtest.T{T: t}, make, options...)
}

// Interpolate and Spread are the definitions, term by term, in double precision: see
// package conformance.
func Interpolate[T ib.Float](grids []ib.Grid, d ib.Delta[T], x []geometry.Vec, field [][]T) (values, size [][]float64) {
	return conformance.Interpolate(grids, d, x, field)
}

func Spread[T ib.Float](grids []ib.Grid, d ib.Delta[T], x []geometry.Vec, field, values [][]T) (sums, size [][]float64) {
	return conformance.Spread(grids, d, x, field, values)
}

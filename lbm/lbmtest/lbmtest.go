// Package lbmtest runs the conformance suite of fluids (package conformance) in tests.
package lbmtest

import (
	"testing"

	"lbmib/internal/checking"
	"lbmib/internal/checking/checkingtest"
	"lbmib/lbm"
	"lbmib/lbm/lbmtest/conformance"
)

// Factory makes a fluid to be tested; it ends what it started through t.Cleanup.
type Factory[T lbm.Float] func(t testing.TB, cfg lbm.Config) lbm.Fluid[T]

// Conform runs the suite on a fluid that stores populations in T: all of it, or with -short
// what takes some tens of steps.
func Conform[T lbm.Float](t *testing.T, make Factory[T]) {
	conformance.Fluid(checks(t), inTest(make))
}

// ConformTo runs the suite on a fluid that rounds what it stores by up to eps/2
// of its magnitude; all bounds are multiples of eps.
func ConformTo[T lbm.Float](t *testing.T, make Factory[T], eps float64) {
	conformance.FluidTo(checks(t), inTest(make), eps)
}

func checks(t *testing.T) checkingtest.T {
	if testing.Short() {
		return checkingtest.T{T: t, Without: conformance.IsFlow}
	}
	return checkingtest.T{T: t}
}

func inTest[T lbm.Float](make Factory[T]) conformance.Factory[T] {
	return func(t checking.T, cfg lbm.Config) lbm.Fluid[T] { return make(t.(checkingtest.T).T, cfg) }
}

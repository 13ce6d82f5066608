package setup

import (
	"math"
	"testing"
)

// The bounds lie below where membranes were seen to go wrong with roma3, at most as far as their sources say, and the
// velocity that a refusal names meets the bound.
func TestBoundsOfStiffness(t *testing.T) {
	const roma3 = 0.5
	for _, onset := range []struct {
		dim       int
		nu, above float64 // where all was well still
	}{{3, 0.17, 24}, {3, 0.5, 16}, {3, 1, 4}, {3, 2, 2.5}, {3, 5, 0.7}, {3, 15, 0.15}, {2, 0.02, 28}, {2, 0.2, 9}, {2, 1, 3}} {
		if most := mostStiffnessAt(onset.dim, roma3, onset.nu); !(most <= onset.above && most > onset.above/6) {
			t.Errorf("in %dD at ν = %g the bound is %.3g, want below %g and not far", onset.dim, onset.nu, most, onset.above)
		}
	}
	for _, dim := range []int{2, 3} {
		for _, nu := range []float64{0.05, 0.5, 20} {
			at := 3 * mostStiffnessAt(dim, roma3, nu)
			f := softestVelocity(nu, at, 0, func(nu float64) float64 { return mostStiffnessAt(dim, roma3, nu) })
			if most := mostStiffnessAt(dim, roma3, f*nu); math.Abs(f*at/most-1) > 1e-9 {
				t.Errorf("in %dD at ν = %g a velocity %.4g times as large leads to the stiffness %g, want the bound %g", dim, nu, f, f*at, most)
			}
		}
	}
}

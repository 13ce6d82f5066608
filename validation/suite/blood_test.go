package suite

import (
	"math"
	"testing"
)

// TestFitsOfBloodInTubes: the fits as written here have the values that were tabulated apart from them (apparent viscosity, three decimals).
func TestFitsOfBloodInTubes(t *testing.T) {
	for _, c := range []struct{ diameter, discharge, viscosity float64 }{
		{10, 0.15, 1.070}, {10, 0.30, 1.170}, {10, 0.45, 1.328}, {20, 0.15, 1.126}, {20, 0.30, 1.307}, {20, 0.45, 1.588},
		{40, 0.15, 1.207}, {40, 0.30, 1.494}, {40, 0.45, 1.923}, {100, 0.15, 1.327}, {100, 0.30, 1.777}, {100, 0.45, 2.443},
	} {
		if got, _ := pries(c.diameter, c.discharge); math.Abs(got-c.viscosity) > 6e-4 {
			t.Errorf("%g µm, %g: the viscosity is %.4f, tabulated %.3f", c.diameter, c.discharge, got, c.viscosity)
		}
	}
	if _, ratio := pries(20, 0.45); math.Abs(ratio-0.731) > 6e-4 { // by the constants of 1992; by those of 1990 0.735
		t.Errorf("the Fåhræus ratio is %.4f", ratio)
	}
}

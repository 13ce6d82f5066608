package setup

import (
	"math"
	"testing"
)

// TestPriesFits: numbers that follow from the fits, as others give them.
func TestPriesFits(t *testing.T) {
	for _, of := range []struct {
		what        string
		value, want float64
	}{
		{"relative viscosity, 20 µm, 0.30", BloodViscosity(20, 0.30), 1.307},
		{"relative viscosity, 40 µm, 0.30", BloodViscosity(40, 0.30), 1.494},
		{"Fåhræus ratio, 20 µm, 0.45", FahraeusRatio(20, 0.45), 0.731},
		{"relative viscosity, wide, 0.45", BloodViscosity(1000, 0.45), 3.19},
	} {
		if math.Abs(of.value/of.want-1) > 0.002 {
			t.Errorf("%s: %.4f, should be %.4g", of.what, of.value, of.want)
		}
	}
}

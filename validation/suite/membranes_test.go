package suite

import (
	"math"
	"testing"
)

// TestExtrapolationIsExactForParabolas in the square of the spacing of nodes.
func TestExtrapolationIsExactForParabolas(t *testing.T) {
	var v [3]float64
	for k, a := range capsuleRadii {
		v[k] = 2 + 0.7/(a*a) - 3/(a*a*a*a)
	}
	if got := atNoSpacing(capsuleRadii, v); math.Abs(got-2) > 1e-12 {
		t.Errorf("extrapolated to %g, want 2", got)
	}
}

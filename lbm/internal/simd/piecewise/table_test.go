package piecewise

import (
	"math"
	"testing"
)

// A straight piece of 1/32 of an octave is off by h² z² f”/8 at most, h = 1/32: of z^p by p(1 − p)/8192 of it.
func TestATableIsItsFunction(t *testing.T) {
	for _, p := range []float64{0, 0.2, 0.5, 0.9} {
		f := func(z float64) float64 { return 0.5 + 3*math.Pow(z, p) }
		double, single := Of[float64](f), Of[float32](f)
		for z := 1.0001 * Low; z < 1; z *= 1.0123 {
			want, bound := f(z), 3*math.Pow(z, p)*p*(1-p)/8192+1e-15
			if got := double.Find(z); math.Abs(got-want) > bound {
				t.Errorf("z^%g at %g is %g in the table, want %g ± %.1g", p, z, got, want, bound)
			}
			if got := float64(single.Find(float32(z))); math.Abs(got-want) > bound+5e-7*want {
				t.Errorf("z^%g at %g is %g in the table of float32, want %g", p, z, got, want)
			}
		}
	}
}

func TestBeyondItsEndsATableIsWhatItIsThere(t *testing.T) {
	double, single := Of[float64](math.Sqrt), Of[float32](math.Sqrt)
	for _, z := range []float64{0, 1e-300, Low / 2, math.NaN(), math.Inf(-1)} {
		if got := double.Find(z); math.Abs(got-math.Sqrt(Low)) > 1e-18 {
			t.Errorf("at %g it is %g, want %g", z, got, math.Sqrt(Low))
		}
		if got := single.Find(float32(z)); math.Abs(float64(got)-math.Sqrt(Low)) > 1e-16 {
			t.Errorf("at %g it is %g in float32, want %g", z, got, math.Sqrt(Low))
		}
	}
	for _, z := range []float64{1, 7, math.Inf(1)} {
		if got := double.Find(z); math.Abs(got-1) > 1e-12 {
			t.Errorf("at %g it is %g, want 1", z, got)
		}
		if got := single.Find(float32(z)); math.Abs(float64(got)-1) > 1e-6 {
			t.Errorf("at %g it is %g in float32, want 1", z, got)
		}
	}
}

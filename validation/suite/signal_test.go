package suite

import (
	"math"
	"testing"
)

// samples are n + 1 values of f over 0 ≤ t ≤ end.
func samples(n int, end float64, f func(t float64) float64) (ts, vs []float64) {
	for i := range n + 1 {
		t := end * float64(i) / float64(n)
		ts, vs = append(ts, t), append(vs, f(t))
	}
	return ts, vs
}

func near(t *testing.T, what string, got, want, bound float64) {
	t.Helper()
	if !(math.Abs(got-want) <= bound) {
		t.Errorf("%s: %.15g, want %.15g within %g", what, got, want, bound)
	}
}

func TestExtremaLieBetweenSamples(t *testing.T) {
	_, vs := samples(10, 3, func(t float64) float64 { return 2 - (t-1.37)*(t-1.37) })
	near(t, "largest of a parabola", largest(vs), 2, 1e-12)
	for i := range vs {
		vs[i] = -vs[i]
	}
	near(t, "smallest", smallest(vs), -2, 1e-12)
	near(t, "largest at an end", largest([]float64{1, 2, 3}), 3, 0)
	if !math.IsNaN(largest(nil)) {
		t.Error("nothing has a largest value")
	}
}

func TestTheOrderOfAPowerIsItsExponent(t *testing.T) {
	n := []float64{10, 20, 40}
	near(t, "order", order(n, []float64{-3e-2, -3e-2 / 2.8284271247461903, -3e-2 / 8}), 1.5, 1e-12)
	if !math.IsNaN(order(n, []float64{1})) {
		t.Error("lists of different lengths have an order")
	}
}

func TestValuesAreInterpolatedAndNeverExtrapolated(t *testing.T) {
	x, y := []float64{0, 1, 3}, []float64{1, 2, -2}
	near(t, "between", at(x, y, 2), 0, 1e-15)
	near(t, "on a sample", at(x, y, 1), 2, 0)
	for _, out := range []float64{-0.1, 3.1, math.NaN()} {
		if !math.IsNaN(at(x, y, out)) {
			t.Errorf("at %g there is a value", out)
		}
	}
}

func TestATrendIsTakenOffNoise(t *testing.T) {
	ts, vs := samples(400, 10, func(t float64) float64 { return 3 + 0.2*t + 0.01*math.Cos(2*math.Pi*t) })
	near(t, "rms of what is left", rms(detrended(ts, vs)), 0.01/math.Sqrt2, 2e-5)
}

func TestWindowsHoldTheirEnds(t *testing.T) {
	ts, vs := within([]float64{0, 0.1, 0.2, 0.3000000000000001}, []float64{1, 2, 3, 4}, 0.1, 0.3)
	if len(ts) != 3 || vs[0] != 2 || vs[2] != 4 {
		t.Errorf("got %v, %v", ts, vs)
	}
	if _, v := within([]float64{1}, nil, 0, 2); v != nil {
		t.Error("series of different lengths have a window")
	}
}

// Jeffery's own orbit: half a turn after the transient gives the period.
func TestAnOrbitHasJefferysPeriod(t *testing.T) {
	for _, r := range []float64{2, 5} {
		period := 2 * math.Pi * (r + 1/r)
		ts, angle := samples(20000, 3*period, func(t float64) float64 {
			phase := t * r / (r*r + 1)
			half := math.Round(phase / math.Pi)
			return -half*math.Pi - math.Atan(r*math.Tan(phase-half*math.Pi))
		})
		near(t, "period", orbit(ts, angle, 8), period, 1e-6*period)
	}
}

func TestSymmetricPartsOfMeasurements(t *testing.T) {
	y := []float64{-1, -0.5, 0.5, 1}
	ys, v := symmetric(y, []float64{4, 2, 4, 2}, 1)
	if len(ys) != 4 || v[0] != 3 || v[1] != 3 || v[2] != 3 {
		t.Errorf("even part %v at %v", v, ys)
	}
	_, v = symmetric(y, []float64{4, 2, 4, 2}, -1)
	if v[0] != 1 || v[3] != -1 {
		t.Errorf("odd part %v", v)
	}
}

// The start-up of Couette flow solves the diffusion equation and its ends.
func TestExactSolutionsMeetTheirEquations(t *testing.T) {
	const y, s, h = 0.37, 0.08, 1e-4
	rate := (startUp(y, s+h) - startUp(y, s-h)) / (2 * h)
	bend := (startUp(y+h, s) - 2*startUp(y, s) + startUp(y-h, s)) / (h * h)
	near(t, "∂u/∂t = ν ∂²u/∂y²", rate, bend, 1e-4)
	near(t, "at the moving wall", startUp(1, s), 1, 1e-12)
	near(t, "long after", startUp(0.3, 5), 0.3, 1e-12)
	near(t, "largest velocity of a duct", ductVelocity(0.5, 0.5), 0.0736713, 1e-6)
	near(t, "Taylor–Couette at the inner cylinder", couetteVelocity(0.5), 1, 1e-12)
	near(t, "and just outside it", couetteVelocity(0.5+1e-9), 1, 1e-8)
	near(t, "and at the outer one", couetteVelocity(1-1e-12), 0, 1e-9)
}

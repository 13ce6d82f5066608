package statistics

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"
)

// autoregressive is y_i = mean + x_i, x_i = φ x_{i−1} + noise, which begins far off
// its mean.
func autoregressive(r *rand.Rand, n int, mean, phi, start float64) (t, y []float64) {
	t, y = make([]float64, n), make([]float64, n)
	x := start
	for i := range y {
		x = phi*x + r.NormFloat64()
		t[i], y[i] = 0.05*float64(i), mean+x
	}
	return t, y
}

// A 95 % interval that holds the mean in 90 to 99 % of 200 records: three standard
// deviations of the count, and what short records cost.
func TestIntervalHoldsTheMeanOfCorrelatedNoise(t *testing.T) {
	for _, c := range []struct {
		name       string
		n          int
		phi, start float64
	}{
		{"white", 2000, 0, 0},
		{"correlated", 4000, 0.9, 0},
		{"with a transient of fifty deviations", 6000, 0.9, 100},
		{"correlated anticyclically", 2000, -0.5, 0},
	} {
		r := rand.New(rand.NewPCG(1, 2))
		held, width := 0, 0.
		const trials = 200
		for range trials {
			ts, y := autoregressive(r, c.n, 3, c.phi, c.start)
			i := MeanInterval(ts, y)
			if math.Abs(i.Mean-3) <= i.HalfWidth {
				held++
			}
			width += i.HalfWidth / trials
		}
		// The half width of the best estimate possible: 1.96 σ √(1/n), σ² the
		// spectrum at zero, 1/(1 − φ)².
		best := 1.96 / (1 - c.phi) / math.Sqrt(float64(c.n))
		if rate := float64(held) / trials; rate < 0.9 || rate > 0.995 || width > 2*best {
			t.Errorf("%s: %.1f %% of the intervals hold the mean, want 90 to 99; half width %.3g, the best possible %.3g", c.name, 100*rate, width, best)
		}
	}
}

func TestTransientIsLeftOut(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	ts, y := autoregressive(r, 4000, 1, 0.5, 0)
	for i := range y {
		y[i] += 50 * math.Exp(-ts[i]/5)
	}
	i := MeanInterval(ts, y)
	if i.From < 10 || i.From > 100 || math.Abs(i.Mean-1) > 0.2 {
		t.Errorf("the settled part begins at t = %g with mean %g, want 10 to 100 (2 to 20 decay times) and 1", i.From, i.Mean)
	}
}

func TestIntervalOfAPeriodicRecordHoldsItsMean(t *testing.T) {
	for _, period := range []float64{0.9, math.Pi, 5, 6.25, 7.3, 20} {
		for _, end := range []float64{60, 100, 137} {
			var ts, y []float64
			for x := 0.; x < end; x += 0.05 {
				ts, y = append(ts, x), append(y, 1.4+0.3*math.Sin(2*math.Pi*x/period+1)+2*math.Exp(-x))
			}
			i := MeanInterval(ts, y)
			// Where blocks hold whole periods nothing scatters, and the mean is exact
			// but for a sample's part.
			if off := math.Abs(i.Mean - 1.4); off > i.HalfWidth+0.3*0.05/(end/2) {
				t.Errorf("period %.3g, end %g: mean off by %.2g with a half width of %.2g", period, end, off, i.HalfWidth)
			}
			// A mean over a part of a period is off by at most its part of the record.
			if i.HalfWidth > 0.3*8*period/end {
				t.Errorf("period %.3g, end %g: half width %.2g", period, end, i.HalfWidth)
			}
		}
	}
}

func TestIntervalShrinksAsASteadyFlowSettles(t *testing.T) {
	var ts, y []float64
	before := math.Inf(1)
	for x := 0.; x < 60; x += 0.05 {
		ts, y = append(ts, x), append(y, 2+math.Exp(-x/4))
		if len(ts)%200 != 0 {
			continue
		}
		i := MeanInterval(ts, y)
		if off := math.Abs(i.Mean - 2); x > 12 && off > i.HalfWidth || !(i.HalfWidth < before) { // three decay times: before, too little of the curve is seen
			t.Errorf("t = %.3g: mean off by %.2g with a half width of %.2g after %.2g", x, off, i.HalfWidth, before)
		}
		before = i.HalfWidth
	}
	if before > 1e-3 {
		t.Errorf("after 15 decay times the half width is %g", before)
	}
}

func TestNothingIsKnownOfShortDivergedOrUnstableRecords(t *testing.T) {
	ts, y := autoregressive(rand.New(rand.NewPCG(5, 6)), 40, 1, 0, 0)
	if i := MeanInterval(ts, y); !math.IsNaN(i.HalfWidth) || !strings.Contains(i.Note, "80") {
		t.Errorf("40 samples: %+v", i)
	}
	ts, y = autoregressive(rand.New(rand.NewPCG(5, 6)), 400, 1, 0, 0)
	y[77] = math.NaN()
	if i := MeanInterval(ts, y); !math.IsNaN(i.HalfWidth) || !strings.Contains(i.Note, "77") {
		t.Errorf("a sample that is no number: %+v", i)
	}
	var h History
	for x := 0.; x < 60; x += 0.05 { // steady drag, lift about to shed
		h.T, h.Cd, h.Cl = append(h.T, x), append(h.Cd, 1.5+math.Exp(-x)), append(h.Cl, 1e-4*math.Exp((x-60)/5)*math.Sin(x))
	}
	if i := MeanDrag(h); !math.IsNaN(i.HalfWidth) || !strings.Contains(i.Note, "shedding") {
		t.Errorf("an unstable wake: %+v", i)
	}
	for k := range h.Cl {
		h.Cl[k] = 0
	}
	if i := MeanDrag(h); !(i.HalfWidth < 1e-3) {
		t.Errorf("a steady wake: %+v", i)
	}
}

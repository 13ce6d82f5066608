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
		{"behind a transient of fifty deviations", 6000, 0.9, 100},
		{"correlated anticyclically", 2000, -0.5, 0},
	} {
		r := rand.New(rand.NewPCG(1, 2))
		held, width := 0, 0.
		const trials = 200
		for range trials {
			ts, y := autoregressive(r, c.n, 3, c.phi, c.start)
			i := MeanWithin(ts, y, 5, math.Inf(1)) // behind 100 samples, in which a transient falls to 0.003 deviations
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

// Of a record that falls by 50 before the window and rises evenly by 0.01 a sample in it, 160 samples: 8 blocks of 20 samples, whose means rise
// by d = 0.2, deviate by d √6 (42 d²/7) and have the correlation 26.25/42 + 1/8 = 3/4 of neighbours: the half width is
// 2.3646 d √6/√8 √(1.75/0.25) = 5.4180 d. Fewer blocks than 64 since they are correlated. The record as a whole, and what stands behind the window, do not count.
func TestIntervalIsThatOfTheWindowAlone(t *testing.T) {
	var ts, y []float64
	for k := range 480 {
		v := 7.
		switch {
		case k < 160:
			v = 57 - float64(k)*50/160
		case k < 320:
			v = 2 + 0.01*(float64(k-160)-79.5)
		}
		ts, y = append(ts, float64(k)/16), append(y, v) // times without rounding
	}
	i := MeanWithin(ts, y, 10, 319./16)
	near(t, "mean", i.Mean, 2, 1e-12)
	near(t, "half width", i.HalfWidth, 5.4180*0.2, 1e-4)
	if i.Blocks != 8 {
		t.Errorf("%d blocks", i.Blocks)
	}
	h := History{T: ts, Cd: y, Cl: make([]float64, len(ts))}
	if of := (&Result{From: 10, To: 319. / 16}).DragOf(h); of != i {
		t.Errorf("of the drag %+v", of)
	}
	for _, window := range [][2]float64{{29, 40}, {3, 1}, {math.NaN(), 3}, {0, math.NaN()}} {
		if i := MeanWithin(ts, y, window[0], window[1]); !math.IsNaN(i.HalfWidth) || i.Note == "" {
			t.Errorf("of the window %v: %+v", window, i)
		}
	}
}

// Over whole periods the mean of what swings with them is known, whatever the phase and wherever samples lie: that of a drag 2 + 0.5 sin, of which the means of 8 blocks in 7 periods would scatter by more
// than 0.05, to 1e-4; and that of one whose means rise by d = 0.01 from period to period to t(6) s/√7 √((1 + r)/(1 − r)): s² = 28 d²/6, r = 16/28 + 1/7 = 5/7, t(6) = 2.4469.
func TestIntervalOfWholePeriods(t *testing.T) {
	const period = 3.77
	record := func(mean func(t float64) float64) (ts, y []float64) {
		for x := 0.; x < 40; x += 0.05 {
			ts, y = append(ts, x), append(y, mean(x)+0.5*math.Sin(2*math.Pi*x/period+1))
		}
		return ts, y
	}
	r := &Result{From: 5.3, To: 5.3 + 7*period, Periods: 7, Converged: true}
	ts, y := record(func(float64) float64 { return 2 })
	if i := r.MeanOf(ts, y); !(i.HalfWidth < 1e-4) || math.Abs(i.Mean-2) > 1e-4 || i.Blocks != 7 { // of linear interpolation at the ends: 0.5 (2π 0.05/3.77)²/8 times a sample's part of a period
		t.Errorf("%+v", i)
	}
	if i := MeanWithin(ts, y, r.From, r.To); !(i.HalfWidth > 0.05) {
		t.Errorf("in blocks %+v", i)
	}
	ts, y = record(func(t float64) float64 { return 2 + 0.01/period*t })
	near(t, "half width", r.MeanOf(ts, y).HalfWidth, 2.4469*0.01*math.Sqrt(28./6/7)*math.Sqrt(12./2), 1e-3*0.05)
	for _, w := range []*Result{
		{From: 5.3, To: 5.3 + 3*period, Periods: 3, Converged: true}, // too few to tell how they scatter
		{From: 5.3, To: 5.3 + 7*period, Periods: 7},
	} {
		if i := w.MeanOf(ts, y); i != MeanWithin(ts, y, w.From, w.To) {
			t.Errorf("of %d periods, converged %v: %+v", w.Periods, w.Converged, i)
		}
	}
	for n, want := range map[int]float64{4: 3.1824, 5: 2.7764, 7: 2.4469, 8: 2.3646, 16: 2.1314, 32: 2.0395, 64: 1.9983} { // tables
		near(t, "Student's t", studentT(n), want, 0.002*want)
	}
}

func TestIntervalOfAPeriodicRecordHoldsItsMean(t *testing.T) {
	for _, period := range []float64{0.9, math.Pi, 5, 6.25, 7.3, 20} {
		for _, end := range []float64{60, 100, 137} {
			var ts, y []float64
			for x := 0.; x < end; x += 0.05 {
				ts, y = append(ts, x), append(y, 1.4+0.3*math.Sin(2*math.Pi*x/period+1)+2*math.Exp(-x))
			}
			i := MeanWithin(ts, y, 10, end)
			// Where blocks hold whole periods nothing scatters, and the mean is exact
			// but for a sample's part.
			if off := math.Abs(i.Mean - 1.4); off > i.HalfWidth+0.3*0.05/(end-10) {
				t.Errorf("period %.3g, end %g: mean off by %.2g with a half width of %.2g", period, end, off, i.HalfWidth)
			}
			// A mean over a part of a period is off by at most its part of the record.
			if i.HalfWidth > 0.3*8*period/(end-10) {
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
		i := MeanWithin(ts, y, x/2, x)
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
	all := math.Inf(1)
	ts, y := autoregressive(rand.New(rand.NewPCG(5, 6)), 39, 1, 0, 0)
	if i := MeanWithin(ts, y, 0, all); !math.IsNaN(i.HalfWidth) || !strings.Contains(i.Note, "40") {
		t.Errorf("39 samples: %+v", i)
	}
	ts, y = autoregressive(rand.New(rand.NewPCG(5, 6)), 400, 1, 0, 0)
	y[77] = math.NaN()
	if i := MeanWithin(ts, y, 0, all); !math.IsNaN(i.HalfWidth) || !strings.Contains(i.Note, "77") {
		t.Errorf("a sample that is no number: %+v", i)
	}
	var h History
	for x := 0.; x < 60; x += 0.05 { // steady drag, lift about to shed
		h.T, h.Cd, h.Cl = append(h.T, x), append(h.Cd, 1.5+math.Exp(-x)), append(h.Cl, 1e-4*math.Exp((x-60)/5)*math.Sin(x))
	}
	if i := (&Result{From: 30, To: 60}).DragOf(h); !math.IsNaN(i.HalfWidth) || !strings.Contains(i.Note, "shedding") {
		t.Errorf("an unstable wake: %+v", i)
	}
	for k := range h.Cl {
		h.Cl[k] = 0
	}
	if i := (&Result{From: 30, To: 60}).DragOf(h); !(i.HalfWidth < 1e-3) {
		t.Errorf("a steady wake: %+v", i)
	}
}

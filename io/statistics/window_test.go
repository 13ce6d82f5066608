package statistics

import (
	"fmt"
	"math"
	"strings"
	"testing"
)

func TestGivenWindowIsTrimmedToWholePeriods(t *testing.T) {
	w := re100
	w.rate, w.phase, w.cl = 0, 1.1, 0.01
	h := record(100, 0.05, w.at)
	r := Analyse(h, 50.3, 1)
	w.expect(t, r, 1e-4, 1e-3, 1e-4)
	period := 1 / w.strouhal
	if r.From < 50.3 || r.From > 50.3+period || r.To > 100 || r.To < 100-period || r.Periods != int((r.To-r.From)/period+0.5) || !r.Converged {
		t.Errorf("%+v", r)
	}
	if early := Analyse(h, -5, 1); early.Periods < 15 || !early.Converged {
		t.Errorf("a window from before the history: %+v", early)
	}
}

func TestGivenWindowInTheTransientIsNotConverged(t *testing.T) {
	r := Analyse(record(150, 0.05, re100.at), 45, 1)
	if r.Converged || r.Note == "" || r.From < 45 || r.From > 52 {
		t.Errorf("%+v", r)
	}
	near(t, "Strouhal", r.Strouhal, re100.strouhal, 1e-2*re100.strouhal)
}

func TestGivenWindowOfASteadyFlowIsTakenWhole(t *testing.T) {
	h := record(60, 0.05, func(t float64) (cd, cl float64) { return 2 + 5*math.Exp(-t/2), 0 })
	r := Analyse(h, 40, 1)
	near(t, "From", r.From, 40, 1e-12)
	near(t, "CdMean", r.CdMean, 2, 1e-7) // 5 exp(−20) is left at its beginning
	if !r.Steady || !r.Converged {
		t.Errorf("%+v", r)
	}
	if r := Analyse(h, 2, 1); r.Converged || r.Steady || r.Note == "" {
		t.Errorf("with the transient in it: %+v", r)
	}
}

// A window that begins where the history hardly goes is found as if none had been given, shedding and all, and not called converged.
func TestWindowBehindTheEndIsFound(t *testing.T) {
	for _, h := range []History{record(60, 0.05, constant(2, 0)), record(150, 0.05, re100.at)} {
		want, end := Analyse(h, math.NaN(), 1), fmt.Sprintf("ends at t = %g", h.T[len(h.T)-1])
		for _, from := range []float64{h.T[len(h.T)-1] - 0.1, 175, math.Inf(1)} {
			r := Analyse(h, from, 1)
			if r.From != want.From || r.CdMean != want.CdMean || r.Strouhal != want.Strouhal || r.Periods != want.Periods {
				t.Errorf("from %g: %+v, want the numbers of %+v", from, r, want)
			}
			if r.Converged || !strings.Contains(r.Note, end) {
				t.Errorf("from %g: %+v", from, r)
			}
		}
	}
}

// A lift that dies away is told from one that has begun and from one that grows.
func TestAFadingLiftIsTold(t *testing.T) {
	for name, c := range map[string]struct {
		rate  float64
		fades bool
	}{"dies away": {-0.08, true}, "grows": {0.08, false}, "stays": {0, false}} {
		r := Analyse(record(30, 0.05, func(t float64) (cd, cl float64) { return 2, 0.03 * math.Exp(c.rate*t) * math.Sin(2*math.Pi*0.28*t) }), math.NaN(), 1)
		if r.Strouhal == 0 || r.Fading != c.fades {
			t.Errorf("a lift that %s: %+v", name, r)
		}
	}
}

func TestAveragesOfPiecewiseLinearSignalsAreExact(t *testing.T) {
	// Limits on samples, between them and within one interval.
	s := series{[]float64{0, 1, 3, 4}, []float64{0, 4, 0, 2}}
	for _, test := range []struct{ from, to, mean float64 }{
		{0, 4, 7. / 4}, {1, 3, 2}, {0.5, 2, (1.5 + 3) / 1.5}, {1.5, 2.5, 2}, {3, 3, 0}, {2.5, 3.5, 0.5},
	} {
		near(t, "mean", s.mean(test.from, test.to), test.mean, 1e-14)
	}
}

func TestShortHistoriesAreAveragedOnly(t *testing.T) {
	for n := 1; n < enoughSamples; n++ {
		r := Analyse(record(float64(n-1), 1, func(t float64) (cd, cl float64) { return t, -t }), automatic, 1)
		near(t, "CdMean", r.CdMean, float64(n-1)/2, 1e-13)
		near(t, "ClAmplitude", r.ClAmplitude, float64(n-1)/2, 1e-13)
		if r.Converged || r.Steady || !strings.Contains(r.Note, "samples") {
			t.Errorf("%d samples: %+v", n, r)
		}
	}
}

func TestWhatCannotBeAnalysedIsRefused(t *testing.T) {
	good := func() History { return record(40, 0.1, constant(2, 0.1)) }
	for says, edit := range map[string]func(h *History, length *float64){
		"sample 17 ":   func(h *History, _ *float64) { h.Cd[17] = math.NaN() },
		"sample 18 ":   func(h *History, _ *float64) { h.Cl[18] = math.Inf(-1) },
		"sample 19 ":   func(h *History, _ *float64) { h.T[19] = math.NaN() },
		"increase":     func(h *History, _ *float64) { h.T[20] = h.T[19] },
		"as many":      func(h *History, _ *float64) { h.Cl = h.Cl[1:] },
		"is empty":     func(h *History, _ *float64) { *h = History{} },
		"length is 0":  func(_ *History, length *float64) { *length = 0 },
		"length is -1": func(_ *History, length *float64) { *length = -1 },
		"length is Na": func(_ *History, length *float64) { *length = math.NaN() },
	} {
		h, length := good(), 1.0
		edit(&h, &length)
		r := Analyse(h, automatic, length)
		if r.Converged || r.Steady || !math.IsNaN(r.CdMean) || !math.IsNaN(r.Strouhal) || !math.IsNaN(r.From) || !strings.Contains(r.Note, says) {
			t.Errorf("%s: %+v", says, r)
		}
	}
}

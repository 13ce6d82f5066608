package statistics

import (
	"math"
	"strings"
	"testing"
)

func constant(cd, cl float64) func(t float64) (float64, float64) {
	return func(float64) (float64, float64) { return cd, cl }
}

func TestConstantForcesAreSteady(t *testing.T) {
	for _, c := range []struct{ cd, cl float64 }{{2, 0}, {5.58, 0.0106}, {-1, 0}, {0, 0.3}, {0, 0}} {
		r := Analyse(record(40, 0.1, constant(c.cd, c.cl)), automatic, 1)
		want := Result{From: 0, To: r.To, CdMean: r.CdMean, ClMean: r.ClMean, ClRMS: r.ClRMS, Steady: true, Converged: true}
		if r != want {
			t.Errorf("%+v", r)
		}
		// Sums of some hundred terms round in the last digits.
		near(t, "CdMean", r.CdMean, c.cd, 1e-13)
		near(t, "ClMean", r.ClMean, c.cl, 1e-13)
		near(t, "ClRMS", r.ClRMS, 0, 1e-13)
		near(t, "To", r.To, 40, 1e-12)
	}
}

func TestSteadyWindowBeginsAfterTheTransient(t *testing.T) {
	r := Analyse(record(100, 0.05, func(t float64) (cd, cl float64) {
		return 2.05 + 3*math.Exp(-t/6) + 20*math.Exp(-t/0.3), 1e-12 * math.Sin(11*t)
	}), automatic, 1)
	// Drag is within 2·0.1 % of its last value from 6·ln(3/0.0041) on; what
	// is left there, averaged over the window, is below 0.02 %.
	near(t, "From", r.From, 6*math.Log(3/0.0041), 0.5)
	near(t, "CdMean", r.CdMean, 2.05, 2e-4*2.05)
	if !r.Steady || !r.Converged || r.Strouhal != 0 || r.Periods != 0 {
		t.Errorf("%+v", r)
	}
}

func TestDecayedOscillationIsSteady(t *testing.T) {
	// Below the onset of shedding a wake rings and comes to rest.
	w := re100
	w.rate = 0
	ringing := func(t float64) (cd, cl float64) {
		_, cl = w.at(t)
		return 1.5, cl * math.Exp(-t/8)
	}
	r := Analyse(record(120, 0.05, ringing), automatic, 1)
	if !r.Steady || !r.Converged || r.Strouhal != 0 {
		t.Errorf("at rest: %+v", r)
	}
	near(t, "CdMean", r.CdMean, 1.5, 1e-12)
	if r := Analyse(record(30, 0.05, ringing), automatic, 1); r.Converged {
		t.Errorf("still ringing: %+v", r)
	}
}

func TestRoundingAndSoundAreNotShedding(t *testing.T) {
	sound := func(t float64) (cd, cl float64) {
		return 1.5 + 1e-3*math.Sin(5*t), 1e-3 * math.Sin(5*t+1)
	}
	for name, f := range map[string]func(t float64) (cd, cl float64){
		"rounding in double precision":        noisy(constant(2, 0), 1e-13),
		"rounding in single precision":        noisy(constant(2, 0), 1e-5),
		"rounding about no force":             noisy(constant(0, 0), 5e-7),
		"standing sound wave":                 sound,
		"sound wave under noise":              noisy(sound, 1e-4),
		"periodic lift of rounding magnitude": func(t float64) (cd, cl float64) { return 1e-4, 9e-7 * math.Sin(t) },
	} {
		r := Analyse(record(60, 0.05, f), automatic, 1)
		if !r.Steady || !r.Converged || r.Strouhal != 0 || r.Periods != 0 || r.Note != "" {
			t.Errorf("%s: %+v", name, r)
		}
	}
	// The same wave at a hundred times the amplitude is an oscillation.
	r := Analyse(record(60, 0.05, func(t float64) (cd, cl float64) { return 1.5, 0.1 * math.Sin(5*t) }), automatic, 1)
	near(t, "Strouhal", r.Strouhal, 5/(2*math.Pi), 1e-3)
	if r.Steady || !r.Converged {
		t.Errorf("large wave: %+v", r)
	}
}

func TestDriftingDragIsNotConverged(t *testing.T) {
	creep := func(slope float64) History {
		return record(100, 0.1, func(t float64) (cd, cl float64) { return 2 + slope*(t-100), 0 })
	}
	// 0.18 % over the run: within the band, but the quarters differ by 0.135 %.
	if r := Analyse(creep(1.8e-3*2/100), automatic, 1); !r.Steady || r.Converged || !strings.Contains(r.Note, "drift") {
		t.Errorf("slow creep: %+v", r)
	}
	// 1 % over the run: nearly steady.
	if r := Analyse(creep(1e-2*2/100), automatic, 1); !r.Steady || r.Converged || r.Note == "" {
		t.Errorf("creep: %+v", r)
	}
	if r := Analyse(record(4, 0.05, constant(2, 0)), automatic, 1); !r.Steady || r.Converged || !strings.Contains(r.Note, "passes the body") {
		t.Errorf("steady for less than the flow needs to pass: %+v", r)
	}
}

func TestRecirculationEndsWhereTheFlowTurns(t *testing.T) {
	// u = x (x − 2.3), sampled coarsely from behind a rear at 0.5: linear
	// interpolation errs by less than u″ Δx²/8 over the slope 2.3.
	var x, u []float64
	for i := range 50 {
		x = append(x, -1+0.1*float64(i))
		u = append(u, x[i]*(x[i]-2.3))
	}
	near(t, "length", RecirculationLength(x, u, 0.5), 2.3-0.5, 2*0.1*0.1/8/2.3)
	near(t, "linear", RecirculationLength([]float64{0, 1, 2, 3}, []float64{-9, -1, -1, 3}, 0.5), 1.75, 1e-15)
	near(t, "at a sample", RecirculationLength([]float64{0, 1, 2, 3}, []float64{0, -1, 0, 3}, 0), 2, 0)
	near(t, "first of two", RecirculationLength([]float64{0, 1, 2, 3, 4}, []float64{-1, 1, -1, -1, 1}, 0), 0.5, 1e-15)
	for name, u := range map[string][]float64{
		"forward everywhere":   {1, 1, 1, 1},
		"reversed in the body": {-1, -1, 1, 1},
		"at rest":              {0, 0, 0, 0},
	} {
		if got := RecirculationLength([]float64{0, 1, 2, 3}, u, 1.5); got != 0 {
			t.Errorf("%s: %g, want 0", name, got)
		}
	}
	for name, u := range map[string][]float64{
		"not closed":      {0, -1, -1, -1},
		"not a number":    {0, -1, math.NaN(), 1},
		"nothing to tell": {math.NaN(), math.NaN(), math.NaN(), math.NaN()},
	} {
		if got := RecirculationLength([]float64{0, 1, 2, 3}, u, 0); !math.IsNaN(got) {
			t.Errorf("%s: %g, want NaN", name, got)
		}
	}
}

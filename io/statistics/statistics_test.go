package statistics

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"
)

var automatic = math.NaN()

// record samples drag and lift every dt up to the time end.
func record(end, dt float64, f func(t float64) (cd, cl float64)) History {
	var h History
	for i := range int(math.Round(end/dt)) + 1 {
		t := float64(i) * dt
		cd, cl := f(t)
		h.T, h.Cd, h.Cl = append(h.T, t), append(h.Cd, cd), append(h.Cl, cl)
	}
	return h
}

// wake is the drag and lift of a wake in which shedding with the given
// amplitude and Strouhal number grows from start by the Stuart–Landau
// equation dA/dt = rate·A·(1 − A²/amplitude²); the mean drag rises with A²
// and drag oscillates at twice the lift's frequency.
type wake struct {
	cd, rise, cdAmplitude float64
	cl, clAmplitude       float64
	strouhal, phase       float64
	start, rate           float64 // rate 0: saturated from the beginning
}

var re100 = wake{cd: 1.30, rise: 0.08, cdAmplitude: 0.009, clAmplitude: 0.33, strouhal: 0.166, start: 1e-4, rate: 0.15}

func (w wake) at(t float64) (cd, cl float64) {
	a := 1.0 // of the saturated amplitude
	if w.rate > 0 {
		a = 1 / math.Sqrt(1+(w.clAmplitude*w.clAmplitude/(w.start*w.start)-1)*math.Exp(-2*w.rate*t))
	}
	angle := 2*math.Pi*w.strouhal*t + w.phase
	return w.cd + a*a*(w.rise+w.cdAmplitude*math.Sin(2*angle+0.7)), w.cl + a*w.clAmplitude*math.Sin(angle)
}

// noisy adds uniform noise of ±level, the same in every run of the test.
func noisy(f func(t float64) (cd, cl float64), level float64) func(t float64) (cd, cl float64) {
	r := rand.New(rand.NewPCG(1, 2))
	return func(t float64) (cd, cl float64) {
		cd, cl = f(t)
		return cd + level*(2*r.Float64()-1), cl + level*(2*r.Float64()-1)
	}
}

func near(t *testing.T, what string, got, want, tolerance float64) {
	t.Helper()
	if !(math.Abs(got-want) <= tolerance) {
		t.Errorf("%s = %.8g, want %.8g ± %.2g", what, got, want, tolerance)
	}
}

// expect compares a shedding wake's result: relative tolerances for
// frequency, amplitudes and mean drag.
func (w wake) expect(t *testing.T, r Result, frequency, amplitude, mean float64) {
	t.Helper()
	near(t, "Strouhal", r.Strouhal, w.strouhal, frequency*w.strouhal)
	near(t, "ClAmplitude", r.ClAmplitude, w.clAmplitude, amplitude*w.clAmplitude)
	near(t, "CdAmplitude", r.CdAmplitude, w.cdAmplitude, amplitude*w.clAmplitude)
	near(t, "ClRMS", r.ClRMS, w.clAmplitude/math.Sqrt2, amplitude*w.clAmplitude)
	near(t, "CdMean", r.CdMean, w.cd+w.rise, mean*w.cd)
	near(t, "ClMean", r.ClMean, w.cl, amplitude*w.clAmplitude)
	near(t, "window/period", (r.To-r.From)*r.Strouhal, float64(r.Periods), 1e-2)
	if r.Steady {
		t.Error("shedding is called steady")
	}
}

func TestSaturatedSheddingIsMeasuredExactly(t *testing.T) {
	w := re100
	w.rate = 0
	// 20 samples a period: linear interpolation places a crossing to
	// 0.002 rad of 63, a parabola a peak to (π/20)⁴/24.
	for _, perPeriod := range []float64{20, 37.3, 120} {
		for phase := 0.0; phase < 6; phase += 0.9 {
			w.phase, w.cl = phase, -0.02
			r := Analyse(record(11.2/w.strouhal, 1/w.strouhal/perPeriod, w.at), automatic, 1)
			w.expect(t, r, 1e-4, 2e-3, 1e-4)
			if !r.Converged || r.Periods < 10 || r.Note != "" {
				t.Errorf("%g samples, phase %.1f: %+v", perPeriod, phase, r)
			}
		}
	}
}

// A body that swings in fluid at rest has forces without a mean: periods agree within parts of the amplitude, and
// a lift of a thousandth of it is none.
func TestForcesWithoutAMeanAreJudgedByTheirAmplitude(t *testing.T) {
	r := Analyse(record(30, 0.05, func(t float64) (cd, cl float64) {
		period := math.Floor(t / 5)
		return 3*math.Sin(2*math.Pi*t/5+0.3) + 0.002*math.Mod(period*7, 3), 1e-4 * math.Sin(2*math.Pi*t/1.7+period)
	}), automatic, 1)
	if !r.Converged || r.Periods < enoughPeriods || r.Strouhal != 0 {
		t.Errorf("%+v", r)
	}
	near(t, "CdAmplitude", r.CdAmplitude, 3, 0.01)
}

func TestStrouhalNumberUsesTheBodyLength(t *testing.T) {
	w := re100
	w.rate = 0
	h := record(70, 0.05, w.at)
	near(t, "ratio", Analyse(h, automatic, 0.5).Strouhal/Analyse(h, automatic, 1).Strouhal, 0.5, 1e-14)
}

func TestWindowBeginsAfterSheddingHasSaturated(t *testing.T) {
	h := record(150, 0.05, re100.at)
	r := Analyse(h, automatic, 1)
	re100.expect(t, r, 1e-3, 1e-2, 2e-3)
	if !r.Converged || r.Periods < 8 {
		t.Errorf("%+v", r)
	}
	// The amplitude reaches 98 % when ln(A²/a²)/2 + ln(0.98/√(1−0.98²)) = rate·t.
	saturated := (math.Log(re100.clAmplitude/re100.start) + math.Log(0.98/math.Sqrt(1-0.98*0.98))) / re100.rate
	if period := 1 / re100.strouhal; r.From < saturated-period || r.From > saturated+2*period {
		t.Errorf("the window begins at %.1f, shedding has saturated at %.1f", r.From, saturated)
	}
}

func TestImpulsiveStartAndMeanDriftAreLeftOut(t *testing.T) {
	f := func(t float64) (cd, cl float64) {
		cd, cl = re100.at(t)
		return cd + 30*math.Exp(-t/0.5) + 0.3*math.Exp(-t/8), cl + 0.2*math.Exp(-t/10)
	}
	r := Analyse(record(180, 0.05, f), automatic, 1)
	re100.expect(t, r, 1e-3, 1e-2, 2e-3)
	if !r.Converged {
		t.Errorf("%+v", r)
	}
}

func TestRestOfTheTransientIsTrimmedFromTheWindow(t *testing.T) {
	// Drag still falls over the first periods that agree: a trend, but not
	// one that goes on. What is left of it in the window is at most half the
	// band in which mean drags agree.
	w := re100
	w.rate = 0
	r := Analyse(record(90, 0.05, func(t float64) (cd, cl float64) {
		cd, cl = w.at(t)
		return cd + math.Exp(-t/8), cl
	}), automatic, 1)
	near(t, "Strouhal", r.Strouhal, w.strouhal, 1e-4*w.strouhal)
	near(t, "CdMean", r.CdMean, w.cd+w.rise, agreeDrag/2*w.cd)
	near(t, "CdAmplitude", r.CdAmplitude, w.cdAmplitude, agreeDrag/2*w.cd)
	if !r.Converged || r.Periods < enoughPeriods {
		t.Errorf("%+v", r)
	}
}

func TestNoiseDoesNotMoveTheStrouhalNumber(t *testing.T) {
	// Noise of 5 % adds to the peaks, but not to frequency and rms.
	level := 0.05 * re100.clAmplitude
	h := record(200, 0.05, noisy(re100.at, level))
	r := Analyse(h, automatic, 1)
	near(t, "Strouhal", r.Strouhal, re100.strouhal, 1e-3*re100.strouhal)
	near(t, "ClRMS", r.ClRMS, re100.clAmplitude/math.Sqrt2, 1e-2*re100.clAmplitude)
	near(t, "ClAmplitude", r.ClAmplitude, re100.clAmplitude+level/2, level)
	if !r.Converged || r.Periods < 10 {
		t.Errorf("%+v", r)
	}
}

func TestGrowingSheddingIsNotConverged(t *testing.T) {
	for _, end := range []float64{40, 50, 55, 60} { // amplitudes 0.04 to 0.27 of 0.33, still rising
		r := Analyse(record(end, 0.05, re100.at), automatic, 1)
		if r.Converged || r.Steady || r.Note == "" {
			t.Errorf("run to %g: %+v", end, r)
		}
	}
}

func TestCalmBeforeSheddingIsNotSteady(t *testing.T) {
	// At t = 20 the amplitude is 2e-3 and the drag has not changed by 1e-5.
	for _, end := range []float64{12, 16, 20} {
		r := Analyse(record(end, 0.05, func(t float64) (cd, cl float64) {
			cd, cl = re100.at(t)
			return cd, cl / 10
		}), automatic, 1)
		if r.Converged || r.Steady || !strings.Contains(r.Note, "growing") {
			t.Errorf("run to %g: %+v", end, r)
		}
	}
}

func TestSlowlySettingInSheddingIsNotSteady(t *testing.T) {
	// By a third in each quarter of the window: never a jump, always a rise.
	r := Analyse(record(80, 0.05, func(t float64) (cd, cl float64) {
		return 1.4, 1e-5 * math.Exp(0.015*t) * math.Sin(t)
	}), automatic, 1)
	if r.Converged || r.Steady || !strings.Contains(r.Note, "growing") {
		t.Errorf("%+v", r)
	}
}

func TestChirpDoesNotAgree(t *testing.T) {
	// Constant amplitude and means, but periods that shrink by a half.
	r := Analyse(record(100, 0.05, func(t float64) (cd, cl float64) {
		return 1.4, 0.3 * math.Sin(2*math.Pi*(0.15+0.0008*t)*t)
	}), automatic, 1)
	if r.Converged || r.Periods > 5 || r.Note == "" {
		t.Errorf("%+v", r)
	}
}

func TestOscillationThatDiedIsNotThePresentOne(t *testing.T) {
	// A large oscillation of the last half gives way to a smaller, faster one.
	r := Analyse(record(200, 0.05, func(t float64) (cd, cl float64) {
		if t < 140 {
			return 1.4, 0.6 * math.Sin(2*math.Pi*0.1*t)
		}
		return 1.4, 0.1 * math.Sin(2*math.Pi*0.25*t)
	}), automatic, 1)
	near(t, "Strouhal", r.Strouhal, 0.25, 1e-3)
	near(t, "ClAmplitude", r.ClAmplitude, 0.1, 1e-3)
	if !r.Converged || r.From < 140 {
		t.Errorf("%+v", r)
	}
}

func TestSlowlyGrowingAmplitudeHasATrend(t *testing.T) {
	w := re100
	w.rate = 0
	// 0.4 % a period: neighbours agree well, the window as a whole drifts.
	r := Analyse(record(100, 0.05, func(t float64) (cd, cl float64) {
		cd, cl = w.at(t)
		return cd, cl * math.Exp(0.004*w.strouhal*t)
	}), automatic, 1)
	near(t, "Strouhal", r.Strouhal, w.strouhal, 1e-3*w.strouhal)
	if r.Converged || !strings.Contains(r.Note, "amplitude") {
		t.Errorf("%+v", r)
	}
}

func TestModulatedSheddingDoesNotAgree(t *testing.T) {
	w := re100
	w.rate = 0
	r := Analyse(record(200, 0.05, func(t float64) (cd, cl float64) {
		cd, cl = w.at(t)
		return cd, cl * (1 + 0.3*math.Sin(0.13*t))
	}), automatic, 1)
	near(t, "Strouhal", r.Strouhal, w.strouhal, 0.02*w.strouhal)
	if r.Converged || r.Note == "" {
		t.Errorf("%+v", r)
	}
}

func TestFewPeriodsAreUsedButNotConverged(t *testing.T) {
	w := re100
	w.rate = 0
	for _, periods := range []float64{3.3, 4.3} {
		r := Analyse(record(periods/w.strouhal, 0.05, w.at), automatic, 1)
		near(t, "Strouhal", r.Strouhal, w.strouhal, 1e-3*w.strouhal)
		if r.Converged || r.Periods < 2 || r.Periods >= enoughPeriods || !strings.Contains(r.Note, "longer") {
			t.Errorf("%g periods: %+v", periods, r)
		}
	}
	if r := Analyse(record(12/w.strouhal, 1/w.strouhal/6.1, w.at), automatic, 1); r.Converged || !strings.Contains(r.Note, "samples") {
		t.Errorf("six samples a period: %+v", r)
	}
}

func TestDragWithoutLiftGivesPeriodsButNoStrouhalNumber(t *testing.T) {
	r := Analyse(record(60, 0.05, func(t float64) (cd, cl float64) {
		return 2 + 0.5*math.Sin(2*math.Pi*0.2*t), 1e-9 * math.Sin(7*t)
	}), automatic, 1)
	near(t, "CdMean", r.CdMean, 2, 1e-5)
	near(t, "CdAmplitude", r.CdAmplitude, 0.5, 1e-4)
	if !r.Converged || r.Strouhal != 0 || r.Periods < 10 || r.Steady {
		t.Errorf("%+v", r)
	}
}

func TestForcesWithoutPeriodNeverSettle(t *testing.T) {
	for name, f := range map[string]func(t float64) (cd, cl float64){
		"noise": noisy(func(float64) (cd, cl float64) { return 1.4, 0 }, 0.1),
		"ramp":  func(t float64) (cd, cl float64) { return 1 + 0.01*t, 0.02 * t },
	} {
		h := record(100, 0.05, f)
		r := Analyse(h, automatic, 1)
		if r.Converged || r.Steady || r.Strouhal != 0 || r.Periods != 0 || r.Note == "" {
			t.Errorf("%s: %+v", name, r)
		}
		near(t, name+": From", r.From, 50, 1) // the last half, noise up to its own marks
		near(t, name+": To", r.To, 100, 1)
	}
}

func TestASpreadHasPeaksBetweenSamples(t *testing.T) {
	var at, y []float64
	for k := range 101 {
		x := float64(k) * 0.1
		at, y = append(at, x), append(y, 2+0.5*math.Sin(x))
	}
	s := Over(at, y, 0, 2*math.Pi)
	for _, c := range []struct {
		what                string
		got, want, tolerate float64
	}{
		{"largest", s.Most, 2.5, 1e-4}, {"at", s.MostT, math.Pi / 2, 1e-3},
		{"least", s.Least, 1.5, 1e-4}, {"at", s.LeastT, 3 * math.Pi / 2, 1e-3},
		{"mean", s.Mean, 2, 0.01}, {"amplitude", s.Amplitude, 0.5, 1e-4},
	} {
		if math.Abs(c.got-c.want) > c.tolerate {
			t.Errorf("%s %v, want %v", c.what, c.got, c.want)
		}
	}
	if s := Over(at, y, 20, 30); !math.IsNaN(s.Mean) || !math.IsNaN(s.MostT) {
		t.Errorf("a window without samples gives %+v", s)
	}
	y[30] = math.NaN()
	if s := Over(at, y, 0, 10); !math.IsNaN(s.Mean) {
		t.Errorf("a sample that is none gives %+v", s)
	}
}

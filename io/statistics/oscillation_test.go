package statistics

import (
	"math"
	"strings"
	"testing"
)

// swung is a body at x = −A sin ωt (ω = 2π/5, speed 1) up to a time, the force on which is of the parts given; the motion and the
// force are sampled apart.
func swung(end, every, forceEvery float64, force func(t, v, a float64) float64) (s Swinging) {
	const omega = 2 * math.Pi / 5
	motion := func(t float64) (v, a float64) { return -math.Cos(omega * t), omega * math.Sin(omega*t) }
	for i := 0; float64(i)*every <= end*(1+1e-12); i++ {
		t := float64(i) * every
		v, _ := motion(t)
		s.T, s.V = append(s.T, t), append(s.V, v)
	}
	for i := 1; float64(i)*forceEvery <= end*(1+1e-12); i++ {
		t := float64(i) * forceEvery
		v, a := motion(t)
		s.FT, s.F = append(s.FT, t), append(s.F, force(t, v, a))
	}
	s.Forced = true
	return s
}

func close(t *testing.T, what string, got, want, bound float64) {
	t.Helper()
	if !(math.Abs(got-want) <= bound) {
		t.Errorf("%s: %.12g, want %.12g within %g", what, got, want, bound)
	}
}

// A force that is made of a mean, a drag and an added mass is taken apart into just these: by the fit of its own kind but for the differences that give the
// acceleration, (ωh)⁴/30 = 5e-7, and the force before its first sample, which is off by (ωh)² = 4e-3 there.
func TestAForceIsTakenApartIntoItsParts(t *testing.T) {
	const mean, drag, mass = 0.3, 2.1, 1.8
	square := Oscillate(swung(25, 0.05, 0.05, func(_, v, a float64) float64 { return mean - drag*v*math.Abs(v) - mass*a }), 0, false)
	for what, c := range map[string][3]float64{
		"Morison's drag": {square.Morison.Drag, drag, 1e-4}, "mass": {square.Morison.Mass, mass, 1e-5}, "mean": {square.Morison.Mean, mean, 1e-4},
		"drag by work": {square.Work, drag, 1e-4}, "period": {square.Period, 5, 1e-5}, "phase 0": {math.Mod(square.Zero, 5), 2.5, 1e-6},
		"speed": {square.Velocity, 1, 1e-6}, "acceleration": {square.Acceleration, 2 * math.Pi / 5, 1e-5}, "rest": {square.Morison.Rest, 0, 1e-3},
		"linear drag": {square.Linear.Drag, 8 / (3 * math.Pi) * drag, 1e-4}, "mass beside it": {square.Linear.Mass, mass, 1e-5}, "periods": {float64(square.Periods), 5, 0},
	} {
		close(t, what+" of a force of squares", c[0], c[1], c[2])
	}
	if !square.Converged || square.Note != "" || !(square.Linear.Rest > 0.05) {
		t.Errorf("five equal periods: %+v", square)
	}
	linear := Oscillate(swung(25, 0.05, 0.13, func(_, v, a float64) float64 { return mean - drag*v - mass*a }), 0, false)
	close(t, "linear drag, the force sampled apart", linear.Linear.Drag, drag, 1e-2) // a force between samples is on a straight line: (ωh)²/12
	close(t, "its mass", linear.Linear.Mass, mass, 1e-2)
	close(t, "drag by work of a linear force", linear.Work, 3*math.Pi/8*drag, 1e-2)
}

// Over equal periods means at phases are the force there, and nothing spreads; where every second period is larger they spread.
func TestPhaseAveragesAreTheForceAtItsPhase(t *testing.T) {
	const omega = 2 * math.Pi / 5
	force := func(at, _, _ float64) float64 { return math.Sin(omega*at) + 0.2*math.Cos(3*omega*at) }
	s := swung(30, 0.05, 0.05, force)
	o := Oscillate(s, 5, false)
	mean, spread := o.Phases(s.FT, s.F, nil, 72)
	for k := range mean {
		close(t, "mean", mean[k], force(o.Zero+5*float64(k)/72, 0, 0), 2e-3) // between samples on straight lines
		close(t, "spread", spread[k], 0, 1e-4)
	}
	larger := func(at, v, a float64) float64 { return force(at, v, a) * (1 + 0.002*float64(int(at/5)%2)) }
	s = swung(30, 0.05, 0.05, larger)
	o = Oscillate(s, 5, false)
	mean, spread = o.Phases(s.FT, s.F, nil, 4)
	if o.Periods != 5 {
		t.Fatalf("%d periods agree, want 5", o.Periods)
	}
	for k := range mean {
		close(t, "spread of periods that differ", spread[k], 0.002*math.Abs(mean[k])*math.Sqrt(0.3), 1e-5) // three of one kind and two of the other
	}
}

// A start is left out, a window that is asked for is taken as it is, and what is said tells what to do.
func TestPeriodsOfAnOscillationAreJudged(t *testing.T) {
	periodic := func(_, v, a float64) float64 { return -2*v*math.Abs(v) - a }
	start := func(at, v, a float64) float64 { return periodic(at, v, a) * (1 + math.Exp(-at/2)) }
	growing := func(at, v, a float64) float64 { return periodic(at, v, a) * (1 + 0.02*at) }
	for _, c := range []struct {
		name      string
		s         Swinging
		from      float64
		given     bool
		periods   int // 0: none, −1: nil
		converged bool
		says      string
	}{
		{"a start", swung(50, 0.05, 0.05, start), 0, false, 8, true, ""},
		{"a start within a window", swung(50, 0.05, 0.05, start), 0, true, 10, false, "do not agree in the force in phase with the velocity"},
		{"three periods", swung(15, 0.05, 0.05, periodic), 0, false, 3, false, "only 3 periods of the motion agree, 4 are needed: run about 5 L/U longer"},
		{"two periods", swung(10, 0.05, 0.05, periodic), 0, false, 2, false, "run about 10 L/U longer"},
		{"a period and a half", swung(7.5, 0.05, 0.05, periodic), 0, false, 0, false, "only 1.5 periods"},
		{"after a soft start", swung(15, 0.05, 0.05, periodic), 6, false, 0, false, "only 1.8 periods from t = 6 on: two are needed for added mass and drag, 4 to tell that they agree: run to t = 26"},
		{"forces that grow", swung(50, 0.05, 0.05, growing), 0, false, 5, false, "do not agree"},
		{"few samples", swung(50, 0.05, 1, periodic), 0, false, 9, false, "has only 5.1 samples of the force"},
		{"a steady motion", Swinging{T: []float64{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17}, V: ones(18), FT: []float64{0, 20}, F: ones(2), Forced: true}, 0, false, -1, false, ""},
	} {
		o := Oscillate(c.s, c.from, c.given)
		if (o == nil) != (c.periods < 0) {
			t.Errorf("%s: %+v", c.name, o)
			continue
		}
		if o == nil {
			continue
		}
		if o.Periods != c.periods || o.Converged != c.converged || !strings.Contains(o.Note, c.says) || c.says == "" && o.Note != "" {
			t.Errorf("%s: %d periods, converged %v, %q; want %d, %v, …%s…", c.name, o.Periods, o.Converged, o.Note, c.periods, c.converged, c.says)
		}
		if known := !math.IsNaN(o.Morison.Drag); known != (c.periods > 0) {
			t.Errorf("%s: a drag of %g", c.name, o.Morison.Drag)
		}
	}
	known := swung(7.5, 0.05, 0.05, periodic)
	known.Period = 5
	if o := Oscillate(known, 0, false); !strings.Contains(o.Note, "only 1.5 periods") || !strings.Contains(o.Note, "run to t = 21") {
		t.Errorf("of a period that is known: %q", o.Note)
	}
}

func TestAHarmonicIsFoundInItself(t *testing.T) {
	var ts, vs []float64
	for i := range 301 {
		x := 7.3 * float64(i) / 300
		ts, vs = append(ts, x), append(vs, 0.7+1.5*math.Cos(2*x)-0.4*math.Sin(2*x))
	}
	a, b, c := Harmonic(ts, vs, 2)
	close(t, "cosine", a, 1.5, 1e-12)
	close(t, "sine", b, -0.4, 1e-12)
	close(t, "mean", c, 0.7, 1e-12)
	if a, _, _ := Harmonic(ts[:2], vs[:2], 2); !math.IsNaN(a) {
		t.Errorf("two samples have the harmonic %g", a)
	}
	if a, _, _ := Harmonic(ts, vs[:9], 2); !math.IsNaN(a) {
		t.Error("series of different lengths have a harmonic")
	}
}

package lbm_test

import (
	"math"
	"strings"
	"testing"

	"lbmib/lbm"
)

// The stress of which a table has the relaxation time is that of the law at the same rate of strain.
func TestALawOfViscosityIsThatOfItsEnds(t *testing.T) {
	law := lbm.Rheology{Zero: 0.5, Time: 200, Exponent: 0.25, Transition: 2}
	for _, c := range []struct{ rate, want, bound float64 }{
		{0, 0.5, 1e-15},
		{1e-9, 0.5, 1e-12},
		{1e9, 0.02, 1e-8},
		{math.Sqrt(3) / 200, 0.02 + 0.48*math.Pow(4, -0.375), 1e-15}, // 1 + (λ|S|)² = 4
	} {
		if got := law.Viscosity(0.02, c.rate); math.Abs(got-c.want) > c.bound {
			t.Errorf("at a rate of %g ν is %.12g, want %.12g", c.rate, got, c.want)
		}
	}
	if got := (lbm.Rheology{}).Viscosity(0.02, 1); got != 0.02 {
		t.Errorf("without a law ν is %g, want 0.02", got)
	}
}

// A law whose ends are equal is no law: the same flow as with one viscosity, but for rounding and 3·10⁻⁵ of nothing.
func TestALawOfEqualEndsIsOneViscosity(t *testing.T) {
	for _, name := range lbm.CollisionNames {
		cfg := box(t, lbm.D3Q19, name, 0.03)
		of := cfg
		of.Collision.Rheology = lbm.Rheology{Zero: 0.03, Time: 100, Exponent: 0.3, Transition: 2}
		a, b := factory[float64](lbm.Config{}, 1)(t, cfg), factory[float64](lbm.Config{}, 1)(t, of)
		for _, f := range []lbm.Fluid[float64]{a, b} {
			f.Initialize(func(p [3]float64) (float64, [3]float64) {
				return 1, [3]float64{0.03 * math.Sin(p[1]), 0.02 * math.Cos(p[2]), 0.02 * math.Sin(p[0])}
			})
			for range 20 {
				f.Step()
			}
		}
		x, y := lbm.StateOf(a), lbm.StateOf(b)
		for i, p := range x.Populations {
			for n, v := range p {
				if d := math.Abs(v - y.Populations[i][n]); !(d < 1e-14) { // some ulp of 0.01 a step
					t.Fatalf("%s: population %d of node %d is off by %g", name, i, n, d)
				}
			}
		}
	}
}

func TestLawsThatAreNoneAreRefused(t *testing.T) {
	good := lbm.Rheology{Zero: 0.5, Time: 10, Exponent: 0.3, Transition: 2}
	for says, change := range map[string]func(r *lbm.Rheology){
		"at rest is 0.01": func(r *lbm.Rheology) { r.Zero = 0.01 },
		"time λ":          func(r *lbm.Rheology) { r.Time = 0 },
		"exponent n":      func(r *lbm.Rheology) { r.Exponent = 1.2 },
		"transition a":    func(r *lbm.Rheology) { r.Transition = math.NaN() },
	} {
		cfg := cavity(t, lbm.D2Q9)
		law := good
		change(&law)
		cfg.Collision.Rheology = law
		if err := cfg.Validate(); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%+v: %v, want an error with %q", law, err, says)
		}
	}
	cfg := cavity(t, lbm.D2Q9)
	cfg.Collision.Rheology, cfg.Collision.Smagorinsky = good, 0.1
	if err := cfg.Validate(); err == nil || !strings.Contains(err.Error(), "leave one of them out") {
		t.Errorf("with an eddy viscosity: %v, want an error about it", err)
	}
}

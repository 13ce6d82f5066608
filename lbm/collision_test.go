package lbm_test

import (
	"math"
	"strings"
	"testing"

	"lbmib/lbm"
)

func TestEveryOperatorHasItsViscosityAndItsMagic(t *testing.T) {
	const nu, given = 0.02, 0.2
	for name, magic := range map[string]float64{
		"bgk": 9 * nu * nu, "trt": given, "mrt": given, "regularized": 1.5 * nu, "recursive": 1.5 * nu, // (τ−½)², Λ, Λ, (τ−½)/2, the same
	} {
		c, err := lbm.NewCollision(name, nu, given)
		if err != nil {
			t.Fatal(err)
		}
		if math.Abs(c.Viscosity()/nu-1) > 1e-13 || math.Abs(c.Magic()/magic-1) > 1e-13 { // roundings of 1/ω − ½
			t.Errorf("%s: viscosity %g, magic %g; want %g, %g", name, c.Viscosity(), c.Magic(), nu, magic)
		}
	}
}

func TestImpossibleCollisionsAreRefused(t *testing.T) {
	for want, c := range map[string]struct {
		name      string
		nu, magic float64
	}{
		"viscosity":       {"mrt", 0, 0.2},
		"magic parameter": {"mrt", 0.1, 0},
		"unknown":         {"cascaded", 0.1, 0.2},
	} {
		if _, err := lbm.NewCollision(c.name, c.nu, c.magic); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%+v: %v, want an error about %s", c, err, want)
		}
	}
	for _, smagorinsky := range []float64{-0.1, 1.5, math.NaN()} {
		cfg := cavity(t, lbm.D2Q9)
		cfg.Collision.Smagorinsky = smagorinsky
		if err := cfg.Validate(); err == nil || !strings.Contains(err.Error(), "Smagorinsky") {
			t.Errorf("constant %g: %v, want an error about it", smagorinsky, err)
		}
	}
}

// A flow that is at rest has no eddies: the operator with a constant is then the one
// without, to rounding.
func TestEddyViscosityVanishesWithTheStrain(t *testing.T) {
	for _, name := range lbm.CollisionNames {
		cfg := box(t, lbm.D3Q19, name, 0.03)
		eddies := cfg
		eddies.Collision.Smagorinsky = 0.2
		stream := func([3]float64) (float64, [3]float64) { return 1.01, [3]float64{0.05, -0.03, 0.02} }
		a, b := factory[float64](lbm.Config{}, 1)(t, cfg), factory[float64](lbm.Config{}, 1)(t, eddies)
		for _, f := range []lbm.Fluid[float64]{a, b} {
			f.Initialize(stream)
			for range 20 {
				f.Step()
			}
		}
		x, y := lbm.StateOf(a), lbm.StateOf(b)
		for i, p := range x.Populations {
			for n, v := range p {
				if d := math.Abs(v - y.Populations[i][n]); !(d < 1e-15) { // a few ulp of 0.01
					t.Fatalf("%s: population %d of node %d is off by %g", name, i, n, d)
				}
			}
		}
	}
}

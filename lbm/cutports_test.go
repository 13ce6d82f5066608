package lbm

import (
	"math"
	"testing"
)

// TestPressurePortsBounceBackWithTheOppositeSign where fluid rests or enters, from rest where viscosity is small, and take the node's own population where it leaves at many times ν.
func TestPressurePortsBounceBackWithTheOppositeSign(t *testing.T) {
	const i, g, back, rho, port = 7, 0.013, 0.011, 0.02, 0.03 // population along (1, 1, 0)
	tables := newTables[float64](D3Q19, Collision{})
	for name, c := range map[string]struct {
		speed, nu float64 // along the link
		leaves    bool
	}{
		"at rest":                 {0, 0.1, false},
		"entering":                {0.04, 1e9, false},
		"entering from rest":      {0.04, 1e-9, false},
		"leaving, much viscosity": {-0.04, 1e9, false},
		"leaving, little":         {-0.04, 1e-9, true},
	} {
		links := cutLinks[float64, float64]{tables: &tables, thinness: 1 / c.nu}
		u := [3]float64{c.speed / 2, c.speed / 2, 0.01}
		cu, uu := c.speed, u[0]*u[0]+u[1]*u[1]+u[2]*u[2]
		even := 1 + 4.5*cu*cu - 1.5*uu
		w := D3Q19.W[i]
		want := 2*w*((1+port)*even-1) - back // of f − w
		if c.nu < 1 && c.speed > 0 {
			want -= 2 * w * even * 1.5 * uu // Bernoulli
		}
		if c.leaves {
			want = g + 2*w*even*(port-rho)
		}
		at, per := links.fromPort(i, g, back, rho, &u)
		if got := at + per*port; math.Abs(got-want) > 1e-14 {
			t.Errorf("%s: %g comes through the port, want %g", name, got, want)
		}
	}
}

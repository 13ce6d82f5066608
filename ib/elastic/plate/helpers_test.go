package plate

import (
	"math"
	"math/rand/v2"
	"testing"

	"lbmib/geometry"
)

// square is a sheet of so many nodes a side, each side 1 long, flat in the plane z = 0.
func square(n int) Config {
	h := 1 / float64(n-1)
	return Config{Nodes: [2]int{n, n}, Spacing: [2]float64{h, h}}
}

// flat are the nodes of a sheet as New has them without places.
func flat(c Config) (x []geometry.Vec) {
	for k := range c.nodes() {
		x = append(x, geometry.Vec{float64(k%c.Nodes[0]) * c.Spacing[0], float64(k/c.Nodes[0]) * c.Spacing[1]})
	}
	return x
}

// crumpled are its nodes moved at random by a part of the spacing, and curved.
func crumpled(r *rand.Rand, c Config, part float64) []geometry.Vec {
	x := flat(c)
	for k := range x {
		x[k][2] += 0.2*math.Sin(2*x[k][0]+x[k][1]) + 0.1*x[k][1]*x[k][1]
		for a := range x[k] {
			x[k][a] += part * c.Spacing[0] * (2*r.Float64() - 1)
		}
	}
	return x
}

func mustNew(t testing.TB, c Config) *Sheet {
	t.Helper()
	s, err := New(c)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// medium is a fluid at rest that resists with a at every node.
func medium(n int, a float64) Fluid {
	f := Fluid{Velocity: make([]geometry.Vec, n), Reaction: make([]float64, n)}
	for k := range f.Reaction {
		f.Reaction[k] = a
	}
	return f
}

func step(t testing.TB, s *Sheet, f Fluid) {
	t.Helper()
	if err := s.Step(f, nil, nil); err != nil {
		t.Fatal(err)
	}
}

// period is twice the mean time between sign changes of a signal at steps dt, the crossings
// found between samples.
func period(signal []float64, dt float64) float64 {
	first, last, count := 0., 0., -1
	for i := 1; i < len(signal); i++ {
		if a, b := signal[i-1], signal[i]; a*b < 0 {
			last = float64(i-1) + a/(a-b)
			if count++; count == 0 {
				first = last
			}
		}
	}
	return 2 * dt * (last - first) / float64(count)
}

func near(t *testing.T, what string, got, want, tolerance float64) {
	t.Helper()
	if !(math.Abs(got-want) <= tolerance*math.Abs(want)) {
		t.Errorf("%s: %.8g, want %.8g within %g", what, got, want, tolerance)
	}
}

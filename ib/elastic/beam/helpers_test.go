package beam

import (
	"math"
	"math/rand/v2"
	"testing"

	"lbmib/geometry"
)

// straight are n nodes from a place on along a direction, length in all.
func straight(n int, from, along geometry.Vec, length float64) []geometry.Vec {
	x := make([]geometry.Vec, n)
	for i := range x {
		x[i] = from.Add(along.Scale(length * float64(i) / float64(n-1)))
	}
	return x
}

// wiggly is a line whose segments turn and stretch at random.
func wiggly(r *rand.Rand, dim, n int, spacing float64) []geometry.Vec {
	x := make([]geometry.Vec, n)
	d := geometry.Vec{1, 0, 0}
	for i := 1; i < n; i++ {
		for a := range dim {
			d[a] += 0.5 * r.NormFloat64()
		}
		d = d.Scale(1 / d.Norm())
		x[i] = x[i-1].Add(d.Scale(spacing * (1 + 0.2*(2*r.Float64()-1))))
	}
	return x
}

func mustNew(t testing.TB, c Config) *Line {
	t.Helper()
	l, err := New(c)
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// surroundings is a fluid that is told what to be.
type surroundings struct {
	u    []geometry.Vec
	a    []float64
	load []geometry.Vec
}

// medium is one at rest that resists with a at every node.
func medium(n int, a float64) surroundings {
	s := surroundings{make([]geometry.Vec, n), make([]float64, n), make([]geometry.Vec, n)}
	for i := range s.a {
		s.a[i] = a
	}
	return s
}

func (s surroundings) step(t testing.TB, l *Line) {
	t.Helper()
	if err := l.Step(Fluid{Velocity: s.u, Reaction: s.a}, s.load, nil); err != nil {
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

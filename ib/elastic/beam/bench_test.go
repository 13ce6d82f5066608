package beam

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"lbmib/geometry"
)

// flapping is a clamped line of n nodes in a fluid that pushes it to and fro.
func flapping(t testing.TB, dim, n int, inextensible bool) (*Line, surroundings) {
	c := Config{Dim: dim, X: straight(n, geometry.Vec{}, geometry.Vec{1}, float64(n-1)), Mass: 1.5, Bending: 0.1,
		Stretching: 100, First: End{Kind: Clamped}, Step: 1}
	if inextensible {
		c.Stretching, c.Inextensible = 0, true
	}
	m := medium(n, 2)
	r := rand.New(rand.NewPCG(7, 8))
	for i := range m.u {
		m.u[i] = geometry.Vec{0.02, 1e-3 * math.Sin(float64(i)/5)}
		for a := range dim {
			m.u[i][a] += 1e-3 * r.NormFloat64()
		}
	}
	return mustNew(t, c), m
}

// BenchmarkStep tells the nanoseconds per node and step.
func BenchmarkStep(b *testing.B) {
	const n = 65
	for dim := 2; dim <= 3; dim++ {
		for _, inextensible := range []bool{false, true} {
			b.Run(fmt.Sprintf("%dD,inextensible=%v", dim, inextensible), func(b *testing.B) {
				l, m := flapping(b, dim, n, inextensible)
				force := make([]geometry.Vec, n)
				b.ReportAllocs()
				for b.Loop() {
					if err := l.Step(Fluid{Velocity: m.u, Reaction: m.a}, m.load, force); err != nil {
						b.Fatal(err)
					}
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*n), "ns/node")
			})
		}
	}
}

// A step allocates nothing.
func TestAStepAllocatesNothing(t *testing.T) {
	for dim := 2; dim <= 3; dim++ {
		l, m := flapping(t, dim, 33, true)
		force := make([]geometry.Vec, l.Len())
		if got := testing.AllocsPerRun(20, func() {
			if err := l.Step(Fluid{Velocity: m.u, Reaction: m.a}, m.load, force); err != nil {
				t.Fatal(err)
			}
			if err := l.Hold(0, l.X()[0], geometry.Vec{1}); err != nil {
				t.Fatal(err)
			}
		}); got != 0 {
			t.Errorf("%dD: a step makes %g allocations", dim, got)
		}
	}
}

package plate

import (
	"fmt"
	"math"
	"testing"

	"lbmib/geometry"
)

// waving is a flag that is hinged at its left edge, of a stiffness that is so many times the inertia, in a fluid whose velocity
// varies.
func waving(b testing.TB, n int, ratio float64) (*Sheet, Fluid) {
	c := Config{Nodes: [2]int{n, n}, Spacing: [2]float64{1, 1}, Mass: float64(n), Step: 1, Poisson: 0.4}
	c.Stretching = ratio * (c.Mass + 2)
	c.Shear, c.Bending = c.Stretching/3, c.Stretching*1e-5
	c.Edges[Left] = Hinged
	s := mustNew(b, c)
	f := medium(s.Len(), 2)
	for k := range f.Velocity {
		f.Velocity[k] = geometry.Vec{0.05, 0, 0.02 * math.Sin(float64(k%n)/3)}
	}
	return s, f
}

// A step's time and its rounds of conjugate gradients. The flag of Tian et al. has a ratio of 2.
func BenchmarkStep(b *testing.B) {
	for _, n := range []int{13, 26, 51} {
		for _, ratio := range []float64{2, 100, 1e4} {
			for _, way := range []string{"blocks", "factors"} {
				if way == "factors" && n > 26 {
					continue
				}
				b.Run(fmt.Sprintf("%dx%d/ratio=%g/%s", n, n, ratio, way), func(b *testing.B) {
					s, f := waving(b, n, ratio)
					for range 3 {
						step(b, s, f)
					}
					q := &s.equations
					v := make([]geometry.Vec, len(q.rhs))
					for b.Loop() {
						clear(v)
						if !q.solveBy(way == "factors", v, q.rhs) {
							b.Fatal("no solution")
						}
					}
					b.ReportMetric(float64(q.rounds), "rounds")
					b.ReportMetric(q.stiffness().membrane, "ratio")
					b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(b.N)/float64(s.Len()), "µs/node")
				})
			}
		}
	}
}

func BenchmarkWholeStep(b *testing.B) {
	s, f := waving(b, 26, 2)
	for b.Loop() {
		step(b, s, f)
	}
	b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(b.N)/float64(s.Len()), "µs/node")
}

package ellipsoid

import "testing"

// BenchmarkStep is forces and motion of red cells at 45 %, after some motion, on one core.
func BenchmarkStep(b *testing.B) {
	s := box45(b, 10_000, Config{Shape: oblate, Mass: 5.4, Repulsion: Repulsion{Strength: 1e-4}, Friction: Stokes(1, 1./6)}, 1)
	packed(b, s, 1)
	rnd := newRandom(1)
	for i := range s.X {
		s.Flow[i] = rnd.direction().Scale(0.02)
	}
	near := 0
	for b.Loop() {
		s.Forces()
		s.Kick()
		if err := s.Drift(); err != nil {
			b.Fatal(err)
		}
	}
	for w := range s.lists.shares {
		near += len(s.lists.shares[w].near)
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*s.Len()), "ns/ellipsoid")
	b.ReportMetric(float64(near)/float64(s.Len()), "in-lists")
}

//go:build unix

package ellipsoid

import (
	"math"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"lbmib/geometry"
)

// BenchmarkStep is forces and motion of red cells at 45 %, in a flow to and fro, on one core: processor time, which work beside changes less.
func BenchmarkStep(b *testing.B) {
	s := box45(b, 4000, Config{Shape: oblate, Mass: 5.4, Repulsion: Repulsion{Strength: 1e-4}, Friction: Stokes(1, 1./6)}, 1)
	packed(b, s, 1)
	wave := 2 * math.Pi / float64(s.cfg.Size[1])
	var forces, motion time.Duration
	steps := 0
	for b.Loop() {
		for i, x := range s.X {
			sine, cosine := math.Sincos(wave * x[1])
			s.Flow[i], s.Spin[i] = geometry.Vec{0.05 * sine}, geometry.Vec{0, 0, -0.025 * wave * cosine}
		}
		begin := processorTime(b)
		s.Forces()
		middle := processorTime(b)
		s.Kick()
		if err := s.Drift(); err != nil {
			b.Fatal(err)
		}
		forces, motion = forces+middle-begin, motion+processorTime(b)-middle
		steps++
	}
	near, hits := 0, 0
	for w := range s.lists.shares {
		own := &s.lists.shares[w]
		near += len(own.near)
		for k := range s.X {
			hits += s.law.contacts(own.hits, &s.lists.box, s.lists.places, &s.lists.places[k], own.near[own.from[k]:own.from[k+1]])
		}
	}
	per := func(d time.Duration) float64 { return float64(d.Nanoseconds()) / float64(steps*s.Len()) }
	b.ReportMetric(per(forces), "forces-ns")
	b.ReportMetric(per(motion), "motion-ns")
	b.ReportMetric(float64(near)/float64(s.Len()), "in-lists")
	b.ReportMetric(float64(hits)/float64(s.Len()), "in-contact")
	b.ReportMetric(0, "ns/op")
}

// processorTime is what the process has spent.
func processorTime(b *testing.B) time.Duration {
	var u unix.Rusage
	if err := unix.Getrusage(unix.RUSAGE_SELF, &u); err != nil {
		b.Fatal(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

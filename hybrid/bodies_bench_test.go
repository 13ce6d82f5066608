//go:build unix

package hybrid

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"lbmib/geometry"
	"lbmib/hybrid/rigid"
	"lbmib/internal/parallel"
	"lbmib/lbm"
)

// BenchmarkBodies is what a free body costs a step beside the fluid, whatever their number:
// discs of 8 nodes, 25 markers each, that sink and touch in a periodic box of which they
// are 10 %; by processor time, on one processor. Also what it takes to set one up.
func BenchmarkBodies(b *testing.B) {
	for _, count := range []int{64, 1600, 10_000, 100_000} {
		b.Run(fmt.Sprint(count), func(b *testing.B) { benchmarkBodies(b, count) })
	}
}

func benchmarkBodies(b *testing.B, count int) {
	begin := processorTime(b)
	flow, bodies := discs(b, count)
	pool := parallel.NewPool(1)
	defer pool.Close()
	fluid, err := lbm.New[float64](flow, pool)
	if err != nil {
		b.Fatal(err)
	}
	fluid.Initialize(func([3]float64) (float64, [3]float64) { return 1, [3]float64{} })
	made := processorTime(b)
	cfg := CouplingConfig{Delta: "roma3", Transfer: "auto", Forcing: "direct", Contact: rigid.Contact{Distance: 2, Stiffness: 1, Speed: 0.05}}
	s, err := NewSimulation(fluid, cfg, bodies, pool)
	if err != nil {
		b.Fatal(err)
	}
	defer s.Close()
	ready := processorTime(b)
	for range 4 {
		s.Step()
	}
	alone := fluidAlone(b, flow, pool)
	start := processorTime(b)
	for b.Loop() {
		s.Step()
	}
	spent := (processorTime(b) - start).Seconds() / float64(b.N)
	if s.Err() != nil {
		b.Fatal(s.Err())
	}
	b.ReportMetric((spent-alone)/float64(count)*1e9, "ns/body")
	b.ReportMetric(alone/float64(count)*1e9, "fluid-ns/body")
	b.ReportMetric(float64((made-begin).Nanoseconds())/float64(count), "make-ns/body")
	b.ReportMetric(float64((ready-made).Nanoseconds())/float64(count), "setup-ns/body")
	b.ReportMetric(0, "ns/op")
}

// fluidAlone is the processor time in seconds of a step without bodies, as found in a domain
// of some ten million nodes where it is larger.
func fluidAlone(b *testing.B, flow lbm.Config, pool *parallel.Pool) float64 {
	const most = 3200
	nodes := flow.Nodes()
	flow.Size[0], flow.Size[1] = min(flow.Size[0], most), min(flow.Size[1], most)
	bare, err := lbm.New[float64](flow, pool)
	if err != nil {
		b.Fatal(err)
	}
	steps := max(2, most*most/flow.Nodes()) / 2 * 2
	bare.Step()
	bare.Step()
	start := processorTime(b)
	for range steps {
		bare.Step()
	}
	return (processorTime(b) - start).Seconds() / float64(steps) * float64(nodes) / float64(flow.Nodes())
}

// discs are so many on a lattice of places, jittered, that move in all directions.
func discs(b *testing.B, count int) (lbm.Config, []*rigid.Body) {
	const pitch, diameter = 22, 8.
	side := int(math.Ceil(math.Sqrt(float64(count))))
	collision, err := lbm.NewCollision("trt", 0.05, lbm.MagicPoiseuille)
	if err != nil {
		b.Fatal(err)
	}
	flow := lbm.Config{Lattice: lbm.D2Q9, Size: [3]int{side * pitch, (count + side - 1) / side * pitch, 1}, Collision: collision}
	rng := rand.New(rand.NewPCG(uint64(count), 1))
	var bodies []*rigid.Body
	for i := range count {
		at := geometry.Vec{(float64(i%side)+0.5)*pitch + 10*(rng.Float64()-0.5), (float64(i/side)+0.5)*pitch + 10*(rng.Float64()-0.5)}
		circle, err := geometry.NewCircle(at, diameter)
		if err != nil {
			b.Fatal(err)
		}
		body, err := rigid.NewBody(fmt.Sprintf("disc-%d", i), circle, 1, 0.35)
		if err != nil {
			b.Fatal(err)
		}
		body.Free = &rigid.Free{Density: 1.5, Gravity: geometry.Vec{0, -1e-5}, Velocity: geometry.Vec{0.05 * (rng.Float64() - 0.5), 0.05 * (rng.Float64() - 0.5)}}
		bodies = append(bodies, body)
	}
	return flow, bodies
}

// processorTime is what the process has spent.
func processorTime(b *testing.B) time.Duration {
	var u unix.Rusage
	if err := unix.Getrusage(unix.RUSAGE_SELF, &u); err != nil {
		b.Fatal(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

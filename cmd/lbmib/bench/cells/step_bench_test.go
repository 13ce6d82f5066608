//go:build unix

package cells

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"lbmib/cmd/lbmib/bench/harness"
	"lbmib/hybrid"
)

// BenchmarkStep is what a step of blood with 45 % red cells of 642 vertices costs, and the same fluid alone, in turn, on one thread: the
// processor time that a tenth of the steps stays below, which work beside hardly changes.
func BenchmarkStep(b *testing.B) {
	for _, count := range []int{16, 64, 256} {
		for _, contact := range []float64{0, 1, 2} {
			b.Run(fmt.Sprintf("%d/contact=%g", count, contact), func(b *testing.B) { benchmarkStep(b, count, contact) })
		}
	}
}

func benchmarkStep(b *testing.B, count int, contact float64) {
	specs, err := Selection{Cells: []int{count}, Threads: []int{1}}.Plan()
	if err != nil {
		b.Fatal(err)
	}
	specs[0].Contact = contact
	p, err := prepare[float64](&harness.Limits{}, specs[0], "")
	if err != nil {
		b.Fatal(err)
	}
	defer p.close()
	step := func(s *hybrid.Simulation[float64]) float64 {
		begin := processorTime(b)
		s.Step()
		s.Step()
		return (processorTime(b) - begin).Seconds() / float64(2*count) * 1e6
	}
	for range 10 {
		step(p.with.Sim)
	}
	var with, alone []float64
	for b.Loop() {
		for range 4 {
			with = append(with, step(p.with.Sim))
		}
		step(p.alone.Sim) // brings its lattice back to the caches
		for range 4 {
			alone = append(alone, step(p.alone.Sim))
		}
	}
	slices.Sort(with)
	slices.Sort(alone)
	cells, fluid := with[len(with)/10], alone[len(alone)/10]
	b.ReportMetric(cells, "µs/cell")
	b.ReportMetric(fluid, "fluid-µs/cell")
	b.ReportMetric(cells-1.5*fluid, "beyond-µs/cell") // 1.5 × the fluid
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

//go:build unix

package joined

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"lbmib/cmd/lbmib/bench/harness"
	"lbmib/lbm"
)

// BenchmarkStep is what a step of the finest grid takes joined, of its parts alone, which is the ideal, of them in the order in which they are
// stepped joined, each of which then finds others in the caches, of one grid, and the seams of it, in turn.
// On one thread it is the processor time that a tenth of all steps stays below, which work beside hardly changes; on more, and of seams, likewise
// by the clock.
func BenchmarkStep(b *testing.B) {
	specs, err := Selection{Levels: []int{1, 2}, Precision: []string{"f64", "f32"}, Threads: []int{1, 0}}.Plan()
	if err != nil {
		b.Fatal(err)
	}
	for _, s := range specs {
		b.Run(fmt.Sprintf("%v/levels=%d/%s/threads=%d", s.Domain, s.Levels, s.Precision, s.Threads), func(b *testing.B) {
			if s.Precision == "f32" {
				benchmarkStep[float32](b, s)
			} else {
				benchmarkStep[float64](b, s)
			}
		})
	}
}

func benchmarkStep[T lbm.Float](b *testing.B, s Spec) {
	var l harness.Limits
	defer l.Close()
	p, err := prepare[T](&l, s, "")
	if err != nil {
		b.Fatal(err)
	}
	checkOf(&s, lbm.Fluid[T](p.joined))
	start := time.Now()
	spent := func() time.Duration {
		if s.Threads > 1 {
			return time.Since(start)
		}
		return processorTime(b)
	}
	steps := func(f lbm.Fluid[T], n int) float64 {
		begin := spent()
		timed(f, n)
		return (spent() - begin).Seconds() / float64(n) * 1e6
	}
	cycle := p.cycle()
	levels := make([][]float64, len(p.alone))
	var joined, seams, ordered, one []float64
	for b.Loop() {
		timed(p.joined, cycle)
		for range 4 {
			before := p.seams()
			joined = append(joined, steps(p.joined, cycle))
			seams = append(seams, (p.seams()-before).Seconds()/float64(cycle)*1e6)
		}
		for i, part := range p.alone {
			timed(part, 2)
			for range 4 {
				levels[i] = append(levels[i], steps(part, 2)/float64(int(1)<<(s.Levels-p.level[i])))
			}
		}
		p.stepInOrder(cycle)
		for range 4 {
			begin := spent()
			p.stepInOrder(cycle)
			ordered = append(ordered, (spent()-begin).Seconds()/float64(cycle)*1e6)
		}
		timed(p.one, 2)
		for range 2 {
			one = append(one, steps(p.one, 2))
		}
	}
	tenth := func(values []float64) float64 {
		slices.Sort(values)
		return values[len(values)/10]
	}
	ideal := 0.
	for _, level := range levels {
		ideal += tenth(level)
	}
	step := tenth(joined)
	b.ReportMetric(step, "joined-µs")
	b.ReportMetric(ideal, "ideal-µs")
	b.ReportMetric(tenth(ordered), "inorder-µs")
	b.ReportMetric(tenth(one), "one-µs")
	b.ReportMetric(100*tenth(seams)/step, "%seams")
	b.ReportMetric(ideal/step, "of-ideal")
	b.ReportMetric(tenth(one)/step, "gain")
	b.ReportMetric(0, "ns/op")
}

// stepInOrder makes so many steps of the finest grid of the parts alone, in the order of grids.Fluid.Step.
func (p *pair[T]) stepInOrder(steps int) {
	for k := range steps {
		for i := len(p.alone) - 1; i >= 0; i-- {
			if width := 1 << (p.spec.Levels - p.level[i]); (k+1)%width == 0 {
				p.alone[i].Step()
			}
		}
	}
}

// processorTime is what the process has spent.
func processorTime(b *testing.B) time.Duration {
	var u unix.Rusage
	if err := unix.Getrusage(unix.RUSAGE_SELF, &u); err != nil {
		b.Fatal(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

package hybrid

import (
	"fmt"
	"runtime"
	"testing"
	"time"

	"lbmib/geometry"
	"lbmib/geometry/kinematics"
	"lbmib/internal/parallel"
	"lbmib/lbm"
)

// BenchmarkSchedules is a cylinder of 40 nodes in a stream, 1 % of the domain as
// Valero-Lara et al. count (πD²), on the same number of processors with each schedule.
// of-pure is the speed over that of the fluid alone on all of them, measured in turn;
// host-ms is what pipelined does while the fluid makes its step.
func BenchmarkSchedules(b *testing.B) {
	for _, processors := range []int{2, 4, 8} {
		if processors > runtime.NumCPU() {
			return
		}
		for _, name := range []string{"serial", "pipelined"} {
			for _, moves := range []bool{false, true} {
				b.Run(fmt.Sprintf("%s/processors=%d/moves=%v", name, processors, moves), func(b *testing.B) {
					benchmarkSchedule(b, name, processors, moves)
				})
			}
		}
	}
}

func benchmarkSchedule(b *testing.B, name string, processors int, moves bool) {
	circle, err := geometry.NewCircle(geometry.Vec{250.3, 299.7}, 40)
	if err != nil {
		b.Fatal(err)
	}
	body, err := NewBody("cylinder", circle, 1, 0.4)
	if err != nil {
		b.Fatal(err)
	}
	if moves {
		body.Motion = &kinematics.Rigid{Center: circle.Center(), Pivot: circle.Center(),
			Shift: [3]kinematics.Track{kinematics.Harmonic{Amplitude: 20, Omega: 0.005}}} // 0.1 nodes a step
	}
	of, bodies := processors, processors
	if name == "pipelined" {
		of, bodies = Split(processors)
	}
	all, some, host := parallel.NewPool(processors), parallel.NewPool(of), parallel.NewPool(bodies)
	defer all.Close()
	defer some.Close()
	defer host.Close()
	flow := lbm.Config{Lattice: lbm.D2Q9, Size: [3]int{800, 600, 1}, Collision: lbm.Collision{OmegaEven: 1 / 0.62, OmegaOdd: 1 / 0.62, Name: "bgk"}}
	var fluids [2]lbm.Fluid[float64]
	for i, pool := range []*parallel.Pool{all, some} {
		if fluids[i], err = lbm.New[float64](flow, pool); err != nil {
			b.Fatal(err)
		}
		fluids[i].Initialize(func([3]float64) (float64, [3]float64) { return 1, [3]float64{0.05} })
	}
	pool := host
	if name == "serial" {
		pool = some
	}
	s, err := NewScheduled(fluids[1], CouplingConfig{Delta: "roma3", Transfer: "auto", Forcing: "direct"}, []*Body{body}, pool, Plan[float64]{Schedule: name})
	if err != nil {
		b.Fatal(err)
	}
	defer s.Close()
	s.Step()
	var pure, coupled time.Duration
	steps := 0
	for b.Loop() {
		begin := time.Now()
		for range 10 {
			s.Step()
		}
		coupled += time.Since(begin)
		b.StopTimer()
		begin = time.Now()
		for range 10 {
			fluids[0].Step()
		}
		pure += time.Since(begin)
		steps += 10
		b.StartTimer()
	}
	if s.Err() != nil {
		b.Fatal(s.Err())
	}
	b.ReportMetric(coupled.Seconds()/float64(steps)*1e3, "ms/step")
	b.ReportMetric(pure.Seconds()/coupled.Seconds(), "of-pure")
	if p, ok := s.schedule.(*pipelined[float64]); ok {
		b.ReportMetric(float64(len(p.near.Sources())), "nodes-aside")
		b.ReportMetric(p.host.Seconds()/float64(steps)*1e3, "host-ms")
	}
}

package hybrid

import (
	"fmt"
	"runtime"
	"testing"
	"time"

	"lbmib/geometry"
	"lbmib/geometry/kinematics"
	"lbmib/hybrid/rigid"
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
	body, err := rigid.NewBody("cylinder", circle, 1, 0.4)
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
	s, err := NewScheduled(fluids[1], CouplingConfig{Delta: "roma3", Transfer: "auto", Forcing: "direct"}, []*rigid.Body{body}, pool, Plan[float64]{Schedule: name})
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
		b.ReportMetric(float64(len(p.near.Targets())), "nodes-aside")
		b.ReportMetric(p.host.Seconds()/float64(steps)*1e3, "host-ms")
	}
}

// BenchmarkHostPart is what the host does in a pipelined step beside the fluid, which is not
// there: in all, and per node that is stepped. In the plane it is what the report of a device
// couples, 40 cylinders of 52 nodes in 8192 × 4096; in space 100 spheres of 20 nodes in 512³.
func BenchmarkHostPart(b *testing.B) {
	for _, dim := range []int{2, 3} {
		for _, moves := range []bool{false, true} {
			for _, workers := range []int{1, 2} {
				b.Run(fmt.Sprintf("dim=%d/moves=%v/workers=%d", dim, moves, workers), func(b *testing.B) {
					flow, bodies := rowOfCylinders(b)
					if dim == 3 {
						flow, bodies = spheresInABox(b)
					}
					benchmarkHostPart(b, flow, bodies, moves, workers)
				})
			}
		}
	}
}

func rowOfCylinders(b *testing.B) (flow lbm.Config, bodies []*rigid.Body) {
	flow = lbm.Config{Lattice: lbm.D2Q9, Size: [3]int{8192, 4096, 1}}
	for k := range 40 {
		circle, err := geometry.NewCircle(geometry.Vec{300.3 + 180*float64(k), 2000.7 + 50*float64(k%3)}, 52)
		if err != nil {
			b.Fatal(err)
		}
		body, err := rigid.NewBody(fmt.Sprintf("cylinder %d", k), circle, 1, 0.4)
		if err != nil {
			b.Fatal(err)
		}
		bodies = append(bodies, body)
	}
	return flow, bodies
}

func spheresInABox(b *testing.B) (flow lbm.Config, bodies []*rigid.Body) {
	const n, spheres = 512, 100
	flow = lbm.Config{Lattice: lbm.D3Q19, Size: [3]int{n, n, n}}
	for k := range spheres {
		bodies = append(bodies, ball(b, 50.3+100*float64(k%5), 50.1+100*float64(k/5%5), 60.7+120*float64(k/25), 20))
	}
	return flow, bodies
}

func benchmarkHostPart(b *testing.B, flow lbm.Config, bodies []*rigid.Body, moves bool, workers int) {
	flow.Collision = lbm.Collision{OmegaEven: 1.2, OmegaOdd: 1.2, Name: "bgk"}
	if moves {
		for _, body := range bodies {
			x := body.Shape.Center()
			shift := [3]kinematics.Track{kinematics.Steady{Rate: 0.02}, kinematics.Steady{Rate: 0.013}}
			if flow.Lattice.Dim == 3 {
				shift[2] = kinematics.Steady{Rate: -0.017}
			}
			body.Motion = &kinematics.Rigid{Center: x, Pivot: x, Shift: shift}
		}
	}
	pool := parallel.NewPool(workers)
	defer pool.Close()
	c, err := NewCoupling[float64](CouplingConfig{Delta: "roma3", Transfer: "auto", Forcing: "direct"}, &flow, bodies, pool)
	if err != nil {
		b.Fatal(err)
	}
	near, err := lbm.NewLocal[float64](&flow, pool)
	if err != nil {
		b.Fatal(err)
	}
	room := 0
	if moves {
		room = roomToMove
	}
	step := int64(0)
	for b.Loop() {
		if step == 0 || moves && !near.Covers(c.window.Nodes) {
			if err := near.Cover(c.window.Nodes, room); err != nil {
				b.Fatal(err)
			}
		}
		step++
		near.Begin(step)
		c.correct(near)
		near.Step()
		if moves && !c.move(float64(step)) {
			b.Fatal(c.Err())
		}
	}
	stepped := float64(len(near.Targets()))
	b.ReportMetric(b.Elapsed().Seconds()/float64(b.N)/stepped*1e9, "ns/node")
	b.ReportMetric(stepped, "nodes")
	b.ReportMetric(b.Elapsed().Seconds()/float64(b.N)*1e3, "ms/step")
}

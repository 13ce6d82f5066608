package backend

import (
	"fmt"
	"runtime"
	"testing"

	"lbmib/cuda/standin"
	"lbmib/geometry"
	"lbmib/hybrid"
	"lbmib/hybrid/flexible"
	"lbmib/hybrid/rigid"
	"lbmib/ib/elastic"
	"lbmib/lbm"
)

// crowd is a request with bodies far from each other, in a plane or in space.
func crowd(t *testing.T, l *lbm.Lattice, moves bool) Request {
	t.Helper()
	r := stream(t, false)
	r.Bodies, r.Flow.Lattice, r.Flow.Size = nil, l, [3]int{700, 500, 1}
	if l.Dim == 3 {
		r.Flow.Size = [3]int{72, 64, 68}
	}
	for k := range 12 {
		if l.Dim == 3 && k == 5 {
			break
		}
		var shape geometry.Shape
		var err error
		if l.Dim == 2 {
			shape, err = geometry.NewCircle(geometry.Vec{60.3 + 160*float64(k%4), 80.2 + 130*float64(k/4)}, 30+3*float64(k))
		} else {
			shape, err = geometry.NewSphere(geometry.Vec{15.3 + 36*float64(k%2), 14.2 + 32*float64(k/2%2), 15.1 + 34*float64(k/4)}, 12+float64(k))
		}
		if err != nil {
			t.Fatal(err)
		}
		b, err := rigid.NewBody(fmt.Sprint("body ", k), shape, 1.2, 0.3)
		if err != nil {
			t.Fatal(err)
		}
		if moves {
			b.Free = &rigid.Free{Density: 1.2}
		}
		r.Bodies = append(r.Bodies, b)
	}
	return r
}

// What couples bodies takes the host's memory that was announced: estimates of what
// depends on the strategy and on the way memory grows are some tens of per cent.
func TestCouplingsTakeTheMemoryAnnounced(t *testing.T) {
	for _, l := range []*lbm.Lattice{lbm.D2Q9, lbm.D3Q19} {
		for _, moves := range []bool{false, true} {
			r := crowd(t, l, moves)
			f, err := hybrid.FootprintOf(r.Coupling, &r.Flow, r.Bodies)
			if err != nil {
				t.Fatal(err)
			}
			if f.Window >= r.Flow.Nodes()/2 {
				t.Errorf("%s: fields of %d nodes for bodies in %d: they lie apart", l.Name, f.Window, r.Flow.Nodes())
			}
			if _, err := hybrid.NewCoupling[float64](r.Coupling, &r.Flow, r.Bodies, r.Pool); err != nil {
				t.Fatal(err) // bodies know their insides now
			}
			r.Pool.Run(func(int) {}) // it knows no coupling any more
			var before, after runtime.MemStats
			runtime.GC()
			runtime.ReadMemStats(&before)
			c, err := hybrid.NewCoupling[float64](r.Coupling, &r.Flow, r.Bodies, r.Pool)
			if err != nil {
				t.Fatal(err)
			}
			runtime.GC()
			runtime.ReadMemStats(&after)
			taken, said := float64(after.HeapAlloc)-float64(before.HeapAlloc), float64(f.HostBytes(8))
			runtime.KeepAlive(c)
			if taken > 1.3*said+1<<20 || taken < 0.6*said { // a megabyte: workers' batches
				t.Errorf("%s, moves %v: %.3g MB announced, %.3g taken", l.Name, moves, said/1e6, taken/1e6)
			}
		}
	}
}

// Likewise on the device, and on its way to the host and back.
func TestSchedulesTakeTheDeviceMemoryAnnounced(t *testing.T) {
	if testing.Short() {
		t.Skip("not with -short: it counts bytes, for long")
	}
	standin.Use(t)
	for _, l := range []*lbm.Lattice{lbm.D2Q9, lbm.D3Q19} {
		for _, schedule := range []string{"device", "pipelined"} {
			r := crowd(t, l, false)
			r.Backend, r.Schedule = map[string]string{"device": "cuda", "pipelined": "hybrid"}[schedule], schedule
			held := func(bodies []*rigid.Body) (device, pinned int) {
				r := r
				r.Bodies = bodies
				c := choose(t, r)
				c.Sim.Fluid.Initialize(start)
				for range 3 {
					c.Sim.Step()
				}
				c.Sim.StepMeasured()
				if err := c.Wait(); err != nil {
					t.Fatal(err)
				}
				device, _ = c.Device().Context().Held()
				pinned = c.Device().Context().PinnedHeld()
				c.Close()
				return device, pinned
			}
			if err := r.resolve(); err != nil {
				t.Fatal(err)
			}
			b := measureBodies[float64](&r)
			without, pinnedWithout := held(nil)
			with, pinnedWith := held(r.Bodies)
			device, said := float64(with-without), float64(b.device)
			if schedule == "pipelined" {
				said = float64(b.exchanged)
				if pinned := float64(pinnedWith - pinnedWithout); pinned > 1.1*float64(b.near)+1<<18 {
					t.Errorf("%s, %s: %.3g MB announced near bodies, %.3g page-locked", l.Name, schedule, float64(b.near)/1e6, pinned/1e6)
				}
			}
			if device > 1.25*said+1<<18 || device < 0.6*said {
				t.Errorf("%s, %s: %.3g MB announced on the device, %.3g held", l.Name, schedule, said/1e6, device/1e6)
			}
		}
	}
}

// Cells of another viscosity inside take, besides, a time of every node and the shares of those inside, as is announced.
func TestViscosityRatiosTakeTheMemoryAnnounced(t *testing.T) {
	if testing.Short() {
		t.Skip("not with -short: the stage test runs it")
	}
	r := crowd(t, lbm.D3Q19, false)
	r.Bodies = nil
	mesh, err := elastic.NewSphere(12, geometry.Vec{}, 24)
	if err != nil {
		t.Fatal(err)
	}
	m, err := elastic.NewMembrane(mesh, elastic.Material{Shear: 1e-3})
	if err != nil {
		t.Fatal(err)
	}
	var taken, said [2]float64
	for i, lambda := range []float64{1, 5} {
		cell, err := flexible.NewCell("cell", m, geometry.Vec{36.2, 31.1, 30.3}, geometry.Identity())
		if err != nil {
			t.Fatal(err)
		}
		cell.Lambda = lambda
		r.Coupling.Cells = []*flexible.Cell{cell}
		f, err := hybrid.FootprintOf(r.Coupling, &r.Flow, nil)
		if err != nil {
			t.Fatal(err)
		}
		said[i] = float64(f.HostBytes(8))
		fluid, err := lbm.New[float64](r.Flow, r.Pool)
		if err != nil {
			t.Fatal(err)
		}
		fluid.Initialize(start)
		var before, after runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&before)
		s, err := hybrid.NewSimulation(fluid, r.Coupling, nil, r.Pool)
		if err != nil {
			t.Fatal(err)
		}
		s.Step()
		runtime.GC()
		runtime.ReadMemStats(&after)
		taken[i] = float64(after.HeapAlloc) - float64(before.HeapAlloc)
		s.Close()
		runtime.KeepAlive(fluid)
	}
	if more, told := taken[1]-taken[0], said[1]-said[0]; more > 1.3*told+1<<18 || more < 0.6*told {
		t.Errorf("λ = 5 takes %.3g MB more, announced are %.3g", more/1e6, told/1e6)
	}
}

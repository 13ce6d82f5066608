package cuda

import (
	"math"
	"strings"
	"testing"

	"lbmib/cuda/device"
	"lbmib/cuda/device/devicetest"
	"lbmib/geometry"
	"lbmib/hybrid"
	"lbmib/hybrid/flexible"
	"lbmib/hybrid/hybridtest"
	"lbmib/ib/elastic"
	"lbmib/internal/parallel"
	"lbmib/lbm"
)

// deviceCells are cells in a flow on the device, of a precision, by a schedule.
func deviceCells[T lbm.Float](t *testing.T, l *device.Library, s *hybridtest.Scene, schedule string, threads int) *hybrid.Simulation[T] {
	t.Helper()
	f, err := NewFluid[T](l, s.Flow)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(f.Close)
	f.Initialize(shearing)
	cfg := s.Coupling
	cfg.Transfer, cfg.Cells = "auto", s.Cells(t)
	c, err := NewCells(l, f, cfg)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.Close)
	c.threads = threads
	pool := parallel.NewPool(1)
	t.Cleanup(pool.Close)
	sim, err := hybrid.NewScheduled[T](f, cfg, nil, pool, hybrid.Plan[T]{Schedule: schedule, Cells: c})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(sim.Close)
	return sim
}

// shearing is a flow that deforms cells.
func shearing(p [3]float64) (rho float64, u [3]float64) {
	return 1, [3]float64{0.04 * math.Sin(p[1]/5), 0.02 * math.Cos(p[0]/7), 0.01 * math.Sin(p[0]/6)}
}

// hostCells are the same on the CPU, serially.
func hostCells[T lbm.Float](t *testing.T, s *hybridtest.Scene) *hybrid.Simulation[T] {
	t.Helper()
	f := hybridtest.CPU[T](t, s.Flow, 1)
	f.Initialize(shearing)
	return hybridtest.Simulate(t, s, f, hybrid.Plan[T]{}, 1)
}

// kindsOfCells are cells of every law, with all that a membrane may have.
func kindsOfCells(t testing.TB) hybridtest.Scene {
	s := hybridtest.Find(t, "cells of two kinds, across seams")
	s.Name, s.Flow.Size, s.Coupling.Offset = "cells of five kinds", [3]int{40, 24, 22}, 0.3
	s.Cells = func(t testing.TB) []*flexible.Cell {
		return []*flexible.Cell{
			hybridtest.Capsule(t, 39.1, 7.6, 16.9, 6, elastic.Material{Law: "skalak", Shear: 5e-3, Area: 1, Bending: 1e-3, Curvature: 0.1}),
			hybridtest.Capsule(t, 20.2, 1.7, 6.1, 5, elastic.Material{Law: "neo-hookean", Shear: 4e-3, VolumePenalty: 0.02, AreaPenalty: 0.03, VolumeRatio: 0.95}),
			hybridtest.Capsule(t, 10.2, 15.7, 4.1, 5, elastic.Material{Law: "hooke", Shear: 4e-3, Poisson: 0.2, Prestress: 1.03}),
			hybridtest.Capsule(t, 28.2, 15.7, 12.1, 6, elastic.Material{Law: "skalak", Shear: 4e-3, ShearViscosity: 2e-3, AreaViscosity: 1e-3, Bending: 2e-3, CurvedReference: true}),
		}
	}
	return s
}

// TestDeviceStepsCellsAsTheCPU: cells of all laws across the seams of a periodic box go on and deform as they do serially on
// the CPU, of which sums over triangles and markers come in another order: some roundings of positions of 40 and forces of
// 1e-3 a step.
func TestDeviceStepsCellsAsTheCPU(t *testing.T) {
	if testing.Short() {
		t.Skip("numbers of code that other tests take through the race detector")
	}
	l := devicetest.Open(t)
	for _, streaming := range []string{"ab", "inplace"} {
		s := kindsOfCells(t)
		s.Flow.Streaming = streaming
		hybridtest.Follow(t, s.Name+" "+streaming, hostCells[float64](t, &s), deviceCells[float64](t, l, &s, "device", membraneThreads), 45, 1e-13)
		if streaming == "ab" {
			s.Flow.Collision = hybridtest.Collision(t, "mrt", 0.04)
			hybridtest.Follow(t, s.Name+" f32", hostCells[float32](t, &s), deviceCells[float32](t, l, &s, "device", membraneThreads), 45, 2e-6)
		}
	}
	s := kindsOfCells(t)
	sim := deviceCells[float64](t, l, &s, "device", membraneThreads)
	for range 30 {
		sim.Step()
	}
	sim.Flush()
	for i, c := range sim.Cells {
		var sum, all geometry.Vec
		for _, f := range c.Force() {
			sum = sum.Add(f)
			all = all.Add(geometry.Vec{math.Abs(f[0]), math.Abs(f[1]), math.Abs(f[2])})
		}
		if sum.Norm() > 1e-14*all.Norm() {
			t.Errorf("cell %d: forces of %g have the sum %g, should have none", i, all.Norm(), sum.Norm())
		}
		if d := c.Measure().Deformation; !(d > 0.02) {
			t.Errorf("cell %d has been deformed by %g alone", i, d)
		}
	}
}

// viscousCells are cells of other viscosities inside, two of which nearly touch, across seams and beside a wall.
func viscousCells(t testing.TB) hybridtest.Scene {
	s := kindsOfCells(t)
	s.Name = "cells of other viscosities"
	s.Flow.Faces[2], s.Flow.Faces[3] = lbm.Face{Kind: lbm.NoSlip}, lbm.Face{Kind: lbm.NoSlip}
	s.Cells = func(t testing.TB) (cells []*flexible.Cell) {
		for i, at := range [][3]float64{{39.1, 7.6, 16.9}, {20.2, 4.2, 6.1}, {10.2, 15.7, 4.1}, {27.2, 4.5, 6.4}} {
			c := hybridtest.Capsule(t, at[0], at[1], at[2], 6, elastic.Material{Law: "skalak", Shear: 5e-3, Area: 1, Bending: 1e-3, VolumePenalty: 0.01})
			c.Lambda = []float64{5, 0.3, 1, 3}[i]
			cells = append(cells, c)
		}
		return cells
	}
	return s
}

// TestDeviceStepsViscousCellsAsTheCPU: nodes relax by times that the device finds itself, by every delta that it has supports of other widths for; of what a cell leaves
// behind, and when the host has changed cells, too.
func TestDeviceStepsViscousCellsAsTheCPU(t *testing.T) {
	if testing.Short() {
		t.Skip("numbers of code that other tests take through the race detector")
	}
	l := devicetest.Open(t)
	for _, delta := range []string{"roma3", "peskin4", "ib6"} {
		s := viscousCells(t)
		s.Coupling.Delta = delta
		if delta != "roma3" {
			s.Flow.Collision = hybridtest.Collision(t, "mrt", 0.1)
		}
		host, device := hostCells[float64](t, &s), deviceCells[float64](t, l, &s, "device", membraneThreads)
		hybridtest.Follow(t, s.Name+" "+delta, host, device, 60, 1e-13)
		if err := device.SetFlexible(device.Flexible()); err != nil {
			t.Fatal(err)
		}
		hybridtest.Follow(t, s.Name+" "+delta+" again", host, device, 20, 1e-13)
	}
	s := viscousCells(t)
	hybridtest.Follow(t, s.Name+" f32", hostCells[float32](t, &s), deviceCells[float32](t, l, &s, "device", membraneThreads), 45, 2e-6)
	auto := deviceCells[float64](t, l, &s, "auto", membraneThreads)
	hybridtest.Follow(t, "auto", hostCells[float64](t, &s), auto, 130, 1e-13)
	if c := auto.Chosen(); !c.Settled || len(c.Times) != 3 {
		t.Errorf("auto has measured %v, settled %t", c.Times, c.Settled)
	}
}

// TestDeviceStepsCellsBesideWallsAsTheCPU: what is spread behind a wall at rest it takes, and nodes there have no velocity; supports
// reach over two walls and a seam here.
func TestDeviceStepsCellsBesideWallsAsTheCPU(t *testing.T) {
	l := devicetest.Open(t)
	s := hybridtest.Find(t, "cells of two kinds, across seams")
	s.Name = "cells in a corner of walls"
	for _, face := range []int{2, 3, 4, 5} {
		s.Flow.Faces[face] = lbm.Face{Kind: lbm.NoSlip}
	}
	s.Cells = func(t testing.TB) []*flexible.Cell {
		return []*flexible.Cell{
			hybridtest.Capsule(t, 39.1, 2.5, 2.6, 5.4, elastic.Material{Law: "skalak", Shear: 5e-3, Area: 1, Bending: 1e-3}),
			hybridtest.Capsule(t, 20.2, 16.3, 14.4, 5.2, elastic.Material{Law: "neo-hookean", Shear: 4e-3}),
		}
	}
	host, device := hostCells[float64](t, &s), deviceCells[float64](t, l, &s, "device", membraneThreads)
	least := math.Inf(1)
	for _, x := range host.Cells[0].Points() {
		least = min(least, x[1], x[2])
	}
	if !(least < 0.5) {
		t.Fatalf("vertices are %g nodes from the first ones: their supports end there", least)
	}
	hybridtest.Follow(t, s.Name, host, device, 45, 1e-13)
}

// TestDeviceCellsDoNotDependOnThreads: every number is summed in an order of its own.
func TestDeviceCellsDoNotDependOnThreads(t *testing.T) {
	l := devicetest.Open(t)
	s := kindsOfCells(t)
	want := deviceCells[float64](t, l, &s, "device", membraneThreads)
	for _, threads := range []int{32, 96} {
		got := deviceCells[float64](t, l, &s, "device", threads)
		for range 12 {
			got.Step()
		}
		for want.Fluid.Steps() < 12 {
			want.Step()
		}
		hybridtest.Same(t, "threads", want, got, 0)
	}
}

// TestDeviceCellsResume: a state of one schedule is continued by another, and auto measures all three.
func TestDeviceCellsResume(t *testing.T) {
	l := devicetest.Open(t)
	s := hybridtest.Find(t, "cells of two kinds, across seams")
	whole := hostCells[float64](t, &s)
	for _, way := range [][2]string{{"device", "serial"}, {"serial", "device"}, {"device", "device"}} {
		part, next := deviceCells[float64](t, l, &s, way[0], membraneThreads), deviceCells[float64](t, l, &s, way[1], membraneThreads)
		for range 21 {
			part.Step()
		}
		for range 5 {
			next.Step()
		}
		if err := next.Fluid.SetState(lbm.StateOf(part.Fluid)); err != nil {
			t.Fatal(err)
		}
		if err := next.SetFlexible(part.Flexible()); err != nil {
			t.Fatal(err)
		}
		if err := next.SetHeld(part.Held()); err != nil {
			t.Fatal(err)
		}
		tolerance := 1e-13
		if way[0] == way[1] {
			tolerance = 0
		}
		hybridtest.Same(t, way[0]+" to "+way[1]+" at once", part, next, 0)
		hybridtest.Follow(t, way[0]+" to "+way[1], part, next, 19, tolerance)
		for whole.Fluid.Steps() < next.Fluid.Steps() {
			whole.Step()
		}
		hybridtest.Same(t, "uninterrupted", whole, next, 1e-13)
	}
	auto := deviceCells[float64](t, l, &s, "auto", membraneThreads)
	hybridtest.Follow(t, "auto", hostCells[float64](t, &s), auto, 130, 1e-13)
	if c := auto.Chosen(); !c.Settled || len(c.Times) != 3 {
		t.Errorf("auto has measured %v, settled %t", c.Times, c.Settled)
	}
}

// TestDeviceCellsStopWhereTheyMust: a membrane too stiff for the step, and a cell that comes to a wall that moves.
func TestDeviceCellsStopWhereTheyMust(t *testing.T) {
	l := devicetest.Open(t)
	for _, c := range []struct {
		name, says string
		y          float64
		face       lbm.Face
		shear      float64
	}{
		{"too stiff", `body "capsule"`, 9, lbm.Face{}, 4},
		{"behind a wall that moves", "continue with backend hybrid or cpu", 2.6, lbm.Face{Kind: lbm.MovingWall, Velocity: func([3]float64) [3]float64 { return [3]float64{0.04} }}, 4e-3},
	} {
		s := hybridtest.Find(t, "cells of two kinds, across seams")
		if c.face.Kind != lbm.Periodic {
			s.Flow.Faces[2], s.Flow.Faces[3] = c.face, c.face
		}
		s.Cells = func(t testing.TB) []*flexible.Cell {
			return []*flexible.Cell{hybridtest.Capsule(t, 20, c.y, 9, 6, elastic.Material{Law: "skalak", Shear: c.shear, Area: 1})}
		}
		sim := deviceCells[float64](t, l, &s, "device", membraneThreads)
		for range 200 {
			if sim.Step(); sim.Err() != nil {
				break
			}
		}
		if err := sim.Err(); err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: error %v, should say %q", c.name, err, c.says)
		}
	}
}

// TestCellsThatTheDeviceDoesNotKnowAreRefused with the remedy.
func TestCellsThatTheDeviceDoesNotKnowAreRefused(t *testing.T) {
	l := devicetest.Open(t)
	s := hybridtest.Find(t, "cells of two kinds, across seams")
	for says, change := range map[string]func(flow *lbm.Config, cfg *hybrid.CouplingConfig){
		"up to 127 nodes": func(_ *lbm.Config, cfg *hybrid.CouplingConfig) { cfg.Contact.Distance = 140 },
		"enter and leave": func(_ *lbm.Config, cfg *hybrid.CouplingConfig) { cfg.Feed = &hybrid.Feed{} },
		"hat2 leave gaps": func(_ *lbm.Config, cfg *hybrid.CouplingConfig) { cfg.Delta, cfg.Cells[0].Lambda = "hat2", 2 },
		"not by buffered": func(_ *lbm.Config, cfg *hybrid.CouplingConfig) { cfg.Transfer = "buffered" },
		"the bending model cotangent": func(_ *lbm.Config, cfg *hybrid.CouplingConfig) {
			cfg.Cells = []*flexible.Cell{hybridtest.Capsule(t, 9, 9, 9, 6, elastic.Material{Shear: 1e-3, Bending: 1, BendingModel: "cotangent"})}
		},
	} {
		flow, cfg := s.Flow, s.Coupling
		cfg.Transfer, cfg.Cells = "auto", s.Cells(t)
		change(&flow, &cfg)
		f, err := NewFluid[float64](l, flow)
		if err != nil {
			t.Fatal(err)
		}
		held, _ := l.Context.Held()
		_, err = NewCells(l, f, cfg)
		if now, _ := l.Context.Held(); now != held || err == nil || !strings.Contains(err.Error(), says) || !strings.Contains(err.Error(), "use") {
			t.Errorf("%q: error %v, %d bytes held after it", says, err, now-held)
		}
		f.Close()
	}
}

// TestDeviceCellsTellTheirMemory: what is announced is not less than what is taken.
func TestDeviceCellsTellTheirMemory(t *testing.T) {
	l := devicetest.Open(t)
	for _, s := range []hybridtest.Scene{kindsOfCells(t), pressed(t), inTube(t, pressed(t).Cells)} {
		f, err := NewFluid[float64](l, s.Flow)
		if err != nil {
			t.Fatal(err)
		}
		cfg := s.Coupling
		cfg.Transfer, cfg.Cells = "auto", s.Cells(t)
		before, _ := l.Context.Held()
		c, err := NewCells(l, f, cfg)
		if err != nil {
			t.Fatal(err)
		}
		if err := c.Put(nil); err != nil {
			t.Fatal(err)
		}
		c.Step()
		after, _ := l.Context.Held()
		if told, taken := CellsBytes(cfg, &s.Flow, 8), int64(after-before); taken > told || 2*taken < told {
			t.Errorf("%s take %d bytes, announced are %d", s.Name, taken, told)
		}
		c.Close()
		f.Close()
	}
}

package cuda

import (
	"testing"

	"lbmib/cuda/device"
	"lbmib/cuda/device/devicetest"
	"lbmib/hybrid"
	"lbmib/hybrid/hybridtest"
	"lbmib/internal/parallel"
	"lbmib/lbm"
	"lbmib/lbm/joined"
)

// Bodies in the finest of nested grids on a device move and feel as on the processor, whether the host corrects after the step or the device does:
// to the order of sums.
func TestBodiesInTheFinestGrid(t *testing.T) {
	l := devicetest.Open(t)
	for _, c := range []struct {
		scene string
		size  [3]int
		boxes []joined.Box
		bends bool // bodies that the host moves
	}{
		{"a cylinder, multidirect", [3]int{80, 60, 1}, []joined.Box{levelBox(1, 4, 4, 44, 40)}, false},
		{"two that move, across seams", [3]int{96, 72, 1}, []joined.Box{levelBox(1, 0, 0, 60, 40)}, false},
		{"a cylinder beside eddies, multidirect", [3]int{80, 60, 1}, []joined.Box{levelBox(1, 4, 4, 48, 44), levelBox(2, 8, 8, 36, 32)}, false},
		{"two that sink, multidirect", [3]int{96, 72, 1}, []joined.Box{levelBox(1, 0, 0, 80, 60)}, false},
		{"damped, a cylinder in a stream at once", [3]int{96, 72, 1}, []joined.Box{levelBox(1, 4, 4, 72, 60)}, false},
		{"a sphere that sinks", [3]int{48, 32, 32}, []joined.Box{{Level: 1, Hi: [3]int{36, 24, 24}}}, false},
		{"a flag behind a cylinder that oscillates", [3]int{128, 80, 1}, []joined.Box{levelBox(1, 4, 0, 80, 60)}, true},
		{"a cell beside a wall and a sphere that moves, in contact", [3]int{56, 32, 32}, []joined.Box{{Level: 1, Lo: [3]int{4, 0, 0}, Hi: [3]int{44, 26, 26}}}, true},
	} {
		scene := hybridtest.Find(t, c.scene)
		scene.Flow.Size = c.size
		for _, schedule := range []string{"serial", "device"} {
			if schedule == "device" && c.bends || testing.Short() && schedule == "serial" {
				continue
			}
			t.Run(c.scene+", "+schedule, func(t *testing.T) {
				want := withBodies(t, &scene, levelsOnCPU[float64](t, scene.Flow, lbm.Config{}, c.boxes), hybrid.Plan[float64]{})
				on := levelsOn[float64](t, l, scene.Flow, lbm.Config{}, c.boxes)
				plan := hybrid.Plan[float64]{Schedule: schedule}
				if schedule == "device" {
					plan.Device = ofFinest(t, l, on, scene.Coupling)
				}
				got := withBodies(t, &scene, on, plan)
				if s := got.Chosen().Schedule; s != schedule {
					t.Fatalf("the schedule is %s", s)
				}
				hybridtest.Follow(t, c.scene, want, got, 60, 1e-13)
			})
		}
	}
}

// ofFinest is the coupling of the one finest grid.
func ofFinest(t testing.TB, l *device.Library, f *joined.Fluid[float64], cfg hybrid.CouplingConfig) hybrid.DeviceCoupling[float64] {
	t.Helper()
	cfg.Transfer = "sort-reduce"
	finest, number := f.Finest()
	c, err := NewCoupling(l, finest.(*Fluid[float64]), cfg)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.Close)
	return hybrid.NewPartCoupling[float64](c, number)
}

// withBodies puts the bodies of a scene into a fluid that moves.
func withBodies(t testing.TB, s *hybridtest.Scene, fluid lbm.Fluid[float64], plan hybrid.Plan[float64]) *hybrid.Simulation[float64] {
	t.Helper()
	pool := parallel.NewPool(1)
	t.Cleanup(pool.Close)
	fluid.Initialize(func([3]float64) (float64, [3]float64) { return 1, [3]float64{0.04, 0.01} })
	cfg := s.Coupling
	cfg.Kernel = "go"
	if s.Cells != nil {
		cfg.Cells = s.Cells(t)
	}
	sim, err := hybrid.NewScheduled(fluid, cfg, s.Bodies(t), pool, plan)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(sim.Close)
	return sim
}

// A step of nested grids with a body in the finest waits for nothing but what the host asks for, copies nothing through it, and allocates nothing.
func TestLevelsStayOnTheDevice(t *testing.T) {
	l := devicetest.Open(t)
	cfg := flow(t, lbm.D2Q9, [3]int{64, 48, 1})
	f := levelsOn[float64](t, l, cfg, lbm.Config{}, []joined.Box{{Hi: [3]int{32, 48, 1}}, {Lo: [3]int{32, 0, 0}, Hi: [3]int{64, 48, 1}}, levelBox(1, 16, 12, 48, 40), levelBox(2, 20, 16, 44, 32)})
	f.Initialize(swirling)
	step := func() { f.Step() }
	for range 100 {
		step()
	}
	look := func() {
		f.Moments([]int32{0}, []int32{0}, make([]float64, 1), [][]float64{make([]float64, 1), make([]float64, 1)})
	}
	look() // nothing waits
	before := l.Context.Counts()
	kernels := launchesOf(l)
	const steps = 40
	for range steps {
		step()
	}
	look()
	n := l.Context.Counts().Sub(before)
	if n.ToDevice.Calls > 1 || n.ToHost.Calls != 1 {
		t.Errorf("%d steps copied %d times to the device and %d times to the host, of which moments at the end are one", steps, n.ToDevice.Calls, n.ToHost.Calls)
	}
	for name, want := range map[string]int64{
		// Before the first of two steps of a level it and the level above are read, before the second it alone; sums go into it before both, and into
		// the level above after them. Steps of level 0, every fourth, are of two parts, into each of which the other is copied.
		"fetch_single": steps/2*(1+1+1) + steps/4*(2+1+1) + steps/4*2,
		"put_single":   steps / 4 * 2,
		"put_sums":     steps/2*(1+1+1) + steps/4*(1+1+2),
	} {
		if got := launchesOf(l)[name] - kernels[name]; got != want {
			t.Errorf("%d launches of %s, want %d", got, name, want)
		}
	}
	finest, _ := f.Finest()
	seam := finest.(*Fluid[float64]).joints[0].Time()
	if boundary, _ := f.Times(); seam <= 0 || boundary <= seam {
		t.Errorf("a seam took %v on the device, all of them and faces %v", seam, boundary)
	}
	if n := testing.AllocsPerRun(20, step); n > 0 && !testing.Short() { // of the race detector, too, whose tests are short
		t.Errorf("%v allocations a step", n)
	}
}

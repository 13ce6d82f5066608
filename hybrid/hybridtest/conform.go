package hybridtest

import (
	"math"
	"slices"
	"testing"

	"lbmib/hybrid"
	"lbmib/hybrid/rigid"
	"lbmib/internal/checking/checkingtest"
	"lbmib/internal/parallel"
	"lbmib/lbm"
)

// Backend is what makes fluids, and perhaps corrections of them.
type Backend[T lbm.Float] struct {
	// Fluid makes a fluid of a configuration, which ends with the test.
	Fluid func(t testing.TB, flow lbm.Config) lbm.Fluid[T]

	// Device makes corrections of a fluid; nil: there is no device.
	Device func(t testing.TB, fluid lbm.Fluid[T], cfg hybrid.CouplingConfig) hybrid.DeviceCoupling[T]

	// Tolerance is by how much populations may come to differ from those of the CPU's
	// fluid, stepped serially, in Scene.Steps. 0 asks for the same bits as those of
	// kernel "go", which everything that the host does has then.
	Tolerance float64

	// Sums tells that the fluid or its device sums over nodes and markers in an order of
	// its own, so that loads, and what moves by them, differ by rounding besides.
	Sums bool

	// Half leaves out one half of the pairs of a scene and a schedule if 1, the other if 2,
	// none if 0: two backends that differ in little can share the pairs. Neither does in
	// full nor with -short, which has few scenes.
	Half int
}

// slack is by how much populations next to bodies that move freely, and loads, may differ
// besides: roundings of sums over 10² markers and nodes.
func (b *Backend[T]) slack(s *Scene) (tolerance, order float64) {
	tolerance = b.Tolerance + Rounding[T](s)
	switch {
	case !b.Sums:
		return tolerance, 0
	case s.Free:
		return tolerance + 1e-13, orderOfSums
	}
	return tolerance, orderOfSums
}

// Rounding is by how much populations of a scene may differ from schedule to schedule: forces of cells alone go into
// the collision of a serial step, and are a correction elsewhere; some roundings of populations of 0.1 a step.
func Rounding[T lbm.Float](s *Scene) float64 {
	switch one := T(1); {
	case s.Bodies != nil:
		return 0
	case one+T(1e-10) != one:
		return 1e-13
	}
	return 1e-6
}

// Conform steps every scene with every schedule that a backend has.
func Conform[T lbm.Float](t *testing.T, b Backend[T]) {
	for k, s := range Scenes(t) {
		if testing.Short() && k%3 != 0 {
			continue
		}
		if b.Tolerance == 0 {
			s.Coupling.Kernel = "go"
		}
		schedules := slices.Clone(hybrid.Schedules)
		if b.Device == nil || s.OnHost {
			schedules = slices.DeleteFunc(schedules, func(name string) bool { return name == "device" })
		}
		for i, schedule := range schedules {
			if b.Half > 0 && (k+i+b.Half)%2 == 0 && !testing.Short() && !checkingtest.Full() {
				continue
			}
			t.Run(schedule+" "+s.Name, func(t *testing.T) {
				steps := s.Steps()
				if testing.Short() {
					steps = 25
				}
				tolerance, order := b.slack(&s)
				follow(t, s.Name, serialOnCPU[T](t, &s), b.simulate(t, &s, schedule), steps, tolerance, order)
			})
		}
	}
}

// serialOnCPU is what others are compared with.
func serialOnCPU[T lbm.Float](t testing.TB, s *Scene) *hybrid.Simulation[T] {
	flow := s.Flow
	flow.Kernel = s.Coupling.Kernel
	return Simulate(t, s, CPU[T](t, flow, 1), hybrid.Plan[T]{}, 1)
}

func (b *Backend[T]) simulate(t testing.TB, s *Scene, schedule string) *hybrid.Simulation[T] {
	t.Helper()
	fluid := b.Fluid(t, s.Flow)
	fluid.Initialize(start)
	plan := hybrid.Plan[T]{Schedule: schedule}
	if b.Device != nil {
		plan.Device = b.Device(t, fluid, s.Coupling)
	}
	return Simulate(t, s, fluid, plan, 1)
}

// start is how scenes begin.
func start(p [3]float64) (rho float64, u [3]float64) {
	return 1, [3]float64{0.04 + 0.01*math.Sin(p[1]/5), 0.02 * math.Cos(p[0]/7), 0}
}

// CPU is a scene's fluid on workers of the CPU.
func CPU[T lbm.Float](t testing.TB, flow lbm.Config, workers int) lbm.Fluid[T] {
	t.Helper()
	pool := parallel.NewPool(workers)
	t.Cleanup(pool.Close)
	f, err := lbm.New[T](flow, pool)
	if err != nil {
		t.Fatal(err)
	}
	f.Initialize(start)
	return f
}

// Simulate puts a scene's bodies into a fluid, with workers of their own.
func Simulate[T lbm.Float](t testing.TB, s *Scene, fluid lbm.Fluid[T], plan hybrid.Plan[T], workers int) *hybrid.Simulation[T] {
	t.Helper()
	host := parallel.NewPool(workers)
	t.Cleanup(host.Close)
	cfg := s.Coupling
	if s.Cells != nil {
		cfg.Cells = s.Cells(t)
	}
	var bodies []*rigid.Body
	if s.Bodies != nil {
		bodies = s.Bodies(t)
	}
	sim, err := hybrid.NewScheduled(fluid, cfg, bodies, host, plan)
	if err != nil {
		t.Fatalf("%s: %v", s.Name, err)
	}
	t.Cleanup(sim.Close)
	return sim
}

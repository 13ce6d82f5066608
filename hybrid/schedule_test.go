package hybrid_test

import (
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"

	"lbmib/geometry"
	"lbmib/hybrid"
	"lbmib/hybrid/hybridtest"
	"lbmib/hybrid/rigid"
	"lbmib/internal/parallel"
	"lbmib/lbm"
)

func step(t testing.TB, s *hybrid.Simulation[float64], n int) {
	t.Helper()
	for range n {
		if s.Step(); s.Err() != nil {
			t.Fatal(s.Err())
		}
	}
}

// planned is a scene with a schedule, fluid and bodies having a number of workers each.
func planned[T lbm.Float](t testing.TB, s hybridtest.Scene, schedule string, workers int) *hybrid.Simulation[T] {
	t.Helper()
	return hybridtest.Simulate(t, &s, hybridtest.CPU[T](t, s.Flow, workers), hybrid.Plan[T]{Schedule: schedule}, workers)
}

// The host's part of a pipelined step has the arithmetic of the fluid's: whatever the
// bodies, their motion and what is around them, the same bits come out as serially.
func TestPipelinedIsSerial(t *testing.T) {
	type way struct {
		streaming, layout string
		perSweep          int
	}
	ways := []way{{"inplace", "soaos", 1}, {"ab", "soa", 1}, {"inplace", "soa", 2}}
	if testing.Short() {
		ways = ways[:1]
	}
	for k, s := range hybridtest.Scenes(t) {
		steps := s.Steps()
		if testing.Short() {
			steps = 20
		}
		t.Run(s.Name, func(t *testing.T) {
			for l, how := range ways {
				workers := 1 + (k+l)%2
				s.Flow.Streaming, s.Flow.Layout, s.Flow.StepsPerSweep = how.streaming, how.layout, how.perSweep
				hybridtest.Follow(t, fmt.Sprint(how), planned[float64](t, s, "serial", 1), planned[float64](t, s, "pipelined", workers), steps, hybridtest.Rounding[float64](&s))
			}
			if !testing.Short() {
				hybridtest.Follow(t, "f32", planned[float32](t, s, "serial", 1), planned[float32](t, s, "pipelined", 1), steps, hybridtest.Rounding[float32](&s))
			}
		})
	}
}

// What is stored in half precision is rounded with the same noise, but where
// populations meet moving walls.
func TestPipelinedIsSerialInHalfPrecision(t *testing.T) {
	if testing.Short() {
		return // no goroutines that others have not
	}
	for _, s := range hybridtest.Scenes(t)[1:3] {
		s.Flow.Store = "f16"
		hybridtest.Follow(t, s.Name, planned[float32](t, s, "serial", 1), planned[float32](t, s, "pipelined", 1), 100, 0)
	}
}

// Whoever looks at a body that moves freely sees it with the velocity that it has after
// the step.
func TestPipelinedBodiesAreLookedAtAfterTheStep(t *testing.T) {
	s := hybridtest.Find(t, "two that move, across seams")
	serial, other := planned[float64](t, s, "serial", 1), planned[float64](t, s, "pipelined", 1)
	for range 20 {
		step(t, serial, 1)
		step(t, other, 1)
		for i, b := range serial.Bodies {
			if want, got := b.State(), other.Bodies[i].State(); got != want {
				t.Fatalf("step %d: body %d is seen at %+v, serially %+v", serial.Fluid.Steps(), i, got, want)
			}
		}
	}
}

// A run that is interrupted goes on with any schedule as if nothing had been.
func TestRunsResumeAcrossSchedules(t *testing.T) {
	names := []string{"a cylinder in a channel, next to a wall", "two that move, across seams", "damped, two that move, across seams",
		"cells of two kinds, across seams", "a cell beside a wall and a sphere that moves, in contact"}
	if testing.Short() {
		names = names[1:3] // cells are taken through the race detector by others
	}
	for _, name := range names {
		for from, to := range map[string]string{"serial": "pipelined", "pipelined": "serial"} {
			s := hybridtest.Find(t, name)
			name, steps, tolerance := fmt.Sprintf("%s, from %s to %s", name, from, to), 130, hybridtest.Rounding[float64](&s)
			if s.Cells != nil {
				steps = 80
			}
			whole, part, next := planned[float64](t, s, "serial", 1), planned[float64](t, s, from, 1), planned[float64](t, s, to, 1)
			step(t, whole, steps)
			step(t, part, steps-69)
			step(t, next, 7) // of a pipeline that is to be emptied
			if err := next.Fluid.SetState(lbm.StateOf(part.Fluid)); err != nil {
				t.Fatal(err)
			}
			if err := next.SetRigid(part.Rigid()); err != nil {
				t.Fatal(err)
			}
			if err := next.SetFlexible(part.Flexible()); err != nil {
				t.Fatal(err)
			}
			if err := next.SetHeld(part.Held()); err != nil {
				t.Fatal(err)
			}
			hybridtest.Follow(t, name, part, next, 29, tolerance)
			step(t, next, 40)
			hybridtest.Same(t, name, whole, next, tolerance)
		}
	}
}

// Bodies that would move to where they cannot be stop a pipelined run where they stop
// a serial one, with the same state left.
func TestPipelinedMotionErrorsLeaveTheStateOfBefore(t *testing.T) {
	for _, s := range strayScenes(t) {
		if testing.Short() && s.Name != "into a solid" {
			continue
		}
		t.Run(s.Name, func(t *testing.T) {
			serial, other := planned[float64](t, s, "serial", 1), planned[float64](t, s, "pipelined", 1)
			for range 2000 {
				serial.Step()
				other.Step()
				if serial.Err() != nil || other.Err() != nil {
					break
				}
			}
			var want, got *rigid.MotionError
			if !errors.As(serial.Err(), &want) || !errors.As(other.Err(), &got) || *want != *got {
				t.Fatalf("error %v, serially %v", other.Err(), serial.Err())
			}
			if want.Step < 20 {
				t.Fatalf("it failed at step %d, before anything could go on at the same time", want.Step)
			}
			hybridtest.Same(t, s.Name, serial, other, 0)
		})
	}
}

// strayScenes are bodies that move to where they cannot be.
func strayScenes(t testing.TB) []hybridtest.Scene {
	wall := lbm.Face{Kind: lbm.NoSlip}
	flow := lbm.Config{Lattice: lbm.D2Q9, Size: [3]int{60, 30, 1}, Collision: hybridtest.Collision(t, "trt", 0.1)}
	closed, solid, open := flow, flow, flow
	closed.Faces = [6]lbm.Face{wall, wall, wall, wall}
	solid.Solid = make([]bool, solid.Nodes())
	solid.Solid[solid.Node([3]int{40, 15, 0})] = true
	open.Faces = [6]lbm.Face{{Kind: lbm.Velocity, Velocity: func([3]float64) [3]float64 { return [3]float64{0.02} }}, {Kind: lbm.Outflow}, wall, wall}
	act := hybrid.CouplingConfig{Delta: "roma3", Transfer: "serial", Forcing: "direct"}
	yielding := act
	yielding.Contact = rigid.Contact{Distance: 2, Stiffness: 1e-6, Speed: 0.05}
	driven := func(x, u, v float64) *rigid.Body {
		return hybridtest.Driven(hybridtest.Ball(t, x, 15, 0, 10), geometry.Vec{u, v})
	}
	one := func(b func() *rigid.Body) func(testing.TB) []*rigid.Body {
		return func(testing.TB) []*rigid.Body { return []*rigid.Body{b()} }
	}
	return []hybridtest.Scene{
		{Name: "into each other", Flow: flow, Coupling: act, Bodies: func(t testing.TB) []*rigid.Body {
			return []*rigid.Body{driven(12, 0.07, 0), hybridtest.Ball(t, 30, 15, 0, 10)}
		}},
		{Name: "into a wall", Flow: closed, Coupling: act, Bodies: one(func() *rigid.Body { return driven(50, 0.06, 0) })},
		{Name: "into a solid", Flow: solid, Coupling: act, Bodies: one(func() *rigid.Body { return driven(27, 0.06, 0.01) })},
		{Name: "out through a face", Flow: open, Coupling: act, Bodies: one(func() *rigid.Body { return driven(47, 0.06, 0) })},
		{Name: "fallen onto a floor that gives way", Flow: closed, Coupling: yielding, Free: true, Bodies: one(func() *rigid.Body {
			b, err := rigid.NewBody("disc", hybridtest.Ball(t, 30, 9, 0, 10).Shape, 1, 1.4) // the surface is behind the floor before a marker is
			if err != nil {
				t.Fatal(err)
			}
			b.Free = &rigid.Free{Density: 5, Gravity: geometry.Vec{0, -2e-4}}
			return b
		})},
	}
}

// Forces that are not finite are told, with the step that they belong to, by the step
// after it or by whoever looks.
func TestPipelinedForcesThatAreNotFinite(t *testing.T) {
	for _, look := range []bool{false, true} {
		s := planned[float64](t, hybridtest.Find(t, "a cylinder, multidirect"), "pipelined", 1)
		step(t, s, 3)
		x := s.Bodies[0].Markers.X[7]
		state := lbm.StateOf(s.Fluid)
		state.Populations[0][s.Fluid.Config().Node([3]int{int(x[0]), int(x[1]), 0})] = math.NaN()
		if err := s.Fluid.SetState(state); err != nil {
			t.Fatal(err)
		}
		s.Step()
		if look {
			s.Flush()
		} else {
			s.Step()
		}
		if err := s.Err(); err == nil || !strings.Contains(err.Error(), "at step 4") || !strings.Contains(err.Error(), `body "ball"`) {
			t.Errorf("look %v: error %v", look, err)
		}
	}
}

func TestPipelinedStepsAllocateNothing(t *testing.T) {
	if testing.Short() {
		t.Skip("the race detector allocates, too")
	}
	for _, s := range hybridtest.Scenes(t) {
		if s.Flow.Lattice.Dim == 3 && (testing.Short() || s.Free) {
			continue // long, and nothing else
		}
		sim := planned[float64](t, s, "pipelined", 1)
		step(t, sim, 20)
		if sim.Rigid() != nil && s.Flow.Lattice.Dim == 2 {
			step(t, sim, 300) // lists are as long as they get
		}
		if n := testing.AllocsPerRun(50, sim.Step); n > 0 {
			t.Errorf("%s: %v allocations a step", s.Name, n)
		}
	}
}

// Most steps are made in two places at once, also where bodies move.
func TestPipelinesAreKeptFull(t *testing.T) {
	if testing.Short() {
		return // no goroutines that others have not
	}
	for _, s := range hybridtest.Scenes(t) {
		sim := planned[float64](t, s, "pipelined", 1)
		sim.Step()
		full := 0
		for range 100 {
			if hybrid.Overlapped(sim) {
				full++
			}
		}
		if full < 90 { // steps before which a look at each other is due are not
			t.Errorf("%s: of 100 steps %d were made in two places at once", s.Name, full)
		}
	}
}

func TestSchedulesThatAreNotPossibleAreRefused(t *testing.T) {
	s := hybridtest.Find(t, "a cylinder in a channel, next to a wall")
	late := s
	late.Name, late.Bodies = "next to the outlet", func(t testing.TB) []*rigid.Body { // supports up to node 46 of 47
		return []*rigid.Body{hybridtest.Ball(t, 40.4, 17, 0, 9)}
	}
	pool, other := parallel.NewPool(1), parallel.NewPool(1)
	defer pool.Close()
	defer other.Close()
	fluid, err := lbm.New[float64](s.Flow, pool)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		scene    hybridtest.Scene
		pool     *parallel.Pool
		schedule string
		say      string
	}{
		{s, other, "parallel", "choose one of " + strings.Join(hybrid.Schedules, ", ")},
		{s, pool, "pipelined", "give each its own"},
		{s, other, "device", "there is no device"},
		{late, other, "pipelined", "face right (outflow)"},
	} {
		_, err := hybrid.NewScheduled(fluid, c.scene.Coupling, c.scene.Bodies(t), c.pool, hybrid.Plan[float64]{Schedule: c.schedule})
		if err == nil || !strings.Contains(err.Error(), c.say) {
			t.Errorf("%s, %s: error %v does not say %q", c.schedule, c.scene.Name, err, c.say)
		}
	}
	sim := hybridtest.Simulate(t, &late, fluid, hybrid.Plan[float64]{Schedule: "auto"}, 1)
	c := sim.Chosen()
	impossible := len(c.Reasons) == len(hybrid.Schedules)-2 // all but serial and auto
	if c.Schedule != "serial" || c.Settled != impossible || !strings.Contains(c.String(), "not pipelined: node ") || !strings.Contains(c.String(), "not device: there is no") {
		t.Errorf("auto without a choice: %v, settled %v", c, c.Settled)
	}
}

// What auto measures with are steps of the run.
func TestAutoMeasuresWithRealSteps(t *testing.T) {
	for _, name := range []string{"a cylinder in a channel, next to a wall", "two that move, across seams"} {
		s := hybridtest.Find(t, name)
		serial, auto := planned[float64](t, s, "serial", 1), planned[float64](t, s, "auto", 1)
		if auto.Chosen().Settled {
			t.Fatal("auto has chosen before the first step")
		}
		onHost := len(hybrid.Schedules) - 2 // all but auto and device
		hybridtest.Follow(t, name, serial, auto, hybrid.TrialSteps(onHost)+20, 0)
		c := auto.Chosen()
		if !c.Settled || len(c.Times) != onHost || c.Times["serial"] <= 0 || c.Times["pipelined"] <= 0 {
			t.Errorf("auto has chosen %v, settled %v", c, c.Settled)
		}
		if c.Times[c.Schedule] > c.Times["serial"] || c.Times[c.Schedule] > c.Times["pipelined"] {
			t.Errorf("auto has not chosen the fastest: %v", c)
		}
	}
}

func TestProcessorsAreSplit(t *testing.T) {
	for n, want := range map[int][2]int{1: {1, 1}, 2: {1, 1}, 4: {3, 1}, 16: {14, 2}, 64: {56, 8}} {
		if fluid, bodies := hybrid.Split(n); fluid != want[0] || bodies != want[1] {
			t.Errorf("%d processors: %d for the fluid and %d for bodies, want %v", n, fluid, bodies, want)
		}
	}
}

// With multidirect forcing what is inside is damped once, not in every round, on the host; rounds
// on a device know no inside.
func TestDampedInsidesWithMultidirect(t *testing.T) {
	s := hybridtest.Find(t, "a cylinder, multidirect")
	of := s.Bodies
	s.Bodies = func(t testing.TB) []*rigid.Body { return []*rigid.Body{hybridtest.Damped(of(t)[0])} }
	hybridtest.Follow(t, s.Name, planned[float64](t, s, "serial", 1), planned[float64](t, s, "pipelined", 1), 40, 0)
	b := backend[float64](0)
	fluid := b.Fluid(t, s.Flow)
	_, err := hybrid.NewScheduled(fluid, s.Coupling, s.Bodies(t), nil, hybrid.Plan[float64]{Schedule: "device", Device: b.Device(t, fluid, s.Coupling)})
	var cannot *hybrid.NotPossible
	if !errors.As(err, &cannot) || !strings.Contains(err.Error(), `use forcing "direct" or ib.inside = "free"`) {
		t.Errorf("a device damps with multidirect: %v", err)
	}
}

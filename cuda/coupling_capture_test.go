package cuda

import (
	"testing"
	"time"

	"lbmib/cuda/device"
	"lbmib/cuda/device/devicetest"
	"lbmib/hybrid"
	"lbmib/internal/parallel"
	"lbmib/lbm"
)

// scheduledScene is a scene on a device, by a schedule, after some steps.
func scheduledScene[T lbm.Float](t *testing.T, l *device.Library, s scene, schedule string, steps int) *hybrid.Simulation[T] {
	t.Helper()
	pool := parallel.NewPool(1)
	t.Cleanup(pool.Close)
	f, err := NewFluid[T](l, s.flow)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(f.Close)
	s.start(f)
	plan := hybrid.Plan[T]{Schedule: schedule}
	if schedule == "device" {
		c, err := NewCoupling(l, f, withTransfer(s.cfg, "sort-reduce"))
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(c.Close)
		plan.Device = c
	}
	sim, err := hybrid.NewScheduled(f, withTransfer(s.cfg, "serial"), s.bodies(t), pool, plan)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(sim.Close)
	for range steps {
		sim.Step()
	}
	return sim
}

// What is captured of fluid and bodies is what a simulation that stops there tells, bit
// for bit, by every schedule, though bodies, supports and forces are others when it is
// copied out.
func TestACaptureOfASimulationIsThatOfItsStep(t *testing.T) {
	l := devicetest.Open(t)
	all := scenes(t)
	for _, i := range []int{0, 3, 5, 8} {
		for _, schedule := range []string{"serial", "pipelined", "device"} {
			t.Run(all[i].name+" "+schedule, func(t *testing.T) { capturesSimulation[float64](t, l, all[i], schedule) })
		}
	}
	t.Run("single", func(t *testing.T) { capturesSimulation[float32](t, l, all[9], "device") })
}

func capturesSimulation[T lbm.Float](t *testing.T, l *device.Library, s scene, schedule string) {
	const before, between = 13, 11
	sim, still := scheduledScene[T](t, l, s, schedule, before), scheduledScene[T](t, l, s, schedule, before)
	size, dim := s.flow.Size, s.flow.Lattice.Dim
	boxes := []lbm.Box{{Hi: size}, {Lo: [3]int{12, 8, 0}, Hi: [3]int{24, 20, 1}}}
	for range 2 { // the second with the memory of the first
		state, fields := sim.CaptureState(), sim.CaptureBoxes(boxes)
		if state == nil || fields == nil {
			t.Fatalf("nothing is captured: %v", sim.Err())
		}
		for range between {
			sim.Step()
		}
		want, got := lbm.StateOf(still.Fluid), lbm.State[T]{Steps: state.Steps()}
		for k := range want.Populations {
			got.Populations = append(got.Populations, make([]T, s.flow.Nodes()))
			if err := state.Population(k, got.Populations[k]); err != nil {
				t.Fatal(err)
			}
		}
		sameState(t, s.name, got, want)
		held, err := state.Held()
		if err != nil {
			t.Fatal(err)
		}
		sameVectors(t, "what is held", held, still.Held())
		sameVectors(t, "the bodies' state", [][]float64{state.Rigid}, [][]float64{still.Rigid()})
		for k, b := range boxes {
			got, want := make([][]T, 1+dim), make([][]T, 1+dim)
			for a := range got {
				got[a], want[a] = make([]T, b.Nodes()), make([]T, b.Nodes())
			}
			if err := fields.Box(k, got[0], got[1:]); err != nil {
				t.Fatal(err)
			}
			still.Box(b.Lo, b.Hi, want[0], want[1:])
			sameVectors(t, "a box", got, want)
		}
		for k := range still.Bodies {
			traction, err := fields.Traction(k)
			if err != nil {
				t.Fatal(err)
			}
			sameVectors(t, "traction", traction, still.Traction(k))
		}
		state.Release()
		fields.Release()
		for range between {
			still.Step()
		}
	}
	sameState(t, "afterwards", lbm.StateOf(sim.Fluid), lbm.StateOf(still.Fluid))
}

func sameVectors[T lbm.Float](t *testing.T, what string, got, want [][]T) {
	t.Helper()
	if len(got) != len(want) {
		t.Fatalf("%s: %d components, want %d", what, len(got), len(want))
	}
	for a, w := range want {
		if len(got[a]) != len(w) {
			t.Fatalf("%s: component %d has %d values, want %d", what, a, len(got[a]), len(w))
		}
		for k, v := range w {
			if got[a][k] != v {
				t.Fatalf("%s: component %d is %g at %d, want %g", what, a, got[a][k], k, v)
			}
		}
	}
}

// Where the device corrects, nothing of a capture waits for it: the health that was asked
// for before is not known when all has been set aside and further steps are queued.
func TestCapturesOfADevicesCouplingDoNotWait(t *testing.T) {
	later(t, 5*time.Millisecond) // every operation: what is captured takes more than 20
	l := devicetest.Open(t)
	sim := scheduledScene[float64](t, l, scenes(t)[0], "device", 2)
	asked := sim.PendingHealth()
	state, fields := sim.CaptureState(), sim.CaptureBoxes([]lbm.Box{{Hi: sim.Fluid.Config().Size}})
	if state == nil || fields == nil {
		t.Fatalf("nothing is captured: %v", sim.Err())
	}
	for range 3 {
		sim.Step()
	}
	if asked.Ready() {
		t.Error("the device had come to the captures before they were asked for")
	}
	held, err := state.Held()
	if err != nil || len(held) != 3 {
		t.Errorf("%d components are held, %v", len(held), err)
	}
	state.Release()
	fields.Release()
}

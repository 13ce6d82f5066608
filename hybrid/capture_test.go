package hybrid_test

import (
	"slices"
	"testing"

	"lbmib/hybrid"
	"lbmib/hybrid/hybridtest"
	"lbmib/hybrid/patch"
	"lbmib/lbm"
)

// copier is a fluid whose captures are copies on the host, of a device that captures
// nothing of its coupling.
type copier[T lbm.Float] struct{ *laggard[T] }

func (f *copier[T]) CaptureState() lbm.CapturedState[T] {
	s := lbm.StateOf(f.now())
	return capturedState[T]{s}
}

type capturedState[T lbm.Float] struct{ state lbm.State[T] }

func (s capturedState[T]) Steps() int64 { return s.state.Steps }
func (s capturedState[T]) Population(i int, dst []T) error {
	copy(dst, s.state.Populations[i])
	return nil
}
func (s capturedState[T]) OpenFaces() ([]float64, error) { return s.state.Open, nil }
func (s capturedState[T]) Release()                      {}

func (f *copier[T]) CaptureBoxes(boxes []lbm.Box) lbm.CapturedBoxes[T] {
	var all capturedBoxes[T]
	for _, b := range boxes {
		values := patch.Fields[T](1+f.Config().Lattice.Dim, b.Nodes())
		f.Box(b.Lo, b.Hi, values[0], values[1:])
		all = append(all, values)
	}
	return all
}

type capturedBoxes[T lbm.Float] [][][]T

func (c capturedBoxes[T]) Box(k int, rho []T, u [][]T) error {
	copy(rho, c[k][0])
	for a := range u {
		copy(u[a], c[k][1+a])
	}
	return nil
}
func (c capturedBoxes[T]) Release() {}

func (f *copier[T]) PendingHealth() lbm.Pending[lbm.Health] { return lbm.Done(f.Health()) }

// What a simulation captures is what it would tell then, whatever has become of bodies,
// supports and forces when that is looked at: by every schedule, and where the device's
// coupling has to be read at once, too.
func TestACaptureIsWhatASimulationWouldTell(t *testing.T) {
	const steps = 12
	for _, scene := range []string{"a cylinder, multidirect", "two that move, across seams", "a sphere that sinks"} {
		for _, schedule := range hybrid.Schedules[:len(hybrid.Schedules)-1] { // all but auto
			t.Run(scene+" "+schedule, func(t *testing.T) {
				run := func() *hybrid.Simulation[float64] {
					s := hybridtest.Find(t, scene)
					fluid := &copier[float64]{newLaggard(t, hybridtest.CPU[float64](t, s.Flow, 1))}
					plan := hybrid.Plan[float64]{Schedule: schedule, Device: &accelerator[float64]{of: fluid.laggard, cfg: s.Coupling}}
					sim := hybridtest.Simulate(t, &s, fluid, plan, 1)
					for range steps {
						sim.Step()
					}
					return sim
				}
				sim, still := run(), run()
				box, dim := lbm.Box{Hi: sim.Fluid.Config().Size}, sim.Fluid.Config().Lattice.Dim
				state, fields := sim.CaptureState(), sim.CaptureBoxes([]lbm.Box{box})
				if !sim.PendingHealth().Ready() {
					t.Error("health is not known at once")
				}
				for range steps {
					sim.Step()
				}
				held, err := state.Held()
				if err != nil || !same(held, still.Held()) || !slices.Equal(state.Rigid, still.Rigid()) || state.Steps() != steps {
					t.Errorf("the state of step %d is another (%v)", state.Steps(), err)
				}
				got, want := patch.Fields[float64](1+dim, box.Nodes()), patch.Fields[float64](1+dim, box.Nodes())
				still.Box(box.Lo, box.Hi, want[0], want[1:])
				if err := fields.Box(0, got[0], got[1:]); err != nil || !same(got, want) {
					t.Errorf("density and velocity are others (%v)", err)
				}
				if traction, err := fields.Traction(0); err != nil || !same(traction, still.Traction(0)) {
					t.Errorf("the traction is another (%v)", err)
				}
				if fields.State(0) != still.Bodies[0].State() {
					t.Errorf("the body is at %v, want %v", fields.State(0), still.Bodies[0].State())
				}
				state.Release()
				fields.Release()
			})
		}
	}
}

func same(a, b [][]float64) bool {
	return slices.EqualFunc(a, b, func(x, y []float64) bool { return slices.Equal(x, y) })
}

// A fluid that is not a Capturer, as the CPU's, is read as ever.
func TestWhereAFluidCannotBeCapturedNothingIs(t *testing.T) {
	sim, _ := onDevice(t, "oscillating in a box", "device")
	sim.Step()
	if sim.CaptureState() != nil || sim.CaptureBoxes([]lbm.Box{{Hi: sim.Fluid.Config().Size}}) != nil {
		t.Error("something is captured of a fluid that does not know how")
	}
	health := sim.PendingHealth()
	if h, err := health.Wait(); !health.Ready() || err != nil || h != sim.Fluid.Health() {
		t.Errorf("health of a fluid on the CPU is not complete at once: %+v, %v", h, err)
	}
}

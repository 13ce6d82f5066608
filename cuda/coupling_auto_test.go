package cuda

import (
	"testing"

	"lbmib/cuda/device"
	"lbmib/cuda/device/devicetest"
	"lbmib/hybrid"
	"lbmib/internal/parallel"
	"lbmib/lbm"
)

// waitedFluid counts what is done between its waits: a choice of schedules waits before and
// after the steps that it times.
type waitedFluid struct {
	*Fluid[float64]
	waits int
	since [4]int64   // captures, graphs, single launches, steps
	timed [][4]int64 // the same, of all that has been timed
}

func (f *waitedFluid) now() [4]int64 {
	n := f.context.Counts()
	return [4]int64{n.Captures, n.Graphs, n.Launches, f.Steps()}
}

func (f *waitedFluid) Wait() error {
	err := f.Fluid.Wait()
	now := f.now()
	if f.waits++; f.waits%2 == 0 {
		of := now
		for i := range of {
			of[i] -= f.since[i]
		}
		f.timed = append(f.timed, of)
	}
	f.since = now
	return err
}

// Steps on trial are timed as they will be made: those of the device by whole batches,
// whose graphs have been made before.
func TestSchedulesOnTrialDoNotMakeGraphs(t *testing.T) {
	l := devicetest.Open(t)
	for _, outlet := range []lbm.FaceKind{lbm.Periodic, lbm.Outflow} {
		for _, saves := range []int{1 << 30, 20} { // steps from one look at all to the next
			trialOf(t, l, outlet, saves)
		}
	}
}

func trialOf(t *testing.T, l *device.Library, outlet lbm.FaceKind, saves int) {
	t.Helper()
	s := scenes(t)[0]
	if outlet != lbm.Periodic {
		s.flow.Faces[0] = lbm.Face{Kind: lbm.Velocity, Velocity: func([3]float64) [3]float64 { return [3]float64{0.05} }}
		s.flow.Faces[1].Kind = outlet
	}
	inner, err := NewFluid[float64](l, s.flow)
	if err != nil {
		t.Fatal(err)
	}
	defer inner.Close()
	f := &waitedFluid{Fluid: inner}
	s.start(f)
	c, err := NewCoupling(l, inner, withTransfer(s.cfg, "auto"))
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	pool := parallel.NewPool(1)
	defer pool.Close()
	sim, err := hybrid.NewScheduled[float64](f, withTransfer(s.cfg, "serial"), s.bodies(t), pool, hybrid.Plan[float64]{Schedule: "auto", Device: c})
	if err != nil {
		t.Fatal(err)
	}
	defer sim.Close()
	steps := 0
	for ; !sim.Chosen().Settled && steps < 500; steps++ {
		sim.Step()
		if steps%saves == saves-1 {
			sim.Fluid.OpenFaces()
		}
	}
	if len(f.timed) < 9 || steps > 250 {
		t.Fatalf("%s, a look every %d steps: %d times in %d steps", outlet, saves, len(f.timed), steps)
	}
	batches := 0
	for i, n := range f.timed {
		if captures, graphs, launches := n[0], n[1], n[2]; n[3] != 8 || captures > 0 || graphs > 0 && launches > 0 {
			t.Errorf("%s, a look every %d steps: the %d-th time is of %d steps, %d graphs made, %d launched and %d kernels launched alone", outlet, saves, i+1, n[3], captures, graphs, launches)
		} else if graphs > 0 {
			batches++
		}
	}
	if saves > 500 && batches != 3 {
		t.Errorf("%s: batches were timed %d times, want 3, for each round of the device's schedule", outlet, batches)
	}
}

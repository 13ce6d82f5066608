package cuda

import (
	"errors"
	"math"
	"slices"
	"testing"

	"lbmib/cuda/device"
	"lbmib/cuda/device/devicetest"
	"lbmib/cuda/driver"
	"lbmib/hybrid"
	"lbmib/internal/checking"
	"lbmib/internal/parallel"
	"lbmib/lbm"
)

// measured is a copy of a measurement.
func measured[T lbm.Float](m *hybrid.Measurement[T]) hybrid.Measurement[T] {
	out := hybrid.Measurement[T]{Step: m.Step, Loads: slices.Clone(m.Loads)}
	for _, u := range m.Velocity {
		out.Velocity = append(out.Velocity, slices.Clone(u))
	}
	return out
}

// measurements are those that have not been waited for.
type measurements []lbm.Pending[*hybrid.Measurement[float64]]

func (q measurements) isReady() bool { return len(q) > 0 && q[0].Ready() }

func (q *measurements) next(t *testing.T) *hybrid.Measurement[float64] {
	t.Helper()
	m, err := (*q)[0].Wait()
	if err != nil {
		t.Fatal(err)
	}
	*q = slices.Delete(*q, 0, 1)
	return m
}

// row is a box of nodes across a scene's first body and its wake.
func row(s scene) lbm.Box {
	n := s.flow.Size
	return lbm.Box{Lo: [3]int{2, n[1] / 2, n[2] / 2}, Hi: [3]int{n[0] - 2, n[1]/2 + 1, n[2]/2 + 1}}
}

// sameMeasurements compares bits; loads of boxes that are none are not numbers.
func sameMeasurements[T lbm.Float](t *testing.T, name string, want, got []hybrid.Measurement[T]) {
	t.Helper()
	if len(want) != len(got) {
		t.Fatalf("%s: %d measurements, should be %d", name, len(got), len(want))
	}
	for i, w := range want {
		g := got[i]
		if g.Step != w.Step {
			t.Fatalf("%s: measurement %d is of step %d, should be %d", name, i, g.Step, w.Step)
		}
		for b, l := range w.Loads {
			k := g.Loads[b]
			if l.Force != k.Force || l.Torque != k.Torque || l.Slip != k.Slip || l.Granted != k.Granted || l.Balance != k.Balance && l.Balance[0] == l.Balance[0] {
				t.Fatalf("%s, step %d: load %v, should be %v", name, w.Step, k, l)
			}
		}
		for b, u := range w.Velocity {
			if !slices.Equal(u, g.Velocity[b]) {
				t.Fatalf("%s, step %d: another velocity", name, w.Step)
			}
		}
	}
}

// Loads that are told later, many at once, are the bits of those that are waited for; what
// is told of nodes is what a look at them finds.
func TestLoadsDoNotDependOnWhenTheyAreTold(t *testing.T) {
	for _, delay := range []string{"0", "40"} {
		t.Setenv("LBMIB_STANDIN_DELAY", delay)
		l := devicetest.Open(t)
		which := []int{1, 3, 5, 6} // two bodies, multidirect, moving in the plane and in space
		if testing.Short() {
			which = which[2:3] // they share their goroutines
		}
		for _, i := range which {
			s := scenes(t)[i]
			start := func() *hybrid.Simulation[float64] {
				sim := coupled[float64](t, l, s, "auto", device.Shape{Threads: 128, Blocks: 100})
				sim.Watch(0, []lbm.Box{row(s)})
				return sim
			}
			const steps, every = 130, 3
			at := start()
			u := make([][]float64, s.flow.Lattice.Dim)
			for a := range u {
				u[a] = make([]float64, row(s).Nodes())
			}
			var want []hybrid.Measurement[float64]
			for step := 1; step <= steps; step++ {
				if step%every > 0 {
					at.Step()
					continue
				}
				m, err := at.MeasureStep().Wait()
				if err != nil {
					t.Fatal(err)
				}
				want = append(want, measured(m))
				at.Box(row(s).Lo, row(s).Hi, nil, u)
				for n, v := range u[0] {
					if d := v - m.Velocity[0][n]; !(d <= 1e-15 && d >= -1e-15) { // sums of 9 or 19 populations, in another order
						t.Fatalf("%s, step %d: velocity %d is told as %g, and is %g", s.name, step, n, m.Velocity[0][n], v)
					}
				}
			}
			for name, take := range map[string]int{"when it is told": 1, "now and then": 17, "at the end": steps} {
				later := start()
				var queue measurements
				var got []hybrid.Measurement[float64]
				for step := 1; step <= steps; step++ {
					if step%every > 0 {
						later.Step()
					} else {
						queue = append(queue, later.MeasureStep())
					}
					for step%take == 0 && queue.isReady() {
						got = append(got, measured(queue.next(t)))
					}
				}
				for len(queue) > 0 {
					got = append(got, measured(queue.next(t)))
				}
				sameMeasurements(t, s.name+", "+name, want, got)
				if err := later.Err(); err != nil {
					t.Fatal(err)
				}
			}
		}
	}
}

// summedByHost is a coupling without memory for marker sums.
type summedByHost struct{ *Coupling[float64] }

func (summedByHost) OpenMarkerSums(hybrid.MarkerSumsTerms) error { return errors.New("no memory") }

// What walls leave of slip beside an eddy viscosity is known to the device alone: it is read with
// the forces where the device does not sum. The host sums nodes and markers in its own order: 10² of up
// to 0.1.
func TestSlipsGrantedBesideEddiesAreRead(t *testing.T) {
	l := devicetest.Open(t)
	s := scenes(t)[13]
	pool := parallel.NewPool(1)
	defer pool.Close()
	summed := coupled[float64](t, l, s, "auto", device.Shape{Threads: 128, Blocks: 100})
	_, f, c := coupledFluid[float64](t, l, s, "auto", device.Shape{Threads: 128, Blocks: 100}, 0)
	cfg := withTransfer(s.cfg, "serial")
	read, err := hybrid.NewScheduled[float64](f, cfg, s.bodies(t), pool, hybrid.Plan[float64]{Schedule: "device", Device: summedByHost{c}})
	if err != nil {
		t.Fatal(err)
	}
	defer read.Close()
	for range 5 {
		a, b := summed.StepMeasured()[0], read.StepMeasured()[0]
		if !(a.Granted > 0) || math.Abs(a.Granted-b.Granted) > 1e-13 || math.Abs(a.Slip-b.Slip) > 1e-13 {
			t.Fatalf("slip %g and granted %g are summed, %g and %g read", a.Slip, a.Granted, b.Slip, b.Granted)
		}
	}
}

// A measured step waits for nothing: it returns while the device is busy with steps
// before it.
func TestMeasuredStepsDoNotWait(t *testing.T) {
	t.Setenv("LBMIB_STANDIN_DELAY", "0")
	l := devicetest.Open(t)
	s := scenes(t)[1]
	sim, f, _ := coupledFluid[float64](t, l, s, "auto", device.Shape{Threads: 128, Blocks: 100}, 0)
	if _, err := sim.MeasureStep().Wait(); err != nil { // makes what it needs
		t.Fatal(err)
	}
	held, done := hold(t, l, f)
	var queue measurements
	for range 10 {
		queue = append(queue, sim.MeasureStep())
		if queue.isReady() {
			t.Fatal("a load is told of a step that has not been made")
		}
		sim.Step()
	}
	if done.Done() {
		t.Fatal("the device was waited for")
	}
	held()
	for k := range 10 {
		if m := queue.next(t); m.Step != int64(2+2*k) {
			t.Fatalf("measurement %d is %v", k, m)
		}
	}
}

// hold lets a fluid's stream wait for an event of another stream, on which operations are
// so late that it takes seconds.
func hold(t *testing.T, l *device.Library, f *Fluid[float64]) (release func(), done *driver.Event) {
	t.Helper()
	t.Setenv("LBMIB_STANDIN_DELAY", "1500000")
	other, err := l.Context.Stream()
	if err != nil {
		t.Fatal(err)
	}
	some, err := l.Context.Alloc(64)
	if err != nil {
		t.Fatal(err)
	}
	gate, err := l.Context.EventUntimed()
	if err != nil {
		t.Fatal(err)
	}
	if done, err = l.Context.EventUntimed(); err != nil {
		t.Fatal(err)
	}
	if err := other.Zero(some, 0, some.Bytes()); err != nil {
		t.Fatal(err)
	}
	if err := other.Record(gate); err != nil {
		t.Fatal(err)
	}
	if err := f.Stream().Wait(gate); err != nil {
		t.Fatal(err)
	}
	if err := f.Stream().Record(done); err != nil {
		t.Fatal(err)
	}
	release = func() {
		if err := other.Synchronize(); err != nil {
			t.Fatal(err)
		}
	}
	t.Cleanup(func() {
		other.Close()
		some.Free()
		gate.Close()
		done.Close()
	})
	return release, done
}

// Steps between measured ones are still launched in batches.
func TestMeasuredStepsLeaveBatches(t *testing.T) {
	l := devicetest.Open(t)
	sim, f, _ := coupledFluid[float64](t, l, scenes(t)[1], "auto", device.Shape{Threads: 128, Blocks: 100}, 0)
	const every, periods = 20, 12
	for step := range every * periods {
		if step%every == every-1 {
			sim.MeasureStep().Ready()
		} else {
			sim.Step()
		}
	}
	sim.Flush()
	if least := 2 * (periods - 2); f.batch.launched < least {
		t.Errorf("%d batches were launched in %d steps measured every %d, should be %d at least", f.batch.launched, every*periods, every, least)
	}
}

// Measured steps allocate nothing, once there is room for those that are on their way.
func TestMeasuredStepsAllocateNothing(t *testing.T) {
	if checking.Racing {
		return // allocations are the detector's
	}
	l := devicetest.Open(t)
	for _, i := range []int{1, 3, 7} {
		s := scenes(t)[i]
		sim := coupled[float64](t, l, s, "auto", device.Shape{Threads: 128, Blocks: 100})
		var queue measurements
		step := func() {
			queue = append(queue, sim.MeasureStep())
			for queue.isReady() {
				queue.next(t)
			}
		}
		for range 330 { // two periods
			step()
		}
		before, _ := l.Context.Held()
		if n := testing.AllocsPerRun(160, step); n >= 1 {
			t.Errorf("%s: a measured step allocates %v times", s.name, n)
		}
		if after, _ := l.Context.Held(); after != before {
			t.Errorf("%s: %d bytes of the device's memory were held, and %d after some steps", s.name, before, after)
		}
	}
}

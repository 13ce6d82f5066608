package hybrid_test

import (
	"errors"
	"slices"
	"testing"

	"lbmib/geometry"
	"lbmib/hybrid"
	"lbmib/hybrid/hybridtest"
	"lbmib/hybrid/rigid"
	"lbmib/lbm"
)

// measuredIn are the loads, and the velocities on a row, of every third step of a scene.
func measuredIn(t *testing.T, s *hybrid.Simulation[float64], row lbm.Box, steps int, wait func(step int) bool) (all []hybrid.Measurement[float64]) {
	t.Helper()
	s.Watch(1, []lbm.Box{row})
	var queue []lbm.Pending[*hybrid.Measurement[float64]]
	take := func(wait bool) {
		for len(queue) > 0 && (wait || queue[0].Ready()) {
			m, err := queue[0].Wait()
			if err != nil {
				t.Fatal(err)
			}
			queue = queue[1:]
			all = append(all, hybrid.Measurement[float64]{Step: m.Step, Loads: slices.Clone(m.Loads), Velocity: [][]float64{slices.Clone(m.Velocity[0])}})
		}
	}
	for step := range steps {
		if step%3 > 0 {
			s.Step()
			continue
		}
		queue = append(queue, s.MeasureStep())
		take(wait(step))
	}
	take(true)
	if err := s.Err(); err != nil {
		t.Fatal(err)
	}
	return all
}

// Loads and velocities are the same bits on every schedule, whenever they are told, and
// are told in the order of their steps.
func TestMeasurementsAreToldInOrder(t *testing.T) {
	row := lbm.Box{Lo: [3]int{3, 17, 0}, Hi: [3]int{44, 18, 1}}
	for _, scene := range []string{"a cylinder, multidirect", "oscillating in a box", "two that sink, multidirect"} {
		sc := hybridtest.Find(t, scene)
		serial := hybridtest.Simulate(t, &sc, hybridtest.CPU[float64](t, sc.Flow, 1), hybrid.Plan[float64]{}, 1)
		want := measuredIn(t, serial, row, 90, func(int) bool { return true })
		if len(want) != 30 || want[0].Step != 1 || want[29].Step != 88 {
			t.Fatalf("%d measurements", len(want))
		}
		for _, schedule := range []string{"serial", "pipelined", "device"} {
			s, _ := onDevice(t, scene, schedule)
			got := measuredIn(t, s, row, 90, func(step int) bool { return step%40 == 0 })
			if len(got) != len(want) {
				t.Fatalf("%s, %s: %d measurements, should be %d", scene, schedule, len(got), len(want))
			}
			for i, w := range want {
				for b, l := range got[i].Loads {
					if v := w.Loads[b]; l.Force != v.Force || l.Torque != v.Torque || l.Slip != v.Slip || l.Inner != v.Inner {
						t.Fatalf("%s, %s, step %d: load %v, should be %v", scene, schedule, w.Step, l, v)
					}
				}
				for n, v := range w.Velocity[0] {
					if d := got[i].Velocity[0][n] - v; !(d <= 1e-15 && d >= -1e-15) { // boxes and lists of nodes add populations in other orders
						t.Fatalf("%s, %s, step %d: velocity %d is %g, should be %g", scene, schedule, w.Step, n, got[i].Velocity[0][n], v)
					}
				}
				if got[i].Step != w.Step {
					t.Fatalf("%s, %s: step %d, should be %d", scene, schedule, got[i].Step, w.Step)
				}
			}
		}
	}
}

// A device that has no memory for marker sums is read, and the loads are the same.
func TestDevicesThatCannotSumMarkersAreRead(t *testing.T) {
	for _, scene := range []string{"a cylinder, multidirect", "a cylinder beside eddies, multidirect"} {
		s, device := onDevice(t, scene, "device")
		like, _ := onDevice(t, scene, "device")
		device.forgets = true
		for range 5 {
			a, b := s.StepMeasured()[0], like.StepMeasured()[0]
			if a.Force != b.Force || a.Slip != b.Slip || a.Balance != b.Balance || a.Granted != b.Granted {
				t.Errorf("%s: load %v, should be %v", scene, a, b)
			}
		}
		if device.summed != 0 {
			t.Errorf("%s: it was asked nevertheless", scene)
		}
	}
}

// Whoever waits for a measurement ends those before it; it stays, until a later one is waited for.
func TestMeasurementsAreWaitedForInOrder(t *testing.T) {
	for _, schedule := range []string{"serial", "device"} {
		s, _ := onDevice(t, "a cylinder, multidirect", schedule)
		var queue []lbm.Pending[*hybrid.Measurement[float64]]
		for range 5 {
			queue = append(queue, s.MeasureStep())
		}
		for range 2 {
			if m, err := queue[2].Wait(); err != nil || m.Step != 3 {
				t.Fatalf("%s: measurement 3 is %v, %v", schedule, m, err)
			}
		}
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s: a measurement is told that has been ended", schedule)
				}
			}()
			queue[1].Wait()
		}()
		if m, err := queue[4].Wait(); err != nil || m.Step != 5 {
			t.Errorf("%s: measurement 5 is %v, %v", schedule, m, err)
		}
	}
}

// A step that cannot be made is not measured, those before it are.
func TestStepsThatCannotBeMadeAreNotMeasured(t *testing.T) {
	sc := hybridtest.Find(t, "a cylinder, multidirect")
	sc.Flow.Faces[0].Kind, sc.Flow.Faces[1].Kind = lbm.NoSlip, lbm.NoSlip
	sc.Bodies = func(t testing.TB) []*rigid.Body {
		return []*rigid.Body{hybridtest.Driven(hybridtest.Ball(t, 38.3, 17.6, 0, 10), geometry.Vec{0.4})}
	}
	s := hybridtest.Simulate(t, &sc, hybridtest.CPU[float64](t, sc.Flow, 1), hybrid.Plan[float64]{}, 1)
	var queue []lbm.Pending[*hybrid.Measurement[float64]]
	for s.Err() == nil && len(queue) < 100 {
		queue = append(queue, s.MeasureStep())
	}
	made := len(queue) - 1
	var astray *rigid.MotionError
	if !errors.As(s.Err(), &astray) || made == 0 {
		t.Fatalf("error %v after %d steps", s.Err(), made)
	}
	for i, p := range queue {
		if m, err := p.Wait(); i == made && !errors.As(err, &astray) || i < made && (err != nil || m.Step != int64(i+1)) {
			t.Fatalf("measurement %d of %d is %v, %v", i+1, made, m, err)
		}
	}
}

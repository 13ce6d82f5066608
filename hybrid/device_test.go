package hybrid_test

import (
	"errors"
	"lbmib/hybrid"
	"lbmib/hybrid/hybridtest"
	"lbmib/lbm"
	"strings"
	"testing"
)

// backend is a laggard with an accelerator, on the CPU.
func backend[T lbm.Float](tolerance float64) hybridtest.Backend[T] {
	return hybridtest.Backend[T]{
		Fluid: func(t testing.TB, flow lbm.Config) lbm.Fluid[T] {
			flow.Kernel = "go"
			return newLaggard(t, hybridtest.CPU[T](t, flow, 1))
		},
		Device: func(t testing.TB, fluid lbm.Fluid[T], cfg hybrid.CouplingConfig) hybrid.DeviceCoupling[T] {
			return &accelerator[T]{of: fluid.(*laggard[T]), cfg: cfg}
		},
		Tolerance: tolerance,
	}
}

// A fluid that steps by itself and one that corrects by itself do what the host would:
// the same bits where they have its arithmetic.
func TestDevicesAreSerial(t *testing.T) { hybridtest.Conform(t, backend[float64](0)) }

// onDevice is a scene on a laggard with an accelerator.
func onDevice(t testing.TB, scene, schedule string) (*hybrid.Simulation[float64], *accelerator[float64]) {
	t.Helper()
	s := hybridtest.Find(t, scene)
	fluid := newLaggard(t, hybridtest.CPU[float64](t, s.Flow, 1))
	device := &accelerator[float64]{of: fluid, cfg: s.Coupling}
	return hybridtest.Simulate(t, &s, fluid, hybrid.Plan[float64]{Schedule: schedule, Device: device}, 1), device
}

// A device that corrects hears of fixed bodies once.
func TestADeviceIsToldOfMovesAlone(t *testing.T) {
	for name, moves := range map[string]bool{"a cylinder, multidirect": false, "oscillating in a box": true} {
		s, device := onDevice(t, name, "device")
		before := device.places
		step(t, s, 20)
		if told := device.places - before; moves && told != 20 || !moves && told != 0 {
			t.Errorf("%s: told %d times in 20 steps", name, told)
		}
	}
}

// A device that has no memory to feel with leaves freely moving bodies to the host.
func TestDevicesThatCannotFeelAreRefused(t *testing.T) {
	s := hybridtest.Find(t, "a sphere that sinks")
	fluid := newLaggard(t, hybridtest.CPU[float64](t, s.Flow, 1))
	device := &accelerator[float64]{of: fluid, cfg: s.Coupling, broken: errors.New("no memory for what markers feel")}
	plan := hybrid.Plan[float64]{Schedule: "device", Device: device}
	if _, err := hybrid.NewScheduled[float64](fluid, s.Coupling, s.Bodies(t), nil, plan); err == nil || !strings.Contains(err.Error(), "no memory for what markers feel") {
		t.Errorf("error %v", err)
	}
}

// What a device fails with is the simulation's error.
func TestFaultsOfADeviceStopTheSimulation(t *testing.T) {
	s, device := onDevice(t, "a cylinder, multidirect", "device")
	step(t, s, 3)
	device.broken = errors.New("step 5: kernel correct: illegal address")
	s.Step()
	if s.Flush(); !errors.Is(s.Err(), device.broken) {
		t.Errorf("error %v", s.Err())
	}
	s, device = onDevice(t, "a cylinder, multidirect", "pipelined")
	step(t, s, 3)
	device.of.fault = errors.New("step 5: kernel step: illegal address")
	if s.Step(); !errors.Is(s.Err(), device.of.fault) {
		t.Errorf("error %v", s.Err())
	}
}

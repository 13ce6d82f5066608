//go:build !race

package cuda

import (
	"math/rand/v2"
	"slices"
	"testing"

	"lbmib/cuda/device"
	"lbmib/cuda/device/devicetest"
	"lbmib/lbm"
)

func TestDeviceStepAllocatesNothing(t *testing.T) {
	l := devicetest.Open(t)
	for _, streaming := range lbm.StreamingNames {
		deviceStepAllocatesNothing[float64](t, l, lbm.Config{Streaming: streaming})
		deviceStepAllocatesNothing[float32](t, l, lbm.Config{Streaming: streaming, Store: "f16"})
	}
}

func deviceStepAllocatesNothing[T lbm.Float](t *testing.T, l *device.Library, how lbm.Config) {
	t.Helper()
	cfg := channel(t, lbm.D2Q9)
	cfg.Acceleration = func(t float64) [3]float64 { return [3]float64{1e-6 * t} }
	f := onDevice[T](l, how)(t, cfg).(*Fluid[T])
	var nodes, others []int32
	for n := range int32(150) {
		nodes, others = append(nodes, n), append(others, 2*n)
	}
	r := rand.New(rand.NewPCG(1, 1))
	rho, u, g := make([]T, 300), values[T](r, 2, 300, 0), values[T](r, 9, len(others), 0)
	each := slices.Repeat(others, 9)
	on := &lbm.NodeStep[T]{Force: u, Rho: rho, U: values[T](r, 2, 300, 0)}
	on.SetNodes(nodes, nodes)
	step := func() {
		f.StepNodes(on)
		f.StepFetching(each, g)
		f.Moments(nodes, nodes, rho, u)
		f.Put(others, g)
		f.Correct(nodes, nodes, u)
	}
	step()
	held, _ := l.Context.Held()
	pinned := l.Context.PinnedHeld()
	if n := testing.AllocsPerRun(100, step); n != 0 {
		t.Errorf("%s %s: steps with forces, moments, corrections and exchange allocate %v times, want 0", how.Streaming, how.Store, n)
	}
	if now, _ := l.Context.Held(); now != held || l.Context.PinnedHeld() != pinned {
		t.Errorf("%s %s: steps change the device memory held from %d to %d bytes", how.Streaming, how.Store, held, now)
	}
}

func TestVesselStepAllocatesNothing(t *testing.T) {
	l := devicetest.Open(t)
	v := narrowing{radius: 4.2, length: 12}
	for _, streaming := range lbm.StreamingNames {
		f := onDevice[float64](l, lbm.Config{Streaming: streaming})(t, v.carved(t, testPorts(lbm.PortWindkessel, true))).(*Fluid[float64])
		step := func() {
			f.Step()
			f.PortFlow(1)
			f.WallFlow()
		}
		step()
		if n := testing.AllocsPerRun(30, step); n != 0 {
			t.Errorf("%s: steps of a vessel allocate %v times, want 0", streaming, n)
		}
	}
}

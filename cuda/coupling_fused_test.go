package cuda

import (
	"testing"

	"lbmib/cuda/device"
	"lbmib/cuda/device/devicetest"
	"lbmib/internal/checking"
	"lbmib/internal/checking/checkingtest"
	"lbmib/lbm"
)

func TestBodiesHoldWhereProductsAndSumsAreFused(t *testing.T) {
	const checks = 14 // scenes
	l := devicetest.Fused(t)
	// Roundings of some tens of steps, as between orders of sums: see compareCoupling.
	devicetest.Suite(t, "f64", checks, func(c devicetest.Counted) { fusedBodies[float64](c, l, 1e-13) })
	devicetest.Suite(t, "f32", checks, func(c devicetest.Counted) { fusedBodies[float32](c, l, 5e-5) })
}

// fusedBodies steps bodies on the device and on the CPU, whose states and loads may differ
// by a bound. One thread that adds atomically has the CPU's order of sums, and so its bits
// where nothing is fused.
func fusedBodies[T lbm.Float](c devicetest.Counted, l *device.Library, bound float64) {
	for _, s := range scenes(c.T) {
		c.Run(s.name, func(c checking.T) {
			t := c.(checkingtest.T).T
			want := onHost[T](t, s, sceneSteps)
			one := finish(t, coupled[T](t, l, s, "atomic", device.Shape{Threads: 1, Blocks: 1})).apart(want)
			many := finish(t, coupled[T](t, l, s, "auto", device.Shape{Threads: 64, Blocks: 9})).apart(want)
			if !(one <= bound) || !(many <= bound) {
				t.Errorf("one thread differs from the CPU by %.2e, many by %.2e, at most %.0e is allowed", one, many, bound)
			}
			if one == 0 && !s.cut {
				t.Error("one thread has the CPU's bits: nothing was fused")
			}
		})
	}
}

package cuda

import (
	"testing"

	"lbmib/cuda/device"
	"lbmib/cuda/device/devicetest"
	"lbmib/hybrid"
	"lbmib/hybrid/hybridtest"
	"lbmib/lbm"
)

// scheduled makes fluids of a precision on a device, and corrections of them unless no
// strategy is named, for all scenes or a half (see hybridtest.Backend).
func scheduled[T lbm.Float](l *device.Library, streaming, transfer string, tolerance float64, half int) hybridtest.Backend[T] {
	b := hybridtest.Backend[T]{Tolerance: tolerance, Half: half, Sums: true, Fluid: func(t testing.TB, flow lbm.Config) lbm.Fluid[T] {
		t.Helper()
		flow.Streaming = streaming
		f, err := NewFluid[T](l, flow)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(f.Close)
		return f
	}}
	if transfer != "" {
		b.Device = func(t testing.TB, f lbm.Fluid[T], cfg hybrid.CouplingConfig) hybrid.DeviceCoupling[T] {
			t.Helper()
			cfg.Transfer = transfer
			c, err := NewCoupling(l, f.(*Fluid[T]), cfg)
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(c.Close)
			return c
		}
	}
	return b
}

// Every schedule does on a device what the CPU does serially: the same bits where the
// host corrects and the device does not contract, rounding where it corrects in another
// order.
func TestSchedulesConform(t *testing.T) {
	l := devicetest.Open(t)
	t.Run("ab", func(t *testing.T) { hybridtest.Conform(t, scheduled[float64](l, "ab", "", 0, 1)) })
	if testing.Short() {
		return
	}
	t.Run("in place", func(t *testing.T) { hybridtest.Conform(t, scheduled[float64](l, "inplace", "", 0, 2)) })
	t.Run("sort-reduce", func(t *testing.T) { hybridtest.Conform(t, scheduled[float64](l, "inplace", "sort-reduce", 1e-13, 1)) })
	t.Run("single", func(t *testing.T) { hybridtest.Conform(t, scheduled[float32](l, "ab", "sort-reduce", 1e-5, 2)) })
}

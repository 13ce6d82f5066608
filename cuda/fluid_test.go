package cuda

import (
	"testing"

	"lbmib/cuda/device"
	"lbmib/cuda/device/devicetest"
	"lbmib/lbm"
	"lbmib/lbm/lbmtest"
)

// onDevice makes fluids of a library's device, in some way.
func onDevice[T lbm.Float](l *device.Library, how lbm.Config) lbmtest.Factory[T] {
	return func(t testing.TB, cfg lbm.Config) lbm.Fluid[T] {
		t.Helper()
		cfg.Store, cfg.Streaming = how.Store, how.Streaming
		f, err := NewFluid[T](l, cfg)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() {
			if err := f.Wait(); err != nil {
				t.Error(err)
			}
			f.Close()
		})
		return f
	}
}

func TestFluidConforms(t *testing.T) {
	l := devicetest.Open(t)
	for i, streaming := range lbm.StreamingNames {
		how := lbm.Config{Streaming: streaming}
		if devicetest.Half(i) {
			t.Run(streaming+" f64", func(t *testing.T) { lbmtest.Conform(t, onDevice[float64](l, how)) })
		}
		if testing.Short() {
			return // others share the goroutines of this one
		}
		if devicetest.Half(i + 1) {
			t.Run(streaming+" f32", func(t *testing.T) { lbmtest.Conform(t, onDevice[float32](l, how)) })
		}
		if how.Store = "f16"; devicetest.Half(i) { // rounds to 11 bits
			t.Run(streaming+" f32/f16", func(t *testing.T) { lbmtest.ConformTo(t, onDevice[float32](l, how), 1./(1<<10)) })
		}
	}
}

package cuda

import (
	"testing"

	"lbmib/hybrid"
	"lbmib/hybrid/hybridtest"
	"lbmib/lbm"
)

// Every schedule, with the fluid on the device, makes the steps of the CPU: those of the
// host's corrections to the bit, those of the device's, whose sums over markers have
// another order, to some roundings that flows past bodies amplify a little.
func TestEverySchedulePlaysOnTheDevice(t *testing.T) {
	l := device(t)
	fluid := func(t testing.TB, flow lbm.Config) lbm.Fluid[float64] {
		t.Helper()
		f, err := NewFluid[float64](l, flow)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(f.Close)
		return f
	}
	hybridtest.Conform(t, hybridtest.Backend[float64]{Fluid: fluid, Tolerance: 1e-11,
		Device: func(t testing.TB, fluid lbm.Fluid[float64], cfg hybrid.CouplingConfig) hybrid.DeviceCoupling[float64] {
			t.Helper()
			cfg.Transfer = "auto"
			c, err := NewCoupling(l, fluid.(*Fluid[float64]), cfg)
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(c.Close)
			return c
		}})
}

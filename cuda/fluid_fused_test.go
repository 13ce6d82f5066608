package cuda

import (
	"testing"

	"lbmib/cuda/device"
	"lbmib/cuda/device/devicetest"
	"lbmib/internal/checking"
	"lbmib/internal/checking/checkingtest"
	"lbmib/lbm"
	fluids "lbmib/lbm/lbmtest/conformance"
)

func TestFluidsHoldWhereProductsAndSumsAreFused(t *testing.T) {
	const checks = 31 // of the suite
	l := devicetest.Fused(t)
	for i, streaming := range lbm.StreamingNames { // halves that TestFluidConforms leaves out
		how := lbm.Config{Streaming: streaming}
		if devicetest.Half(i + 1) {
			devicetest.Suite(t, "f64 "+streaming, checks, func(c devicetest.Counted) { fluids.Fluid(c, fusedFluid[float64](l, how)) })
		}
		if devicetest.Half(i) {
			devicetest.Suite(t, "f32 "+streaming, checks, func(c devicetest.Counted) { fluids.Fluid(c, fusedFluid[float32](l, how)) })
		}
		if how.Store = "f16"; checkingtest.Full() { // rounds to 11 bits, of which fused sums change none that the suite could see
			devicetest.Suite(t, "f32/f16 "+streaming, checks, func(c devicetest.Counted) { fluids.FluidTo(c, fusedFluid[float32](l, how), 1./(1<<10)) })
		}
	}
}

func fusedFluid[T lbm.Float](l *device.Library, how lbm.Config) fluids.Factory[T] {
	return func(t checking.T, cfg lbm.Config) lbm.Fluid[T] { return onDevice[T](l, how)(t.(checkingtest.T).T, cfg) }
}

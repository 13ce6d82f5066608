package cuda

import (
	"testing"

	"lbmib/cuda/device"
	"lbmib/cuda/device/devicetest"
	"lbmib/cuda/driver"
	"lbmib/cuda/standin"
	"lbmib/ib"
	transfers "lbmib/ib/ibtest/conformance"
	"lbmib/internal/checking"
	"lbmib/internal/checking/checkingtest"
	"lbmib/lbm"
	fluids "lbmib/lbm/lbmtest/conformance"
)

// Checks of a suite of fluids, of transfers and of bodies in scenes: to be changed with the
// suites, so that none is lost unseen.
const fluidChecks, transferChecks, bodyChecks = 28, 19, 14

// Compilers of devices fuse a product and a sum, which are then rounded once, wherever they
// can; the stand-in of other tests never does, to have the CPU's bits. What is promised of
// a device holds with both.
func TestSuitesHoldWhereProductsAndSumsAreFused(t *testing.T) {
	if testing.Short() {
		t.Skip("not with -short: it takes minutes, and another stand-in")
	}
	if !standin.CanContract() {
		t.Skip("this processor has no instructions that fuse a product and a sum")
	}
	path, err := standin.Library(standin.Options{Contract: true})
	if err != nil {
		t.Fatal(err)
	}
	l := devicetest.OpenLibrary(t, path)
	s, err := l.Context.Stream()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	run := func(name string, checks int, suite func(checking.T)) {
		t.Run(name, func(t *testing.T) {
			made := 0
			if suite(counted{checkingtest.T{T: t}, &made}); made != checks {
				t.Errorf("%d checks were made, there should be %d", made, checks)
			}
		})
	}
	for i, streaming := range lbm.StreamingNames { // halves that TestFluidConforms leaves out
		how := lbm.Config{Streaming: streaming}
		if half(i + 1) {
			run("fluid f64 "+streaming, fluidChecks, func(c checking.T) { fluids.Fluid(c, fusedFluid[float64](l, how)) })
		}
		if half(i) {
			run("fluid f32 "+streaming, fluidChecks, func(c checking.T) { fluids.Fluid(c, fusedFluid[float32](l, how)) })
		}
		if how.Store = "f16"; half(i + 1) { // rounds to 11 bits
			run("fluid f32/f16 "+streaming, fluidChecks, func(c checking.T) { fluids.FluidTo(c, fusedFluid[float32](l, how), 1./(1<<10)) })
		}
	}
	for i, strategy := range TransferNames()[1:] { // as TestEveryDeviceStrategyConforms
		if half(i + 1) {
			run("transfer f64 "+strategy, transferChecks, func(c checking.T) { fusedTransfer[float64](c, l, s, strategy) })
		}
		if half(i) {
			run("transfer f32 "+strategy, transferChecks, func(c checking.T) { fusedTransfer[float32](c, l, s, strategy) })
		}
	}
	// Roundings of some tens of steps, as between orders of sums: see compareCoupling.
	run("bodies f64", bodyChecks, func(c checking.T) { fusedBodies[float64](c, l, 1e-13) })
	run("bodies f32", bodyChecks, func(c checking.T) { fusedBodies[float32](c, l, 5e-5) })
}

// counted counts the checks of a suite: what it runs as parts of the first level.
type counted struct {
	checkingtest.T
	n *int
}

func (c counted) Run(name string, f func(checking.T)) bool {
	*c.n++
	return c.T.Run(name, f)
}

func fusedFluid[T lbm.Float](l *device.Library, how lbm.Config) fluids.Factory[T] {
	return func(t checking.T, cfg lbm.Config) lbm.Fluid[T] { return onDevice[T](l, how)(t.(checkingtest.T).T, cfg) }
}

func fusedTransfer[T ib.Float](c checking.T, l *device.Library, s *driver.Stream, strategy string) {
	make, options := transferMaker[T](c.(counted).T, l, s, strategy)
	transfers.Transfer(c, make, options...)
}

// fusedBodies steps bodies on the device and on the CPU, whose states and loads may differ
// by a bound. One thread that adds atomically has the CPU's order of sums, and so its bits
// where nothing is fused.
func fusedBodies[T lbm.Float](c checking.T, l *device.Library, bound float64) {
	for _, s := range scenes(c.(counted).T) {
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

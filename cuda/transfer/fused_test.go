package transfer

import (
	"testing"

	"lbmib/cuda/device"
	"lbmib/cuda/device/devicetest"
	"lbmib/cuda/driver"
	"lbmib/ib"
	"lbmib/ib/ibtest/conformance"
)

func TestTransfersHoldWhereProductsAndSumsAreFused(t *testing.T) {
	const checks = 19 // of the suite
	l := devicetest.Fused(t)
	s, err := l.Context.Stream()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	for i, strategy := range Names()[1:] { // halves that TestEveryDeviceStrategyConforms leaves out
		if devicetest.Half(i + 1) {
			devicetest.Suite(t, "f64 "+strategy, checks, func(c devicetest.Counted) { fusedTransfer[float64](c, l, s, strategy) })
		}
		if devicetest.Half(i) {
			devicetest.Suite(t, "f32 "+strategy, checks, func(c devicetest.Counted) { fusedTransfer[float32](c, l, s, strategy) })
		}
	}
}

func fusedTransfer[T ib.Float](c devicetest.Counted, l *device.Library, s *driver.Stream, strategy string) {
	make, options := maker[T](c.T, l, s, strategy)
	conformance.Transfer(c, make, options...)
}

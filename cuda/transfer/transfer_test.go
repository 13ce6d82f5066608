package transfer

import (
	"testing"

	"lbmib/cuda/device"
	"lbmib/cuda/device/devicetest"
	"lbmib/cuda/driver"
	"lbmib/ib"
	"lbmib/ib/ibtest"
	"lbmib/internal/parallel"
)

// bench is a device with a stream, for the rest of a test.
func bench(t testing.TB) (*device.Library, *driver.Stream) {
	t.Helper()
	l := devicetest.Open(t)
	s, err := l.Context.Stream()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return l, s
}

func TestEveryDeviceStrategyConforms(t *testing.T) {
	l, s := bench(t)
	for i, strategy := range Names()[1:] {
		if devicetest.Half(i) {
			t.Run(strategy+", f64", func(t *testing.T) { conform[float64](t, l, s, strategy) })
		}
		if testing.Short() {
			return // others share the goroutines of this one
		}
		if devicetest.Half(i + 1) {
			t.Run(strategy+", f32", func(t *testing.T) { conform[float32](t, l, s, strategy) })
		}
	}
}

func conform[T ib.Float](t *testing.T, l *device.Library, s *driver.Stream, strategy string) {
	make, options := maker[T](t, l, s, strategy)
	ibtest.Transfer(t, make, options...)
}

// maker makes transfers of a strategy on the device, with what it does not promise.
func maker[T ib.Float](t testing.TB, l *device.Library, s *driver.Stream, strategy string) (ibtest.Maker[T], []ibtest.Option) {
	var options []ibtest.Option
	if strategy == "atomic" {
		options = append(options, ibtest.ToRounding())
	}
	return func(grids []ib.Grid, d ib.Delta[T], pool *parallel.Pool) (ib.Transfer[T], error) {
		made, err := NewHost(l, s, strategy, grids, d)
		if err != nil {
			return nil, err
		}
		if pool != nil { // another launch takes the place of other workers
			made.Shape = device.Shape{Threads: 32 * pool.Workers(), Blocks: pool.Workers()}
		}
		t.Cleanup(made.Close)
		return made, nil
	}, options
}

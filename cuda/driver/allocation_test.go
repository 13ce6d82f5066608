//go:build !race

// The race detector allocates.

package driver_test

import "testing"

// A step of a simulation is launches and copies: none of them may allocate.
func TestWorkIsQueuedWithoutAllocation(t *testing.T) {
	r := device(t)
	x, y := upload(r, make([]float64, 64)), upload(r, make([]float64, 64))
	h := must(r.Pinned(512))(t)
	e := must(r.EventUntimed())(t)
	f, a := r.kernel("axpy_f64"), arguments(t, y, x, 1., int64(64))
	check(t, r.stream.Begin())
	check(t, r.stream.Launch(f, [3]int{1, 1, 1}, [3]int{64, 1, 1}, 0, a))
	g := must(r.stream.End())(t)
	if n := testing.AllocsPerRun(100, func() {
		a.Float64(2, 3)
		a.Pointer(0, y, 0)
		check(t, r.stream.Launch(f, [3]int{1, 1, 1}, [3]int{64, 1, 1}, 0, a))
		check(t, r.stream.CopyTo(x, 0, h.Pointer(0), 512))
		check(t, r.stream.CopyFrom(h.Pointer(0), y, 0, 512))
		check(t, r.stream.CopyWithin(x, 0, y, 0, 512))
		check(t, r.stream.Zero(y, 0, 512))
		check(t, r.stream.Record(e))
		check(t, r.stream.Wait(e))
		check(t, g.Launch(r.stream))
		check(t, e.Synchronize())
		check(t, r.stream.Synchronize())
		e.Done()
	}); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

package driver_test

import (
	"testing"
	"unsafe"

	"lbmib/cuda/driver"
)

// Every kind of work is counted once, with its bytes; what is captured when its graph is
// launched, whichever of the streams that take part it was queued on.
func TestWorkIsCounted(t *testing.T) {
	r := device(t)
	x, y := upload(r, make([]float64, 64)), upload(r, make([]float64, 64))
	h, e, joined := must(r.Pinned(512))(t), must(r.EventUntimed())(t), must(r.EventUntimed())(t)
	f, a := r.kernel("axpy_f64"), arguments(t, y, x, 1., int64(64))
	launch := func(s *driver.Stream) { check(t, s.Launch(f, [3]int{1, 1, 1}, [3]int{64, 1, 1}, 0, a)) }
	counted := func(name string, want driver.Counts, do func()) {
		t.Helper()
		before := r.Counts()
		do()
		if got := r.Counts().Sub(before); got != want {
			t.Errorf("%s: counted %+v, want %+v", name, got, want)
		}
	}
	counted("a kernel", driver.Counts{Launches: 1}, func() { launch(r.stream) })
	counted("copies from and to page-locked memory, and within",
		driver.Counts{ToDevice: driver.Moved{Calls: 1, Bytes: 512}, ToHost: driver.Moved{Calls: 1, Bytes: 256}, Within: driver.Moved{Calls: 1, Bytes: 128}}, func() {
			check(t, r.stream.CopyTo(x, 0, h.Pointer(0), 512))
			check(t, r.stream.CopyFrom(h.Pointer(256), x, 0, 256))
			check(t, r.stream.CopyWithin(x, 0, y, 0, 128))
		})
	counted("a copy to other memory", driver.Counts{ToHost: driver.Moved{Calls: 1, Bytes: 8}, WaitsIdle: 1}, func() {
		check(t, r.stream.CopyFrom(unsafe.Pointer(new(float64)), x, 0, 8))
	})
	counted("a fill", driver.Counts{Filled: driver.Moved{Calls: 1, Bytes: 64}}, func() { check(t, r.stream.Zero(x, 0, 64)) })
	counted("nothing to copy", driver.Counts{}, func() { check(t, r.stream.Zero(x, 0, 0)) })
	counted("marks and waits", driver.Counts{Marks: 2, Waits: 1, WaitsIdle: 1}, func() {
		check(t, r.stream.Record(e))
		check(t, r.stream.Wait(e))
		check(t, e.Synchronize())
		check(t, r.stream.Synchronize())
	})
	other := must(r.Stream())(t)
	var g *driver.Graph
	counted("a capture on two streams", driver.Counts{Captures: 1}, func() {
		check(t, r.stream.Begin())
		launch(r.stream)
		check(t, r.stream.Record(e))
		check(t, other.Wait(e))
		launch(other)
		check(t, other.Zero(x, 0, 64))
		check(t, other.Record(joined))
		check(t, r.stream.Wait(joined))
		g = must(r.stream.End())(t)
	})
	if n := g.Nodes(); n != 3 {
		t.Errorf("a graph of two kernels and a fill has %d nodes", n)
	}
	before := f.Launched()
	counted("its graph, twice", driver.Counts{Nodes: 4, Graphs: 2, Filled: driver.Moved{Calls: 2, Bytes: 128}}, func() {
		check(t, g.Launch(r.stream))
		check(t, g.Launch(r.stream))
	})
	counted("the other stream after the capture", driver.Counts{Launches: 1}, func() { launch(other) })
	if n := f.Launched() - before; n != 5 {
		t.Errorf("the kernel was launched %d times, want 5", n)
	}
	counted("device memory freed", driver.Counts{WaitsIdle: 1}, func() {
		check(t, h.Free())
		check(t, y.Free())
	})
}

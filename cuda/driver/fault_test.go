package driver_test

import (
	"errors"
	"strings"
	"testing"

	"lbmib/cuda/driver"
)

// fault launches a kernel that fails and returns what the stream says of it.
func (r *rig) fault(name string, blocks, threads, shared int, values ...any) *driver.Fault {
	r.t.Helper()
	r.launch(name, blocks, threads, shared, values...)
	err := r.stream.Synchronize()
	var f *driver.Fault
	if !errors.As(err, &f) {
		r.t.Fatalf("error %v, want a fault", err)
	}
	return f
}

// One element too far, in arrays whose sizes are no multiples of anything.
func TestAnAccessOneElementTooFarIsAFault(t *testing.T) {
	for _, n := range []int{1, 31, 67, 1024, 5001} {
		r := device(t)
		m := must(r.Alloc(4 * n))(t)
		r.launch("unchecked", n, 1, 0, m, int32(7)) // just fits
		check(t, r.stream.Synchronize())
		f := r.fault("unchecked", n+1, 1, 0, m, int32(7))
		if f.Name != "CUDA_ERROR_ILLEGAL_ADDRESS" || f.Kernel != "unchecked" || !strings.Contains(f.Text, "0 bytes past the end of an allocation") {
			t.Errorf("%d elements: %v", n, f)
		}
		check(t, r.Close())
	}
}

func TestBytesWrittenBeforeAnAllocationAreFoundWhenItIsFreed(t *testing.T) {
	r := device(t)
	m := must(r.Alloc(4 * 33))(t)
	r.launch("before", 1, 1, 0, m)
	check(t, r.stream.Synchronize())
	var f *driver.Fault
	if err := m.Free(); !errors.As(err, &f) || !strings.Contains(err.Error(), "cuMemFree") {
		t.Errorf("error %v, want a fault of cuMemFree", err)
	}
}

func TestFreedMemoryIsNotReached(t *testing.T) {
	r := device(t)
	m := must(r.Alloc(4000))(t)
	stale := arguments(t, m, int32(7))
	check(t, m.Free())
	check(t, r.stream.Launch(r.kernel("unchecked"), [3]int{1, 1, 1}, [3]int{1, 1, 1}, 0, stale))
	var f *driver.Fault
	if err := r.stream.Synchronize(); !errors.As(err, &f) {
		t.Errorf("error %v, want a fault", err)
	}
}

func TestBarriersThatNotAllThreadsReachAreFaults(t *testing.T) {
	for name, why := range map[string]string{
		"half_barrier":       "32 threads of a block wait, one of them in a barrier at probes.cu:",
		"two_barriers":       "threads of a block wait at different barriers",
		"undeclared_barrier": "declare it as BARRIER_KERNEL",
	} {
		r := device(t)
		f := r.fault(name, 1, 64, 0, must(r.Alloc(4*64))(t))
		if f.Kernel != name || !strings.Contains(f.Text, why) {
			t.Errorf("%v, want it to say %q", f, why)
		}
		check(t, r.Close())
	}
}

func TestSharedMemoryEndsWhereTheLaunchSays(t *testing.T) {
	r := device(t)
	m := must(r.Alloc(4 * 64))(t)
	r.launch("shared_overrun", 1, 64, 4*64, m)
	check(t, r.stream.Synchronize())
	r.fault("shared_overrun", 1, 64, 4*63, m)
}

// The first fault is what every later call returns, whoever calls.
func TestAfterAFaultEveryCallReturnsIt(t *testing.T) {
	r := device(t)
	m, n := must(r.Alloc(4))(t), upload(r, []float64{1})
	other, event := must(r.Stream())(t), must(r.Event())(t)
	f := r.kernel("unchecked")
	first := r.fault("unchecked", 2, 1, 0, m, int32(1))
	if !strings.Contains(first.Error(), "unchecked") || !strings.Contains(first.Error(), "checkpoint") {
		t.Errorf("%v: neither kernel nor remedy", first)
	}
	_, alloc := r.Alloc(8)
	_, module := r.module.Function("axpy_f64")
	for call, err := range map[string]error{
		"launch":   other.Launch(f, [3]int{1, 1, 1}, [3]int{1, 1, 1}, 0, arguments(t, m, int32(1))),
		"copy":     other.Zero(n, 0, 8),
		"wait":     other.Synchronize(),
		"record":   other.Record(event),
		"event":    event.Synchronize(),
		"alloc":    alloc,
		"function": module,
		"free":     m.Free(),
	} {
		var f *driver.Fault
		if !errors.As(err, &f) || f != first {
			t.Errorf("%s: %v, want the first fault", call, err)
		}
	}
	if !event.Done() {
		t.Error("an event of a lost context is waited for for ever")
	}
	check(t, r.Close())
	again := device(t) // the stand-in's device recovers with a new context
	again.launch("unchecked", 1, 1, 0, must(again.Alloc(4))(t), int32(1))
	check(t, again.stream.Synchronize())
}

// A crash of the host's own code stays the Go runtime's affair.
func TestFaultsOfTheHostStayGos(t *testing.T) {
	r := device(t)
	r.fault("unchecked", 2, 1, 0, must(r.Alloc(4))(t), int32(1))
	defer func() {
		if recover() == nil {
			t.Error("a nil pointer did not panic")
		}
	}()
	var p *[4]int
	t.Log(p[2])
}

// The other side of an allocation is guarded where the environment says so.
func TestAnAccessOneElementTooNearIsAFaultOnRequest(t *testing.T) {
	t.Setenv("LBMIB_STANDIN_GUARD", "1")
	r := device(t)
	if f := r.fault("before", 1, 1, 0, must(r.Alloc(4*33))(t)); !strings.Contains(f.Text, "4 bytes before an allocation of 132 bytes") {
		t.Errorf("%v", f)
	}
}

func TestALaunchFailsOnRequest(t *testing.T) {
	t.Setenv("LBMIB_STANDIN_FAIL", "axpy@3")
	r := device(t)
	y := upload(r, make([]float64, 4))
	for range 2 {
		r.launch("axpy_f64", 1, 4, 0, y, y, 1., int64(4))
		check(t, r.stream.Synchronize())
	}
	if f := r.fault("axpy_f64", 1, 4, 0, y, y, 1., int64(4)); f.Kernel != "axpy_f64" {
		t.Errorf("%v", f)
	}
}

// A fault that comes to light on one stream may be another's: kernels of both are named,
// until their streams are found idle.
func TestAFaultNamesTheKernelsOfAllStreams(t *testing.T) {
	r := device(t)
	beside, gone := must(r.Stream())(t), must(r.Stream())(t)
	m, y := must(r.Alloc(4))(t), upload(r, make([]float64, 4))
	axpy := arguments(t, y, y, 1., int64(4))
	for _, s := range []*driver.Stream{beside, gone} {
		check(t, s.Launch(r.kernel("axpy_f64"), [3]int{1, 1, 1}, [3]int{4, 1, 1}, 0, axpy))
		check(t, s.Synchronize())
	}
	check(t, gone.Close())
	check(t, r.stream.Launch(r.kernel("unchecked"), [3]int{2, 1, 1}, [3]int{1, 1, 1}, 0, arguments(t, m, int32(1))))
	for err := error(nil); err == nil; err = beside.Synchronize() {
	}
	if f := r.Lost(); f == nil || f.Kernel != "unchecked" {
		t.Errorf("%v, want it to name unchecked, and not what the idle stream had run", f)
	}
}

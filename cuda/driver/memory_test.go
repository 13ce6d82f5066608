package driver_test

import (
	"errors"
	"math"
	"slices"
	"strings"
	"testing"
	"unsafe"

	"lbmib/cuda/driver"
)

func TestMemoryComesBackAsItWent(t *testing.T) {
	r := device(t)
	x := numbers(1001, func(i int) float64 { return 1 / float64(i+1) })
	a, b := upload(r, x), must(r.Alloc(8*1001))(t)
	check(t, r.stream.CopyWithin(b, 8, a, 16, 8*999))
	check(t, r.stream.Zero(b, 0, 8))
	check(t, r.stream.Zero(b, 8*1000, 8))
	want := slices.Concat([]float64{0}, x[2:], []float64{0})
	if got := download[float64](r, b); !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}

func TestFreshMemoryHoldsNoNumbers(t *testing.T) {
	r := device(t)
	for i, v := range download[float64](r, must(r.Alloc(8*100))(t)) {
		if !math.IsNaN(v) {
			t.Fatalf("element %d is %v", i, v)
		}
	}
}

func TestCopiesBeyondAnAllocationAreRefused(t *testing.T) {
	r := device(t)
	m, x := must(r.Alloc(64))(t), make([]byte, 128)
	n := must(r.Alloc(128))(t)
	for name, err := range map[string]error{
		"past the end":    r.stream.CopyTo(m, 1, unsafe.Pointer(&x[0]), 64),
		"before the head": r.stream.CopyFrom(unsafe.Pointer(&x[0]), m, -1, 4),
		"within":          r.stream.CopyWithin(n, 0, m, 0, 65),
		"zero":            r.stream.Zero(m, 60, 8),
	} {
		if err == nil || !strings.Contains(err.Error(), "outside of device memory of 64 bytes") {
			t.Errorf("%s: %v", name, err)
		}
	}
	check(t, m.Free())
	check(t, m.Free())
	if err := r.stream.Zero(m, 0, 8); err == nil || !strings.Contains(err.Error(), "freed") {
		t.Errorf("freed memory: %v", err)
	}
}

func TestOutOfMemorySaysWhatIsThere(t *testing.T) {
	t.Setenv("LBMIB_STANDIN_MEMORY", "1000000")
	r := device(t)
	first := must(r.Alloc(600000))(t)
	_, err := r.Alloc(500000)
	var e *driver.OutOfMemory
	if !errors.As(err, &e) || *e != (driver.OutOfMemory{Wanted: 500000, Free: 400000, Total: 1000000, Held: 600000}) {
		t.Fatalf("error %v", err)
	}
	if !strings.Contains(err.Error(), "lower the resolution") {
		t.Errorf("%v: no remedy", err)
	}
	check(t, first.Free())
	check(t, must(r.Alloc(500000))(t).Free())
}

func TestTheContextCountsWhatItHolds(t *testing.T) {
	r := device(t)
	a := must(r.Alloc(1000))(t)
	b := must(r.Alloc(500))(t)
	check(t, a.Free())
	if now, peak := r.Held(); now != 500 || peak != 1500 {
		t.Errorf("%d bytes held, %d at most, want 500 and 1500", now, peak)
	}
	check(t, b.Free())
	h := must(r.Pinned(300))(t)
	if n := r.PinnedHeld(); n != 300 {
		t.Errorf("%d pinned bytes held, want 300", n)
	}
	check(t, h.Free())
	if now, _ := r.Held(); now != 0 || r.PinnedHeld() != 0 {
		t.Errorf("%d and %d bytes held after all were freed", now, r.PinnedHeld())
	}
	for _, n := range []int{0, -1} {
		if _, err := r.Alloc(n); err == nil {
			t.Errorf("%d bytes were allocated", n)
		}
		if _, err := r.Pinned(n); err == nil {
			t.Errorf("%d pinned bytes were allocated", n)
		}
	}
}

// From pinned memory the copy happens later: what is queued reads what is there
// when its turn comes; from Go's memory it is read at once.
func TestPinnedMemoryIsReadWhenTheCopysTurnComes(t *testing.T) {
	r := device(t)
	gate := newGate(r)
	h := must(r.Pinned(8 * 4))(t)
	x := driver.View[float64](h, 0, 4)
	pageable := []float64{1, 2, 3, 4}
	a, b := must(r.Alloc(32))(t), must(r.Alloc(32))(t)
	copy(x, pageable)
	gate.hold()
	check(t, r.stream.CopyTo(a, 0, h.Pointer(0), 32))
	check(t, r.stream.CopyTo(b, 0, unsafe.Pointer(&pageable[0]), 32))
	x[0], pageable[0] = 10, 10
	gate.open()
	if got := download[float64](r, a); got[0] != 10 {
		t.Errorf("the copy from pinned memory was done before its turn: %v", got)
	}
	if got := download[float64](r, b); got[0] != 1 {
		t.Errorf("the copy from pageable memory was done after the call: %v", got)
	}
	check(t, r.stream.CopyFrom(h.Pointer(8), b, 0, 16))
	check(t, r.stream.Synchronize())
	if !slices.Equal(x, []float64{10, 1, 2, 4}) {
		t.Errorf("pinned memory holds %v", x)
	}
}

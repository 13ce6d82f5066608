package simd

import (
	"syscall"
	"testing"
	"unsafe"
)

// guarded returns n elements that end where memory ends, or begin where it
// begins: a touch beyond them is a fault.
func guarded[T Float](t *testing.T, n int, atEnd bool) []T {
	page := syscall.Getpagesize()
	m, err := syscall.Mmap(-1, 0, 3*page, syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_ANON|syscall.MAP_PRIVATE)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := syscall.Munmap(m); err != nil {
			t.Error(err)
		}
	})
	for _, outer := range [][]byte{m[:page], m[2*page:]} {
		if err := syscall.Mprotect(outer, syscall.PROT_NONE); err != nil {
			t.Fatal(err)
		}
	}
	at := page
	if atEnd {
		at = 2*page - n*int(unsafe.Sizeof(T(0)))
	}
	return unsafe.Slice((*T)(unsafe.Pointer(&m[at])), n)
}

// A field of one row of the support, the rows of all planes being this one.
func TestNothingBeyondARowIsTouched(t *testing.T) {
	eachShape(t, testGuard[float64], testGuard[float32])
}

func testGuard[T Float](t *testing.T, support, dim int) {
	fast, _ := best[T](t, support, dim)
	for _, atEnd := range []bool{false, true} {
		b := Batch[T]{N: 1, Field: guarded[T](t, support, atEnd), Values: guarded[T](t, 1, atEnd), From: eachPlane(1, 0), To: eachPlane(1, support)}
		for axis := range dim {
			b.First[axis] = make([]int32, 1)
			b.Weight[axis] = guarded[T](t, Stride(support), atEnd)
			for i := range support {
				b.Weight[axis][i] = 1
			}
		}
		for i := range b.Row {
			b.Row[i] = make([]int, support)
		}
		b.Values[0] = 1
		fast.Spread(&b)
		fast.Interpolate(&b)
		rows := support
		if dim == 3 {
			rows *= support
		}
		if want := T(rows * rows * support); b.Values[0] != want {
			t.Errorf("interpolating what was spread gives %v, want %v", b.Values[0], want)
		}
	}
}

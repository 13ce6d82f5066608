package hugepage

import (
	"runtime"
	"testing"
	"unsafe"
)

// wide is an element of a whole cache line, odd one of no power of two.
type (
	wide [8]float64
	odd  [3]uint16
)

func TestSlicesHaveTheirLengthZerosAndAlignment(t *testing.T) {
	for _, n := range []int{0, 1, 7, 63, 1000, 262143, 262144, 262145, 1<<19 + 17} {
		check[float64](t, n, true)
		check[float32](t, n, true)
		check[uint16](t, n, true)
		check[wide](t, n/8, true)
		check[odd](t, n, false)
		check[struct{}](t, n, false)
	}
}

// check makes slices of n elements twice: the second may lie where the first,
// filled and dropped, lay before.
func check[T comparable](t *testing.T, n int, aligns bool) {
	t.Helper()
	var zero T
	size := int(unsafe.Sizeof(zero))
	for range 2 {
		s := Make[T](n)
		if len(s) != n || cap(s) != n {
			t.Fatalf("%T: length %d and capacity %d, want %d", s, len(s), cap(s), n)
		}
		for i := range s {
			if s[i] != zero {
				t.Fatalf("%T of %d: element %d is %v, want 0", s, n, i, s[i])
			}
		}
		align := uintptr(line)
		if n*size >= page {
			align = page
		}
		if p := uintptr(unsafe.Pointer(unsafe.SliceData(s))); aligns && n > 0 && p%align != 0 {
			t.Errorf("%T of %d starts at %#x, want a multiple of %d", s, n, p, align)
		}
		b := unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(s))), n*size)
		for i := range b {
			b[i] = 0xff
		}
		s, b = nil, nil
		runtime.GC()
	}
}

func TestSlicesWithPointersKeepWhatTheyPointTo(t *testing.T) {
	s := Make[*int](page / 4)
	for i := 0; i < len(s); i += 1000 {
		s[i] = new(int)
		*s[i] = i
	}
	runtime.GC()
	for i := 0; i < len(s); i += 1000 {
		if *s[i] != i {
			t.Fatalf("element %d points to %d", i, *s[i])
		}
	}
}

func TestANegativeLengthPanicsAsMakeDoes(t *testing.T) {
	defer func() {
		if recover() == nil {
			t.Error("a slice of −1 elements was made")
		}
	}()
	Make[float32](-1)
}

func TestTheCollectorFreesTheMemory(t *testing.T) {
	const n = 64 << 20
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	s := Make[byte](n)
	s[n-1] = 1
	runtime.KeepAlive(s)
	s = nil
	runtime.GC()
	runtime.ReadMemStats(&after)
	if grown := int64(after.HeapAlloc) - int64(before.HeapAlloc); grown > n/2 {
		t.Errorf("%d bytes are held after the last reference to %d has gone", grown, n)
	}
}

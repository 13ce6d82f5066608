package mapped

import (
	"testing"
	"unsafe"
)

func TestMemoryIsZeroAndGoesBack(t *testing.T) {
	for _, n := range []int{0, 1, 511, 512, 1 << 18, 1<<18 + 1, 1 << 20} {
		var m Memory[float64]
		for range 3 {
			if err := m.Make(n); err != nil {
				t.Fatal(err)
			}
			if len(m.Slice()) != n {
				t.Fatalf("%d values, want %d", len(m.Slice()), n)
			}
			for i, v := range m.Slice() {
				if v != 0 {
					t.Fatalf("value %d of %d is %v, want 0", i, n, v)
				}
				m.Slice()[i] = 1
			}
			if at := uintptr(unsafe.Pointer(unsafe.SliceData(m.Slice()))); n > 0 && at%unsafe.Alignof(float64(0)) != 0 {
				t.Fatalf("%d values begin at %#x, want a multiple of 8", n, at)
			}
			m.Free()
			m.Free() // of nothing does nothing
			if m.Slice() != nil {
				t.Fatal("freed memory is still lent")
			}
		}
	}
}

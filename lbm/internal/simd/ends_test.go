package simd

import (
	"bytes"
	"testing"
	"unsafe"
)

func TestCopyEndsCopiesThatManyBytesAndNoOthers(t *testing.T) {
	const q, room = 19, 96
	for size := 2; size <= 64; size += 2 {
		var from, to, want [q][room]byte
		var src, dst [19]unsafe.Pointer
		for i := range q {
			for k := range room {
				from[i][k], to[i][k] = byte(7*i+3*k+1), byte(200+i+k)
			}
			want[i] = to[i]
			copy(want[i][8:8+size], from[i][16:])
			src[i], dst[i] = unsafe.Pointer(&from[i][16]), unsafe.Pointer(&to[i][8])
		}
		want[q-1] = to[q-1]
		CopyEnds(&dst, &src, q-1, size)
		for i := range q {
			if !bytes.Equal(to[i][:], want[i][:]) {
				t.Fatalf("%d bytes: those of %d are %v, want %v", size, i, to[i], want[i])
			}
		}
	}
}

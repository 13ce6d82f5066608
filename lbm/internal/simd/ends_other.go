//go:build !amd64

package simd

import "unsafe"

// CopyEnds copies bytes, 2 to 64 of them and even, from each of the first n of src to the same of dst, which must not overlap: what
// is left of populations that fill no vector.
func CopyEnds(dst, src *[19]unsafe.Pointer, n, bytes int) {
	for i := range n {
		copy(unsafe.Slice((*byte)(dst[i]), bytes), unsafe.Slice((*byte)(src[i]), bytes))
	}
}

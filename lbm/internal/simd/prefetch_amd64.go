package simd

import "unsafe"

// Prefetch asks for the cache lines of elements of 1<<log bytes at the given
// offsets from base, to be read and written soon.
func Prefetch(base unsafe.Pointer, offsets []int, log uint) {
	if len(offsets) > 0 {
		prefetch(base, &offsets[0], len(offsets), log)
	}
}

//go:noescape
func prefetch(base unsafe.Pointer, offsets *int, n int, log uint)

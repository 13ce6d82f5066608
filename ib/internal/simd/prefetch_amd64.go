package simd

import "unsafe"

// Prefetch asks for the cache lines of the elements of a list that an index has, to be read or written soon.
func Prefetch[E any](list []E, index []int32) {
	if len(index) > 0 && len(list) > 0 {
		prefetch(unsafe.Pointer(&list[0]), &index[0], len(index), unsafe.Sizeof(list[0]))
	}
}

//go:noescape
func prefetch(base unsafe.Pointer, index *int32, n int, size uintptr)

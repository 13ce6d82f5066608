// Package hugepage makes slices on huge pages. A lattice is read and written
// through as many streams as it has populations; on pages of 4 KiB these cost a
// page walk every few hundred nodes, on pages of 2 MiB next to none.
package hugepage

import "unsafe"

const (
	page = 2 << 20 // bytes of a huge page
	line = 64      // bytes of a cache line, and of the widest vector
)

// Make is a zeroed slice of n elements that starts on a cache line, and from
// 2 MiB on a huge page of its own, where the size of T is a power of two up to
// 64 bytes (otherwise T's own alignment holds). The system is asked to make
// the pages huge (Linux; elsewhere nothing is asked); where it refuses, they
// are as any others, and so is the slice: a program's results never depend on it.
//
// The memory is Go's: the collector frees it with the last reference. Its pages
// come into being when they are first written, by the thread that writes them.
// Up to two huge pages are spent on the alignment.
func Make[T any](n int) []T {
	var zero T
	size := int(unsafe.Sizeof(zero))
	if size == 0 || n <= 0 {
		return make([]T, n)
	}
	if n < page/size {
		s, _ := aligned[T](n, n, line)
		return s
	}
	// Whole pages, so that the last one can be huge as well.
	per := max(page/size, 1)
	padded := (n + per - 1) / per * per
	s, ok := aligned[T](n, padded, page)
	if ok {
		p := unsafe.Pointer(unsafe.SliceData(s))
		advise(unsafe.Slice((*byte)(p), padded*size))
	}
	return s
}

// aligned is a slice of n elements, the first of padded, at a multiple of
// align bytes; it is not ok where T's size allows no such place.
func aligned[T any](n, padded, align int) (s []T, ok bool) {
	size := int(unsafe.Sizeof(*new(T)))
	slack := (align - 1) / size
	all := make([]T, padded+slack)
	miss := int(-uintptr(unsafe.Pointer(unsafe.SliceData(all))) & uintptr(align-1)) // bytes to the next multiple
	first := miss / size
	if miss%size != 0 || first > slack {
		return all[:n:n], false
	}
	return all[first : first+n : first+n], true
}

//go:build !linux

package mapped

import "unsafe"

// region is memory of the collector's, where mapping is not known.
type region struct{ words []uint64 }

func (r *region) reserve(size uintptr) (unsafe.Pointer, error) {
	r.words = make([]uint64, (size+7)/8)
	return unsafe.Pointer(unsafe.SliceData(r.words)), nil
}

func (r *region) release() { r.words = nil }

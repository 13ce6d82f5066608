// Package mapped makes slices whose memory comes from the system and goes back to
// it at once, past the collector: for large buffers that live for one call.
package mapped

import "unsafe"

// Memory is mapped memory. The zero value holds none.
type Memory[T ~float32 | ~float64] struct {
	region
	slice []T
}

// Slice is the values, all zero when fresh; nil after Free.
func (m *Memory[T]) Slice() []T { return m.slice }

// Make maps n values of zero, on huge pages where the system has them. What m held
// before is not freed.
func (m *Memory[T]) Make(n int) error {
	m.slice = nil
	if n <= 0 {
		return nil
	}
	start, err := m.reserve(uintptr(n) * unsafe.Sizeof(T(0)))
	if err != nil {
		return err
	}
	m.slice = unsafe.Slice((*T)(start), n)
	return nil
}

// Free gives the memory back: no slice of it may be used any more.
func (m *Memory[T]) Free() {
	m.slice = nil
	m.release()
}

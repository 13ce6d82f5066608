package device

import (
	"unsafe"

	"lbmib/cuda/driver"
)

// Slot is where numbers lie in device memory: from the byte At on.
type Slot struct {
	Memory *driver.Memory
	At     int
}

// At is the slot from byte at of m on.
func At(m *driver.Memory, at int) Slot { return Slot{m, at} }

// Buffer is device memory that grows, and forgets what it holds when it does.
type Buffer struct{ *driver.Memory }

// Size is what it has, in bytes.
func (r *Buffer) Size() int {
	if r.Memory == nil {
		return 0
	}
	return r.Bytes()
}

// Reserve makes room for n numbers of the given size, and tells whether it is new. What has
// grown before may grow again, and gets more than it needs.
func (r *Buffer) Reserve(c *driver.Context, n, size int) (fresh bool, err error) {
	n = max(n, 1)
	if r.Memory != nil {
		if r.Bytes() >= n*size {
			return false, nil
		}
		if err := r.Free(); err != nil {
			return false, err
		}
		r.Memory = nil
		n += n / 8
	}
	m, err := c.Alloc(n * size)
	if err != nil {
		return false, err
	}
	r.Memory = m
	return true, nil
}

// ReserveZero is Reserve for memory that is all zeros at rest.
func (r *Buffer) ReserveZero(t *Launcher, n, size int) error {
	fresh, err := r.Reserve(t.Context, n, size)
	if err == nil && fresh {
		err = t.Stream.Zero(r.Memory, 0, r.Bytes())
	}
	return err
}

// CopyIn queues a copy of host memory to the device, and CopyOut one from it. Memory that is
// not pinned may be read, or written, at any time until the stream has been waited for.
func CopyIn[E any](s *driver.Stream, to Slot, from []E) error {
	return s.CopyTo(to.Memory, to.At, unsafe.Pointer(unsafe.SliceData(from)), len(from)*SizeOf[E]())
}

// CopyOut: see CopyIn.
func CopyOut[E any](s *driver.Stream, to []E, from Slot) error {
	return s.CopyFrom(unsafe.Pointer(unsafe.SliceData(to)), from.Memory, from.At, len(to)*SizeOf[E]())
}

// SizeOf is the number of bytes of a T.
func SizeOf[T any]() int {
	var v T
	return int(unsafe.Sizeof(v))
}

// RoundUp is the least multiple of to that is not less than n.
func RoundUp(n, to int) int { return (n + to - 1) / to * to }

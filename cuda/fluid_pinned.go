package cuda

import (
	"unsafe"

	"lbmib/cuda/device"
	"lbmib/cuda/driver"
)

// Lend is page-locked memory for n values, which the device copies to and from as it is;
// nil where there is none to be had, and others are copied by the host once more. See
// lbm.Lender.
func (f *exchanger[T]) Lend(n int) []T {
	if n <= 0 || !f.settled() {
		return nil
	}
	h, err := f.context.Pinned(n * device.SizeOf[T]())
	if err != nil {
		return nil
	}
	f.pinnings = append(f.pinnings, h)
	return driver.View[T](h, 0, n)
}

// Return gives memory back, once the device has done with it.
func (f *exchanger[T]) Return(memory []T) {
	if len(memory) == 0 {
		return
	}
	for i, h := range f.pinnings {
		if h.Pointer(0) != unsafe.Pointer(&memory[0]) {
			continue
		}
		_ = f.Wait() // Err tells
		f.fail(h.Free())
		f.pinnings = append(f.pinnings[:i], f.pinnings[i+1:]...)
		return
	}
}

// straight is where values lie if all are in lent memory, count of each direction, at equal
// distances; nil if not.
func (f *exchanger[T]) straight(g [][]T, count int) (from unsafe.Pointer, stride int) {
	if count > len(g[0]) {
		return nil, 0
	}
	from = unsafe.Pointer(&g[0][0])
	for _, h := range f.pinnings {
		at, size := uintptr(from)-uintptr(h.Pointer(0)), uintptr(device.SizeOf[T]())
		if at >= uintptr(len(h.Bytes())) {
			continue
		}
		stride = int(uintptr(unsafe.Pointer(&g[1][0]))-uintptr(from)) / int(size)
		for i := range f.cfg.Lattice.Q {
			if len(g[i]) < count || uintptr(unsafe.Pointer(&g[i][0])) != uintptr(from)+uintptr(i*stride)*size {
				return nil, 0
			}
		}
		if stride < count || at+uintptr(f.span(stride, count))*size > uintptr(len(h.Bytes())) {
			return nil, 0
		}
		return from, stride
	}
	return nil, 0
}

// span is how many values directions take that are stride apart.
func (f *exchanger[T]) span(stride, count int) int { return (f.cfg.Lattice.Q-1)*stride + count }

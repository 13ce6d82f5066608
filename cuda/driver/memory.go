package driver

import (
	"fmt"
	"unsafe"
)

// Memory is an array of bytes on the device, at an address that is a multiple
// of 256. What it holds is undefined until it is written.
type Memory struct {
	c       *Context
	address uintptr
	bytes   int
}

// Alloc allocates device memory. It must be freed. The error is an
// [*OutOfMemory] where there is not enough.
func (c *Context) Alloc(bytes int) (*Memory, error) {
	if bytes <= 0 {
		return nil, fmt.Errorf("cuda: cuMemAlloc: %d bytes: ask for at least one", bytes)
	}
	p := new(uintptr)
	if err := c.call("cuMemAlloc", c.d.fn.memoryAlloc, uintptr(unsafe.Pointer(p)), uintptr(bytes)); err != nil {
		if e, ok := err.(*Error); ok && e.Code == int(errorOutOfMemory) {
			free, total, err := c.MemoryInfo()
			if err != nil {
				return nil, err
			}
			return nil, &OutOfMemory{Wanted: bytes, Free: free, Total: total, Held: int(c.held.Load())}
		}
		return nil, err
	}
	now := c.held.Add(int64(bytes))
	for {
		peak := c.peak.Load()
		if now <= peak || c.peak.CompareAndSwap(peak, now) {
			break
		}
	}
	return &Memory{c: c, address: *p, bytes: bytes}, nil
}

// Bytes is the size.
func (m *Memory) Bytes() int { return m.bytes }

// Free frees the memory, once all that was launched before has run: the driver
// waits for it. Freeing again, or nil, does nothing.
func (m *Memory) Free() error {
	if m == nil || m.address == 0 {
		return nil
	}
	p := m.address
	m.address = 0
	m.c.held.Add(-int64(m.bytes))
	m.c.counted[countWaitsIdle].Add(1)
	return m.c.call("cuMemFree", m.c.d.fn.memoryFree, p)
}

// span checks that bytes from at lie in the memory and is the address of the first.
func (m *Memory) span(call string, at, bytes int) (uintptr, error) {
	switch {
	case m == nil || m.address == 0:
		return 0, fmt.Errorf("cuda: %s: the device memory has been freed", call)
	case at < 0 || bytes < 0 || at > m.bytes-bytes:
		return 0, fmt.Errorf("cuda: %s: bytes %d..%d lie outside of device memory of %d bytes", call, at, at+bytes, m.bytes)
	}
	return m.address + uintptr(at), nil
}

// Host is page-locked host memory, which the device copies from and to while
// the host goes on.
type Host struct {
	c     *Context
	p     unsafe.Pointer
	bytes int
}

// Pinned allocates page-locked host memory, zeroed. It must be freed.
func (c *Context) Pinned(bytes int) (*Host, error) {
	if bytes <= 0 {
		return nil, fmt.Errorf("cuda: cuMemHostAlloc: %d bytes: ask for at least one", bytes)
	}
	const portable = 1 // page-locked for every context
	h := &Host{c: c, bytes: bytes}
	if err := c.call("cuMemHostAlloc", c.d.fn.hostAlloc, uintptr(unsafe.Pointer(&h.p)), uintptr(bytes), portable); err != nil {
		if e, ok := err.(*Error); ok && e.Code == int(errorOutOfMemory) {
			e.Call = "cuMemHostAlloc: " + size(bytes)
			e.Remedy = "this much host memory cannot be page-locked: raise the limit (ulimit -l, or the container's) or use a smaller case"
		}
		return nil, err
	}
	c.pinned.Add(int64(bytes))
	c.pages.add(h.p, bytes)
	clear(h.Bytes())
	return h, nil
}

// Bytes is the memory as a slice, which must not be used after Free.
func (h *Host) Bytes() []byte {
	if h.p == nil {
		return nil
	}
	return unsafe.Slice((*byte)(h.p), h.bytes)
}

// Pointer is the address of the byte at.
func (h *Host) Pointer(at int) unsafe.Pointer { return unsafe.Pointer(&h.Bytes()[at]) }

// Free frees the memory. Freeing again, or nil, does nothing.
func (h *Host) Free() error {
	if h == nil || h.p == nil {
		return nil
	}
	p := h.p
	h.p = nil
	h.c.pinned.Add(-int64(h.bytes))
	h.c.pages.remove(p)
	return h.c.call("cuMemFreeHost", h.c.d.fn.hostFree, uintptr(p))
}

// View is pinned memory as numbers, from the byte at on, which must be a
// multiple of a number's size.
func View[T any](h *Host, at, n int) []T {
	b := h.Bytes()
	if n == 0 {
		return nil
	}
	var t T
	_ = b[at : at+n*int(unsafe.Sizeof(t))]
	return unsafe.Slice((*T)(unsafe.Pointer(&b[at])), n)
}

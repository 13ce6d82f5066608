package driver

import (
	"runtime"
	"slices"
	"strings"
	"sync/atomic"
	"unsafe"
)

// Stream is a queue of work on the device, done in its order. Streams run beside
// each other; events order them. One goroutine at a time may use a stream.
type Stream struct {
	c      *Context
	handle uintptr
	args   [11]uintptr    // of the call being made
	host   unsafe.Pointer // the host memory of that call, kept in place and alive

	// What may have run since the stream was last idle: a ring of kernels, newest
	// at recent[launched−1], and the graphs' kernels. Whoever sees a fault reads it.
	recent   [8]atomic.Pointer[Function]
	launched atomic.Int64
	graph    atomic.Pointer[Graph]
	capture  *capture // that it takes part in, until that has ended
}

// Stream makes a stream that does not wait for others. It must be closed.
func (c *Context) Stream() (*Stream, error) {
	const nonBlocking = 1
	s := &Stream{c: c}
	if err := c.call("cuStreamCreate", c.d.fn.streamCreate, uintptr(unsafe.Pointer(&s.handle)), nonBlocking); err != nil {
		return nil, err
	}
	c.streams.add(s)
	return s, nil
}

// Close destroys the stream after its work. Closing again, or nil, does nothing.
func (s *Stream) Close() error {
	if s == nil || s.handle == 0 {
		return nil
	}
	h := s.handle
	s.handle = 0
	s.c.streams.remove(s)
	return s.c.call("cuStreamDestroy", s.c.d.fn.streamDestroy, h)
}

// Context is the stream's context.
func (s *Stream) Context() *Context { return s.c }

// Launch queues a kernel: grid blocks of block threads, with shared bytes of
// dynamic shared memory in each block. It allocates nothing.
func (s *Stream) Launch(f *Function, grid, block [3]int, shared int, a *Args) error {
	if a.checked != f {
		if err := f.fits(a); err != nil {
			return err
		}
		a.checked = f
	}
	for i := range 3 {
		s.args[1+i], s.args[4+i] = uintptr(grid[i]), uintptr(block[i])
	}
	s.args[0], s.args[7], s.args[8] = f.handle, uintptr(shared), s.handle
	s.args[9], s.args[10] = uintptr(unsafe.Pointer(&a.table[0])), 0
	if err := s.c.invoke("cuLaunchKernel", s, s.c.d.fn.launchKernel, s.args[:]); err != nil {
		return f.launchFailure(err, grid, block, shared)
	}
	runtime.KeepAlive(a)
	s.countLaunch(f)
	n := s.launched.Load()
	s.recent[n%int64(len(s.recent))].Store(f)
	s.launched.Store(n + 1)
	return nil
}

// suspects are the kernels launched since the context's streams were last idle, those of
// this one, which may be nil, last, and the newest of each last.
func (c *Context) suspects(of *Stream) string {
	var names []string
	for _, s := range c.streams.but(of) {
		names = s.suspects(names)
	}
	if of != nil {
		names = of.suspects(names)
	}
	return strings.Join(names, ", ")
}

// suspects adds the kernels launched since the stream was last idle to names.
func (s *Stream) suspects(names []string) []string {
	add := func(f *Function) {
		if f == nil {
			return
		}
		names = append(slices.DeleteFunc(names, func(n string) bool { return n == f.name }), f.name)
	}
	if g := s.graph.Load(); g != nil {
		for _, f := range g.kernels {
			add(f)
		}
	}
	for _, f := range s.kernels() {
		add(f)
	}
	return names
}

// kernels are those launched last since the stream was idle, the newest last.
func (s *Stream) kernels() (all []*Function) {
	launched, ring := s.launched.Load(), int64(len(s.recent))
	for i := max(0, launched-ring); i < launched; i++ {
		all = append(all, s.recent[i%ring].Load())
	}
	return all
}

// idle forgets what has run.
func (s *Stream) idle() {
	s.launched.Store(0)
	s.graph.Store(nil)
}

// Synchronize waits until the stream is idle. The error is a [*Fault] where a
// kernel failed.
func (s *Stream) Synchronize() error {
	if err := s.queue("cuStreamSynchronize", s.c.d.fn.streamSync, s.handle, 0, 0, 0, 1); err != nil {
		return err
	}
	s.count(countWaitsIdle, 1)
	s.idle()
	return nil
}

// CopyTo queues a copy of bytes from the host to dst at the byte at. From pinned
// memory it returns at once, and the source must stay as it is until the copy is
// done; from other memory it returns when the source has been read.
func (s *Stream) CopyTo(dst *Memory, at int, src unsafe.Pointer, bytes int) error {
	const name = "cuMemcpyHtoDAsync"
	p, err := dst.span(name, at, bytes)
	if err != nil || bytes == 0 {
		return err
	}
	s.host = src
	err = s.queue(name, s.c.d.fn.copyToDevice, p, uintptr(src), uintptr(bytes), s.handle, 4)
	s.host = nil
	s.countHost(countToDevice, bytes, src)
	return err
}

// CopyFrom queues a copy of bytes from src at the byte at to the host. To pinned
// memory it returns at once; to other memory when the copy is done.
func (s *Stream) CopyFrom(dst unsafe.Pointer, src *Memory, at, bytes int) error {
	const name = "cuMemcpyDtoHAsync"
	p, err := src.span(name, at, bytes)
	if err != nil || bytes == 0 {
		return err
	}
	s.host = dst
	err = s.queue(name, s.c.d.fn.copyToHost, uintptr(dst), p, uintptr(bytes), s.handle, 4)
	s.host = nil
	s.countHost(countToHost, bytes, dst)
	return err
}

// CopyWithin queues a copy of bytes between places of device memory that do not
// overlap.
func (s *Stream) CopyWithin(dst *Memory, to int, src *Memory, from, bytes int) error {
	const name = "cuMemcpyDtoDAsync"
	p, err := dst.span(name, to, bytes)
	if err != nil {
		return err
	}
	q, err := src.span(name, from, bytes)
	if err != nil || bytes == 0 {
		return err
	}
	s.countMoved(countWithin, bytes)
	return s.queue(name, s.c.d.fn.copyWithin, p, q, uintptr(bytes), s.handle, 4)
}

// Zero queues the setting of bytes at the byte at to zero.
func (s *Stream) Zero(m *Memory, at, bytes int) error { return s.Fill(m, at, bytes, 0) }

// Fill queues the setting of bytes at the byte at to value.
func (s *Stream) Fill(m *Memory, at, bytes int, value byte) error {
	const name = "cuMemsetD8Async"
	p, err := m.span(name, at, bytes)
	if err != nil || bytes == 0 {
		return err
	}
	s.countMoved(countFilled, bytes)
	return s.queue(name, s.c.d.fn.setBytes, p, uintptr(value), uintptr(bytes), s.handle, 4)
}

// queue makes a call of n arguments and allocates nothing.
func (s *Stream) queue(name string, fn, a0, a1, a2, a3 uintptr, n int) error {
	s.args[0], s.args[1], s.args[2], s.args[3] = a0, a1, a2, a3
	return s.c.invoke(name, s, fn, s.args[:n])
}

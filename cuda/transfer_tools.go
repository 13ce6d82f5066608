package cuda

import (
	"fmt"
	"unsafe"

	"lbmib/cuda/driver"
)

// shape is how kernels over any number of items are launched: threads in a block, and
// at most so many blocks, whose threads go on with further items. Results do not depend
// on it.
type shape struct{ threads, blocks int }

// usualShape fills a device several times over, so that blocks that end early make room.
func usualShape(c *driver.Context) shape {
	return shape{128, 32 * max(1, c.Device().Multiprocessors)}
}

// tools are kernels and the stream that they are queued on.
type tools struct {
	context *driver.Context
	stream  *driver.Stream
	library *Library
	shape   shape
}

func newTools(l *Library, s *driver.Stream) *tools {
	return &tools{l.context, s, l, usualShape(l.context)}
}

// kernel finds a kernel of file stem.cu, for n arguments.
func (t *tools) kernel(stem, name string, arguments int) (kernel, error) {
	f, err := t.library.function(stem, name)
	return kernel{f, driver.NewArgs(arguments)}, err
}

// kernel is a function of the device with its arguments.
type kernel struct {
	f    *driver.Function
	args *driver.Args
}

// over queues a kernel over n items.
func (t *tools) over(k *kernel, n int) error {
	if n == 0 {
		return nil
	}
	blocks := min((n+t.shape.threads-1)/t.shape.threads, t.shape.blocks)
	return t.stream.Launch(k.f, [3]int{blocks, 1, 1}, [3]int{t.shape.threads, 1, 1}, 0, k.args)
}

// Slot is where numbers lie in device memory: from the byte At on.
type Slot struct {
	Memory *driver.Memory
	At     int
}

// point sets an argument to the address of a slot.
func (k *kernel) point(i int, s Slot) { k.args.Pointer(i, s.Memory, s.At) }

// room is device memory that grows, and forgets what it holds when it does.
type room struct{ *driver.Memory }

// size is what it has, in bytes.
func (r *room) size() int {
	if r.Memory == nil {
		return 0
	}
	return r.Bytes()
}

// hold makes room for n numbers of the given size, and tells whether it is new. What has
// grown before may grow again, and gets more than it needs.
func (r *room) hold(c *driver.Context, n, size int) (fresh bool, err error) {
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

// holdZero is hold for memory that is all zeros at rest.
func (r *room) holdZero(t *tools, n, size int) error {
	fresh, err := r.hold(t.context, n, size)
	if err == nil && fresh {
		err = t.stream.Zero(r.Memory, 0, r.Bytes())
	}
	return err
}

// suffix names a precision in names of kernels.
func suffix[T ~float32 | ~float64]() string { return fmt.Sprintf("f%d", 8*sizeOf[T]()) }

// sizeOf is the number of bytes of a T.
func sizeOf[T any]() int {
	var v T
	return int(unsafe.Sizeof(v))
}

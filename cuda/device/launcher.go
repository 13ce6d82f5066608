package device

import (
	"fmt"

	"lbmib/cuda/driver"
)

// Shape is how kernels over any number of items are launched: threads in a block, and
// at most so many blocks, whose threads go on with further items. Results do not depend
// on it.
type Shape struct{ Threads, Blocks int }

// usualShape fills a device several times over, so that blocks that end early make room.
func usualShape(c *driver.Context) Shape {
	return Shape{128, 32 * max(1, c.Device().Multiprocessors)}
}

// Launcher finds kernels and queues them on a stream.
type Launcher struct {
	Context *driver.Context
	Stream  *driver.Stream
	Library *Library
	Shape   Shape
}

// NewLauncher queues on s what it finds in l.
func NewLauncher(l *Library, s *driver.Stream) *Launcher {
	return &Launcher{l.Context, s, l, usualShape(l.Context)}
}

// Kernel finds a kernel of file stem.cu, for n arguments.
func (t *Launcher) Kernel(stem, name string, arguments int) (Kernel, error) {
	f, err := t.Library.Function(stem, name)
	return Kernel{f, driver.NewArgs(arguments)}, err
}

// Kernel is a function of the device with its arguments.
type Kernel struct {
	Function *driver.Function
	Args     *driver.Args
}

// Over queues a kernel over n items.
func (t *Launcher) Over(k *Kernel, n int) error { return t.over(k, n, t.Shape.Threads) }

// OverGroups queues a kernel over n items of which a warp has so many at a time, each with several of its lanes.
func (t *Launcher) OverGroups(k *Kernel, n, together int) error {
	return t.over(k, (n+together-1)/together*Warp, max(Warp, t.Shape.Threads))
}

// over queues a kernel over n items in blocks of at most so many threads.
func (t *Launcher) over(k *Kernel, n, most int) error {
	if n == 0 {
		return nil
	}
	threads := blockOf(t.Context, n, most)
	blocks := min((n+threads-1)/threads, t.Shape.Blocks)
	return t.Stream.Launch(k.Function, [3]int{blocks, 1, 1}, [3]int{threads, 1, 1}, 0, k.Args)
}

// Warp is how many threads a multiprocessor runs in step.
const Warp = 32

// blockOf is how many threads a block has of a kernel over n items, at most so many: a few items are
// shared out among all multiprocessors, since what a warp gathers from scattered places takes its
// multiprocessor as many accesses as it has lanes.
func blockOf(c *driver.Context, n, most int) int {
	for most%(2*Warp) == 0 && (n+most-1)/most < c.Device().Multiprocessors { // whole warps
		most /= 2
	}
	return most
}

// Point sets an argument to the address of a slot.
func (k *Kernel) Point(i int, s Slot) { k.Args.Pointer(i, s.Memory, s.At) }

// Precision is T in names of kernels: f32 or f64.
func Precision[T ~float32 | ~float64]() string { return fmt.Sprintf("f%d", 8*SizeOf[T]()) }

// OverNodes queues a kernel with a thread for each of count nodes.
func OverNodes(s *driver.Stream, k *driver.Function, count int, a *driver.Args) error {
	threads := blockOf(s.Context(), count, 128)
	return s.Launch(k, [3]int{(count + threads - 1) / threads, 1, 1}, [3]int{threads, 1, 1}, 0, a)
}

// KernelError is the error of the kernels of a stream, which it names, if they have failed;
// else err, to which their failure may have led.
func KernelError(s *driver.Stream, err error) error {
	if e := s.Synchronize(); e != nil {
		return e
	}
	return err
}

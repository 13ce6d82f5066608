package cuda

import (
	"slices"

	"lbmib/cuda/driver"
)

// exchangeBytes is the device memory through which populations and fields go to and
// from the host: two halves, of which one is copied while the other is worked on.
const exchangeBytes = 16 << 20

// fluidExchange is room for values on their way, on the device and page-locked on the
// host. What comes in and what goes out have their own, so that both may be on the way.
type fluidExchange struct {
	out, in         passage
	ready, consumed *driver.Event // values to go out are there; those that came in have been used
	args            exchangeArgs
}

// passage is room on both sides, and when its last copy is done.
type passage struct {
	device *driver.Memory
	host   *driver.Host
	copied [2]*driver.Event // of either half; the first where there is one piece
}

// exchangeArgs are the arguments of the kernels that fill and empty passages.
type exchangeArgs struct {
	moments, correct, fetch, put, box, copyOut, copyIn *driver.Args
}

func (f *Fluid[T]) prepareExchange() (err error) {
	x := &f.exchange
	for _, e := range []**driver.Event{&x.ready, &x.consumed, &x.out.copied[0], &x.out.copied[1], &x.in.copied[0], &x.in.copied[1]} {
		if *e, err = f.context.EventUntimed(); err != nil {
			return err
		}
	}
	x.args = exchangeArgs{
		driver.NewArgs(latticeArgs + 6), driver.NewArgs(latticeArgs + 5 + rateArgs), driver.NewArgs(latticeArgs + 3), driver.NewArgs(latticeArgs + 5),
		driver.NewArgs(latticeArgs + 11), driver.NewArgs(latticeArgs + 5), driver.NewArgs(latticeArgs + 5),
	}
	return nil
}

func (x *fluidExchange) close() {
	for _, p := range []*passage{&x.out, &x.in} {
		p.device.Free()
		p.host.Free()
		p.copied[0].Close()
		p.copied[1].Close()
	}
	x.ready.Close()
	x.consumed.Close()
}

// hold makes room for bytes; the passage must not be in use.
func (p *passage) hold(f interface{ Wait() error }, c *driver.Context, bytes int) error {
	if p.device != nil && p.device.Bytes() >= bytes {
		return nil
	}
	if err := f.Wait(); err != nil {
		return err
	}
	bytes += bytes / 8 // lists grow by little
	if err := p.device.Free(); err != nil {
		return err
	}
	if err := p.host.Free(); err != nil {
		return err
	}
	p.device, p.host = nil, nil
	var err error
	if p.device, err = c.Alloc(bytes); err != nil {
		return err
	}
	p.host, err = c.Pinned(bytes)
	return err
}

// fluidList is a list of nodes that is on the device, too. What the host has of it is
// page-locked, so that a list that changes is copied beside the host's work.
type fluidList struct {
	count  int
	host   *driver.Host
	memory *driver.Memory
	copied *driver.Event
	used   int64 // the larger, the later
}

func (l *fluidList) nodes() []int32 { return driver.View[int32](l.host, 0, l.count) }

func (l *fluidList) free() {
	l.host.Free()
	l.memory.Free()
	l.copied.Close()
}

// hold makes room for n nodes, once the last copy is done.
func (l *fluidList) hold(c *driver.Context, n int) (err error) {
	l.count = 0
	if l.copied == nil {
		if l.copied, err = c.EventUntimed(); err != nil {
			return err
		}
	}
	if err := l.copied.Synchronize(); err != nil {
		return err
	}
	bytes := 4 * n
	if l.memory != nil && l.memory.Bytes() >= bytes {
		return nil
	}
	l.host.Free()
	l.memory.Free()
	l.host, l.memory = nil, nil
	bytes += bytes / 8 // lists grow by little
	if l.host, err = c.Pinned(bytes); err != nil {
		return err
	}
	l.memory, err = c.Alloc(bytes)
	return err
}

// maxLists is how many lists are kept: a coupling reads one and corrects one, and a
// pipelined one fetches and puts others.
const maxLists = 4

// listed is the list of nodes on the device. Lists are mostly the same from step to
// step; what is compared is what they hold.
func (f *Fluid[T]) listed(nodes []int32) (*driver.Memory, error) {
	var oldest *fluidList
	last := int64(0)
	for _, l := range f.lists {
		last = max(last, l.used)
		if oldest == nil || l.used < oldest.used {
			oldest = l
		}
	}
	for _, l := range f.lists {
		if l.count == len(nodes) && slices.Equal(l.nodes(), nodes) {
			l.used = last + 1
			return l.memory, nil
		}
	}
	if len(f.lists) < maxLists {
		oldest = &fluidList{}
		f.lists = append(f.lists, oldest)
	}
	if err := oldest.hold(f.context, len(nodes)); err != nil {
		return nil, f.fault(err)
	}
	oldest.count, oldest.used = len(nodes), last+1
	copy(oldest.nodes(), nodes)
	if err := f.stream.CopyTo(oldest.memory, 0, oldest.host.Pointer(0), 4*len(nodes)); err != nil {
		return nil, err
	}
	return oldest.memory, f.stream.Record(oldest.copied)
}

// overNodes queues a kernel with a thread for each of count nodes.
func (f *Fluid[T]) overNodes(k *driver.Function, count int, a *driver.Args) error {
	const threads = 128
	return f.stream.Launch(k, [3]int{(count + threads - 1) / threads, 1, 1}, [3]int{threads, 1, 1}, 0, a)
}

// bring queues the copy of n values from the passage out to the host, beside what the
// stream does next.
func (f *Fluid[T]) bring(n int) error {
	x := &f.exchange
	if err := f.stream.Record(x.ready); err != nil {
		return err
	}
	if err := f.copies.Wait(x.ready); err != nil {
		return err
	}
	if err := f.copies.CopyFrom(x.out.host.Pointer(0), x.out.device, 0, n*sizeOf[T]()); err != nil {
		return err
	}
	return f.copies.Record(x.out.copied[0])
}

// brought waits for them.
func (f *Fluid[T]) brought(n int) ([]T, error) {
	if err := f.exchange.out.copied[0].Synchronize(); err != nil {
		return nil, f.fault(err)
	}
	return driver.View[T](f.exchange.out.host, 0, n), nil
}

// fault is the error of the stream's kernels, if they are to blame: it names them.
func (f *Fluid[T]) fault(err error) error {
	if e := f.stream.Synchronize(); e != nil {
		return e
	}
	return err
}

// room waits until the passage in is free, and is room for n values on the host.
func (f *Fluid[T]) room(n int) ([]T, error) {
	x := &f.exchange
	if err := x.in.hold(f, f.context, n*sizeOf[T]()); err != nil {
		return nil, err
	}
	if err := x.in.copied[0].Synchronize(); err != nil {
		return nil, f.fault(err)
	}
	return driver.View[T](x.in.host, 0, n), nil
}

// send queues the copy of n values from there to the device, beside what the stream
// does, and lets the stream wait for them.
func (f *Fluid[T]) send(n int) error {
	x := &f.exchange
	if err := f.copies.Wait(x.consumed); err != nil {
		return err
	}
	if err := f.copies.CopyTo(x.in.device, 0, x.in.host.Pointer(0), n*sizeOf[T]()); err != nil {
		return err
	}
	if err := f.copies.Record(x.in.copied[0]); err != nil {
		return err
	}
	return f.stream.Wait(x.in.copied[0])
}

// sent lets the next send wait until the stream has used what came in.
func (f *Fluid[T]) sent() error { return f.stream.Record(f.exchange.consumed) }

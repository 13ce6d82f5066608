package cuda

import (
	"unsafe"

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
		driver.NewArgs(latticeArgs + 6), driver.NewArgs(latticeArgs + 5 + rateArgs), driver.NewArgs(latticeArgs + 4), driver.NewArgs(latticeArgs + 6),
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

// hold makes room for bytes on both sides; the passage must not be in use.
func (p *passage) hold(f interface{ Wait() error }, c *driver.Context, bytes int) error {
	if err := p.holdHost(f, c, bytes); err != nil {
		return err
	}
	return p.holdDevice(c, len(p.host.Bytes())) // of both the same halves are used
}

// holdDevice is hold for what goes straight to the host's memory, or comes from there.
func (p *passage) holdDevice(c *driver.Context, bytes int) error {
	if p.device != nil && p.device.Bytes() >= bytes {
		return nil
	}
	if err := p.device.Free(); err != nil { // waits for what uses it
		return err
	}
	p.device = nil
	var err error
	p.device, err = c.Alloc(withRoom(bytes))
	return err
}

// holdHost is hold for what lies on the device already.
func (p *passage) holdHost(f interface{ Wait() error }, c *driver.Context, bytes int) error {
	if p.host != nil && len(p.host.Bytes()) >= bytes {
		return nil
	}
	if err := f.Wait(); err != nil {
		return err
	}
	if err := p.host.Free(); err != nil {
		return err
	}
	p.host = nil
	var err error
	p.host, err = c.Pinned(withRoom(bytes))
	return err
}

// withRoom is more bytes, in whole numbers: lists grow by little.
func withRoom(bytes int) int { return (bytes + bytes/8 + 7) &^ 7 }

// overNodes queues a kernel with a thread for each of count nodes.
func (f *Fluid[T]) overNodes(k *driver.Function, count int, a *driver.Args) error {
	return overNodes(f.stream, k, count, a)
}

func overNodes(s *driver.Stream, k *driver.Function, count int, a *driver.Args) error {
	const threads = 128
	return s.Launch(k, [3]int{(count + threads - 1) / threads, 1, 1}, [3]int{threads, 1, 1}, 0, a)
}

// bring queues the copy of n values from the passage out to the host, beside what the
// stream does next.
func (f *Fluid[T]) bring(n int) error {
	return f.bringTo(f.exchange.out.host.Pointer(0), n)
}

// bringTo is bring to page-locked memory.
func (f *Fluid[T]) bringTo(to unsafe.Pointer, n int) error {
	x := &f.exchange
	if err := f.stream.Record(x.ready); err != nil {
		return err
	}
	if err := f.copies.Wait(x.ready); err != nil {
		return err
	}
	if err := f.copies.CopyFrom(to, x.out.device, 0, n*sizeOf[T]()); err != nil {
		return err
	}
	return f.copies.Record(x.out.copied[0])
}

// brought waits for them.
func (f *Fluid[T]) brought(n int) ([]T, error) {
	if err := f.arrived(); err != nil {
		return nil, err
	}
	return driver.View[T](f.exchange.out.host, 0, n), nil
}

// arrived waits for what has been brought.
func (f *Fluid[T]) arrived() error {
	if err := f.exchange.out.copied[0].Synchronize(); err != nil {
		return f.fault(err)
	}
	return nil
}

// fault is the error of the stream's kernels, if they are to blame: it names them.
func (f *Fluid[T]) fault(err error) error { return blamed(f.stream, err) }

func blamed(s *driver.Stream, err error) error {
	if e := s.Synchronize(); e != nil {
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
func (f *Fluid[T]) send(n int) error { return f.sendFrom(f.exchange.in.host.Pointer(0), n) }

// sendFrom is send from page-locked memory.
func (f *Fluid[T]) sendFrom(from unsafe.Pointer, n int) error {
	x := &f.exchange
	if err := f.copies.Wait(x.consumed); err != nil {
		return err
	}
	if err := f.copies.CopyTo(x.in.device, 0, from, n*sizeOf[T]()); err != nil {
		return err
	}
	if err := f.copies.Record(x.in.copied[0]); err != nil {
		return err
	}
	return f.stream.Wait(x.in.copied[0])
}

// sent lets the next send wait until the stream has used what came in.
func (f *Fluid[T]) sent() error { return f.stream.Record(f.exchange.consumed) }

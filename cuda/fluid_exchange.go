package cuda

import (
	"unsafe"

	"lbmib/cuda/device"
	"lbmib/cuda/driver"
)

// fluidExchange is room for values on their way, on the device and page-locked on the
// host. What comes in and what goes out have their own, so that both may be on the way.
type fluidExchange struct {
	out, in         device.CopyBuffer
	ready, consumed *driver.Event // values to go out are there; those that came in have been used
	args            exchangeArgs
}

// exchangeArgs are the arguments of the kernels that fill and empty passages.
type exchangeArgs struct {
	moments, correct, fetch, put, box, copyOut, copyIn, fetchSingle, putSingle *driver.Args
}

func (f *exchanger[T]) prepareExchange() (err error) {
	x := &f.exchange
	for _, e := range []**driver.Event{&x.ready, &x.consumed, &x.out.Copied[0], &x.out.Copied[1], &x.in.Copied[0], &x.in.Copied[1]} {
		if *e, err = f.context.EventUntimed(); err != nil {
			return err
		}
	}
	x.args = exchangeArgs{
		driver.NewArgs(latticeArgs + 6), driver.NewArgs(latticeArgs + 5 + rateArgs), driver.NewArgs(latticeArgs + 4), driver.NewArgs(latticeArgs + 6),
		driver.NewArgs(latticeArgs + 11), driver.NewArgs(latticeArgs + 5), driver.NewArgs(latticeArgs + 5),
		driver.NewArgs(fetchSingleArgs), driver.NewArgs(putSingleArgs),
	}
	return nil
}

func (x *fluidExchange) close() {
	for _, p := range []*device.CopyBuffer{&x.out, &x.in} {
		p.Close()
	}
	x.ready.Close()
	x.consumed.Close()
}

// overNodes queues a kernel with a thread for each of count nodes.
func (f *core[T]) overNodes(k *driver.Function, count int, a *driver.Args) error {
	return device.OverNodes(f.stream, k, count, a)
}

// bring queues the copy of n values from the passage out to the host, beside what the
// stream does next.
func (f *exchanger[T]) bring(n int) error {
	return f.bringTo(f.exchange.out.Host.Pointer(0), n)
}

// bringTo is bring to page-locked memory.
func (f *exchanger[T]) bringTo(to unsafe.Pointer, n int) error {
	x := &f.exchange
	if err := f.stream.Record(x.ready); err != nil {
		return err
	}
	if err := f.copies.Wait(x.ready); err != nil {
		return err
	}
	if err := f.copies.CopyFrom(to, x.out.Device, 0, n*device.SizeOf[T]()); err != nil {
		return err
	}
	return f.copies.Record(x.out.Copied[0])
}

// brought waits for them.
func (f *exchanger[T]) brought(n int) ([]T, error) {
	if err := f.arrived(); err != nil {
		return nil, err
	}
	return driver.View[T](f.exchange.out.Host, 0, n), nil
}

// arrived waits for what has been brought.
func (f *exchanger[T]) arrived() error {
	if err := f.exchange.out.Copied[0].Synchronize(); err != nil {
		return f.fault(err)
	}
	return nil
}

// fault is the error of the stream's kernels, if they are to blame: it names them.
func (f *core[T]) fault(err error) error { return device.KernelError(f.stream, err) }

// room waits until the passage in is free, and is room for n values on the host.
func (f *exchanger[T]) room(n int) ([]T, error) {
	x := &f.exchange
	if err := x.in.Reserve(f, f.context, n*device.SizeOf[T]()); err != nil {
		return nil, err
	}
	if err := x.in.Copied[0].Synchronize(); err != nil {
		return nil, f.fault(err)
	}
	return driver.View[T](x.in.Host, 0, n), nil
}

// send queues the copy of n values from there to the device, beside what the stream
// does, and lets the stream wait for them.
func (f *exchanger[T]) send(n int) error { return f.sendFrom(f.exchange.in.Host.Pointer(0), n) }

// sendFrom is send from page-locked memory.
func (f *exchanger[T]) sendFrom(from unsafe.Pointer, n int) error {
	x := &f.exchange
	if err := f.copies.Wait(x.consumed); err != nil {
		return err
	}
	if err := f.copies.CopyTo(x.in.Device, 0, from, n*device.SizeOf[T]()); err != nil {
		return err
	}
	if err := f.copies.Record(x.in.Copied[0]); err != nil {
		return err
	}
	return f.stream.Wait(x.in.Copied[0])
}

// sent lets the next send wait until the stream has used what came in.
func (f *exchanger[T]) sent() error { return f.stream.Record(f.exchange.consumed) }

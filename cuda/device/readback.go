package device

import (
	"errors"
	"sync"
	"sync/atomic"

	"lbmib/cuda/driver"
)

// Readback is the way to the host of what has been set aside on the device: a stream of its
// own and pinned memory, so that the stream that goes on is not waited for. It is
// used by one goroutine at a time, of which Close is one.
type Readback struct {
	context *driver.Context
	Stream  *driver.Stream
	ready   *driver.Event // what was set aside is there
	Through CopyBuffer
	errors  *BackgroundError // where failures are kept

	Taken  atomic.Bool // what was set aside is still wanted
	mu     sync.Mutex  // held while something is on its way
	closed bool
}

// BackgroundError is the first error that came to light beside the goroutine that steps.
type BackgroundError struct{ first atomic.Pointer[error] }

// Keep keeps err, if it is the first that is not nil.
func (a *BackgroundError) Keep(err error) {
	if err != nil {
		a.first.CompareAndSwap(nil, &err)
	}
}

// Get is that error, or nil.
func (a *BackgroundError) Get() error {
	if e := a.first.Load(); e != nil {
		return *e
	}
	return nil
}

var errClosed = errors.New("cuda: the fluid has been closed: what was captured of it must be copied out before")

// Open makes what the readback needs beside memory, once.
func (d *Readback) Open(c *driver.Context, errors *BackgroundError) (err error) {
	if d.Through.Copied[1] != nil {
		return nil
	}
	d.context, d.errors = c, errors
	if d.Stream == nil {
		if d.Stream, err = c.Stream(); err != nil {
			return err
		}
	}
	for _, e := range []**driver.Event{&d.ready, &d.Through.Copied[0], &d.Through.Copied[1]} {
		if *e == nil {
			if *e, err = c.EventUntimed(); err != nil {
				return err
			}
		}
	}
	return nil
}

// Wait returns when its stream is idle.
func (d *Readback) Wait() error { return d.Stream.Synchronize() }

// Begin is called before something is set aside: what was set aside before must not be
// wanted any more.
func (d *Readback) Begin() {
	if d.Taken.Load() {
		panic("cuda: a capture is asked for before the one of its kind before was released")
	}
}

// Set is called when the copies aside have been queued on a stream.
func (d *Readback) Set(by *driver.Stream) error {
	if err := by.Record(d.ready); err != nil {
		return err
	}
	if err := d.Stream.Wait(d.ready); err != nil {
		return err
	}
	d.Taken.Store(true)
	return nil
}

// Do calls what brings something to the host, and keeps its failure.
func (d *Readback) Do(what func() error) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.closed {
		return errClosed
	}
	err := what()
	d.errors.Keep(err)
	return err
}

// Release ends the wish for what was set aside.
func (d *Readback) Release() {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.closed || !d.Taken.Load() {
		return
	}
	d.errors.Keep(d.Wait()) // some of it may be on its way still, if it was not all wanted
	d.Taken.Store(false)
}

// Close waits for the goroutine that uses the readback and frees its memory.
func (d *Readback) Close() {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.closed {
		return
	}
	if d.Stream != nil {
		d.Stream.Synchronize() // errors have been kept or come too late to matter
	}
	d.closed = true
	d.Through.Close()
	d.ready.Close()
	d.Stream.Close()
}

// ReadOut brings count values from where they lie to the host.
func ReadOut[E any](d *Readback, from Slot, to []E) error {
	if len(to) == 0 {
		return nil
	}
	return StreamOut(&d.Through, d.Stream, len(to), 1, func(first, n int, _ Slot) (Slot, error) {
		return Slot{from.Memory, from.At + first*SizeOf[E]()}, nil
	}, func(first, n int, values []E) { copy(to[first:], values) })
}

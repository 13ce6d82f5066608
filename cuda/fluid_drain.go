package cuda

import (
	"errors"
	"sync"
	"sync/atomic"

	"lbmib/cuda/driver"
)

// drain is the way to the host of what has been set aside on the device: a stream of its
// own and page-locked memory, so that the stream that goes on is not waited for. It is
// used by one goroutine at a time, of which Close is one.
type drain struct {
	context *driver.Context
	stream  *driver.Stream
	ready   *driver.Event // what was set aside is there
	way     passage
	told    *asideError // of failures

	taken  atomic.Bool // what was set aside is still wanted
	mu     sync.Mutex  // held while something is on its way
	closed bool
}

// asideError is the first error that came to light beside the goroutine that steps.
type asideError struct{ first atomic.Pointer[error] }

func (a *asideError) tell(err error) {
	if err != nil {
		a.first.CompareAndSwap(nil, &err)
	}
}

// get is that error, or nil.
func (a *asideError) get() error {
	if e := a.first.Load(); e != nil {
		return *e
	}
	return nil
}

var errDrainClosed = errors.New("cuda: the fluid has been closed: what was captured of it must be copied out before")

// open makes what the drain needs beside memory, once.
func (d *drain) open(c *driver.Context, told *asideError) (err error) {
	if d.way.copied[1] != nil {
		return nil
	}
	d.context, d.told = c, told
	if d.stream == nil {
		if d.stream, err = c.Stream(); err != nil {
			return err
		}
	}
	for _, e := range []**driver.Event{&d.ready, &d.way.copied[0], &d.way.copied[1]} {
		if *e == nil {
			if *e, err = c.EventUntimed(); err != nil {
				return err
			}
		}
	}
	return nil
}

// Wait returns when the drain's stream is idle.
func (d *drain) Wait() error { return d.stream.Synchronize() }

// begin is called before something is set aside: what was set aside before must not be
// wanted any more.
func (d *drain) begin() {
	if d.taken.Load() {
		panic("cuda: a capture is asked for before the one of its kind before was released")
	}
}

// set is called when the copies aside have been queued on a stream.
func (d *drain) set(by *driver.Stream) error {
	if err := by.Record(d.ready); err != nil {
		return err
	}
	if err := d.stream.Wait(d.ready); err != nil {
		return err
	}
	d.taken.Store(true)
	return nil
}

// do brings something to the host; its failure is told.
func (d *drain) do(what func() error) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.closed {
		return errDrainClosed
	}
	err := what()
	d.told.tell(err)
	return err
}

// release ends the wish for what was set aside.
func (d *drain) release() {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.closed || !d.taken.Load() {
		return
	}
	d.told.tell(d.Wait()) // some of it may be on its way still, if it was not all wanted
	d.taken.Store(false)
}

// close waits for whoever uses the drain and frees its memory.
func (d *drain) close() {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.closed {
		return
	}
	if d.stream != nil {
		d.stream.Synchronize() // errors have been told or come too late to matter
	}
	d.closed = true
	d.way.device.Free()
	d.way.host.Free()
	d.way.copied[0].Close()
	d.way.copied[1].Close()
	d.ready.Close()
	d.stream.Close()
}

// drainOut brings count values from where they lie to the host.
func drainOut[E any](d *drain, from Slot, to []E) error {
	if len(to) == 0 {
		return nil
	}
	return flowOut(&d.way, d.stream, len(to), 1, func(first, n int, _ Slot) (Slot, error) {
		return Slot{from.Memory, from.At + first*sizeOf[E]()}, nil
	}, func(first, n int, values []E) { copy(to[first:], values) })
}

package driver

import (
	"sync/atomic"
	"unsafe"

	"github.com/ebitengine/purego"
)

// Event is a mark in a stream, which other streams and the host can wait for.
type Event struct {
	c       *Context
	handle  [1]uintptr             // as the arguments of a call
	on      atomic.Pointer[Stream] // where it was recorded last
	within  *capture               // that it was recorded in; nil: in none
	counter int                    // of its records
}

// Event makes an event that takes the time when it is reached. It must be closed.
func (c *Context) Event() (*Event, error) { return c.event(0, countTimings) }

// EventUntimed makes an event that takes no time and costs less to wait for.
func (c *Context) EventUntimed() (*Event, error) {
	const disableTiming = 2
	return c.event(disableTiming, countMarks)
}

func (c *Context) event(flags uintptr, counter int) (*Event, error) {
	e := &Event{c: c, counter: counter}
	if err := c.call("cuEventCreate", c.d.fn.eventCreate, uintptr(unsafe.Pointer(&e.handle)), flags); err != nil {
		return nil, err
	}
	return e, nil
}

// Close destroys the event. Closing again, or nil, does nothing.
func (e *Event) Close() error {
	if e == nil || e.handle[0] == 0 {
		return nil
	}
	h := e.handle[0]
	e.handle[0] = 0
	return e.c.call("cuEventDestroy", e.c.d.fn.eventDestroy, h)
}

// Record marks the end of what is queued now.
func (s *Stream) Record(e *Event) error {
	e.on.Store(s)
	e.within = s.recording()
	s.count(e.counter, 1)
	return s.queue("cuEventRecord", s.c.d.fn.eventRecord, e.handle[0], s.handle, 0, 0, 2)
}

// Wait lets what is queued from now on wait for the event's last record.
func (s *Stream) Wait(e *Event) error {
	if e.within != nil && !e.within.ended.Load() {
		s.capture = e.within // as the driver has it
	}
	s.count(countMarks, 1)
	return s.queue("cuStreamWaitEvent", s.c.d.fn.streamWait, s.handle, e.handle[0], 0, 0, 3)
}

// Synchronize waits on the host until the event is reached.
func (e *Event) Synchronize() error {
	e.c.counted[countWaits].Add(1)
	return e.c.invoke("cuEventSynchronize", e.on.Load(), e.c.d.fn.eventSync, e.handle[:])
}

// Done tells whether the event has been reached; after a fault it is true, so
// that whoever polls goes on to the call that returns the fault.
func (e *Event) Done() bool {
	if e.c.enter("cuEventQuery", e.on.Load()) != nil {
		return true
	}
	r, _, _ := purego.SyscallN(e.c.d.fn.eventQuery, e.handle[:]...)
	e.c.leave()
	if code := int32(r); code != success && code != errorNotReady {
		e.c.fail("cuEventQuery", code, e.on.Load()) // keeps a fault
	}
	return int32(r) != errorNotReady
}

// Elapsed is the time in seconds from a to b, both timed and reached, to half a
// microsecond.
func Elapsed(a, b *Event) (float64, error) {
	ms := new(float32)
	err := a.c.call("cuEventElapsedTime", a.c.d.fn.eventElapsed, uintptr(unsafe.Pointer(ms)), a.handle[0], b.handle[0])
	return float64(*ms) / 1e3, err
}

package device

import (
	"unsafe"

	"lbmib/cuda/driver"
)

// Staging is a ring of pinned (page-locked) memory from which the device copies while the host goes on:
// the host waits only where it is more than a step ahead, which takes up to three stages.
type Staging struct {
	work *Launcher
	ring [6]struct {
		host *driver.Host
		done *driver.Event
	}
	next, at int
}

// StageAlign is what pieces in a stage are aligned to, in bytes.
const StageAlign = 16

// Begin makes the next stage free, with room for so many bytes.
func (s *Staging) Begin(t *Launcher, bytes int) (err error) {
	s.work, s.at = t, 0
	s.next = (s.next + 1) % len(s.ring)
	r := &s.ring[s.next]
	if r.done == nil {
		if r.done, err = t.Context.EventUntimed(); err != nil {
			return err
		}
	} else if err := r.done.Synchronize(); err != nil {
		return err
	}
	if r.host != nil && len(r.host.Bytes()) >= bytes {
		return nil
	}
	if err := r.host.Free(); err != nil {
		return err
	}
	r.host, err = t.Context.Pinned(bytes + bytes/8 + StageAlign)
	return err
}

// Send queues a copy of host memory, which is the caller's again, to the device.
func Send[E any](s *Staging, to Slot, from []E) error {
	if len(from) == 0 {
		return nil
	}
	bytes := len(from) * SizeOf[E]()
	h := s.ring[s.next].host
	copy(h.Bytes()[s.at:][:bytes], unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(from))), bytes))
	err := s.work.Stream.CopyTo(to.Memory, to.At, h.Pointer(s.at), bytes)
	s.at += (bytes + StageAlign - 1) / StageAlign * StageAlign
	return err
}

// End marks the point at which the device has copied all of the stage.
func (s *Staging) End() error { return s.work.Stream.Record(s.ring[s.next].done) }

// Free frees the memory.
func (s *Staging) Free() {
	for i := range s.ring {
		s.ring[i].done.Close()
		s.ring[i].host.Free()
	}
}

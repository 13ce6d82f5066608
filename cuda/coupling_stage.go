package cuda

import (
	"unsafe"

	"lbmib/cuda/driver"
)

// stages are page-locked memory from which the device copies while the host goes on:
// the host waits only where it is more than a step ahead, which takes up to three stages.
type stages struct {
	work *tools
	ring [6]struct {
		host *driver.Host
		done *driver.Event
	}
	next, at int
}

// stageAlign is what pieces in a stage are aligned to, in bytes.
const stageAlign = 16

// begin makes the next stage free, with room for so many bytes.
func (s *stages) begin(t *tools, bytes int) (err error) {
	s.work, s.at = t, 0
	s.next = (s.next + 1) % len(s.ring)
	r := &s.ring[s.next]
	if r.done == nil {
		if r.done, err = t.context.EventUntimed(); err != nil {
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
	r.host, err = t.context.Pinned(bytes + bytes/8 + stageAlign)
	return err
}

// send queues a copy of host memory, which is the caller's again, to the device.
func send[E any](s *stages, to Slot, from []E) error {
	if len(from) == 0 {
		return nil
	}
	bytes := len(from) * sizeOf[E]()
	h := s.ring[s.next].host
	copy(h.Bytes()[s.at:][:bytes], unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(from))), bytes))
	err := s.work.stream.CopyTo(to.Memory, to.At, h.Pointer(s.at), bytes)
	s.at += (bytes + stageAlign - 1) / stageAlign * stageAlign
	return err
}

// end marks the point at which the device has copied all of the stage.
func (s *stages) end() error { return s.work.stream.Record(s.ring[s.next].done) }

func (s *stages) free() {
	for i := range s.ring {
		s.ring[i].done.Close()
		s.ring[i].host.Free()
	}
}

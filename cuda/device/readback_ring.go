package device

import (
	"time"

	"lbmib/cuda/driver"
)

// ReadbackRing is a ring of records that kernels leave in device memory, and that come to the
// host several at once, by copies beside the stream that writes them: nobody waits but
// who asks for a record that has not arrived. All records have the same size.
type ReadbackRing struct {
	stream, Copies *driver.Stream
	size, depth    int // bytes of a record, and number of records

	memory        *driver.Memory
	Host          *driver.Host
	ready, copied *driver.Event // the last record is written; those sent have arrived
	oldest        time.Time     // when the first that has not been sent was written

	Written, Sent, Arrived, Taken int64 // records so far
}

// sendAge is after how long records are sent however few they are.
const sendAge = 100 * time.Millisecond

// Open makes room for depth records.
func (l *ReadbackRing) Open(c *driver.Context, stream, copies *driver.Stream, size, depth int) (err error) {
	l.stream, l.Copies, l.size, l.depth = stream, copies, size, depth
	if l.memory, err = c.Alloc(size * depth); err != nil {
		return err
	}
	if l.Host, err = c.Pinned(size * depth); err != nil {
		return err
	}
	for _, e := range []**driver.Event{&l.ready, &l.copied} {
		if *e, err = c.EventUntimed(); err != nil {
			return err
		}
	}
	return nil
}

// Close frees it; what is on its way must have arrived, or not matter any more.
func (l *ReadbackRing) Close() {
	l.memory.Free()
	l.Host.Free()
	l.ready.Close()
	l.copied.Close()
}

// Next is where the next record goes.
func (l *ReadbackRing) Next() Slot {
	if l.Written-l.Taken == int64(l.depth) {
		panic("cuda: more questions than the ring of answers has room for: take answers in between")
	}
	return Slot{l.memory, int(l.Written%int64(l.depth)) * l.size}
}

// Wrote is called when all that writes the record has been queued.
func (l *ReadbackRing) Wrote() error {
	if l.Written == l.Sent {
		l.oldest = time.Now()
	}
	l.Written++
	return l.stream.Record(l.ready)
}

// Fetch sends all records that have been written.
func (l *ReadbackRing) Fetch() error {
	if l.Written == l.Sent {
		return nil
	}
	if err := l.Copies.Wait(l.ready); err != nil {
		return err
	}
	for l.Sent < l.Written { // twice where the ring begins anew
		at := int(l.Sent % int64(l.depth))
		n := min(l.depth-at, int(l.Written-l.Sent))
		if err := l.Copies.CopyFrom(l.Host.Pointer(at*l.size), l.memory, at*l.size, n*l.size); err != nil {
			return err
		}
		l.Sent += int64(n)
	}
	return l.Copies.Record(l.copied)
}

// Take is where the oldest record that has not been taken lies on the host. Without wait
// there may be none yet; with it there is none where nothing was written.
func (l *ReadbackRing) Take(wait bool) (at int, ok bool, err error) {
	if l.Taken == l.Arrived && l.Sent > l.Arrived && (wait || l.copied.Done()) {
		if err := l.arrive(); err != nil {
			return 0, false, err
		}
	}
	if l.Written > l.Sent && l.Sent == l.Arrived && // one copy at a time, so that copied tells of all
		(wait && l.Taken == l.Arrived || l.Written-l.Sent >= int64(l.depth+1)/2 || time.Since(l.oldest) > sendAge) {
		if err := l.Fetch(); err != nil {
			return 0, false, err
		}
		if wait && l.Taken == l.Arrived {
			if err := l.arrive(); err != nil {
				return 0, false, err
			}
		}
	}
	if l.Taken == l.Arrived {
		return 0, false, nil
	}
	at = int(l.Taken%int64(l.depth)) * l.size
	l.Taken++
	return at, true, nil
}

// arrive waits for what has been sent.
func (l *ReadbackRing) arrive() error {
	if err := l.copied.Synchronize(); err != nil {
		return KernelError(l.stream, err)
	}
	l.Arrived = l.Sent
	return nil
}

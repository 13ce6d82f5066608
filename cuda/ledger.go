package cuda

import (
	"time"

	"lbmib/cuda/driver"
)

// ledger is a ring of records that kernels leave in device memory, and that come to the
// host several at once, by copies beside the stream that writes them: nobody waits but
// who asks for a record that has not arrived. All records have the same size.
type ledger struct {
	stream, copies *driver.Stream
	size, depth    int // bytes of a record, and records

	memory        *driver.Memory
	host          *driver.Host
	ready, copied *driver.Event // the last record is written; those sent have arrived
	oldest        time.Time     // when the first that has not been sent was written

	written, sent, arrived, taken int64 // records so far
}

// ledgerAge is after how long records are sent however few they are.
const ledgerAge = 100 * time.Millisecond

// open makes room for depth records.
func (l *ledger) open(c *driver.Context, stream, copies *driver.Stream, size, depth int) (err error) {
	l.stream, l.copies, l.size, l.depth = stream, copies, size, depth
	if l.memory, err = c.Alloc(size * depth); err != nil {
		return err
	}
	if l.host, err = c.Pinned(size * depth); err != nil {
		return err
	}
	for _, e := range []**driver.Event{&l.ready, &l.copied} {
		if *e, err = c.EventUntimed(); err != nil {
			return err
		}
	}
	return nil
}

// close frees it; what is on its way must have arrived, or not matter any more.
func (l *ledger) close() {
	l.memory.Free()
	l.host.Free()
	l.ready.Close()
	l.copied.Close()
}

// next is where the next record goes.
func (l *ledger) next() Slot {
	if l.written-l.taken == int64(l.depth) {
		panic("cuda: more is asked of an account than it has room for: answers must be taken in between")
	}
	return Slot{l.memory, int(l.written%int64(l.depth)) * l.size}
}

// wrote is called when all that writes the record has been queued.
func (l *ledger) wrote() error {
	if l.written == l.sent {
		l.oldest = time.Now()
	}
	l.written++
	return l.stream.Record(l.ready)
}

// fetch sends all records that have been written.
func (l *ledger) fetch() error {
	if l.written == l.sent {
		return nil
	}
	if err := l.copies.Wait(l.ready); err != nil {
		return err
	}
	for l.sent < l.written { // twice where the ring begins anew
		at := int(l.sent % int64(l.depth))
		n := min(l.depth-at, int(l.written-l.sent))
		if err := l.copies.CopyFrom(l.host.Pointer(at*l.size), l.memory, at*l.size, n*l.size); err != nil {
			return err
		}
		l.sent += int64(n)
	}
	return l.copies.Record(l.copied)
}

// take is where the oldest record that has not been taken lies on the host. Without wait
// there may be none yet; with it there is none where nothing was written.
func (l *ledger) take(wait bool) (at int, ok bool, err error) {
	if l.taken == l.arrived && l.sent > l.arrived && (wait || l.copied.Done()) {
		if err := l.arrive(); err != nil {
			return 0, false, err
		}
	}
	if l.written > l.sent && l.sent == l.arrived && // one copy at a time, so that copied tells of all
		(wait && l.taken == l.arrived || l.written-l.sent >= int64(l.depth+1)/2 || time.Since(l.oldest) > ledgerAge) {
		if err := l.fetch(); err != nil {
			return 0, false, err
		}
		if wait && l.taken == l.arrived {
			if err := l.arrive(); err != nil {
				return 0, false, err
			}
		}
	}
	if l.taken == l.arrived {
		return 0, false, nil
	}
	at = int(l.taken%int64(l.depth)) * l.size
	l.taken++
	return at, true, nil
}

// arrive waits for what has been sent.
func (l *ledger) arrive() error {
	if err := l.copied.Synchronize(); err != nil {
		return blamed(l.stream, err)
	}
	l.arrived = l.sent
	return nil
}

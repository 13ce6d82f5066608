package device

import (
	"time"

	"lbmib/cuda/driver"
	"lbmib/lbm"
)

// ReadbackRing is a ring of records that kernels leave in device memory, and that come to the
// host several at once, by copies beside the stream that writes them: nobody waits but
// who asks for a record that has not arrived. All records have the same size, and each is
// read as a V, which is valid until the ring has come round to its place again.
type ReadbackRing[V any] struct {
	Records[V]
	memory        *driver.Memory
	host          *driver.Host
	ready, copied *driver.Event // the last record is written; those sent have arrived
	oldest        time.Time     // when the first that has not been sent was written
	places        []record[V]

	written, sent, arrived int64 // records so far
}

// Records are what a ReadbackRing holds.
type Records[V any] struct {
	Stream, Copies *driver.Stream
	Bytes          int // of a record
	Places         int

	// Read reads the record that lies somewhere on the host and was written to a place of the ring.
	Read func(to *V, host *driver.Host, at, place int)

	// Fail keeps a failure of the device, if it is one, and returns the first that is known.
	Fail func(error) error
}

// record is what a place of the ring holds: an lbm.Source.
type record[V any] struct {
	of     *ReadbackRing[V]
	number int64 // among all that have been written
	value  V
	isRead bool
}

// sendAge is after how long records are sent however few they are.
const sendAge = 100 * time.Millisecond

// Open makes room for records.
func (l *ReadbackRing[V]) Open(c *driver.Context, of Records[V]) (err error) {
	l.Records, l.places = of, make([]record[V], of.Places)
	if l.memory, err = c.Alloc(max(1, of.Bytes) * of.Places); err != nil {
		return err
	}
	if l.host, err = c.Pinned(max(1, of.Bytes) * of.Places); err != nil {
		return err
	}
	for _, e := range []**driver.Event{&l.ready, &l.copied} {
		if *e, err = c.EventUntimed(); err != nil {
			return err
		}
	}
	return nil
}

// Close frees it, when what is on its way has arrived.
func (l *ReadbackRing[V]) Close() {
	if l.Copies != nil {
		l.Copies.Synchronize() // errors have been kept or come too late to matter
	}
	l.memory.Free()
	l.host.Free()
	l.ready.Close()
	l.copied.Close()
}

// Next is where the next record goes, the place-th of the ring, when what was there before has arrived.
func (l *ReadbackRing[V]) Next() (to Slot, place int, err error) {
	for l.written-l.arrived >= int64(l.Places) {
		if err := l.advance(); err != nil {
			return Slot{}, 0, err
		}
	}
	place = int(l.written % int64(l.Places))
	return Slot{l.memory, place * l.Bytes}, place, nil
}

// Wrote is called when all that writes the record has been queued; soon, if it is waited for soon.
func (l *ReadbackRing[V]) Wrote(soon bool) (lbm.Pending[*V], error) {
	if l.written == l.sent {
		l.oldest = time.Now()
	}
	r := &l.places[l.written%int64(l.Places)]
	r.of, r.number, r.isRead = l, l.written, false
	l.written++
	err := l.Stream.Record(l.ready)
	if err == nil && soon && l.sent == l.arrived { // else it comes after those
		err = l.send()
	}
	return lbm.Later[*V](r), err
}

// send sends all records that have been written. One copy is on its way at a time, so that
// copied tells of all.
func (l *ReadbackRing[V]) send() error {
	if err := l.Copies.Wait(l.ready); err != nil {
		return err
	}
	for l.sent < l.written { // twice where the ring begins anew
		place := int(l.sent % int64(l.Places))
		n := min(l.Places-place, int(l.written-l.sent))
		if err := l.Copies.CopyFrom(l.host.Pointer(place*l.Bytes), l.memory, place*l.Bytes, n*l.Bytes); err != nil {
			return err
		}
		l.sent += int64(n)
	}
	return l.Copies.Record(l.copied)
}

// advance waits for what has been sent, or sends what has been written if nothing has.
func (l *ReadbackRing[V]) advance() error {
	if l.sent == l.arrived {
		return l.send()
	}
	if err := l.copied.Synchronize(); err != nil {
		return KernelError(l.Stream, err)
	}
	l.arrived = l.sent
	return nil
}

// Ready reports whether the record has arrived, and has records sent that are many or old.
func (r *record[V]) Ready() bool {
	l := r.of
	err := l.Fail(nil)
	if err == nil && l.sent > l.arrived && l.copied.Done() {
		err = l.Fail(l.advance())
	}
	if err == nil && l.sent == l.arrived && l.written > l.sent &&
		(l.written-l.sent >= int64(l.Places+1)/2 || time.Since(l.oldest) > sendAge) {
		err = l.Fail(l.send())
	}
	return err != nil || r.number < l.arrived
}

// Wait reads the record, once.
func (r *record[V]) Wait() (*V, error) {
	l := r.of
	err := l.Fail(nil)
	for err == nil && r.number >= l.arrived {
		err = l.Fail(l.advance())
	}
	if err != nil {
		return nil, err
	}
	if !r.isRead {
		place := int(r.number % int64(l.Places))
		l.Read(&r.value, l.host, place*l.Bytes, place)
		r.isRead = true
	}
	return &r.value, nil
}

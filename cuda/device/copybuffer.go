package device

import (
	"lbmib/cuda/driver"
)

// ExchangeBytes is the device memory through which populations and fields go to and
// from the host: two halves, of which one is copied while the other is worked on.
const ExchangeBytes = 16 << 20

// CopyBuffer is memory on the device and pinned memory of the host for values on their way
// between them, in two halves, and when the last copy of either half is done.
type CopyBuffer struct {
	Device *driver.Memory
	Host   *driver.Host
	Copied [2]*driver.Event // of either half; the first where there is one piece
}

// Reserve makes room for bytes on both sides; the buffer must not be in use.
func (p *CopyBuffer) Reserve(f interface{ Wait() error }, c *driver.Context, bytes int) error {
	if err := p.ReserveHost(f, c, bytes); err != nil {
		return err
	}
	return p.ReserveDevice(c, len(p.Host.Bytes())) // of both the same halves are used
}

// ReserveDevice is Reserve for what goes straight to the host's memory, or comes from there.
func (p *CopyBuffer) ReserveDevice(c *driver.Context, bytes int) error {
	if p.Device != nil && p.Device.Bytes() >= bytes {
		return nil
	}
	if err := p.Device.Free(); err != nil { // waits for what uses it
		return err
	}
	p.Device = nil
	var err error
	p.Device, err = c.Alloc(WithReserve(bytes))
	return err
}

// ReserveHost is Reserve for what lies on the device already.
func (p *CopyBuffer) ReserveHost(f interface{ Wait() error }, c *driver.Context, bytes int) error {
	if p.Host != nil && len(p.Host.Bytes()) >= bytes {
		return nil
	}
	if err := f.Wait(); err != nil {
		return err
	}
	if err := p.Host.Free(); err != nil {
		return err
	}
	p.Host = nil
	var err error
	p.Host, err = c.Pinned(WithReserve(bytes))
	return err
}

// Pieces goes through count items of so many bytes in pieces of as many as half a buffer
// holds. first is where a piece begins, n its length.
func (p *CopyBuffer) Pieces(count, itemBytes int, do func(first, n, half int) error) error {
	piece := min(count, p.Half()/itemBytes)
	for first, half := 0, 0; first < count; first, half = first+piece, half^1 {
		if err := do(first, min(piece, count-first), half); err != nil {
			return err
		}
	}
	return nil
}

// PieceBytes is what a buffer holds for count items of so many bytes: all in one half, or
// pieces of them.
func PieceBytes(count, itemBytes int) int {
	return max(2*(itemBytes+15), min(ExchangeBytes/2, 2*(count*itemBytes+15)))
}

// Half is where the second half of a buffer begins.
func (p *CopyBuffer) Half() int { return len(p.Host.Bytes()) / 2 &^ 15 }

// StreamOut brings count items, perItem values each, to the host by a stream: from queues
// what gathers n of them from first in a slot of the buffer, or finds them where they
// lie, and take uses them, while the next are copied.
func StreamOut[E any](p *CopyBuffer, s *driver.Stream, count, perItem int, from func(first, n int, gather Slot) (Slot, error), take func(first, n int, values []E)) error {
	waiting, waitingN, waitingHalf := -1, 0, 0
	arrive := func() error {
		if waiting < 0 {
			return nil
		}
		if err := p.Copied[waitingHalf].Synchronize(); err != nil {
			return KernelError(s, err)
		}
		take(waiting, waitingN, driver.View[E](p.Host, waitingHalf*p.Half(), waitingN*perItem))
		return nil
	}
	err := p.Pieces(count, perItem*SizeOf[E](), func(first, n, half int) error {
		at := half * p.Half()
		slot, err := from(first, n, Slot{p.Device, at})
		if err != nil {
			return err
		}
		if err := s.CopyFrom(p.Host.Pointer(at), slot.Memory, slot.At, n*perItem*SizeOf[E]()); err != nil {
			return err
		}
		if err := s.Record(p.Copied[half]); err != nil {
			return err
		}
		err = arrive()
		waiting, waitingN, waitingHalf = first, n, half
		return err
	})
	if err != nil {
		return err
	}
	return arrive()
}

// WithReserve is more bytes, in whole numbers: lists grow by little.
func WithReserve(bytes int) int { return (bytes + bytes/8 + 7) &^ 7 }

// Close frees the memory and the events.
func (p *CopyBuffer) Close() {
	p.Device.Free()
	p.Host.Free()
	p.Copied[0].Close()
	p.Copied[1].Close()
}

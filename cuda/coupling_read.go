package cuda

import (
	"fmt"

	"lbmib/cuda/device"
	"lbmib/hybrid"
	"lbmib/lbm"
)

// kept are what the last Correct has left on the device.
type kept struct {
	push, felt, moments, force vectors
	over                       vectors // none where the host knows it
}

// vectors are a number of components, each of count numbers, which are stride apart.
type vectors struct {
	from          device.Slot
	components    int
	count, stride int
}

// kept is where that is now.
func (c *couplingReader[T]) kept() kept {
	m, s := &c.markers, &c.support
	k := kept{
		push: vectors{device.At(m.push.Memory, 0), c.dim, m.count, m.count}, felt: vectors{device.At(m.felt.Memory, 0), 1 + c.dim, m.count, m.count},
		moments: vectors{device.At(s.moments.Memory, 0), 1 + c.dim, s.count, s.stride}, force: vectors{device.At(s.force.Memory, 0), c.dim, s.count, s.stride},
	}
	if c.slots.eddies {
		k.over = vectors{m.over, 1, m.count, m.count}
	}
	return k
}

// eachVector calls do with the place of every component that is wanted and where it goes.
func eachVector[T lbm.Float](k *kept, r *hybrid.Reading[T], do func(from device.Slot, to []T) error) error {
	for _, part := range []struct {
		to   [][]T
		from vectors
	}{{r.Push, k.push}, {r.Felt, k.felt}, {r.Moments, k.moments}, {r.Force, k.force}} {
		v := part.from
		for a, to := range part.to {
			if err := do(device.At(v.from.Memory, v.from.At+a*v.stride*device.SizeOf[T]()), to[:v.count]); err != nil {
				return err
			}
		}
	}
	if r.Over == nil || k.over.components == 0 {
		return nil
	}
	return do(k.over.from, r.Over[:k.over.count])
}

// Read waits, and copies out what the last Correct kept.
func (c *couplingReader[T]) Read(r hybrid.Reading[T]) error {
	if !c.fluid.settled() {
		return c.fluid.err
	}
	k := c.kept()
	if err := eachVector(&k, &r, func(from device.Slot, to []T) error { return device.CopyOut(c.work.Stream, to, from) }); err != nil {
		return err
	}
	return c.work.Stream.Synchronize()
}

// couplingCapture is room for what one Correct kept, and its way to the host.
type couplingCapture struct {
	device.Readback
	room device.Buffer
}

func (c *couplingCapture) close() {
	c.Readback.Close()
	c.room.Free()
}

// Capture sets aside what the last Correct kept; see hybrid.DeviceCoupling.
func (c *couplingReader[T]) Capture() hybrid.CapturedReading[T] {
	f := c.fluid
	var to *couplingCapture
	for i := range c.captures {
		if !c.captures[i].Taken.Load() {
			to = &c.captures[i]
			break
		}
	}
	if to == nil {
		panic("cuda: a third capture of a coupling is asked for before one of two was released")
	}
	out := &capturedReading[T]{of: to, step: f.Steps(), kept: c.kept()}
	parts := []*vectors{&out.kept.push, &out.kept.felt, &out.kept.moments, &out.kept.force, &out.kept.over}
	bytes := 0
	for _, v := range parts {
		bytes += v.bytes(device.SizeOf[T]())
	}
	if !f.settled() || bytes == 0 || !f.captured(c.holdCapture(to, bytes)) || to.room.Size() < bytes {
		return nil
	}
	at := 0
	for _, v := range parts {
		n := v.bytes(device.SizeOf[T]())
		if n == 0 {
			continue
		}
		if err := f.stream.CopyWithin(to.room.Memory, at, v.from.Memory, v.from.At, n); err != nil {
			f.fail(err)
			return nil
		}
		v.from = device.At(to.room.Memory, at)
		at += n
	}
	if err := to.Set(f.stream); err != nil {
		f.fail(err)
		return nil
	}
	return out
}

// bytes are those of all components of numbers of a size.
func (v *vectors) bytes(size int) int { return v.components * v.stride * size }

// holdCapture makes room for so many bytes, if the device has it.
func (c *couplingReader[T]) holdCapture(to *couplingCapture, bytes int) error {
	if to.room.Size() < bytes && !c.fluid.haveRoom(bytes) {
		return nil
	}
	if err := to.Open(c.work.Context, &c.fluid.background); err != nil {
		return err
	}
	most := max(c.markers.count, c.support.stride)
	if err := to.Through.ReserveHost(&to.Readback, c.work.Context, device.PieceBytes(most, device.SizeOf[T]())); err != nil {
		return err
	}
	_, err := to.room.Reserve(c.work.Context, bytes, 1)
	return err
}

// capturedReading is a hybrid.CapturedReading.
type capturedReading[T lbm.Float] struct {
	of       *couplingCapture
	step     int64
	kept     kept
	released bool
}

// Read copies it out.
func (r *capturedReading[T]) Read(to hybrid.Reading[T]) error {
	err := r.of.Do(func() error {
		return eachVector(&r.kept, &to, func(from device.Slot, to []T) error { return device.ReadOut(&r.of.Readback, from, to) })
	})
	if err != nil {
		return fmt.Errorf("step %d, copying out what bodies did: %w", r.step, err)
	}
	return nil
}

// Release lets its memory be used again.
func (r *capturedReading[T]) Release() {
	if !r.released {
		r.released = true
		r.of.Release()
	}
}

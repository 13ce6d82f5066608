package cuda

import (
	"fmt"

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
	from          Slot
	components    int
	count, stride int
}

// kept is where that is now.
func (c *Coupling[T]) kept() kept {
	m, s := &c.markers, &c.support
	k := kept{
		push: vectors{Slot{m.push.Memory, 0}, c.dim, m.count, m.count}, felt: vectors{Slot{m.felt.Memory, 0}, 1 + c.dim, m.count, m.count},
		moments: vectors{Slot{s.moments.Memory, 0}, 1 + c.dim, s.count, s.stride}, force: vectors{Slot{s.force.Memory, 0}, c.dim, s.count, s.stride},
	}
	if c.slots.eddies {
		k.over = vectors{m.over, 1, m.count, m.count}
	}
	return k
}

// eachVector calls do with the place of every component that is wanted and where it goes.
func eachVector[T lbm.Float](k *kept, r *hybrid.Reading[T], do func(from Slot, to []T) error) error {
	for _, part := range []struct {
		to   [][]T
		from vectors
	}{{r.Push, k.push}, {r.Felt, k.felt}, {r.Moments, k.moments}, {r.Force, k.force}} {
		v := part.from
		for a, to := range part.to {
			if err := do(Slot{v.from.Memory, v.from.At + a*v.stride*sizeOf[T]()}, to[:v.count]); err != nil {
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
func (c *Coupling[T]) Read(r hybrid.Reading[T]) error {
	if !c.fluid.settled() {
		return c.fluid.err
	}
	k := c.kept()
	if err := eachVector(&k, &r, func(from Slot, to []T) error { return copyOut(c.work.stream, to, from) }); err != nil {
		return err
	}
	return c.work.stream.Synchronize()
}

// couplingCapture is room for what one Correct kept, and its way to the host.
type couplingCapture struct {
	drain
	room room
}

func (c *couplingCapture) close() {
	c.drain.close()
	c.room.Free()
}

// Capture sets aside what the last Correct kept; see hybrid.DeviceCoupling.
func (c *Coupling[T]) Capture() hybrid.CapturedReading[T] {
	f := c.fluid
	var to *couplingCapture
	for i := range c.captures {
		if !c.captures[i].taken.Load() {
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
		bytes += v.bytes(sizeOf[T]())
	}
	if !f.settled() || bytes == 0 || !f.captured(c.holdCapture(to, bytes)) || to.room.size() < bytes {
		return nil
	}
	at := 0
	for _, v := range parts {
		n := v.bytes(sizeOf[T]())
		if n == 0 {
			continue
		}
		if err := f.stream.CopyWithin(to.room.Memory, at, v.from.Memory, v.from.At, n); err != nil {
			f.fail(err)
			return nil
		}
		v.from = Slot{to.room.Memory, at}
		at += n
	}
	if err := to.set(f.stream); err != nil {
		f.fail(err)
		return nil
	}
	return out
}

// bytes are those of all components of numbers of a size.
func (v *vectors) bytes(size int) int { return v.components * v.stride * size }

// holdCapture makes room for so many bytes, if the device has it.
func (c *Coupling[T]) holdCapture(to *couplingCapture, bytes int) error {
	if to.room.size() < bytes && !c.fluid.haveRoom(bytes) {
		return nil
	}
	if err := to.open(c.work.context, &c.fluid.captures.aside); err != nil {
		return err
	}
	most := max(c.markers.count, c.support.stride)
	if err := to.way.holdHost(&to.drain, c.work.context, flowBytes(most, sizeOf[T]())); err != nil {
		return err
	}
	_, err := to.room.hold(c.work.context, bytes, 1)
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
	err := r.of.do(func() error {
		return eachVector(&r.kept, &to, func(from Slot, to []T) error { return drainOut(&r.of.drain, from, to) })
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
		r.of.release()
	}
}

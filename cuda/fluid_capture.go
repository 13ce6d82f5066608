package cuda

import (
	"fmt"
	"unsafe"

	"lbmib/cuda/device"
	"lbmib/cuda/driver"
	"lbmib/lbm"
)

// Captures: populations, or density and velocity of boxes, are copied to other device
// memory by the fluid's stream, in the order of what was asked for, and from there to the
// host by a stream of their own, while the fluid's goes on. Nobody waits but who wants to
// have them on the host.

// fluidCaptures are those of either kind. Their memory is kept from one to the next.
type fluidCaptures struct {
	state struct {
		device.Readback
		lattice, ghosts *driver.Memory
		pressure, gains *driver.Memory // of a vessel
		args            *driver.Args
	}
	boxes struct {
		device.Readback
		room device.Buffer
		args *driver.Args
	}
}

var _ lbm.Capturer[float64] = (*Fluid[float64])(nil)

// haveRoom tells whether memory for a capture may be taken.
func (f *stepper[T]) haveRoom(bytes int) bool {
	free, total, err := f.context.MemoryInfo()
	f.fail(err)
	return err == nil && RoomToCapture(int64(bytes), int64(free), int64(total))
}

// captured tells whether what a capture needs could be had. A lack of memory is none of
// the fluid's failures.
func (f *Fluid[T]) captured(err error) bool {
	if err != nil && !driver.IsOutOfMemory(err) {
		f.fail(err)
	}
	return err == nil
}

// CaptureState sets the state aside; see lbm.Capturer.
func (f *Fluid[T]) CaptureState() lbm.CapturedState[T] {
	c := &f.captures.state
	c.Begin()
	if !f.settled() || !f.captured(f.holdState()) || c.lattice == nil {
		return nil
	}
	if err := f.copyState(); err != nil {
		f.fail(err)
		return nil
	}
	return &capturedState[T]{f: f, steps: f.steps, view: f.scheme.stored(f.phase)}
}

// holdState makes room for a copy of the state, if the device has it.
func (f *Fluid[T]) holdState() (err error) {
	c := &f.captures.state
	if c.lattice != nil {
		return nil
	}
	n := f.needs
	if !f.haveRoom(int(n.Capture)) {
		return nil
	}
	if err := c.Open(f.context, &f.background); err != nil {
		return err
	}
	bytes := max(device.PieceBytes(f.cfg.Nodes(), device.SizeOf[T]()), device.PieceBytes(1, device.SizeOf[openState]()))
	if err := c.Through.Reserve(&c.Readback, f.context, bytes); err != nil {
		return err
	}
	if f.open.outflow && c.ghosts == nil {
		if c.ghosts, err = f.alloc(f.open.nodes * device.SizeOf[openState]()); err != nil {
			return err
		}
	}
	if m := &f.vessel.memory; f.vessel.vesselTables != nil {
		if c.pressure == nil {
			if c.pressure, err = f.alloc(m.pressure.Bytes()); err != nil {
				return err
			}
		}
		if c.gains == nil {
			if c.gains, err = f.alloc(m.gains.Bytes()); err != nil {
				return err
			}
		}
	}
	c.args = driver.NewArgs(latticeArgs + 5)
	c.lattice, err = f.alloc(f.grid.bytes())
	return err
}

// copyState queues the copies of populations and of open faces' ghosts.
func (f *Fluid[T]) copyState() error {
	c := &f.captures.state
	if err := f.advanceOutflows(); err != nil {
		return err
	}
	if err := f.stream.CopyWithin(c.lattice, 0, f.lattice[f.now], 0, f.grid.bytes()); err != nil {
		return err
	}
	if f.open.outflow {
		if err := f.stream.CopyWithin(c.ghosts, 0, f.open.state[f.steps&1], 0, c.ghosts.Bytes()); err != nil {
			return err
		}
	}
	if m := &f.vessel.memory; f.vessel.vesselTables != nil {
		if err := f.stream.CopyWithin(c.pressure, 0, m.pressure, 0, m.pressure.Bytes()); err != nil {
			return err
		}
		if err := f.stream.CopyWithin(c.gains, 0, m.gains, 0, m.gains.Bytes()); err != nil {
			return err
		}
	}
	return c.Set(f.stream)
}

// capturedState is a lbm.CapturedState. It reads nothing of the fluid that changes.
type capturedState[T lbm.Float] struct {
	f        *Fluid[T]
	steps    int64
	view     view
	released bool
}

func (s *capturedState[T]) Steps() int64 { return s.steps }

// failed says of which state an error is.
func (s *capturedState[T]) failed(err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("step %d, copying out the state: %w", s.steps, err)
}

// Population copies out one direction.
func (s *capturedState[T]) Population(i int, dst []T) error {
	f, c := s.f, &s.f.captures.state
	return s.failed(c.Do(func() error {
		return device.StreamOut(&c.Through, c.Stream, f.cfg.Nodes(), 1, func(first, n int, to device.Slot) (device.Slot, error) {
			a := device.Setter{Args: c.args}
			f.setCopy(&a, c.lattice, s.view).Int64(first).Int64(n).Int32(i).Int32(1).Pointer(to.Memory, to.At)
			return to, device.OverNodes(c.Stream, f.kernels.copyOut, n, a.Args)
		}, func(first, n int, values []T) { copy(dst[first:], values) })
	}))
}

// OpenFaces is the memory of outflow faces, or of a vessel.
func (s *capturedState[T]) OpenFaces() (all []float64, err error) {
	f, c := s.f, &s.f.captures.state
	if f.vessel.vesselTables != nil {
		err = c.Do(func() error {
			all, err = f.vessel.vesselMemory(c.pressure, c.gains, func(to unsafe.Pointer, from *driver.Memory, bytes int) error {
				return device.ReadOut(&c.Readback, device.At(from, 0), unsafe.Slice((*byte)(to), bytes))
			})
			return err
		})
		return all, s.failed(err)
	}
	if !f.open.outflow {
		return nil, nil
	}
	states := make([]openState, f.open.nodes)
	err = c.Do(func() error { return device.ReadOut(&c.Readback, device.At(c.ghosts, 0), states) })
	if err != nil {
		return nil, s.failed(err)
	}
	f.overOutflows(states, func(of []openState) {
		for _, g := range of {
			all = append(all, g[:]...)
		}
	})
	return all, nil
}

// Release lets the copy be overwritten.
func (s *capturedState[T]) Release() {
	if !s.released {
		s.released = true
		s.f.captures.state.Release()
	}
}

// CaptureBoxes sets density and velocity of boxes aside; see lbm.Capturer.
func (f *Fluid[T]) CaptureBoxes(boxes []lbm.Box) lbm.CapturedBoxes[T] {
	c := &f.captures.boxes
	c.Begin()
	out := &capturedBoxes[T]{f: f, steps: f.Steps()}
	most := 0
	for _, b := range boxes {
		out.boxes, out.at = append(out.boxes, b), append(out.at, out.bytes)
		n := b.Nodes()
		most = max(most, n)
		out.bytes += device.RoundUp(int(CaptureBytes(f.cfg.Lattice, int64(n), device.SizeOf[T]())), device.StageAlign)
	}
	if !f.settled() || !f.captured(f.holdBoxes(out.bytes, most)) || c.room.Size() < out.bytes || most == 0 {
		return nil
	}
	if err := f.copyBoxes(out); err != nil {
		f.fail(err)
		return nil
	}
	return out
}

// holdBoxes makes room for so many bytes of boxes of at most so many nodes, if the device
// has it.
func (f *Fluid[T]) holdBoxes(bytes, nodes int) error {
	c := &f.captures.boxes
	if c.room.Size() < bytes && !f.haveRoom(bytes-c.room.Size()) {
		return nil
	}
	if err := c.Open(f.context, &f.background); err != nil {
		return err
	}
	if c.args == nil {
		c.args = driver.NewArgs(latticeArgs + 11)
	}
	if err := c.Through.ReserveHost(&c.Readback, f.context, device.PieceBytes(nodes, device.SizeOf[T]())); err != nil {
		return err
	}
	if c.room.Size() >= bytes {
		return nil
	}
	if err := c.room.Free(); err != nil {
		return err
	}
	c.room.Memory = nil
	m, err := f.context.Alloc(bytes)
	c.room.Memory = m
	return err
}

// copyBoxes queues what gathers boxes.
func (f *Fluid[T]) copyBoxes(to *capturedBoxes[T]) error {
	c := &f.captures.boxes
	for k, b := range to.boxes {
		s := device.Setter{Args: c.args}
		f.setLattice(&s)
		f.setBox(&s, b.Lo, [3]int{b.Hi[0] - b.Lo[0], b.Hi[1] - b.Lo[1], b.Hi[2] - b.Lo[2]})
		s.Int64(0).Int64(b.Nodes()).Pointer(c.room.Memory, to.at[k])
		device.SetReals(&s, f.rates.Accel[:]...)
		if err := f.overNodes(f.kernels.box, b.Nodes(), s.Args); err != nil {
			return err
		}
	}
	return c.Set(f.stream)
}

// capturedBoxes is a lbm.CapturedBoxes.
type capturedBoxes[T lbm.Float] struct {
	f        *Fluid[T]
	steps    int64
	boxes    []lbm.Box
	at       []int // where they lie
	bytes    int   // all
	released bool
}

// Box copies out a box.
func (s *capturedBoxes[T]) Box(k int, rho []T, u [][]T) error {
	c := &s.f.captures.boxes
	n := s.boxes[k].Nodes()
	err := c.Do(func() error {
		for a, to := range append([][]T{rho}, u...) {
			if to == nil {
				continue
			}
			if err := device.ReadOut(&c.Readback, device.At(c.room.Memory, s.at[k]+a*n*device.SizeOf[T]()), to[:n]); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return fmt.Errorf("step %d, copying out fields: %w", s.steps, err)
	}
	return nil
}

// Release lets the copies be overwritten.
func (s *capturedBoxes[T]) Release() {
	if !s.released {
		s.released = true
		s.f.captures.boxes.Release()
	}
}

// close waits for drains under way and frees what they use.
func (c *fluidCaptures) close() {
	c.state.Close()
	c.boxes.Close()
	c.boxes.room.Free()
}

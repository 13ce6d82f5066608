package cuda

import (
	"lbmib/cuda/device"
	"lbmib/cuda/driver"
	"lbmib/geometry"
	"lbmib/hybrid"
)

// Look queues the faults' way to the host, and forgets them on the device.
func (c *Cells[T]) Look() error {
	f := c.fluid
	if !f.settled() {
		return f.err
	}
	if err := f.stream.CopyFrom(c.found.Pointer(0), c.faults, 0, c.faults.Bytes()); err != nil {
		return f.fail(err)
	}
	if err := f.stream.Zero(c.faults, 0, c.faults.Bytes()); err != nil {
		return f.fail(err)
	}
	return f.fail(f.stream.Record(c.looked))
}

// Faults waits for what the last Look was to find.
func (c *Cells[T]) Faults() (hybrid.DeviceFaults, error) {
	found := hybrid.DeviceFaults{Outside: -1, InSolid: -1}
	f := c.fluid
	if f.err != nil {
		return found, f.err
	}
	if err := c.looked.Synchronize(); err != nil {
		return found, f.fail(device.KernelError(f.stream, err))
	}
	of := driver.View[uint32](c.found, 0, len(c.cells))
	for i, bits := range of {
		found.Doubtful = found.Doubtful || bits&membraneDoubtful != 0
		if bits&membraneOutside != 0 && found.Outside < 0 {
			found.Outside = i
		}
		if bits&membraneInSolid != 0 && found.InSolid < 0 {
			found.InSolid = i
		}
	}
	return found, nil
}

// Read gives the cells what the device has of them.
func (c *Cells[T]) Read() error {
	f := c.fluid
	if !f.settled() {
		return f.err
	}
	x, of := make([]geometry.Vec, c.points), [3][]T{}
	if err := device.CopyOut(f.stream, x, device.At(c.position, 0)); err != nil {
		return f.fail(err)
	}
	for i, from := range []*driver.Memory{c.velocity[c.now], c.velocity[c.now^1], c.force} {
		of[i] = make([]T, 3*c.points)
		if err := device.CopyOut(f.stream, of[i], device.At(from, 0)); err != nil {
			return f.fail(err)
		}
	}
	if err := f.stream.Synchronize(); err != nil {
		return f.fail(err)
	}
	for _, cell := range c.cells {
		n := copy(cell.Points(), x)
		x = x[n:]
		for i, to := range [3][]geometry.Vec{cell.Velocities(), cell.Past(), cell.Force()} {
			for k := range to {
				for a := range 3 {
					to[k][a] = float64(of[i][a*c.points+k])
				}
			}
			of[i] = of[i][n:]
		}
	}
	return nil
}

// ReadForces stores density and force density of nodes.
func (c *Cells[T]) ReadForces(nodes []int32, rho []T, force [][]T) error {
	f, count := c.fluid, len(nodes)
	if !f.settled() || count == 0 {
		return f.err
	}
	list, err := f.listed(nodes)
	if err != nil {
		return f.fail(err)
	}
	values := 4 * count
	if err := f.exchange.out.Reserve(f, f.context, values*device.SizeOf[T]()); err != nil {
		return f.fail(err)
	}
	s := &device.Setter{Args: c.forced.Args}
	s.Pointer(list, 0).Int64(count).Pointer(c.transfer.Sites[0].Listed().Marked, 0).Pointer(f.forces.field, 0).Int64(f.cfg.Nodes()).Pointer(f.exchange.out.Device, 0)
	if err := f.overNodes(c.forced.Function, count, s.Args); err != nil {
		return f.fail(err)
	}
	if err := f.bring(values); err != nil {
		return f.fail(err)
	}
	from, err := f.brought(values)
	if err != nil {
		return f.fail(err)
	}
	copy(rho, from)
	for a := range force {
		copy(force[a], from[(1+a)*count:])
	}
	return nil
}

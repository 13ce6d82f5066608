package backend

import (
	"fmt"
	"slices"

	"lbmib/cuda"
	"lbmib/hybrid"
	"lbmib/internal/mpi"
	"lbmib/lbm"
	"lbmib/lbm/joined"
)

// devices makes parts of a fluid on this rank's device.
type devices[T lbm.Float] struct {
	device *Device
	made   []*cuda.Fluid[T]
}

// openDevices opens the device of this rank: ranks on one machine take those that it has in turn.
func openDevices[T lbm.Float](r *Request) (*devices[T], error) {
	if r.Device != nil {
		return &devices[T]{device: r.Device}, nil
	}
	turn := 0
	if r.Ranks != nil {
		turn, _ = mpi.Local(r.Ranks.Comm)
	}
	device, err := openDevice(turn)
	if err != nil {
		return nil, asked(*r, err)
	}
	return &devices[T]{device: device}, nil
}

// part makes one.
func (d *devices[T]) part(cfg lbm.Config) (lbm.Fluid[T], error) {
	f, err := NewFluid[T](d.device, cfg)
	if err != nil {
		return nil, err
	}
	d.made = append(d.made, f)
	return f, nil
}

// close frees the parts, and the device if it was opened for them.
func (d *devices[T]) close(r *Request) {
	for _, f := range d.made {
		f.Close()
	}
	if r.Device == nil {
		d.device.Close()
	}
}

// inParts makes the simulation of a request whose grid is divided into parts on devices.
func inParts[T lbm.Float](r Request) (*Chosen[T], error) {
	on, err := openDevices[T](&r)
	if err = r.agree(err); err != nil {
		return nil, err
	}
	c := &Chosen[T]{DeviceName: on.device.Info().Name, request: r, device: on.device, on: on}
	if r.Ranks != nil {
		c.parts, err = joined.NewShared(r.Flow, r.Parts, *r.Ranks, on.part)
	} else {
		c.parts, err = joined.New(r.Flow, r.Parts, on.part)
	}
	if err == nil {
		err = c.couple(c.parts, hybrid.Plan[T]{Schedule: r.Schedule})
	}
	if err != nil {
		c.Close()
		return nil, err
	}
	return c, nil
}

// agree has all ranks know whether each has what its parts are to be on.
func (r *Request) agree(err error) error {
	if r.Ranks == nil {
		return err
	}
	return mpi.AgreeError(r.Ranks.Comm, err)
}

// Serve makes this rank's parts of the fluid of a request whose simulation rank 0 chooses, and does what that asks of them until it is closed.
func Serve[T lbm.Float](r Request) error {
	if err := r.resolve(); err != nil {
		return err
	}
	if !r.onDevices() {
		return joined.Serve(r.Flow, slices.Concat(r.Parts, r.Boxes), *r.Ranks, partOnCPU[T](&r))
	}
	on, err := openDevices[T](&r)
	if err = r.agree(err); err != nil {
		return err
	}
	defer on.close(&r)
	if err := joined.Serve(r.Flow, r.Parts, *r.Ranks, on.part); err != nil {
		return err
	}
	for _, f := range on.made {
		if err := f.Err(); err != nil {
			return fmt.Errorf("a part on %s: %w", on.device.Info().Name, err)
		}
	}
	return nil
}

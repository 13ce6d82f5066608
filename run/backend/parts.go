package backend

import (
	"errors"
	"fmt"
	"slices"

	"lbmib/cuda"
	"lbmib/hybrid"
	"lbmib/internal/mpi"
	"lbmib/internal/precompiled"
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

// openAgreed opens the device of this rank if all ranks can open theirs.
func openAgreed[T lbm.Float](r *Request) (*devices[T], error) {
	on, err := openDevices[T](r)
	if agreed := r.agree(err); agreed != nil {
		if err == nil {
			on.close(r)
		}
		return nil, agreed
	}
	return on, nil
}

// part makes one, beside those that there are, so that they can be joined on the device.
func (d *devices[T]) part(cfg lbm.Config) (lbm.Fluid[T], error) {
	var first *cuda.Fluid[T]
	if len(d.made) > 0 {
		first = d.made[0]
	}
	f, err := newFluidBeside(d.device, cfg, first)
	if err != nil {
		return nil, err
	}
	d.made = append(d.made, f)
	return f, nil
}

// wait returns when all that has been asked for is done.
func (d *devices[T]) wait() error {
	for _, f := range d.made {
		if err := f.Wait(); err != nil {
			return err
		}
	}
	return nil
}

// close frees the parts, and the device if it was opened for them.
func (d *devices[T]) close(r *Request) {
	for _, f := range slices.Backward(d.made) { // the first last, whose stream they share
		f.Close()
	}
	if r.Device == nil {
		d.device.Close()
	}
}

// inParts makes the simulation of a request whose fluid is made of grids on devices.
func inParts[T lbm.Float](r Request) (*Chosen[T], error) {
	on, err := openAgreed[T](&r)
	if err != nil {
		return nil, err
	}
	c := &Chosen[T]{DeviceName: on.device.Info().Name, request: r, device: on.device, on: on}
	var parts *joined.Fluid[T]
	if r.Ranks != nil {
		parts, err = joined.NewShared(r.Flow, r.Parts, *r.Ranks, on.part)
	} else {
		parts, err = onOneDevice(r, on)
	}
	if err == nil {
		c.parts = parts
		err = coupleParts(c, parts)
	}
	if err != nil {
		c.Close()
		return nil, err
	}
	return c, nil
}

// coupleParts puts the bodies into the fluid: on the device that has the finest grid, if it can have them and is asked to, or else by the host,
// where it may.
func coupleParts[T lbm.Float](c *Chosen[T], parts *joined.Fluid[T]) error {
	r := &c.request
	plan := hybrid.Plan[T]{Schedule: r.Schedule}
	if r.Schedule != "device" {
		return couple(c, parts, plan)
	}
	plan.Device, c.refused = coupleFinest(c, parts)
	if c.refused == nil {
		err := couple(c, parts, plan)
		var cannot *hybrid.NotPossible
		if !r.mayBeSerial || !errors.As(err, &cannot) {
			return err
		}
		c.closeBodies()
		c.refused = cannot
	}
	if !r.mayBeSerial {
		return asked(*r, fmt.Errorf("%w: use schedule serial", c.refused))
	}
	r.say("the CPU couples the bodies, after each step of the device: %s", reason(c.refused))
	r.Schedule = "serial"
	return couple(c, parts, hybrid.Plan[T]{Schedule: r.Schedule})
}

// coupleFinest is the coupling of the finest grid, of which there is one, on its device.
func coupleFinest[T lbm.Float](c *Chosen[T], parts *joined.Fluid[T]) (hybrid.DeviceCoupling[T], error) {
	finest, number := parts.Finest()
	of, ok := finest.(*cuda.Fluid[T])
	if !ok {
		return nil, errors.New("a device makes the corrections in one grid, and the finest level has several")
	}
	coupling, err := cuda.NewCoupling(c.device.library, of, c.request.Coupling)
	if err != nil {
		return nil, err
	}
	c.coupling = coupling
	return hybrid.NewPartCoupling[T](coupling, number), nil
}

// onOneDevice makes a fluid of grids that are all on this process's device, if they have room there.
func onOneDevice[T lbm.Float](r Request, on *devices[T]) (*joined.Fluid[T], error) {
	r.Device = on.device
	needs, err := needsOnDevice[T](&r)
	if err != nil {
		return nil, err
	}
	if !needs.Fits() {
		return nil, asked(r, fmt.Errorf("the grids need %.3g GB of device memory, %.3g GB are free: choose fewer nodes, streaming in place, or backend cpu", float64(needs.Device)/1e9, float64(needs.DeviceFree)/1e9))
	}
	r.Flow.Streaming = needs.Streaming
	return joined.New(r.Flow, slices.Concat(r.Parts, r.Boxes), on.part)
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
	return precompiled.Of[server[T]](servers)(r)
}

// server is a Serve of one precision; see package precompiled.
type server[T lbm.Float] func(Request) error

var servers = []any{server[float32](serve[float32]), server[float64](serve[float64])}

func serve[T lbm.Float](r Request) error {
	if err := r.resolve(); err != nil {
		return err
	}
	aide := func(f *joined.Fluid[T]) joined.Aide {
		return hybrid.NewAide[T](f, r.Coupling, r.Bodies, r.bodiesPool())
	}
	if !r.onDevices() {
		return joined.Serve(r.Flow, slices.Concat(r.Parts, r.Boxes), *r.Ranks, partOnCPU[T](&r), aide)
	}
	on, err := openAgreed[T](&r)
	if err != nil {
		return err
	}
	defer on.close(&r)
	if err := joined.Serve(r.Flow, r.Parts, *r.Ranks, on.part, aide); err != nil {
		return err
	}
	for _, f := range on.made {
		if err := f.Err(); err != nil {
			return fmt.Errorf("a part on %s: %w", on.device.Info().Name, err)
		}
	}
	return nil
}

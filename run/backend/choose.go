package backend

import (
	"errors"
	"fmt"
	"slices"
	"sync"

	"lbmib/cuda"
	"lbmib/hybrid"
	"lbmib/internal/machine"
	"lbmib/internal/precompiled"
	"lbmib/lbm"
	"lbmib/lbm/joined"
)

// CouplingError is an error of the bodies in a request, not of its fluid or of a backend.
type CouplingError struct{ Err error }

func (e *CouplingError) Error() string { return e.Err.Error() }
func (e *CouplingError) Unwrap() error { return e.Err }

// Chosen is a simulation and where it is computed.
type Chosen[T lbm.Float] struct {
	Sim *hybrid.Simulation[T]

	// DeviceName names the device, or the processor where there is none in use.
	DeviceName string

	// Why says why auto has not taken a device; empty where it has, or was not asked.
	Why string

	// What is behind these is compiled in this package alone: see package precompiled.
	request  Request
	device   *Device        // nil: none in use
	fluid    DeviceFluid[T] // nil: it is not one grid on a device
	on       partsDevice    // what makes its parts; nil: they are not on devices
	parts    closer         // that the fluid is made of; nil: it is one grid
	coupling deviceBodies   // nil: the host makes the corrections, or there are none
	cells    closer         // likewise
	refused  error          // why the device makes no corrections, if it does not
	told     bool           // which schedule auto has settled on
	closed   bool
}

// DeviceFluid is a fluid on a device.
type DeviceFluid[T lbm.Float] interface {
	lbm.Fluid[T]

	// Wait returns when all that has been asked for is done.
	Wait() error

	// PortFlow and WallFlow are those of package cuda: what flows in through a port of a vessel, and through its wall.
	PortFlow(port int) float64
	WallFlow() float64
	Close()
}

type closer interface{ Close() }

// partsDevice has the parts of a fluid.
type partsDevice interface {
	wait() error
	close(r *Request)
}

// deviceBodies has the bodies.
type deviceBodies interface {
	closer
	Strategy() string
}

// errOfBoxes is why a device is not given the runs of a fluid: what is asked of it numbers the nodes of the box.
var errOfBoxes = errors.New("a GPU needs all nodes of the box here, and only those of the fluid are stored")

// fellBack says once in a process, which may make many runs, that there is no device.
var fellBack sync.Once

// Choose makes the simulation that a request asks for, at rest. It must be closed.
//
// Where cuda or hybrid is asked for and cannot be had the error says why, and what to
// ask for instead; auto then takes the processor, and says so. An error about the bodies
// is a *CouplingError.
func Choose[T lbm.Float](r Request) (*Chosen[T], error) {
	return precompiled.Of[func(Request) (*Chosen[T], error)](choices)(r)
}

var choices = []any{newChosen[float32], newChosen[float64]}

func newChosen[T lbm.Float](r Request) (*Chosen[T], error) {
	automatic := r.Backend == "" || r.Backend == "auto"
	if err := r.resolve(); err != nil {
		return nil, err
	}
	if r.instead != "" {
		r.say("%s", r.instead)
	}
	if r.Flow.Inside != nil && r.Backend != "cpu" {
		if !automatic {
			return nil, asked(r, errOfBoxes)
		}
		r.Backend, r.Schedule = "cpu", "serial"
		c, err := onCPU[T](r)
		if err == nil {
			c.Why = r.Why
		}
		return c, err
	}
	switch {
	case r.onDevices():
		return inParts[T](r)
	case r.Backend == "cpu":
		return onCPU[T](r)
	}
	c, err := onDevice[T](r)
	var wrong *variableError
	var coupling *CouplingError
	if err == nil || !automatic || errors.As(err, &wrong) || errors.As(err, &coupling) {
		return c, err
	}
	why := reason(err)
	if r.Say != nil && Explain(err).Found { // a machine without a driver is no news
		fellBack.Do(func() { r.say("no GPU in use, computing on the CPU: %s", why) })
	}
	r.Backend, r.Schedule = "cpu", "serial"
	if c, err = onCPU[T](r); err == nil {
		c.Why = why
	}
	return c, err
}

func onCPU[T lbm.Float](r Request) (*Chosen[T], error) {
	fluid, err := fluidOnCPU[T](&r)
	if err != nil {
		return nil, err
	}
	c := &Chosen[T]{DeviceName: machine.CPU(), request: r}
	if parts, ok := fluid.(*joined.Fluid[T]); ok {
		c.parts = parts
	}
	if err := couple(c, fluid, hybrid.Plan[T]{Schedule: r.Schedule}); err != nil {
		c.Close()
		return nil, err
	}
	return c, nil
}

// fluidOnCPU is the fluid of a request: on one grid, or on several joined.
func fluidOnCPU[T lbm.Float](r *Request) (lbm.Fluid[T], error) {
	boxes := slices.Concat(r.Parts, r.Boxes)
	switch {
	case len(boxes) == 0:
		return lbm.New[T](r.Flow, r.Pool)
	case r.Ranks != nil:
		return joined.NewShared(r.Flow, boxes, *r.Ranks, partOnCPU[T](r))
	}
	return joined.New(r.Flow, boxes, partOnCPU[T](r))
}

// partOnCPU makes the parts of a fluid.
func partOnCPU[T lbm.Float](r *Request) joined.Maker[T] {
	return func(part lbm.Config) (lbm.Fluid[T], error) { return lbm.New[T](part, r.Pool) }
}

func onDevice[T lbm.Float](r Request) (*Chosen[T], error) {
	device, err := r.Device, error(nil)
	if device == nil {
		if device, err = OpenDevice(); err != nil {
			return nil, asked(r, err)
		}
	}
	c := &Chosen[T]{DeviceName: device.Info().Name, request: r, device: device}
	if err := prepare(c); err != nil {
		c.Close()
		return nil, err
	}
	return c, nil
}

// asked adds to the error what the user asked for.
func asked(r Request, err error) error { return fmt.Errorf("backend %s: %w", r.Backend, err) }

// prepare puts fluid and bodies on the device.
func prepare[T lbm.Float](c *Chosen[T]) error {
	r := c.request
	r.Device = c.device
	needs, err := needsOnDevice[T](&r)
	if err != nil {
		return err
	}
	r.Flow.Streaming = needs.Streaming // with room for bodies
	fluid, err := newFluidBeside[T](c.device, r.Flow, nil)
	if err != nil {
		return asked(r, err)
	}
	c.fluid = fluid
	plan := hybrid.Plan[T]{Schedule: r.Schedule}
	if r.Schedule == "device" || r.Schedule == "auto" && r.Backend == "auto" {
		if err := coupleOnDevice(c, fluid, &r, &plan); err != nil {
			return err
		}
	}
	return couple(c, fluid, plan)
}

// coupleOnDevice puts the bodies on the device, if it can have them; else refused tells why.
func coupleOnDevice[T lbm.Float](c *Chosen[T], fluid *cuda.Fluid[T], r *Request, plan *hybrid.Plan[T]) error {
	switch {
	case len(r.Coupling.Cells) > 0 && len(r.Bodies) == 0:
		cells, err := cuda.NewCells(c.device.library, fluid, r.Coupling)
		if c.refused = err; err == nil {
			c.cells, plan.Cells = cells, cells
		}
	case len(r.Bodies) > 0 && len(r.Coupling.Cells) == 0:
		coupling, err := cuda.NewCoupling(c.device.library, fluid, r.Coupling)
		if c.refused = err; err == nil {
			c.coupling, plan.Device = coupling, coupling
		}
	}
	if c.refused != nil && r.Schedule == "device" {
		return asked(*r, fmt.Errorf("%w; with the command: --backend hybrid", c.refused))
	}
	return nil
}

// couple puts the bodies into the fluid.
func couple[T lbm.Float](c *Chosen[T], fluid lbm.Fluid[T], plan hybrid.Plan[T]) error {
	r := c.request
	var err error
	c.Sim, err = hybrid.NewScheduled(fluid, r.Coupling, r.Bodies, r.bodiesPool(), plan)
	var cannot *hybrid.NotPossible
	switch {
	case err == nil:
		return nil
	case errors.As(err, &cannot):
		remedy, ok := map[string]string{"device": "--backend hybrid or --backend cpu", "pipelined": "--backend cuda or --backend cpu"}[cannot.Schedule]
		if !ok {
			remedy = "schedule serial"
		}
		return fmt.Errorf("backend %s: %w: use %s", r.Backend, err, remedy)
	}
	return &CouplingError{err}
}

// Backend is where the simulation is computed, never auto: that of the step made last.
func (c *Chosen[T]) Backend() string {
	switch {
	case c.device == nil:
		return "cpu"
	case c.on != nil: // as it was asked for
		return c.request.Backend
	case !c.request.coupled() && c.request.Backend != "hybrid", c.Schedule() == "device":
		return "cuda"
	}
	return "hybrid"
}

// Schedule is the order in which the parts of a step are done, never auto. Without bodies
// it is the one of the backend.
func (c *Chosen[T]) Schedule() string {
	if s := c.Sim.Chosen().Schedule; s != "" {
		return s
	}
	switch {
	case c.device == nil:
		return "serial"
	case c.request.Backend == "hybrid":
		return "pipelined"
	}
	return "device"
}

// Strategy is the strategy by which the bodies are coupled where that is done, empty
// without bodies.
func (c *Chosen[T]) Strategy() string {
	switch {
	case c.Schedule() != "device":
	case c.coupling != nil:
		return c.coupling.Strategy()
	case c.cells != nil:
		return "sort-reduce"
	}
	return c.Sim.Strategy()
}

// Decision is what a run that continues this one should give as Request.Earlier.
func (c *Chosen[T]) Decision() Decision { return Decision{c.Backend(), c.Schedule()} }

// Device is the device in use, nil where there is none.
func (c *Chosen[T]) Device() *Device { return c.device }

// Choice tells how the schedule was chosen, with what was measured.
func (c *Chosen[T]) Choice() hybrid.Choice {
	choice := c.Sim.Chosen()
	if c.refused != nil && choice.Reasons != nil {
		reasons := map[string]string{}
		for name, why := range choice.Reasons {
			reasons[name] = why
		}
		reasons["device"] = reason(c.refused)
		choice.Reasons = reasons
	}
	return choice
}

// Tell is for calling after every step: where auto has just settled on a schedule it
// says which, with the times, and frees what the others had. It costs nothing else.
func (c *Chosen[T]) Tell() {
	if c.told || c.request.Schedule != "auto" || !c.Sim.Chosen().Settled {
		return
	}
	c.told = true
	if c.Schedule() != "device" {
		c.closeBodies()
	}
	if c.request.coupled() {
		c.request.say("on %s, backend %s, schedule %v", c.DeviceName, c.Backend(), c.Choice())
	}
}

// Wait returns when all that has been asked for is done, for measuring; the error is that
// of the simulation.
func (c *Chosen[T]) Wait() error {
	if c.fluid != nil {
		if err := c.fluid.Wait(); err != nil {
			return err
		}
	}
	if c.on != nil {
		if err := c.on.wait(); err != nil {
			return err
		}
	}
	return c.Sim.Err()
}

// Close ends the simulation and gives the device back; what was chosen can still be asked
// for. Closing again, or nil, does nothing.
func (c *Chosen[T]) Close() {
	if c == nil || c.closed {
		return
	}
	c.closed = true
	if c.Sim != nil {
		c.Sim.Close()
	}
	if c.parts != nil {
		c.parts.Close()
	}
	c.closeBodies()
	if c.fluid != nil {
		c.fluid.Close()
	}
	switch {
	case c.on != nil:
		c.on.close(&c.request)
	case c.request.Device == nil:
		c.device.Close()
	}
}

// closeBodies frees what bodies have on the device.
func (c *Chosen[T]) closeBodies() {
	if c.coupling != nil {
		c.coupling.Close()
		c.coupling = nil
	}
	if c.cells != nil {
		c.cells.Close()
		c.cells = nil
	}
}

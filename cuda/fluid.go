package cuda

import (
	"fmt"
	"slices"
	"time"

	"lbmib/cuda/device"
	"lbmib/cuda/driver"
	"lbmib/lbm"
)

// Fluid is an lbm.Fluid on a device. Populations lie there as a structure of arrays,
// on one lattice or two; steps, corrections and uploads are queued on a stream and
// return at once, and what tells something waits for it. A step is one sweep over all
// nodes, after what boundaries write: two launches, of very large domains and of vessels with
// windkessel ports some more, and no allocation.
//
// Fluids are used by one goroutine at a time. A fault of the device is kept: all calls
// after it do nothing, see Err.
type Fluid[T lbm.Float] struct {
	access[T]
	health     fluidHealth
	captures   fluidCaptures
	reductions []*reduction[T]
	ofBox      *reduction[T] // of Momentum and Inflow
	box        [1]lbm.Box
	joints     []*joint[T] // whose values lie in its memory
}

// A fluid is made of layers, each of which embeds the one below and knows none above:
//
//	access     reads and writes populations, moments and states
//	exchanger  values and lists of nodes on their way between host and device
//	batcher    steps that wait to be queued as one graph: Step, and bringing up to date
//	stepper    one step, its times, and how far the host runs ahead
//	sweeper    the sweep over all nodes, and the moments that it leaves for a coupling
//	faces      what walls, periodic faces and open faces write before a sweep
//	core       memory, kernels and the arguments that all of their launches share

// core is the populations and what every launch needs.
type core[T lbm.Float] struct {
	cfg     lbm.Config
	context *driver.Context
	stream  *driver.Stream
	shares  bool           // the stream is another fluid's
	copies  *driver.Stream // copies beside the stream's work
	kernels fluidKernels
	grid    fluidGrid
	runs    *runs // of a storage by runs, without their tables once these are on the device; nil: a box
	tables  runTables
	needs   Needs
	scheme  fluidScheme
	work    *device.Launcher

	lattice [2]*driver.Memory // in place, the first alone
	now     int               // the lattice that holds the populations
	phase   int               // of the scheme's cycle, of the next sweep
	rates   lbm.Rates[T]      // of the step just made
	law     *driver.Memory    // their table; nil: there is none
	noise   fluidNoise
	solid   *driver.Memory // a bit per node; nil: none
	drive   lbm.Drive

	steps      int64 // queued
	err        error
	background device.BackgroundError      // of goroutines that read captures and answers
	held       []interface{ Free() error } // memory to be freed by Close
}

// faces is what is written before a sweep.
type faces[T lbm.Float] struct {
	core[T]
	boundary fluidBoundary
	open     fluidOpenFaces[T]
}

// sweeper is the sweep.
type sweeper[T lbm.Float] struct {
	faces[T]
	sweeps   []sweepLaunch // the parts of a sweep's grid
	support  fluidSupport
	forces   nodeForces
	relaxing nodeTimes[T]
	vessel   fluidVessel[T]
}

// stepper is a step. Whether it is captured into a graph is the batch's to say.
type stepper[T lbm.Float] struct {
	sweeper[T]
	times fluidTimes
	ahead fluidAhead
	batch fluidBatch
}

// batcher is steps that wait, and what precedes them.
type batcher[T lbm.Float] struct {
	stepper[T]
	lead     fluidLead
	together *cycle[T] // of the fluids that it steps with; nil: it steps by itself
}

// exchanger is the ways between host and device.
type exchanger[T lbm.Float] struct {
	batcher[T]
	lists    fluidLists
	pinnings []*driver.Host // pinned memory that is lent
	exchange fluidExchange
}

// access is what is read and written.
type access[T lbm.Float] struct{ exchanger[T] }

var (
	_ lbm.Fluid[float64]       = (*Fluid[float64])(nil)
	_ lbm.Exchanger[float64]   = (*Fluid[float64])(nil)
	_ lbm.Overlapped[float64]  = (*Fluid[float64])(nil)
	_ lbm.Lender[float64]      = (*Fluid[float64])(nil)
	_ lbm.Fallible             = (*Fluid[float64])(nil)
	_ lbm.NodeStepper[float64] = (*Fluid[float64])(nil)
	_ lbm.Relaxing[float64]    = (*Fluid[float64])(nil)
	_ lbm.RelaxesNext[float64] = (*Fluid[float64])(nil)
	_ lbm.Batched              = (*Fluid[float64])(nil)
)

// NewFluid makes a fluid at rest. Of the configuration's ways to compute, Store, Storage
// and Streaming count: two lattices are chosen where they fit, since they are swept with
// aligned accesses, else one. What does not fit into the device's free memory is
// refused before any of it is allocated. It must be closed.
func NewFluid[T lbm.Float](l *device.Library, cfg lbm.Config) (*Fluid[T], error) {
	return newFluid[T](l, cfg, nil)
}

// newFluid makes a fluid that queues its work in a stream, nil: one of its own.
func newFluid[T lbm.Float](l *device.Library, cfg lbm.Config, stream *driver.Stream) (*Fluid[T], error) {
	f := &Fluid[T]{}
	f.cfg, f.context, f.stream, f.shares = cfg, l.Context, stream, stream != nil
	if err := f.resolve(); err != nil {
		return nil, err
	}
	if err := f.prepare(l); err != nil {
		f.Close()
		return nil, err
	}
	return f, nil
}

// CheckFaces refuses open faces that a device has no kernels for.
func CheckFaces(c *lbm.Config) error {
	for side := range 2 * c.Lattice.Dim {
		kind := c.Faces[side].Kind
		if _, ok := openKinds[kind]; kind.IsOpen() && !ok {
			return fmt.Errorf("cuda: face %s is %s, whose ghosts no kernel of the device has (openface.h): choose another type, or backend cpu", lbm.FaceNames[side], kind)
		}
	}
	return nil
}

// StorageOf is the storage that a device takes for a flow: the CPU's choice (lbm.Config.StorageOf), but a box where that is open and
// a device could not store the flow by runs.
func StorageOf(c *lbm.Config) (string, error) {
	storage, err := c.StorageOf()
	if err != nil || storage == "box" {
		return storage, err
	}
	if err := CheckRuns(c); err != nil {
		if c.Storage == "runs" || len(c.Cuts) > 0 {
			return "", err
		}
		return "box", nil
	}
	return storage, nil
}

// resolve checks the configuration and makes its choices.
func (f *sweeper[T]) resolve() error {
	c := &f.cfg
	if err := c.Validate(); err != nil {
		return err
	}
	if c.Layout != "" && c.Layout != "auto" && c.Layout != "soa" {
		return fmt.Errorf("cuda: layout %q is one of the CPU's: a device has soa: choose layout auto, or backend cpu", c.Layout)
	}
	if c.Kernel != "" && c.Kernel != "auto" && c.Kernel != "cuda" {
		return fmt.Errorf("cuda: kernel %q is one of the CPU's: choose kernel auto, or backend cpu", c.Kernel)
	}
	if err := CheckFaces(c); err != nil {
		return err
	}
	size, err := storedSize[T](c)
	if err != nil {
		return err
	}
	if c.Storage, err = StorageOf(c); err != nil {
		return err
	}
	if c.Storage == "runs" {
		if f.runs, err = compileRuns(c); err != nil {
			return err
		}
	}
	vessel := int64(0)
	if len(c.Cuts) > 0 {
		if f.vessel.vesselTables, err = compileVessel[T](c, f.runs); err != nil {
			return err
		}
		vessel = f.vessel.bytes()
	}
	free, total, err := f.context.MemoryInfo()
	if err != nil {
		return err
	}
	if c.Streaming == "" || c.Streaming == "auto" {
		c.Streaming = "ab"
		if needsOf(c, size, f.runs, vessel).Total() > int64(free) {
			c.Streaming = "inplace"
		}
	}
	if f.scheme, err = newFluidScheme(c.Streaming); err != nil {
		return err
	}
	c.Layout, c.Kernel, c.Stores, c.StepsPerSweep = "soa", "cuda", "", 1
	if f.grid = newFluidGrid(c, size); f.runs != nil {
		f.grid = runGrid(c, f.runs, size)
	}
	f.needs = needsOf(c, size, f.runs, vessel)
	return f.needs.fits(c, size, int64(free), int64(total))
}

// storedSize is the bytes that a population takes.
func storedSize[T lbm.Float](c *lbm.Config) (int, error) {
	switch size := device.SizeOf[T](); {
	case c.Store == "":
		return size, nil
	case c.Store == "f16" && size == 4:
		return 2, nil
	}
	return 0, fmt.Errorf("cuda: populations of %d bytes cannot be stored as %q: half precision (f16) goes with arithmetic in single", device.SizeOf[T](), c.Store)
}

// prepare allocates, compiles the boundary and readies all launches.
func (f *Fluid[T]) prepare(l *device.Library) (err error) {
	if !f.shares {
		if f.stream, err = f.context.Stream(); err != nil {
			return err
		}
	}
	if f.copies, err = f.context.Stream(); err != nil {
		return err
	}
	accel := f.cfg.ForceAt(0)
	var operator string
	f.rates, operator = lbm.NewRates[T](f.cfg.Collision, accel, f.cfg.Forced())
	if err := f.kernels.find(l, &f.cfg, f.grid.element, operator); err != nil {
		return err
	}
	if table := f.rates.Table; table != nil {
		if f.law, err = upload(&f.core, slices.Concat(table.At[:], table.Slope[:])); err != nil {
			return err
		}
	}
	for k := range f.scheme.lattices {
		if f.lattice[k], err = f.zeroed(f.grid.bytes()); err != nil {
			return err
		}
	}
	if f.grid.element == 2 {
		if err := f.prepareNoise(l); err != nil {
			return err
		}
	}
	if err := f.uploadRuns(); err != nil {
		return err
	}
	if f.cfg.Solid != nil && f.runs == nil {
		if f.solid, err = upload(&f.core, bitsOf(f.cfg.Solid)); err != nil {
			return err
		}
	}
	for _, step := range []func() error{f.compileBoundary, f.prepareOpenFaces, f.prepareExchange, f.prepareHealth, f.prepareTimes, f.prepareAhead} {
		if err := step(); err != nil {
			return err
		}
	}
	if err := f.prepareReductions(l); err != nil {
		return err
	}
	if err := f.prepareVessel(l); err != nil {
		return err
	}
	f.prepareSweeps()
	f.prepareBatch()
	if err := f.startOpenFaces(); err != nil {
		return err
	}
	if err := f.startVessel(); err != nil {
		return err
	}
	return f.stream.Synchronize()
}

// alloc allocates memory that Close frees.
func (f *core[T]) alloc(bytes int) (*driver.Memory, error) {
	m, err := f.context.Alloc(bytes)
	if err == nil {
		f.held = append(f.held, m)
	}
	return m, err
}

func (f *core[T]) zeroed(bytes int) (*driver.Memory, error) {
	m, err := f.alloc(bytes)
	if err != nil {
		return nil, err
	}
	return m, f.stream.Zero(m, 0, bytes)
}

// pinned allocates page-locked host memory that Close frees.
func (f *core[T]) pinned(bytes int) (*driver.Host, error) {
	h, err := f.context.Pinned(bytes)
	if err == nil {
		f.held = append(f.held, h)
	}
	return h, err
}

// Close frees all that the fluid has on the device. Closing again does nothing.
func (f *Fluid[T]) Close() {
	f.batch.waiting = 0
	if f.together != nil {
		f.together.drop()
	}
	f.forgetGraphs()
	if f.stream != nil {
		f.stream.Synchronize() // errors have been kept or come too late to matter
	}
	f.captures.close()
	f.health.close()
	for _, j := range f.joints {
		j.close()
	}
	f.joints = nil
	if f.vessel.vesselTables != nil {
		f.vessel.sums.Close()
		f.vessel.wallSums.Close()
	}
	for len(f.reductions) > 0 {
		f.reductions[len(f.reductions)-1].Close()
	}
	for _, m := range f.held {
		m.Free()
	}
	f.held = nil
	f.lists.close()
	f.relaxing.changed.free()
	for _, h := range f.pinnings {
		h.Free()
	}
	f.pinnings = nil
	f.exchange.close()
	f.times.close()
	f.ahead.close()
	f.copies.Close()
	if !f.shares {
		f.stream.Close()
	}
	if f.err == nil {
		f.err = fmt.Errorf("cuda: the fluid has been closed")
	}
}

// fail keeps the first error, with the step that it came to light in, and returns it.
func (f *core[T]) fail(err error) error {
	if err != nil && f.err == nil {
		f.err = fmt.Errorf("step %d: %w", f.steps, err)
	}
	return f.err
}

// Err is the failure of the device, if it has failed; see lbm.Fallible.
func (f *batcher[T]) Err() error {
	if f.err == nil {
		f.fail(f.background.Get())
	}
	return f.err
}

// Wait returns when all that has been asked for is done; see lbm.Overlapped.
func (f *batcher[T]) Wait() error {
	if f.settled() {
		f.fail(f.stream.Synchronize())
	}
	return f.err
}

// Config is the configuration, with defaults resolved.
func (f *core[T]) Config() *lbm.Config { return &f.cfg }

// Steps is the number of steps that have been asked for.
func (f *batcher[T]) Steps() int64 { return f.steps + int64(f.batch.waiting) }

// Needs is the device memory that the fluid was said to take.
func (f *core[T]) Needs() Needs { return f.needs }

// Stream is what the fluid's work is queued on, for others that work between steps: all
// that has been asked for is queued when it returns.
func (f *batcher[T]) Stream() *driver.Stream {
	f.settle()
	return f.stream
}

// step queues a step.
func (f *stepper[T]) step() error {
	if err := f.times.begin(f.stream, f.steps, !f.batch.capturing); err != nil {
		return err
	}
	amplitude := f.amplitudes(f.steps)
	if err := f.writeBoundary(&amplitude); err != nil {
		return err
	}
	if err := f.meetWalls(); err != nil {
		return err
	}
	if err := f.times.middle(f.stream); err != nil {
		return err
	}
	if f.cfg.Acceleration != nil {
		f.rates.Accel = reals[T](f.cfg.Acceleration(float64(f.steps + 1)))
	}
	if err := f.launchSweep(); err != nil {
		return err
	}
	if f.scheme.lattices == 2 {
		f.now ^= 1
	}
	f.phase = (f.phase + 1) % len(f.scheme.cycle)
	f.open.due = f.open.outflow
	f.steps++
	return f.times.end(f.stream)
}

// amplitudes are what drives the faces in the step after so many.
func (f *core[T]) amplitudes(steps int64) (a [6]T) {
	for i, v := range f.drive.At(steps) {
		a[i] = T(v)
	}
	return a
}

// reals is v in the precision of the populations.
func reals[T lbm.Float](v [3]float64) [3]T { return [3]T{T(v[0]), T(v[1]), T(v[2])} }

// Times is what boundaries and the bulk of all steps so far have taken on the device,
// by samples.
func (f *stepper[T]) Times() (boundary, bulk time.Duration) { return f.times.split(f.steps) }

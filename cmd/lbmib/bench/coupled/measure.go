package coupled

import (
	"context"
	"fmt"
	"io"
	"math"
	"runtime"
	"time"

	"lbmib/cmd/lbmib/bench/harness"
	"lbmib/geometry"
	"lbmib/hybrid"
	"lbmib/hybrid/patch"
	"lbmib/ib"
	"lbmib/internal/machine"
	"lbmib/internal/parallel"
	"lbmib/lbm"
	"lbmib/run/backend"
)

// Bench measures rows.
type Bench = harness.Bench[Spec, Row]

// New is the benchmark on this machine; progress gets a line for every row. kernel is
// that of the fluid and of transfers; empty: the fastest.
func New(e harness.Effort, progress io.Writer, kernel string) *Bench {
	return &Bench{Effort: e, Progress: progress, Measure: harness.Each(func(ctx context.Context, l *harness.Limits, s Spec, e harness.Effort) (Row, error) {
		if s.Precision == "f32" {
			return measure[float32](ctx, l, s, e, kernel)
		}
		return measure[float64](ctx, l, s, e, kernel)
	})}
}

// measure measures one row in a precision. Its error is that of the context; all
// others are the row's.
func measure[T lbm.Float](ctx context.Context, l *harness.Limits, s Spec, e harness.Effort, kernel string) (Row, error) {
	runtime.GC() // the lattices of the last row
	r := newRow(s)
	p, err := prepare[T](l, s, kernel)
	if err != nil {
		return r.without(harness.Refused, err.Error()), nil
	}
	defer p.close()
	if s.isCrowd() { // before it has come to rest
		r.Checks = checkCrowd(p.coupled.Sim, s)
	}
	all, err := p.repeat(ctx, e, &r)
	switch {
	case backend.IsFault(err):
		return r.without(harness.Wrong, err.Error()), nil
	case err != nil:
		return r, err
	}
	if !s.isCrowd() { // once it stands
		r.Checks = check(p.coupled.Sim, s)
	}
	if what := harness.Failed(r.Checks); what != "" {
		return r.without(harness.Wrong, what), nil
	}
	r.take(all)
	r.perMarker()
	if r.TransferNS, err = transferAlone[T](l, s, e, kernel); err != nil {
		return r.without(harness.Wrong, err.Error()), nil
	}
	return r, nil
}

// transferAlone is what interpolation and spreading of a step take per marker, in ns, between
// the markers where they begin and fields of the whole domain.
func transferAlone[T lbm.Float](l *harness.Limits, s Spec, e harness.Effort, kernel string) (float64, error) {
	bodies, err := s.bodies()
	if err != nil {
		return 0, err
	}
	cfg, err := s.config()
	if err != nil {
		return 0, err
	}
	delta, err := ib.NewDelta[T](s.Delta)
	if err != nil {
		return 0, err
	}
	dim := cfg.Lattice.Dim
	grid := ib.Grid{Dim: dim, Size: cfg.Size}
	for a := range dim {
		grid.Periodic[a] = cfg.Periodic(a)
	}
	t, err := ib.NewTransfer[T](s.Algorithm, grid, delta, l.Workers(s.Threads), ib.Kernel(kernel))
	if err != nil {
		return 0, err
	}
	var x []geometry.Vec
	for _, b := range bodies {
		x = append(x, b.Markers.X...)
	}
	if err := t.SetPoints(x); err != nil {
		return 0, err
	}
	read, values := patch.Fields[T](1+dim, cfg.Nodes()), patch.Fields[T](1+dim, len(x))
	run := func(n int) (time.Duration, error) {
		begin := time.Now()
		for range n {
			t.Interpolate(values, read)
			t.Spread(read[1:], values[1:])
		}
		return time.Since(begin), nil
	}
	steps, err := harness.StepsFor(e.Step/5, run)
	if err != nil {
		return 0, err
	}
	var all []float64
	for range e.Repeats {
		taken, err := run(steps)
		if err != nil {
			return 0, err
		}
		all = append(all, taken.Seconds()*1e9/float64(steps*len(x)))
	}
	return harness.Median(all), nil
}

// pair is the stream without and with its cylinders.
type pair[T lbm.Float] struct {
	pure, coupled *backend.Chosen[T]
	pools         []*parallel.Pool // of the pair alone
}

func (p *pair[T]) close() {
	p.coupled.Close()
	p.pure.Close()
	for _, pool := range p.pools {
		pool.Close()
	}
}

func prepare[T lbm.Float](l *harness.Limits, s Spec, kernel string) (*pair[T], error) {
	p := &pair[T]{}
	err := p.prepare(l, s, kernel)
	if err != nil {
		p.close()
	}
	return p, err
}

func (p *pair[T]) prepare(l *harness.Limits, s Spec, kernel string) error {
	cfg, err := s.config()
	if err != nil {
		return err
	}
	cfg.Kernel = kernel
	bodies, err := s.bodies()
	if err != nil {
		return err
	}
	r := backend.Request{
		Backend: "cpu", Schedule: "serial", Flow: cfg, Pool: l.Workers(s.Threads),
		Coupling: hybrid.CouplingConfig{Delta: s.Delta, Transfer: s.Algorithm, Kernel: kernel, Forcing: "direct", Iterations: 1, Contact: s.contact()},
	}
	if s.Backend == "cuda" {
		r.Backend, r.Schedule = "hybrid", ""
		if r.Device, err = l.Device(); err != nil {
			return err
		}
	} else if err := fits(&s, &cfg); err != nil {
		return err
	}
	if p.pure, err = start[T](r); err != nil {
		return err
	}
	r.Bodies, r.Schedule = bodies, s.Schedule
	switch {
	case s.Backend == "cuda" && s.Schedule == "device":
		r.Backend = "cuda"
	case s.Backend == "cuda" && s.Schedule == "auto":
		r.Backend = "auto"
	case s.Backend == "cpu" && s.Schedule != "serial":
		fluid, aside := hybrid.Split(s.Threads)
		r.Pool, r.Aside = p.pool(fluid), p.pool(aside)
	}
	if p.coupled, err = start[T](r); err != nil {
		return err
	}
	if s.Backend == "cuda" && p.coupled.Device() == nil {
		return fmt.Errorf("the device lacks the memory, or the schedule, for %v", s)
	}
	return nil
}

func (p *pair[T]) pool(workers int) *parallel.Pool {
	pool := parallel.NewPool(workers)
	p.pools = append(p.pools, pool)
	return pool
}

// start makes a simulation of the stream as it is far from bodies.
func start[T lbm.Float](r backend.Request) (*backend.Chosen[T], error) {
	c, err := backend.Choose[T](r)
	if err != nil {
		return c, err
	}
	stream := func([3]float64) (float64, [3]float64) { return 1, [3]float64{streamVelocity} }
	if f, ok := c.Sim.Fluid.(lbm.Repeating); ok {
		f.InitializeRepeating([3]int{1, 1, 1}, stream)
	} else {
		c.Sim.Fluid.Initialize(stream)
	}
	return c, nil
}

// fits refuses what two fluids leave no room for.
func fits(s *Spec, cfg *lbm.Config) error {
	size := 8
	if s.Precision == "f32" {
		size = 4
	}
	if have, err := machine.Memory(); err == nil && 2*cfg.Bytes(size) > have {
		return fmt.Errorf("two fluids of %v nodes take %.3g GB, the machine has %.3g GB: choose a smaller --size", s.Size, float64(2*cfg.Bytes(size))/1e9, float64(have)/1e9)
	}
	return nil
}

// repeat measures both in turn, once auto has settled, and tells the row how.
func (p *pair[T]) repeat(ctx context.Context, e harness.Effort, r *Row) (all []sample, err error) {
	for !p.coupled.Sim.Chosen().Settled { // nothing is waited for: auto does so itself
		p.coupled.Sim.Step()
		if err := p.coupled.Sim.Err(); err != nil {
			return nil, err
		}
	}
	p.coupled.Tell()
	sim := p.coupled.Sim
	r.SupportNodes = sim.SupportNodes()
	r.Markers, r.Strategy, r.Kernel = sim.Markers(), p.coupled.Strategy(), sim.Fluid.Config().Kernel
	if d := p.coupled.Device(); d != nil {
		r.Device = d.Info().Name
	}
	if r.Schedule == "auto" {
		r.Chosen = p.coupled.Choice().String()
	}
	steps, err := harness.StepsFor(e.Step, func(n int) (time.Duration, error) { return timed(p.pure, n) })
	if err != nil {
		return nil, err
	}
	batch, _ := p.coupled.Sim.Batch()
	batch += batch & 1 // schemes go by pairs of steps
	steps = (steps + batch - 1) / batch * batch
	for range e.Repeats {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		var one sample
		if one.pure, _, err = rate(p.pure, steps); err != nil {
			return nil, err
		}
		if one.coupled, one.share, err = rate(p.coupled, steps); err != nil {
			return nil, err
		}
		if p.coupled.Schedule() != "serial" || r.Device != "" {
			one.share = 0 // host and device, or two groups of workers, are busy at the same time
		}
		all = append(all, one)
	}
	r.Steps = int64(e.Repeats) * int64(steps)
	return all, nil
}

// timed is how long some steps take, to their end.
func timed[T lbm.Float](c *backend.Chosen[T], steps int) (time.Duration, error) {
	begin := time.Now()
	for range steps {
		c.Sim.Step()
	}
	err := c.Wait()
	return time.Since(begin), err
}

// rate is that of some steps in MFLUPS, and the share of them that bodies took, after
// some that bring the lattice back to the caches and make batches ready.
func rate[T lbm.Float](c *backend.Chosen[T], steps int) (mflups, share float64, err error) {
	batch, alone := c.Sim.Batch()
	if _, err := timed(c, max(2, alone+batch)); err != nil {
		return 0, 0, err
	}
	_, _, before := c.Sim.Times()
	taken, err := timed(c, steps)
	_, _, after := c.Sim.Times()
	nodes := float64(c.Sim.Fluid.Config().Nodes())
	return nodes * float64(steps) / taken.Seconds() / 1e6, (after - before).Seconds() / taken.Seconds(), err
}

// forceBound is that of the error of a force, over the force: of sums of some thousand
// populations, a thousand times as large.
func (s *Spec) forceBound() float64 {
	if s.Precision == "f32" {
		return 2e-2
	}
	return 1e-8
}

// checkCrowd holds some step of a crowd against the fluid's momentum.
func checkCrowd[T lbm.Float](sim *hybrid.Simulation[T], spec Spec) []harness.Check {
	for range 4 {
		sim.Step()
	}
	gap, slip := momentumGap(sim)
	return []harness.Check{
		{Name: "forces on all bodies less the fluid's loss of momentum, over the forces", Value: gap, Bound: spec.forceBound()},
		{Name: "slip at a marker, over the stream's velocity", Value: slip / streamVelocity, Bound: slipBound},
	}
}

// slipBound is that of what one application leaves of a slip that is not uniform.
const slipBound = 0.3

// check holds the last step of the bodies against the fluid's own momentum.
func check[T lbm.Float](s *hybrid.Simulation[T], spec Spec) []harness.Check {
	force, slip := 0., 0.
	for _, l := range s.StepMeasured() {
		size, off := 0., 0.
		for a := range 2 {
			size += l.Force[a] * l.Force[a]
			off += (l.Force[a] - l.Balance[a]) * (l.Force[a] - l.Balance[a])
		}
		force = harness.Worse(force, math.Sqrt(off/size))
		slip = harness.Worse(slip, l.Slip)
	}
	return []harness.Check{
		{Name: "force on a body less the fluid's loss of momentum, over the force", Value: force, Bound: spec.forceBound()},
		{Name: "slip at a marker, over the stream's velocity", Value: slip / streamVelocity, Bound: slipBound},
	}
}

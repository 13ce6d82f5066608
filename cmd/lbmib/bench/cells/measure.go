package cells

import (
	"context"
	"io"
	"math"
	"runtime"
	"time"

	"lbmib/cmd/lbmib/bench/harness"
	"lbmib/hybrid"
	"lbmib/hybrid/rigid"
	"lbmib/ib"
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

// measure measures one row in a precision. Its error is that of the context; all others are
// the row's.
func measure[T lbm.Float](ctx context.Context, l *harness.Limits, s Spec, e harness.Effort, kernel string) (Row, error) {
	runtime.GC() // the lattices of the last row
	r := newRow(s)
	p, err := prepare[T](l, s, kernel)
	if err != nil {
		return r.without(harness.Refused, err.Error()), nil
	}
	defer p.close()
	r.Viscosity, r.Stiffness = p.blood.viscosity, p.blood.stiffness
	r.Kernel, r.Strategy, r.SupportNodes = p.with.Sim.Fluid.Config().Kernel, p.with.Strategy(), p.with.Sim.SupportNodes()
	drift, err := momentumDrift(p.with.Sim)
	var all []sample
	if err == nil {
		all, err = p.repeat(ctx, e, &r)
	}
	var parts parts
	if err == nil {
		parts, err = partsAlone(p, e, kernel)
	}
	if ctx.Err() != nil {
		return r, ctx.Err()
	}
	if err != nil {
		return r.without(harness.Wrong, err.Error()), nil
	}
	r.Checks = s.checks(drift, volumeChange(p.with.Sim.Cells))
	if what := harness.Failed(r.Checks); what != "" {
		return r.without(harness.Wrong, what), nil
	}
	r.take(all, parts)
	return r, nil
}

// pair is the fluid without and with the cells.
type pair[T lbm.Float] struct {
	spec        Spec
	blood       *blood
	alone, with *backend.Chosen[T]
	request     backend.Request // of that with cells
}

func (p *pair[T]) close() {
	p.with.Close()
	p.alone.Close()
}

func prepare[T lbm.Float](l *harness.Limits, s Spec, kernel string) (p *pair[T], err error) {
	if err := s.fitsHere(); err != nil {
		return nil, err
	}
	p = &pair[T]{spec: s}
	defer func() {
		if err != nil {
			p.close()
		}
	}()
	if p.blood, err = newBlood(&s); err != nil {
		return nil, err
	}
	flow, err := s.flow(p.blood.viscosity)
	if err != nil {
		return nil, err
	}
	flow.Kernel = kernel
	delta, err := ib.NewDelta[float64](s.Delta)
	if err != nil {
		return nil, err
	}
	p.request = backend.Request{Backend: "cpu", Schedule: "serial", Flow: flow, Pool: l.Workers(s.Threads),
		Coupling: hybrid.CouplingConfig{Delta: s.Delta, Transfer: strategy, Kernel: kernel, Forcing: "direct", Contact: rigid.Contact{Distance: s.Contact, Stiffness: 1},
			Offset: ib.Offset(delta, flow.Collision.Magic())}}
	if p.alone, err = backend.Choose[T](p.request); err != nil {
		return nil, err
	}
	if p.request.Coupling.Cells, err = s.cells(p.blood.membrane); err != nil {
		return nil, err
	}
	if p.with, err = backend.Choose[T](p.request); err != nil {
		return nil, err
	}
	for _, c := range []*backend.Chosen[T]{p.alone, p.with} {
		c.Sim.Fluid.Initialize(s.wave)
	}
	return p, nil
}

// strategy of interpolation and spreading.
const strategy = "auto"

// sample is what one repeat measured, in seconds per step.
type sample struct{ alone, with float64 }

// repeat measures both in turn.
func (p *pair[T]) repeat(ctx context.Context, e harness.Effort, r *Row) (all []sample, err error) {
	steps, err := harness.StepsFor(e.Step/2, func(n int) (time.Duration, error) { return timed(p.with, n) })
	if err != nil {
		return nil, err
	}
	steps += steps & 1 // schemes go by pairs of steps
	more := steps
	for range e.Repeats {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		var one sample
		if one.alone, err = perStep(p.alone, more); err != nil {
			return nil, err
		}
		if one.with, err = perStep(p.with, steps); err != nil {
			return nil, err
		}
		all = append(all, one)
		// As long as the steps with cells: at most a hundred times as many.
		more = steps * int(math.Min(100, math.Max(1, one.with/one.alone)))
	}
	r.Steps = int64(e.Repeats) * int64(steps)
	return all, nil
}

// timed is how long some steps take.
func timed[T lbm.Float](c *backend.Chosen[T], steps int) (time.Duration, error) {
	begin := time.Now()
	for range steps {
		c.Sim.Step()
	}
	err := c.Wait()
	return time.Since(begin), err
}

// perStep is the time of a step in seconds, of so many after some that bring the lattice back
// to the caches.
func perStep[T lbm.Float](c *backend.Chosen[T], steps int) (float64, error) {
	batch, after := c.Sim.Batch()
	if _, err := timed(c, max(2, after+batch)); err != nil {
		return 0, err
	}
	taken, err := timed(c, steps)
	return taken.Seconds() / float64(steps), err
}

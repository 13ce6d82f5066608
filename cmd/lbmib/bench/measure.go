package bench

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"time"

	"lbmib/cmd/lbmib/bench/harness"
	"lbmib/cuda"
	"lbmib/internal/machine"
	"lbmib/lbm"
	"lbmib/run/backend"
)

// warmSteps are not timed: they bring back to the caches what a look or a pass
// over other memory has driven out. Two, so that a pair of steps stays one.
const warmSteps = 2

// fewPeriods of a state in a domain are not worth a tile of it.
const fewPeriods = 4

// stepped is what is asked of a fluid here, as lbm.Fluid does it.
type stepped[T lbm.Float] interface {
	Config() *lbm.Config
	Step()
	Box(lo, hi [3]int, rho []T, u [][]T)
	Initialize(state func(p [3]float64) (rho float64, u [3]float64))
}

// trial is a fluid that is stepped and looked at. The flow starts anew whenever
// the theory that it is held against ends, after a look.
type trial[T lbm.Float] struct {
	fluid stepped[T]
	flow  flow
	span  int // steps from one start to the next
	since int // steps since the start
	found []harness.Check
}

// wrongFlow is the error of a flow that is not what it should be.
type wrongFlow struct{ what string }

func (e *wrongFlow) Error() string { return e.what }

func newTrial[T lbm.Float](f stepped[T], fl flow) (*trial[T], error) {
	t := &trial[T]{fluid: f, flow: fl, span: max(fl.span()&^1, 2*warmSteps)}
	return t, t.start()
}

func (t *trial[T]) start() error {
	period := t.flow.period()
	if f, ok := t.fluid.(lbm.Repeating); ok && fewPeriods*period[0]*period[1]*period[2] <= t.fluid.Config().Nodes() {
		f.InitializeRepeating(period, t.flow.state)
	} else {
		t.fluid.Initialize(t.flow.state)
	}
	t.since = 0
	return t.step(warmSteps)
}

// step takes n steps, and waits until they are made. The error is that of a device.
func (t *trial[T]) step(n int) error {
	for range n {
		t.fluid.Step()
	}
	t.since += n
	if f, ok := t.fluid.(lbm.Overlapped[T]); ok {
		return f.Wait()
	}
	return nil
}

// look holds the flow against theory and keeps the largest value of each check.
func (t *trial[T]) look() error {
	now := t.flow.check(viewOf(t.fluid), t.since)
	if t.found == nil {
		t.found = now
	}
	for i, c := range now {
		if !(c.Value/c.Bound <= t.found[i].Value/t.found[i].Bound) {
			t.found[i] = c
		}
	}
	if what := harness.Failed(now); what != "" {
		return &wrongFlow{fmt.Sprintf("the result after %d steps is wrong: %s", t.since, what)}
	}
	return nil
}

// advance takes n steps, an even number, and tells how long these took.
func (t *trial[T]) advance(ctx context.Context, n int) (taken time.Duration, err error) {
	for n > 0 {
		if t.since >= t.span {
			if err := t.look(); err != nil {
				return 0, err
			}
			if err := t.start(); err != nil {
				return 0, err
			}
		}
		if err := ctx.Err(); err != nil {
			return 0, err
		}
		m := min(n, t.span-t.since)
		begin := time.Now()
		if err := t.step(m); err != nil {
			return 0, err
		}
		taken += time.Since(begin)
		n -= m
	}
	return taken, nil
}

// repeat measures and looks.
func (t *trial[T]) repeat(ctx context.Context, m harness.Bandwidth, e harness.Effort) (all []sample, steps int64, err error) {
	n, err := harness.StepsFor(e.Step, func(n int) (time.Duration, error) { return t.advance(ctx, n) })
	if err != nil {
		return nil, 0, err
	}
	n = (n + 1) &^ 1 // even
	c := t.fluid.Config()
	for range e.Repeats {
		s := sample{copyGBs: harness.RateOf(m.Copy, e.Step/4), updateGBs: harness.RateOf(m.Update, e.Step/4)}
		if err := t.step(warmSteps); err != nil { // may exceed the span by these
			return nil, 0, err
		}
		taken, err := t.advance(ctx, n)
		if err != nil {
			return nil, 0, err
		}
		if f, ok := m.(lbm.Fallible); ok && f.Err() != nil {
			return nil, 0, f.Err()
		}
		s.mflups = float64(c.FluidNodes()) * float64(n) / taken.Seconds() / 1e6
		all, steps = append(all, s), steps+int64(n)
	}
	return all, steps, t.look()
}

// measure measures one row. Its error is that of the context; all others are
// the row's.
func measure(ctx context.Context, l *harness.Limits, s Spec, e harness.Effort) (Row, error) {
	if s.Precision == "f64" {
		return measureIn[float64](ctx, l, s, e)
	}
	return measureIn[float32](ctx, l, s, e)
}

func measureIn[T lbm.Float](ctx context.Context, l *harness.Limits, s Spec, e harness.Effort) (Row, error) {
	runtime.GC() // the lattices of the last row
	r := newRow(s)
	cfg, fl, err := s.config()
	if err != nil {
		return r.without(harness.Refused, err.Error()), nil
	}
	p, err := ready[T](l, &s, cfg)
	if err != nil {
		return r.without(harness.Refused, err.Error()), nil
	}
	defer p.close()
	r.Device = p.device
	t, err := newTrial(p.fluid, fl)
	if err != nil {
		return r.finish(nil, 0, nil, err)
	}
	all, steps, err := t.repeat(ctx, p.memory, e)
	return r.finish(all, steps, t.found, err)
}

// place is where a row is measured: a fluid, and the memory that it is in.
type place[T lbm.Float] struct {
	fluid  stepped[T]
	memory harness.Bandwidth
	device string // empty: the processor
	close  func()
}

func ready[T lbm.Float](l *harness.Limits, s *Spec, cfg lbm.Config) (p place[T], err error) {
	p.close = func() {}
	if !s.onDevice() {
		if err := fits(s, &cfg); err != nil {
			return p, err
		}
		if p.memory, err = l.Over(s.footprint(), s.Threads); err != nil {
			return p, err
		}
		if s.Streaming == push {
			p.fluid, err = newPushing[T](cfg, l.Workers(s.Threads))
		} else {
			p.fluid, err = lbm.New[T](cfg, l.Workers(s.Threads))
		}
		return p, err
	}
	d, err := l.Device()
	if err != nil {
		return p, err
	}
	if p.memory, err = l.OverDevice(s.footprint(), cuda.NeedsOf(&cfg, s.bytes()).Total()); err != nil {
		return p, err
	}
	f, err := backend.NewFluid[T](d, cfg)
	if err != nil {
		return p, err
	}
	p.fluid, p.device, p.close = f, d.Info().Name, f.Close
	return p, nil
}

// finish fills in what a trial gave.
func (r Row) finish(all []sample, steps int64, found []harness.Check, err error) (Row, error) {
	r.Checks = found
	if w := (*wrongFlow)(nil); errors.As(err, &w) {
		return r.without(harness.Wrong, w.what), nil
	} else if backend.IsFault(err) {
		return r.without(harness.Wrong, err.Error()), nil
	} else if err != nil {
		return r, err
	}
	r.Steps = steps
	r.take(all)
	return r, nil
}

// fits refuses what leaves no room for the memory on which the limits are measured.
func fits(s *Spec, cfg *lbm.Config) error {
	have, err := machine.Memory()
	if need := cfg.Bytes(s.bytes()) + s.footprint(); err == nil && need > have {
		return fmt.Errorf("%v nodes take %.3g GB, half of it to measure the bandwidth on; the machine has %.3g GB: choose a smaller --size or --precision",
			s.Size, float64(need)/1e9, float64(have)/1e9)
	}
	return nil
}

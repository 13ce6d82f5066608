package suspension

import (
	"context"
	"io"
	"math"
	"runtime"
	"time"

	"lbmib/cmd/lbmib/bench/harness"
	"lbmib/hybrid"
	"lbmib/ib/ellipsoid"
	"lbmib/internal/parallel"
	"lbmib/lbm"
)

// The fluid and the ellipsoids, lattice units: the viscosity of a relaxation time of 1, neutrally buoyant ellipsoids with the friction of spheres of their volume, and
// a repulsion that keeps them apart in such flows.
const (
	viscosity    = 1. / 6
	strength     = 1e-3
	waveVelocity = 0.02 // of the shear wave that the fluid begins with, nodes per step
	seed         = 1
)

// Bench measures rows.
type Bench = harness.Bench[Spec, Row]

// New is the benchmark on this machine; progress gets a line for every row. kernel is
// that of the fluid; empty: the fastest.
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
	defer p.with.Close()
	r.Kernel = p.with.Fluid.Config().Kernel
	drift, err := momentumDrift(p.with)
	var all []sample
	if err == nil {
		all, err = p.repeat(ctx, e, &r)
	}
	if ctx.Err() != nil {
		return r, ctx.Err()
	}
	if err != nil {
		return r.without(harness.Wrong, err.Error()), nil
	}
	r.Checks = s.checks(drift)
	if what := harness.Failed(r.Checks); what != "" {
		return r.without(harness.Wrong, what), nil
	}
	r.take(all)
	return r, nil
}

// pair is the fluid without and with the ellipsoids.
type pair[T lbm.Float] struct {
	alone lbm.Fluid[T]
	with  *hybrid.Simulation[T]
}

func prepare[T lbm.Float](l *harness.Limits, s Spec, kernel string) (*pair[T], error) {
	if err := s.fitsHere(); err != nil {
		return nil, err
	}
	flow, err := s.flow()
	if err != nil {
		return nil, err
	}
	flow.Kernel = kernel
	pool := l.Workers(s.Threads)
	system, err := s.system(pool)
	if err != nil {
		return nil, err
	}
	p := &pair[T]{}
	if p.alone, err = lbm.New[T](flow, pool); err != nil {
		return nil, err
	}
	fluid, err := lbm.New[T](flow, pool)
	if err != nil {
		return nil, err
	}
	p.alone.Initialize(s.wave)
	fluid.Initialize(s.wave)
	p.with, err = hybrid.NewSimulation(fluid, hybrid.CouplingConfig{Delta: s.Delta, Ellipsoids: system}, nil, pool)
	return p, err
}

// system is the ellipsoids of a row, packed.
func (s *Spec) system(pool *parallel.Pool) (*ellipsoid.System, error) {
	shape := s.shape()
	cfg := ellipsoid.Config{Size: s.Size.Padded(), Periodic: [3]bool{true, true, true}, Shape: shape, Mass: shape.Volume(),
		Repulsion: ellipsoid.Repulsion{Strength: strength}, Friction: ellipsoid.Stokes(math.Cbrt(shape.Equatorial*shape.Equatorial*shape.Polar), viscosity)}
	loops := parallel.Loops{Pool: pool}
	all, err := ellipsoid.New(cfg, s.Ellipsoids, loops)
	if err != nil {
		return nil, err
	}
	for a := range cfg.Size {
		cfg.Size[a] /= s.Copies
	}
	one, err := ellipsoid.New(cfg, s.Ellipsoids/(s.Copies*s.Copies*s.Copies), loops)
	if err != nil {
		return nil, err
	}
	if err := one.Pack(seed); err != nil {
		return nil, err
	}
	return all, all.Repeat(one)
}

// wave is u_x = U sin(2πz/Z).
func (s *Spec) wave(p [3]float64) (rho float64, u [3]float64) {
	return 1, [3]float64{waveVelocity * math.Sin(2*math.Pi*p[2]/float64(s.Size[2])), 0, 0}
}

// sample is what one repeat measured, in seconds per step.
type sample struct{ alone, with, forces, motion, coupling float64 }

// repeat measures both in turn.
func (p *pair[T]) repeat(ctx context.Context, e harness.Effort, r *Row) (all []sample, err error) {
	steps, err := harness.StepsFor(e.Step/2, func(n int) (time.Duration, error) {
		one, err := p.stepWith(n)
		return time.Duration(one.with * float64(n) * float64(time.Second)), err
	})
	if err != nil {
		return nil, err
	}
	steps += steps & 1 // schemes go by pairs of steps
	for range e.Repeats {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		stepAlone(p.alone, 2) // brings its lattice back to the caches
		alone := stepAlone(p.alone, steps)
		if _, err := p.stepWith(2); err != nil {
			return nil, err
		}
		one, err := p.stepWith(steps)
		if err != nil {
			return nil, err
		}
		one.alone = alone
		all = append(all, one)
	}
	r.Steps = int64(e.Repeats) * int64(steps)
	return all, nil
}

// stepAlone is the time of a step of so many, in seconds.
func stepAlone[T lbm.Float](f lbm.Fluid[T], steps int) float64 {
	begin := time.Now()
	for range steps {
		f.Step()
	}
	return time.Since(begin).Seconds() / float64(steps)
}

// stepWith is that of a step with ellipsoids, and of its parts.
func (p *pair[T]) stepWith(steps int) (one sample, err error) {
	before, begin := p.with.EllipsoidTimes(), time.Now()
	for range steps {
		if p.with.Step(); p.with.Err() != nil {
			return one, p.with.Err()
		}
	}
	per := 1 / float64(steps)
	after := p.with.EllipsoidTimes()
	return sample{
		with:     time.Since(begin).Seconds() * per,
		forces:   (after.Forces - before.Forces).Seconds() * per,
		motion:   (after.Motion - before.Motion).Seconds() * per,
		coupling: (after.Coupling - before.Coupling).Seconds() * per,
	}, nil
}

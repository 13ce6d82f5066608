package coupled

import (
	"context"
	"fmt"
	"io"
	"math"
	"runtime"
	"time"

	"lbmib/cmd/lbmib/bench/gauge"
	"lbmib/hybrid"
	"lbmib/internal/machine"
	"lbmib/lbm"
)

// Bench measures rows.
type Bench struct {
	gauge.Effort
	Progress io.Writer // a line for every row
	Kernel   string    // of the fluid and of transfers; empty: the fastest

	measure func(context.Context, Spec) (Row, error) // nil: of this machine
}

// Run measures the rows in their order, and tells the progress. An error is that
// of the context; the rows that were measured before come with it.
func (b *Bench) Run(ctx context.Context, specs []Spec) (rows []Row, err error) {
	measure := b.measure
	if measure == nil {
		var l gauge.Limits
		defer l.Close()
		measure = func(ctx context.Context, s Spec) (Row, error) {
			if s.Precision == "f32" {
				return measureIn[float32](ctx, b, &l, s)
			}
			return measureIn[float64](ctx, b, &l, s)
		}
	}
	for i, s := range specs {
		fmt.Fprintf(b.Progress, "[%d/%d] %v … ", i+1, len(specs), &s)
		r, err := measure(ctx, s)
		if err != nil {
			fmt.Fprintln(b.Progress, "interrupted")
			return rows, err
		}
		fmt.Fprintln(b.Progress, r.result())
		rows = append(rows, r)
	}
	return rows, nil
}

// measureIn measures one row in a precision. Its error is that of the context; all
// others are the row's.
func measureIn[T lbm.Float](ctx context.Context, b *Bench, l *gauge.Limits, s Spec) (Row, error) {
	runtime.GC() // the lattices of the last row
	r := newRow(s)
	pure, coupled, err := prepare[T](b, l, s)
	if err != nil {
		return r.without(gauge.Refused, err.Error()), nil
	}
	r.Markers, r.Strategy, r.Kernel = coupled.Markers(), coupled.Strategy(), coupled.Fluid.Config().Kernel
	steps := stepsFor(pure, b.Step)
	var all []sample
	for range b.Repeats {
		if err := ctx.Err(); err != nil {
			return r, err
		}
		var one sample
		one.pure, _ = rate(pure, steps)
		one.coupled, one.share = rate(coupled, steps)
		all = append(all, one)
	}
	r.Steps = int64(b.Repeats) * int64(steps)
	r.Checks = check(coupled, s)
	if what := gauge.Failed(r.Checks); what != "" {
		return r.without(gauge.Wrong, what), nil
	}
	r.take(all)
	return r, nil
}

// prepare makes the stream without and with its cylinders.
func prepare[T lbm.Float](b *Bench, l *gauge.Limits, s Spec) (pure, coupled *hybrid.Simulation[T], err error) {
	cfg, err := s.config()
	if err != nil {
		return nil, nil, err
	}
	cfg.Kernel = b.Kernel
	size := 8
	if s.Precision == "f32" {
		size = 4
	}
	if have, err := machine.Memory(); err == nil && 2*cfg.Bytes(size) > have {
		return nil, nil, fmt.Errorf("two fluids of %d×%d nodes take %.3g GB, the machine has %.3g GB: choose a smaller --size", s.Size[0], s.Size[1], float64(2*cfg.Bytes(size))/1e9, float64(have)/1e9)
	}
	bodies, err := s.bodies()
	if err != nil {
		return nil, nil, err
	}
	simulate := func(bodies []*hybrid.Body) (*hybrid.Simulation[T], error) {
		pool := l.Workers(s.Threads)
		fluid, err := lbm.New[T](cfg, pool)
		if err != nil {
			return nil, err
		}
		fluid.Initialize(func([3]float64) (float64, [3]float64) { return 1, [3]float64{velocity} })
		return hybrid.NewSimulation(fluid, hybrid.CouplingConfig{Delta: s.Delta, Transfer: s.Algorithm, Kernel: b.Kernel, Forcing: "direct", Iterations: 1}, bodies, pool)
	}
	if pure, err = simulate(nil); err != nil {
		return nil, nil, err
	}
	coupled, err = simulate(bodies)
	return pure, coupled, err
}

// stepsFor is the number of steps that take so long.
func stepsFor[T lbm.Float](s *hybrid.Simulation[T], duration time.Duration) int {
	const most = 1 << 20
	for n := 2; ; n *= 2 {
		begin := time.Now()
		for range n {
			s.Step()
		}
		if taken := time.Since(begin); taken >= duration/8 || n >= most {
			return max(2, int(float64(n)*float64(duration)/float64(max(taken, 1))))
		}
	}
}

// rate is that of some steps in MFLUPS, and the share of them that bodies took, after
// two that bring the lattice back to the caches.
func rate[T lbm.Float](s *hybrid.Simulation[T], steps int) (mflups, share float64) {
	s.Step()
	s.Step()
	_, _, before := s.Times()
	begin := time.Now()
	for range steps {
		s.Step()
	}
	taken := time.Since(begin).Seconds()
	_, _, after := s.Times()
	return float64(s.Fluid.Config().Nodes()) * float64(steps) / taken / 1e6, (after - before).Seconds() / taken
}

// check holds the last step of the bodies against the fluid's own momentum.
func check[T lbm.Float](s *hybrid.Simulation[T], spec Spec) []gauge.Check {
	gapBound := 1e-8 // roundings of some thousand populations, over a force of 1e-3 of them
	if spec.Precision == "f32" {
		gapBound = 2e-2
	}
	force, slip := 0., 0.
	for _, l := range s.StepMeasured() {
		size, off := 0., 0.
		for a := range 2 {
			size += l.Force[a] * l.Force[a]
			off += (l.Force[a] - l.Balance[a]) * (l.Force[a] - l.Balance[a])
		}
		force = gauge.Worse(force, math.Sqrt(off/size))
		slip = gauge.Worse(slip, l.Slip)
	}
	return []gauge.Check{
		{Name: "force on a body less the fluid's loss of momentum, over the force", Value: force, Bound: gapBound},
		// What one application leaves of a slip that is not uniform.
		{Name: "slip at a marker, over the stream's velocity", Value: slip / velocity, Bound: 0.3},
	}
}

package joined

import (
	"context"
	"io"
	"math"
	"runtime"
	"time"

	"lbmib/cmd/lbmib/bench/harness"
	"lbmib/lbm"
	grids "lbmib/lbm/joined"
)

// Bench measures rows.
type Bench = harness.Bench[Spec, Row]

// New is the benchmark on this machine; progress gets a line for every row. kernel is
// that of all grids; empty: the fastest.
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
	r := newRow(s)
	p, err := prepare[T](l, s, kernel)
	defer p.close()
	if err != nil {
		return r.without(harness.Refused, err.Error()), nil
	}
	r.planned(p.joined.Grids())
	r.Bytes, r.SeamBytes, r.Kernel = p.bytes, max(0, p.seamBytes), p.joined.Config().Kernel
	for i, part := range p.alone {
		r.Grids[p.level[i]].StepsPerSweep = part.Config().StepsPerSweep
	}
	if p.one != nil {
		r.OneStepsPerSweep = p.one.Config().StepsPerSweep
	} else if s.Levels == 0 {
		r.OneStepsPerSweep = r.Grids[0].StepsPerSweep
	}
	r.Checks = checkOf(&s, lbm.Fluid[T](p.joined))
	if what := harness.Failed(r.Checks); what != "" {
		return r.without(harness.Wrong, what), nil
	}
	if err := ctx.Err(); err != nil {
		return r, err
	}
	all, err := p.repeat(ctx, e, &r)
	if err != nil {
		return r, err
	}
	if err := p.joined.Err(); err != nil {
		return r.without(harness.Wrong, err.Error()), nil
	}
	if h := p.joined.Health(); !h.OK {
		return r.without(harness.Wrong, "the flow has diverged"), nil
	}
	r.take(all)
	return r, nil
}

// pair is a flow on grids that are joined, the same grids alone, and one grid.
type pair[T lbm.Float] struct {
	spec   Spec
	joined *grids.Fluid[T]
	parts  []lbm.Fluid[T] // of joined
	alone  []lbm.Fluid[T] // likewise, by themselves
	level  []int          // of each
	one    lbm.Fluid[T]   // nil: it is alone[0], or has no room
	made   *maker[T]

	bytes, seamBytes int64 // that joined takes, and more than what is alone
}

// prepare makes all of them, once they are known to have room. They must be closed, whatever the error.
func prepare[T lbm.Float](l *harness.Limits, s Spec, kernel string) (*pair[T], error) {
	p := &pair[T]{spec: s}
	m := &maker[T]{pool: l.Workers(s.Threads)}
	p.made = m
	var err error
	if s.Backend == "cuda" {
		if m.device, err = l.Device(); err != nil {
			return p, err
		}
	}
	room, err := s.fitsHere(m.device)
	if err != nil {
		return p, err
	}
	flow, err := s.flow()
	if err != nil {
		return p, err
	}
	flow.Kernel = kernel
	if err := p.join(flow, m); err != nil {
		return p, err
	}
	if s.Levels > 0 && room {
		if p.one, err = m.alone(flow); err != nil {
			return p, err
		}
		p.one.Initialize(s.vortex)
	}
	return p, nil
}

// join makes the grids joined and, of the same configurations, alone.
func (p *pair[T]) join(flow lbm.Config, m *maker[T]) error {
	m.pool.Run(func(int) {}) // workers keep what they have done last, and its lattice
	before := m.taken()
	var own []lbm.Config
	var err error
	p.joined, err = grids.New(flow, p.spec.boxes(), func(cfg lbm.Config) (lbm.Fluid[T], error) {
		part, err := m.joinable(cfg)
		own, p.parts = append(own, cfg), append(p.parts, part)
		return part, err
	})
	if err != nil {
		return err
	}
	p.bytes = m.taken() - before
	for l, level := range p.joined.Grids().Levels {
		for range level.Parts {
			p.level = append(p.level, l)
		}
	}
	before = m.taken()
	for _, cfg := range own {
		part, err := m.alone(cfg)
		if err != nil {
			return err
		}
		part.Initialize(p.spec.vortex) // any smooth state
		p.alone = append(p.alone, part)
	}
	p.seamBytes = p.bytes - (m.taken() - before)
	return nil
}

func (p *pair[T]) close() { p.made.close() }

// seams is how long seams have taken so far.
func (p *pair[T]) seams() time.Duration {
	all, _ := p.joined.Times()
	for _, part := range p.parts {
		faces, _ := part.Times()
		all -= faces
	}
	return all
}

// repeat measures all in turn.
func (p *pair[T]) repeat(ctx context.Context, e harness.Effort, r *Row) (all []sample, err error) {
	steps, err := harness.StepsFor(e.Step/3, func(n int) (time.Duration, error) { return p.timedJoined(n), ctx.Err() })
	if err != nil {
		return nil, err
	}
	cycle := p.cycle()
	steps = (steps + cycle - 1) / cycle * cycle
	ones := 2 // steps of one grid
	for range e.Repeats {
		now, err := p.once(ctx, steps, ones)
		if err != nil {
			return nil, err
		}
		all = append(all, now)
		ones = max(2, int(float64(steps)*math.Min(1, now.joined/now.one))) // as long as the others
		ones += ones & 1
	}
	r.Steps = int64(e.Repeats) * int64(steps)
	return all, nil
}

// cycle is two steps of the coarsest level, in those of the finest: schemes go by pairs.
func (p *pair[T]) cycle() int { return 2 << p.spec.Levels }

// once measures so many steps of the finest grid, and others of one grid. An interrupt is heard in between.
func (p *pair[T]) once(ctx context.Context, steps, ones int) (s sample, err error) {
	s.levels = make([]float64, p.spec.Levels+1)
	p.stepJoined(&s, steps)
	for i, part := range p.alone {
		if err := ctx.Err(); err != nil {
			return s, err
		}
		width := 1 << (p.spec.Levels - p.level[i])
		s.levels[p.level[i]] += perStep(part, steps/width, 2) / float64(width)
	}
	switch {
	case p.one != nil:
		s.one = perStep(p.one, ones, 2)
	case p.spec.Levels == 0:
		s.one = s.levels[0]
	}
	if p.made.device != nil { // samples there are of launches one by one, which wait for each other longer than in a graph
		s.seams = s.joined - s.ideal()
	}
	return s, ctx.Err()
}

// stepJoined measures some steps of the grids joined, after a cycle of them.
func (p *pair[T]) stepJoined(to *sample, steps int) {
	p.timedJoined(p.cycle())
	seams, allocated := p.seams(), mallocs()
	taken := p.timedJoined(steps)
	to.allocations = float64(mallocs()-allocated) / float64(steps)
	to.joined, to.seams = taken.Seconds()/float64(steps), (p.seams()-seams).Seconds()/float64(steps)
}

// mallocs is how often memory has been allocated so far.
func mallocs() uint64 {
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.Mallocs
}

// timedJoined is how long some steps of the grids joined take.
func (p *pair[T]) timedJoined(steps int) time.Duration {
	begin := time.Now()
	timed(p.joined, steps)
	wait(p.parts[0]) // whose device, if they are on one, has all others
	return time.Since(begin)
}

// timed is how long some steps take.
func timed[T lbm.Float](f lbm.Fluid[T], steps int) time.Duration {
	begin := time.Now()
	for range steps {
		f.Step()
	}
	wait(f)
	return time.Since(begin)
}

// wait waits for what a device has been asked for.
func wait[T lbm.Float](f lbm.Fluid[T]) {
	if o, ok := f.(lbm.Overlapped[T]); ok {
		_ = o.Wait() // it keeps its error
	}
}

// perStep is the time of a step in seconds, of so many after some that bring the lattice back
// to the caches.
func perStep[T lbm.Float](f lbm.Fluid[T], steps, after int) float64 {
	timed(f, after)
	return timed(f, steps).Seconds() / float64(steps)
}

package transfer

import (
	"context"
	"errors"
	"fmt"
	"math"
	"runtime"
	"runtime/debug"
	"time"

	"lbmib/cmd/lbmib/bench/gauge"
	"lbmib/ib"
	"lbmib/internal/machine"
)

// A strategy that is so many times slower than serial, and takes so many
// milliseconds, is measured only if it is asked for by name.
const (
	slowFactor = 10
	slowest    = 10
)

// limits are the workers and the meters by number of threads.
type limits map[int]*gauge.Limits

func (l limits) of(threads int) *gauge.Limits {
	if l[threads] == nil {
		l[threads] = &gauge.Limits{}
	}
	return l[threads]
}

func (l limits) close() {
	for _, one := range l {
		one.Close()
	}
}

// turn is a row that is measured in turn with others.
type turn[T ib.Float] struct {
	row      Row
	transfer ib.Transfer[T]
	calls    int     // so far: which placing comes next
	ms       float64 // of a call, about
	batch    int     // calls of a repeat
	samples  []sample
}

// game is a stage and all that take turns on it.
type game[T ib.Float] struct {
	*stage[T]
	effort gauge.Effort
	turns  []*turn[T]
	serial map[string]*turn[T] // what the others are compared with, by operation and order
	meters map[int]gauge.Meter
}

// measureProblem measures rows of one problem. Its error is that of the context;
// all others are the rows'.
func measureProblem(ctx context.Context, l limits, specs []Spec, e gauge.Effort) ([]Row, error) {
	if specs[0].Precision == "f64" {
		return measureIn[float64](ctx, l, specs, e)
	}
	return measureIn[float32](ctx, l, specs, e)
}

func measureIn[T ib.Float](ctx context.Context, l limits, specs []Spec, e gauge.Effort) ([]Row, error) {
	runtime.GC() // what the last problem left
	g, err := newGame[T](l, specs, e)
	if err != nil {
		rows := make([]Row, len(specs))
		for i := range specs {
			r := newRow(&specs[i])
			rows[i] = r.without(refused, err.Error())
		}
		return rows, nil
	}
	if err := g.play(ctx); err != nil {
		return nil, err
	}
	rows := make([]Row, len(specs))
	for i := range specs {
		rows[i] = g.turns[i].row
	}
	return rows, nil
}

// newGame makes the stage, the transfers and the meters.
func newGame[T ib.Float](l limits, specs []Spec, e gauge.Effort) (*game[T], error) {
	p := &specs[0].Problem
	made := map[string]ib.Transfer[T]{}
	for _, spec := range withSerial(specs) {
		made[spec.workers()] = nil
	}
	if err := fits(p, len(made)); err != nil {
		return nil, err
	}
	s, err := newStage[T](p)
	if err != nil {
		return nil, err
	}
	g := &game[T]{stage: s, effort: e, serial: map[string]*turn[T]{}, meters: map[int]gauge.Meter{}}
	for _, spec := range withSerial(specs) {
		t := &turn[T]{row: newRow(&spec)}
		g.turns = append(g.turns, t)
		workers := l.of(spec.Threads).Workers(spec.Threads)
		if g.meters[spec.Threads] == nil {
			if g.meters[spec.Threads], err = l.of(spec.Threads).Over(max(p.footprint(), int64(spec.Threads)<<20), spec.Threads); err != nil {
				return nil, err
			}
		}
		key := spec.workers()
		if made[key] == nil {
			if made[key], err = s.newTransfer(spec.Algorithm, workers); err != nil {
				t.row = t.row.without(refused, err.Error())
				continue
			}
		}
		t.transfer = made[key]
		if spec.Algorithm == "serial" {
			g.serial[spec.Op+spec.Order] = t
		}
	}
	return g, nil
}

// withSerial adds the serial rows that others are compared with.
func withSerial(specs []Spec) []Spec {
	all := append([]Spec{}, specs...)
	has := map[string]bool{}
	for _, s := range specs {
		has[s.Op+s.Order] = has[s.Op+s.Order] || s.Algorithm == "serial"
	}
	for _, s := range specs {
		if !has[s.Op+s.Order] {
			has[s.Op+s.Order] = true
			s.Algorithm, s.Threads, s.spare = "serial", 1, false
			all = append(all, s)
		}
	}
	return all
}

// workers names the transfer that rows share.
func (s *Spec) workers() string { return fmt.Sprint(s.Algorithm, s.Threads) }

// fits refuses problems beyond the machine's memory: fields with those to compare
// with, the meter's, points with their placings and weights.
func fits(p *Problem, transfers int) error {
	have, err := machine.Memory()
	values := int64(p.Components) * (3*int64(p.nodes()) + 3*int64(p.Points)) * int64(p.bytes())
	positions := int64(p.Points) * 24 * (placings + 1)
	held := int64(p.Points) * int64(2*p.Dim*ib.MaxSupport*p.bytes()+24) // by a transfer: weights and what it sorts
	need := values + 2*p.footprint() + positions + int64(transfers)*held
	if err == nil && need > have {
		return fmt.Errorf("%v take %.3g GB to measure; the machine has %.3g GB: choose a smaller --grid, fewer --points or strategies",
			p, float64(need)/1e9, float64(have)/1e9)
	}
	return nil
}

// play measures all rows and checks them.
func (g *game[T]) play(ctx context.Context) error {
	for _, first := range []bool{true, false} { // serial tells what is slow
		for _, t := range g.turns {
			if first != (t.row.Algorithm == "serial") {
				continue
			}
			if err := g.prepare(ctx, t); err != nil {
				return err
			}
		}
	}
	for range g.effort.Repeats {
		if err := g.round(ctx); err != nil {
			return err
		}
	}
	for _, order := range []string{fresh, kept} {
		if err := g.checkAll(ctx, order); err != nil {
			return err
		}
	}
	for _, t := range g.turns {
		if t.row.Status == ok {
			t.row.take(t.samples, &g.cost)
		}
	}
	return nil
}

// run makes n calls and tells how long one took. An error is that of the context; a
// refusal of the transfer becomes the row's.
func (g *game[T]) run(ctx context.Context, t *turn[T], n int) (ms float64, err error) {
	begin := time.Now()
	for range n {
		if err := ctx.Err(); err != nil {
			return 0, err
		}
		if err := g.call(t.transfer, t.row.Op, t.row.Order, t.calls); err != nil {
			t.row = t.row.without(refused, err.Error())
			return 0, nil
		}
		t.calls++
	}
	return float64(time.Since(begin).Nanoseconds()) / 1e6 / float64(n), nil
}

// prepare lets a row touch its memory, counts allocations and finds the number of
// calls of a repeat.
func (g *game[T]) prepare(ctx context.Context, t *turn[T]) error {
	if t.row.Status != ok {
		return nil
	}
	if _, err := g.run(ctx, t, placings); err != nil || t.row.Status != ok {
		return err
	}
	ms, err := g.allocations(ctx, t)
	if err != nil || t.row.Status != ok {
		return err
	}
	if s := g.serial[t.row.Op+t.row.Order]; t.row.spec.spare && s != nil && s != t && ms > slowFactor*s.ms && ms > slowest {
		t.row = t.row.without(slow, fmt.Sprintf("takes %.3g ms a call, more than %d times serial's %.3g: name it with --algorithm to measure it", ms, slowFactor, s.ms))
		return nil
	}
	t.ms, t.batch = ms, max(1, int(math.Round(g.effort.Step.Seconds()*1e3/max(ms, 1e-6))))
	return nil
}

// allocations are counted over a few calls: the fewest of three tries, as the
// runtime allocates a little of its own.
func (g *game[T]) allocations(ctx context.Context, t *turn[T]) (ms float64, err error) {
	defer debug.SetGCPercent(debug.SetGCPercent(-1))
	fewest, fastest := math.Inf(1), math.Inf(1)
	for range 3 {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		ms, err := g.run(ctx, t, placings)
		if err != nil || t.row.Status != ok {
			return 0, err
		}
		runtime.ReadMemStats(&after)
		fewest, fastest = min(fewest, float64(after.Mallocs-before.Mallocs)/placings), min(fastest, ms)
		if fewest == 0 {
			break
		}
	}
	t.row.Allocations = fewest
	return fastest, nil
}

// round measures every row once, after the copies.
func (g *game[T]) round(ctx context.Context) error {
	copies := map[int]float64{}
	for threads, m := range g.meters {
		copies[threads] = gauge.RateOf(m.Copy, g.effort.Step/4)
	}
	now := map[*turn[T]]sample{}
	for _, t := range g.turns {
		if t.row.Status != ok {
			continue
		}
		if _, err := g.run(ctx, t, 1); err != nil { // brings back what others drove out
			return err
		}
		ms, err := g.run(ctx, t, t.batch)
		if err != nil {
			return err
		}
		now[t] = sample{ms: ms, copyGBs: copies[t.row.Threads], calls: t.batch}
	}
	for t, s := range now {
		if serial, found := g.serial[t.row.Op+t.row.Order]; found && t.row.Status == ok {
			s.serialMs = now[serial].ms
			t.samples = append(t.samples, s)
		}
	}
	return nil
}

// checkAll checks the rows of an order, which share a reference: the first placing,
// or that moved a little after a call in the first.
func (g *game[T]) checkAll(ctx context.Context, order string) error {
	var r *reference[T]
	for _, t := range g.turns {
		if t.row.Status != ok || (t.row.Order == kept) != (order == kept) {
			continue
		}
		t.calls = placings - 1 // the next is the last placing, then the first
		if order == kept {
			t.calls = 0
		}
		if _, err := g.run(ctx, t, 2); err != nil {
			return err
		}
		var err error
		if r == nil {
			x := g.placed[0]
			if order == kept {
				x = g.near[1]
			}
			r, err = g.reference(x)
		}
		if err != nil {
			return errors.Join(err, errors.New("bench ib: the serial strategy refuses the points of the bench"))
		}
		t.row.Checks = append(g.checks(t.transfer, r),
			gauge.Check{Name: "allocations per call after the first ones", Value: t.row.Allocations, Bound: 0})
		if what := gauge.Failed(t.row.Checks); what != "" {
			t.row = t.row.without(wrong, what)
		}
	}
	return nil
}

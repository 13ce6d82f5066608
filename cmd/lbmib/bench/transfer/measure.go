package transfer

import (
	"context"
	"errors"
	"fmt"
	"math"
	"runtime"
	"runtime/debug"
	"slices"
	"time"

	"lbmib/cmd/lbmib/bench/harness"
	"lbmib/ib"
	"lbmib/internal/machine"
	"lbmib/run/backend"
)

// A strategy that is so many times slower than serial, and takes so many
// milliseconds, is measured only if it is asked for by name.
const (
	slowFactor = 10
	slowest    = 10
)

// turn is a row that is measured in turn with others.
type turn[T ib.Float] struct {
	row      Row
	transfer ib.Transfer[T]
	calls    int     // so far: which placing comes next
	ms       float64 // of a call, about
	batch    int     // calls of a repeat
	repeats  int
	samples  []sample
}

// game is a stage and all that take turns on it.
type game[T ib.Float] struct {
	*stage[T]
	effort harness.Effort
	turns  []*turn[T]
	serial map[string]*turn[T]       // what the others are compared with, by operation and order
	memory map[int]harness.Bandwidth // by threads; that of a device has none
	held   []*resident[T]
}

// measure measures rows of one problem. Its error is that of the context; all others are
// the rows'.
func measure(ctx context.Context, l *harness.Limits, specs []Spec, e harness.Effort) ([]Row, error) {
	if specs[0].Precision == "f64" {
		return measureIn[float64](ctx, l, specs, e)
	}
	return measureIn[float32](ctx, l, specs, e)
}

func measureIn[T ib.Float](ctx context.Context, l *harness.Limits, specs []Spec, e harness.Effort) ([]Row, error) {
	runtime.GC() // what the last problem left
	g, err := newGame[T](l, specs, e)
	if err != nil {
		rows := make([]Row, len(specs))
		for i := range specs {
			r := newRow(&specs[i])
			rows[i] = r.without(harness.Refused, err.Error())
		}
		return rows, nil
	}
	defer g.close()
	if err := g.play(ctx); err != nil {
		return nil, err
	}
	rows := make([]Row, len(specs))
	for i := range specs {
		rows[i] = g.turns[i].row
	}
	return rows, nil
}

// newGame makes the stage, the transfers and the memory of the limits.
func newGame[T ib.Float](l *harness.Limits, specs []Spec, e harness.Effort) (*game[T], error) {
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
	if slices.ContainsFunc(specs, func(s Spec) bool { return s.Order == sorted }) {
		s.line()
	}
	g := &game[T]{stage: s, effort: e, serial: map[string]*turn[T]{}, memory: map[int]harness.Bandwidth{}}
	for _, spec := range withSerial(specs) {
		t := &turn[T]{row: newRow(&spec)}
		g.turns = append(g.turns, t)
		if err := g.measureMemory(l, &spec); err != nil {
			g.close()
			return nil, err
		}
		key := spec.workers()
		if made[key] == nil {
			if made[key], err = g.transferFor(l, &spec); err != nil {
				t.row = t.row.without(harness.Refused, err.Error())
				continue
			}
		}
		if r, ok := made[key].(*resident[T]); ok {
			t.row.Device = r.device
		}
		t.transfer = made[key]
		if spec.isYardstick() {
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
		has[s.Op+s.Order] = has[s.Op+s.Order] || s.isYardstick()
	}
	for _, s := range specs {
		if !has[s.Op+s.Order] {
			has[s.Op+s.Order] = true
			s.Algorithm, s.Layout, s.Threads, s.spare, s.Backend = "serial", soa, 1, false, "cpu"
			all = append(all, s)
		}
	}
	return all
}

// isYardstick tells whether others are compared with the row.
func (s *Spec) isYardstick() bool { return s.Algorithm == "serial" && s.Layout == soa }

// workers names the transfer that rows share.
func (s *Spec) workers() string { return fmt.Sprint(s.Algorithm, s.Threads, s.Layout) }

// fits refuses problems beyond the machine's memory: fields with those to compare
// with, that of the bandwidth, points with their placings, and what transfers sort.
func fits(p *Problem, transfers int) error {
	have, err := machine.Memory()
	values := int64(p.Components) * (3*int64(p.Size.Nodes()) + 3*int64(p.Points)) * int64(p.bytes())
	positions := int64(p.Points) * 24 * (placings + 3)
	held := int64(p.Points) * 64 // by a transfer: coordinates, keys and indices, before and after sorting
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
			if first != t.row.isYardstick() {
				continue
			}
			if err := g.prepare(ctx, t); err != nil {
				return err
			}
		}
	}
	for _, t := range g.turns {
		t.repeats = g.effort.Repeats
		if g.effort.Long > 0 && (g.long(t.ms) || g.long(g.yardstick(t).ms)) {
			t.repeats = g.effort.Long
		}
	}
	for i := range g.effort.Repeats {
		if err := g.round(ctx, i); err != nil {
			return err
		}
	}
	for _, order := range []string{fresh, kept, sorted} {
		if err := g.checkAll(ctx, order); err != nil {
			return err
		}
	}
	for _, t := range g.turns {
		if t.row.Status == harness.OK {
			t.row.take(t.samples, &g.cost)
		}
	}
	return nil
}

// long tells whether a call takes longer than a repeat should.
func (g *game[T]) long(ms float64) bool { return ms > g.effort.Step.Seconds()*1e3 }

// yardstick is the serial turn that a turn is compared with.
func (g *game[T]) yardstick(t *turn[T]) *turn[T] {
	if s := g.serial[t.row.Op+t.row.Order]; s != nil {
		return s
	}
	return t // serial was refused
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
			status := harness.Refused
			if backend.IsFault(err) {
				status = harness.Wrong
			}
			t.row = t.row.without(status, err.Error())
			return 0, nil
		}
		t.calls++
	}
	if r, ok := t.transfer.(apart); ok {
		if err := r.wait(); err != nil {
			t.row = t.row.without(harness.Wrong, err.Error())
			return 0, nil
		}
	}
	return float64(time.Since(begin).Nanoseconds()) / 1e6 / float64(n), nil
}

// prepare lets a row touch its memory, counts allocations and finds the number of
// calls of a repeat.
func (g *game[T]) prepare(ctx context.Context, t *turn[T]) error {
	if t.row.Status != harness.OK {
		return nil
	}
	ms, err := g.run(ctx, t, 1)
	if err == nil && !g.long(ms) {
		ms, err = g.run(ctx, t, placings-1) // what grows grows with the largest of them
	}
	if err != nil || t.row.Status != harness.OK {
		return err
	}
	ms, err = g.allocations(ctx, t, ms)
	if err != nil || t.row.Status != harness.OK {
		return err
	}
	if s := g.yardstick(t); t.row.spare && s != t && ms > slowFactor*s.ms && ms > slowest {
		t.row = t.row.without(harness.Slow, fmt.Sprintf("takes %.3g ms a call, more than %d times serial's %.3g: name it with --algorithm to measure it", ms, slowFactor, s.ms))
		return nil
	}
	t.ms, t.batch = ms, max(1, int(math.Round(g.effort.Step.Seconds()*1e3/max(ms, 1e-6))))
	return nil
}

// allocations are counted over a few calls, or one that takes about so many
// milliseconds if that is long: the fewest of several tries, as the runtime allocates a
// little of its own now and then.
func (g *game[T]) allocations(ctx context.Context, t *turn[T], about float64) (ms float64, err error) {
	calls, begin := placings, time.Now()
	if g.long(about) {
		calls = 1
	}
	defer debug.SetGCPercent(debug.SetGCPercent(-1))
	fewest, fastest := math.Inf(1), math.Inf(1)
	for try := 0; try < 3 || try < 20 && time.Since(begin) < time.Second; try++ {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		ms, err := g.run(ctx, t, calls)
		if err != nil || t.row.Status != harness.OK {
			return 0, err
		}
		runtime.ReadMemStats(&after)
		fewest, fastest = min(fewest, float64(after.Mallocs-before.Mallocs)/float64(calls)), min(fastest, ms)
		if fewest == 0 {
			break
		}
	}
	t.row.Allocations = fewest
	return fastest, nil
}

// round measures every row that has an i-th repeat once, after the copies.
func (g *game[T]) round(ctx context.Context, i int) error {
	copies := map[int]float64{}
	for threads, m := range g.memory {
		copies[threads] = harness.RateOf(m.Copy, g.effort.Step/4)
	}
	now := map[*turn[T]]sample{}
	for _, t := range g.turns {
		if t.row.Status != harness.OK || i >= t.repeats {
			continue
		}
		if !g.long(t.ms) { // else caches are of no account
			if _, err := g.run(ctx, t, 1); err != nil { // brings back what others drove out
				return err
			}
		}
		ms, err := g.run(ctx, t, t.batch)
		if err != nil {
			return err
		}
		now[t] = sample{ms: ms, copyGBs: copies[t.row.Threads], calls: t.batch}
	}
	for t, s := range now {
		if serial, found := g.serial[t.row.Op+t.row.Order]; found && t.row.Status == harness.OK {
			s.serialMs = now[serial].ms
			t.samples = append(t.samples, s)
		}
	}
	return nil
}

// checkAll checks the rows of an order, set being new, which share a reference: where
// the points are after two calls, in the order new after three. Rows of one transfer
// share their checks as well, but for the allocations.
func (g *game[T]) checkAll(ctx context.Context, order string) error {
	var r *reference[T]
	found := map[ib.Transfer[T]][]harness.Check{}
	for _, t := range g.turns {
		if t.row.Status != harness.OK || t.row.Order != order && !(t.row.Order == set && order == fresh) {
			continue
		}
		if found[t.transfer] == nil {
			last := 1
			if order == fresh {
				last = placings - 1
			}
			t.calls = last - 1
			if _, err := g.run(ctx, t, 2); err != nil {
				return err
			}
			if t.row.Status != harness.OK {
				continue
			}
			var err error
			if r == nil {
				r, err = g.reference(g.at(order, last))
			}
			if err != nil {
				return errors.Join(err, errors.New("bench ib: the serial strategy refuses the points of the bench"))
			}
			if found[t.transfer], err = g.checksOf(t.transfer, r); err != nil {
				t.row = t.row.without(harness.Wrong, err.Error())
				continue
			}
		}
		t.row.Checks = append(slices.Clone(found[t.transfer]),
			harness.Check{Name: "allocations per call after the first ones", Value: t.row.Allocations, Bound: 0})
		if what := harness.Failed(t.row.Checks); what != "" {
			t.row = t.row.without(harness.Wrong, what)
		}
	}
	return nil
}

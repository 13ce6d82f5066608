package transfer

import (
	"cmp"
	"context"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"time"

	"lbmib/cmd/lbmib/bench/harness"
	"lbmib/cmd/lbmib/bench/relaxation"
	"lbmib/ib"
	"lbmib/validation/ib/published"
)

// TableNames are the tables that Tables knows.
var TableNames = []string{"kassen1", "kassen2", "kassen3", "kassen4", "kassen5", "ppm"}

// usualSteps are those of the tables where --steps says nothing.
const usualSteps = 50

// Shorter is what shortens tables and cases, and what narrows them.
type Shorter struct {
	Steps      int      // 0: usual
	Points     int      // 0: as published
	Algorithms []string // nil: all
	Delta      string   // of kassen3 and kassen4; empty: the paper's
	Threads    []int    // nil: all processors; of kassen2 and kassen5, their doublings
}

func (s *Shorter) steps() int { return orUsual(s.Steps, usualSteps) }

func orUsual(given, usual int) int {
	if given > 0 {
		return given
	}
	return usual
}

// strategies are those asked for, or all but the choice among them.
func (s *Shorter) strategies() []string {
	if len(s.Algorithms) > 0 {
		return s.Algorithms
	}
	return slices.DeleteFunc(ib.TransferNames(), func(n string) bool { return n == "auto" })
}

func (s *Shorter) threads() []int { return harness.OrElse(s.Threads, runtime.GOMAXPROCS(0)) }

// Tables measures the tables of the given names.
func (b *Bench) Tables(ctx context.Context, names []string, s Shorter) (tables []Table, err error) {
	var relaxed []*relaxation.State // of kassen3 and kassen4
	for _, name := range names {
		fmt.Fprintf(b.Progress, "table %s …\n", name)
		begin := time.Now()
		var t Table
		switch name {
		case "kassen1":
			t, err = b.kassen1(ctx, s)
		case "kassen2":
			t, err = b.kassen2(ctx, s)
		case "kassen3", "kassen4":
			threads := s.threads()[0]
			if relaxed == nil {
				relaxed, err = b.relaxations(ctx, cmp.Or(s.Delta, relaxation.Delta), threads)
			}
			if err == nil {
				t, err = kassen34(name, relaxed, threads)
			}
		case "kassen5":
			t, err = b.kassen5(ctx, s)
		case "ppm":
			t, err = b.ppm(ctx, s)
		}
		if err != nil {
			fmt.Fprintln(b.Progress, "interrupted")
			return tables, err
		}
		fmt.Fprintf(b.Progress, "table %s: %.0f s\n", name, time.Since(begin).Seconds())
		tables = append(tables, t)
	}
	return tables, nil
}

// run drives strategies through a case.
func (b *Bench) run(ctx context.Context, u *Unstructured, drivers []Driver) ([]Timing, error) {
	u.Kernel = b.Kernel
	return b.drive(ctx, u, drivers)
}

// Case runs a case with every strategy, on each of its grids.
func (b *Bench) Case(ctx context.Context, u *Unstructured, name string, s Shorter) (Table, error) {
	t := Table{Name: name, Title: u.Title, Steps: orUsual(s.Steps, u.Steps)}
	points := orUsual(s.Points, u.Points)
	fmt.Fprintf(b.Progress, "%s: %d points, %d steps … ", name, points, t.Steps)
	timings, err := b.run(ctx, u, drivers(u.Refinements, points, t.Steps, s))
	if err != nil {
		fmt.Fprintln(b.Progress, "interrupted")
		return t, err
	}
	fmt.Fprintln(b.Progress, "done")
	t.Notes = append(t.Notes, fmt.Sprintf("%d points, %s, %s", points, u.Delta, b.kernelText(u)), timesNote)
	t.Rows = rowsOf(timings, u.Delta, "")
	t.subtables = wide(t.Rows, u.Refinements, false)
	return t, nil
}

const timesNote = "a call has all three components and begins with SetPoints, at places that differ from those of the call before by less than a node: where a strategy sorts, the order is mended, not made anew, as in this test, the paper's own, points move little (the paper sorts in every call); median over fifths of the run, in which strategies take turns"

// kernelText names the kernel of a case's transfers.
func (b *Bench) kernelText(u *Unstructured) string {
	name, err := kernelOf[float64](b.Kernel, u.Delta, 3)
	if err != nil {
		name = b.Kernel // the transfers were refused and say why
	}
	return "kernel " + name
}

// drivers are all strategies on all grids: serial and sort-reduce on one thread, all
// but serial on all.
func drivers(refinements []int, points, steps int, s Shorter) (all []Driver) {
	for _, n := range refinements {
		for _, name := range s.strategies() {
			for _, threads := range append([]int{1}, s.threads()...) {
				single := name == "serial" || name == "sort-reduce"
				if single && threads == 1 || name != "serial" && slices.Contains(s.threads(), threads) {
					all = append(all, Driver{name, threads, n, points, steps})
				}
			}
		}
	}
	return harness.Unique(all)
}

// rowsOf are two rows for each timing.
func rowsOf(timings []Timing, delta, part string) (rows []TableRow) {
	for _, t := range timings {
		for _, op := range []string{interpolate, spread} {
			r := TableRow{
				Part: part, Op: op, Algorithm: t.Algorithm, Number: published.KassenNumber(op, t.Algorithm), Delta: delta, Dim: 3, Precision: "f64",
				Refinement: t.Refinement, Points: t.Points, Threads: t.Threads, Outcome: t.Outcome, Checks: t.Checks,
				Seconds: t.Interpolate, Speedup: t.InterpolateSpeedup,
			}
			if op == spread {
				r.Seconds, r.Speedup = t.Spread, t.SpreadSpeedup
			}
			rows = append(rows, r)
		}
	}
	slices.SortStableFunc(rows, func(a, b TableRow) int { return strings.Compare(a.Op, b.Op) })
	return rows
}

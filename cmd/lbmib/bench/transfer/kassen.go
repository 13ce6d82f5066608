package transfer

import (
	"context"
	"fmt"
	"math"
	"runtime"
	"slices"
	"strings"
	"time"

	"lbmib/cmd/lbmib/bench/harness"
	"lbmib/cmd/lbmib/bench/table"
	"lbmib/ib"
)

// TableNames are the tables that Tables knows.
var TableNames = []string{"kassen1", "kassen2", "ppm"}

// usualSteps are those of the tables where --steps says nothing.
const usualSteps = 50

// Shorter is what shortens tables and cases, and what narrows them.
type Shorter struct {
	Steps      int      // 0: usual
	Points     int      // 0: as published
	Algorithms []string // nil: all
	Threads    []int    // nil: all processors; of kassen2, their doublings
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
	for _, name := range names {
		fmt.Fprintf(b.Progress, "table %s …\n", name)
		begin := time.Now()
		var t Table
		switch name {
		case "kassen1":
			t, err = b.kassen1(ctx, s)
		case "kassen2":
			t, err = b.kassen2(ctx, s)
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
				Part: part, Op: op, Algorithm: t.Algorithm, Number: kassenNumber(op, t.Algorithm), Delta: delta, Dim: 3, Precision: "f64",
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

// kassen1 is Table 1 of the paper.
func (b *Bench) kassen1(ctx context.Context, s Shorter) (Table, error) {
	u := BuiltIn()
	points := orUsual(s.Points, u.Points)
	t := Table{Name: "kassen1", Title: "Kassen et al., Table 1: unstructured points", Source: kassenSource + ", Table 1", Steps: s.steps()}
	timings, err := b.run(ctx, u, drivers(u.Refinements, points, t.Steps, s))
	if err != nil {
		return t, err
	}
	t.Rows = rowsOf(timings, u.Delta, "")
	for i := range t.Rows {
		r := &t.Rows[i]
		r.PaperDevice = kassenMany
		if r.Algorithm == "serial" {
			r.PaperDevice = kassenOne
		}
		r.PaperSeconds = kassenSeconds(r.PaperDevice, r.Op, r.Number, r.Refinement)
		r.PaperSpeedup = kassenSpeedup(r.PaperDevice, r.Op, r.Number, r.Refinement)
		if r.PaperSeconds == 0 || r.Threads == 1 && r.Algorithm != "serial" {
			r.PaperDevice, r.PaperSeconds, r.PaperSpeedup = "", 0, 0
		}
	}
	t.Notes = append(t.Notes, fmt.Sprintf("%d points (published: %d, %d steps), %s, %s", points, kassenPoints, kassenSteps, u.Delta, b.kernelText(u)), timesNote,
		fmt.Sprintf("published times are of %s (serial) and of %s", kassenOne, kassenMany))
	t.subtables = append(wide(t.Rows, u.Refinements, true), onGPU())
	if !slices.Contains(s.strategies(), "sort-reduce") {
		return t, nil
	}
	return t, b.single(ctx, &t, points)
}

// single adds what sort-reduce takes on one thread beside serial where it has to sort:
// all points are at random new places in every call.
func (b *Bench) single(ctx context.Context, t *Table, points int) error {
	specs, err := Selection{
		Op: each(spread), Order: each(fresh), Grid: each(fmt.Sprint(kassenRefinement)), Points: each(points),
		Algorithm: each("serial", "sort-reduce"), Threads: each(1), Kernel: b.Kernel,
	}.Plan()
	if err != nil {
		return err
	}
	rows, err := b.Run(ctx, specs)
	for i := range rows {
		r := tableRow(&rows[i])
		r.Part, r.Number = "new places", kassenNumber(r.Op, r.Algorithm)
		t.Rows = append(t.Rows, r)
		if r.Algorithm == "sort-reduce" && r.Status == harness.OK {
			t.Notes = append(t.Notes, fmt.Sprintf("with all points at new places in every call, spreading by sort-reduce on one thread takes %.2f of serial's time at refinement %d, sorting included (published, where points move little and are sorted in every call: %.2f)",
				1/r.Speedup, kassenRefinement, kassenSingle))
		}
	}
	return err
}

// wide writes one line for each strategy with a column for each refinement, times and
// speed-ups apart, published ones beside them; what was not measured is left empty.
func wide(rows []TableRow, refinements []int, published bool) []subtable {
	at := func(line TableRow, refinement int) *TableRow {
		i := slices.IndexFunc(rows, func(r TableRow) bool {
			return r.Op == line.Op && r.Algorithm == line.Algorithm && r.Threads == line.Threads && r.Refinement == refinement
		})
		if i < 0 {
			return &TableRow{Outcome: harness.Outcome{Status: "–"}}
		}
		return &rows[i]
	}
	var lines []TableRow
	for _, r := range rows {
		if !slices.ContainsFunc(lines, func(l TableRow) bool {
			return r.Op == l.Op && r.Algorithm == l.Algorithm && r.Threads == l.Threads
		}) {
			lines = append(lines, r)
		}
	}
	var times, speedups table.Table
	names := []table.Column{{Title: "operation"}, {Title: "strategy"}, {Title: "algorithm"}, {Title: "threads"}}
	for _, l := range lines {
		algorithm := "–"
		if l.Number > 0 {
			algorithm = fmt.Sprint(l.Number)
		}
		for i, text := range []string{l.Op, l.Algorithm, algorithm, fmt.Sprint(l.Threads)} {
			names[i].Cells = append(names[i].Cells, text)
		}
	}
	times, speedups = append(times, names...), append(speedups, names...)
	for _, theirs := range []bool{false, true} {
		if theirs && !published {
			break
		}
		for i, n := range refinements {
			time := table.Column{Title: fmt.Sprintf("%d³", n), Quantity: true}
			speedup := time
			if i == 0 {
				time.Unit = map[bool]string{false: "here", true: "published"}[theirs]
				speedup.Unit = time.Unit
			}
			for _, l := range lines {
				r := at(l, n)
				if theirs {
					time.Cells, speedup.Cells = append(time.Cells, seconds(r.PaperSeconds)), append(speedup.Cells, ratio(r.PaperSpeedup))
				} else {
					time.Cells, speedup.Cells = append(time.Cells, r.OrState(seconds(r.Seconds))), append(speedup.Cells, ratio(r.Speedup))
				}
			}
			times, speedups = append(times, time), append(speedups, speedup)
		}
	}
	return []subtable{{"Seconds per call", times}, {"Speed-up over serial on one thread", speedups}}
}

// onGPU is what the paper says of its GPU.
func onGPU() subtable {
	s := table.Table{{Title: "operation"}, {Title: "algorithm"}}
	for _, n := range kassenRefinements {
		s = append(s, table.Column{Title: fmt.Sprintf("%d³", n), Quantity: true})
	}
	for _, n := range kassenRefinements {
		s = append(s, table.Column{Title: fmt.Sprintf("%d³ speed-up", n), Quantity: true})
	}
	for _, r := range kassenTable1 {
		if r.device != kassenGPU {
			continue
		}
		cells := []string{r.op, fmt.Sprint(r.number)}
		for _, v := range r.seconds {
			cells = append(cells, seconds(v))
		}
		for _, n := range kassenRefinements {
			cells = append(cells, ratio(kassenSpeedup(kassenGPU, r.op, r.number, n)))
		}
		for i, text := range cells {
			s[i].Cells = append(s[i].Cells, text)
		}
	}
	return subtable{"Published for a " + kassenGPU + ", seconds per call", s}
}

// kassen2 is Table 2 of the paper, weak scaling, and strong scaling.
func (b *Bench) kassen2(ctx context.Context, s Shorter) (Table, error) {
	u := BuiltIn()
	points := orUsual(s.Points, u.Points)
	t := Table{Name: "kassen2", Title: "Kassen et al., Table 2: weak and strong scaling", Source: kassenSource + ", Table 2 and section 4.1.2", Steps: s.steps()}
	if len(s.Algorithms) == 0 {
		s.Algorithms = slices.DeleteFunc([]string{"sort-reduce", "buffered", "buffered-otf"}, func(n string) bool { return !slices.Contains(ib.TransferNames(), n) })
	}
	if len(s.Threads) == 0 {
		s.Threads = harness.SomeThreads()
	}
	for _, part := range []string{"weak", "strong"} {
		var all []Driver
		for _, p := range s.Threads {
			n := points
			if part == "weak" {
				n *= p
			}
			for _, name := range s.Algorithms {
				all = append(all, Driver{name, p, kassenRefinement, n, t.Steps})
			}
		}
		timings, err := b.run(ctx, u, all)
		if err != nil {
			return t, err
		}
		t.Rows = append(t.Rows, rowsOf(timings, u.Delta, part)...)
		t.subtables = append(t.subtables, scaling(part, timings))
	}
	t.Notes = append(t.Notes, fmt.Sprintf("refinement %d, %s, %s; published times are of a %s", kassenRefinement, u.Delta, b.kernelText(u), kassenGPU), timesNote)
	t.Notes = append(t.Notes, fmt.Sprintf("published: twice the threads take 1/%.2f of the time for interpolation and 1/%.2f for spreading on CPUs", kassenDoublingInterpolate, kassenDoublingSpread))
	return t, nil
}

// scaling is the table of one part: how times change with threads.
func scaling(part string, timings []Timing) subtable {
	s := table.Table{{Title: "strategy"}, {Title: "threads", Quantity: true}, {Title: "points", Quantity: true},
		{Title: "interpolate", Unit: "s", Quantity: true}, {Title: "spread", Unit: "s", Quantity: true}}
	unit, title := "/first", "Weak scaling: points grow with the threads; times over those of the fewest threads"
	if part == "strong" {
		unit, title = "/doubling", "Strong scaling: the same points; speed-up for each doubling of the threads"
	}
	for _, name := range []string{"interpolate", "spread"} {
		s = append(s, table.Column{Title: name, Unit: unit, Quantity: true})
	}
	add := func(cells ...string) {
		for i, text := range cells {
			s[i].Cells = append(s[i].Cells, text)
		}
	}
	first := map[string]*Timing{}
	for i := range timings {
		t := &timings[i]
		if first[t.Algorithm] == nil {
			first[t.Algorithm] = t
		}
		from := first[t.Algorithm]
		compare := func(now, then float64) string {
			doublings := math.Log2(float64(t.Threads) / float64(from.Threads))
			switch {
			case now == 0 || then == 0 || doublings == 0 && part == "strong":
				return "–"
			case part == "strong":
				return ratio(math.Pow(then/now, 1/doublings))
			}
			return ratio(now / then)
		}
		if t.Status != harness.OK {
			add(t.Algorithm, fmt.Sprint(t.Threads), fmt.Sprint(t.Points), t.Status, t.Status, "–", "–")
			continue
		}
		add(t.Algorithm, fmt.Sprint(t.Threads), fmt.Sprint(t.Points), seconds(t.Interpolate), seconds(t.Spread),
			compare(t.Interpolate, from.Interpolate), compare(t.Spread, from.Spread))
	}
	if part == "strong" {
		add("published, CPU", "–", fmt.Sprint(kassenPoints), "–", "–", ratio(kassenDoublingInterpolate), ratio(kassenDoublingSpread))
		return subtable{title, s}
	}
	for _, r := range kassenTable2 {
		add("published, GPU", fmt.Sprint(r.threads), fmt.Sprint(r.points), seconds(r.interpolate), seconds(r.spread),
			ratio(r.interpolate/kassenTable2[0].interpolate), ratio(r.spread/kassenTable2[0].spread))
	}
	return subtable{title, s}
}

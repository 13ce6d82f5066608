package transfer

import (
	"context"
	"fmt"
	"slices"

	"lbmib/cmd/lbmib/bench/harness"
	"lbmib/cmd/lbmib/bench/table"
	"lbmib/validation/ib/published"
)

// kassen1 is Table 1 of the paper.
func (b *Bench) kassen1(ctx context.Context, s Shorter) (Table, error) {
	u := BuiltIn()
	points := orUsual(s.Points, u.Points)
	t := Table{Name: "kassen1", Title: "Kassen et al., Table 1: unstructured points", Source: published.KassenSource + ", Table 1", Steps: s.steps()}
	timings, err := b.run(ctx, u, drivers(u.Refinements, points, t.Steps, s))
	if err != nil {
		return t, err
	}
	t.Rows = rowsOf(timings, u.Delta, "")
	for i := range t.Rows {
		r := &t.Rows[i]
		r.PaperDevice = published.KassenMany
		if r.Algorithm == "serial" {
			r.PaperDevice = published.KassenOne
		}
		r.PaperSeconds = published.KassenSeconds(r.PaperDevice, r.Op, r.Number, r.Refinement)
		r.PaperSpeedup = published.KassenSpeedup(r.PaperDevice, r.Op, r.Number, r.Refinement)
		if r.PaperSeconds == 0 || r.Threads == 1 && r.Algorithm != "serial" {
			r.PaperDevice, r.PaperSeconds, r.PaperSpeedup = "", 0, 0
		}
	}
	t.Notes = append(t.Notes, fmt.Sprintf("%d points (published: %d, %d steps), %s, %s", points, published.KassenPoints, published.KassenSteps, u.Delta, b.kernelText(u)), timesNote,
		fmt.Sprintf("published times are of %s (serial) and of %s", published.KassenOne, published.KassenMany))
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
		Op: each(spread), Order: each(fresh), Grid: each(fmt.Sprint(published.KassenRefinement)), Points: each(points),
		Algorithm: each("serial", "sort-reduce"), Threads: each(1), Kernel: b.Kernel,
	}.Plan()
	if err != nil {
		return err
	}
	rows, err := b.Run(ctx, specs)
	for i := range rows {
		r := tableRow(&rows[i])
		r.Part, r.Number = "new places", published.KassenNumber(r.Op, r.Algorithm)
		t.Rows = append(t.Rows, r)
		if r.Algorithm == "sort-reduce" && r.Status == harness.OK {
			t.Notes = append(t.Notes, fmt.Sprintf("with all points at new places in every call, spreading by sort-reduce on one thread takes %.2f of serial's time at refinement %d, sorting included (published, where points move little and are sorted in every call: %.2f)",
				1/r.Speedup, published.KassenRefinement, published.KassenSingle))
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
	names := table.Table{{Title: "operation"}, {Title: "strategy"}, {Title: "algorithm"}, {Title: "threads"}}
	for _, l := range lines {
		algorithm := "–"
		if l.Number > 0 {
			algorithm = fmt.Sprint(l.Number)
		}
		names.Add(l.Op, l.Algorithm, algorithm, fmt.Sprint(l.Threads))
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
	for _, n := range published.KassenRefinements {
		s = append(s, table.Column{Title: fmt.Sprintf("%d³", n), Quantity: true})
	}
	for _, n := range published.KassenRefinements {
		s = append(s, table.Column{Title: fmt.Sprintf("%d³ speed-up", n), Quantity: true})
	}
	for _, r := range published.KassenTable1 {
		if r.Device != published.KassenGPU {
			continue
		}
		cells := []string{r.Op, fmt.Sprint(r.Number)}
		for _, v := range r.Seconds {
			cells = append(cells, seconds(v))
		}
		for _, n := range published.KassenRefinements {
			cells = append(cells, ratio(published.KassenSpeedup(published.KassenGPU, r.Op, r.Number, n)))
		}
		s.Add(cells...)
	}
	return subtable{"Published for a " + published.KassenGPU + ", seconds per call", s}
}

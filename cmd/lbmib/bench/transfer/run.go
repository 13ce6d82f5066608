package transfer

import (
	"context"
	"fmt"
	"io"
	"slices"
	"time"

	"lbmib/cmd/lbmib/bench/harness"
)

// Bench measures rows and tables.
type Bench struct {
	harness.Effort
	Progress io.Writer // a line for every problem
	Kernel   string    // of tables, cases and plots, as ib.Kernel takes it; empty: the fastest

	measure func(context.Context, []Spec, harness.Effort) ([]Row, error)     // rows of one problem; nil: of this machine
	plots   []plotted                                                        // of a report; nil: all
	drive   func(context.Context, *Unstructured, []Driver) ([]Timing, error) // nil: of this machine
}

// Run measures the rows, those of a problem together, and tells the progress. An
// error is that of the context; the rows that were measured before come with it, in
// their order.
func (b *Bench) Run(ctx context.Context, specs []Spec) ([]Row, error) {
	measure := b.measure
	if measure == nil {
		l := limits{}
		defer l.close()
		measure = func(ctx context.Context, specs []Spec, e harness.Effort) ([]Row, error) {
			return measureProblem(ctx, l, specs, e)
		}
	}
	var problems []Problem
	for _, s := range specs {
		problems = append(problems, s.Problem)
	}
	problems = harness.Unique(problems)
	measured := make([]*Row, len(specs))
	var stopped error
	for i, p := range problems {
		var at []int
		var of []Spec
		for j, s := range specs {
			if s.Problem == p {
				at, of = append(at, j), append(of, s)
			}
		}
		fmt.Fprintf(b.Progress, "[%d/%d] %v: %d rows … ", i+1, len(problems), &p, len(of))
		begin := time.Now()
		rows, err := measure(ctx, of, b.Effort)
		if err != nil {
			fmt.Fprintln(b.Progress, "interrupted")
			stopped = err
			break
		}
		fmt.Fprintf(b.Progress, "%.1f s%s\n", time.Since(begin).Seconds(), results(rows))
		for j := range rows {
			measured[at[j]] = &rows[j]
		}
	}
	var rows []Row
	for _, r := range measured {
		if r != nil {
			rows = append(rows, *r)
		}
	}
	return rows, stopped
}

// results tells of rows without a time.
func results(rows []Row) (text string) {
	states := []struct{ status, says string }{{harness.Wrong, "FAILED"}, {harness.Refused, "refused"}, {slow, "left out as slow"}}
	for _, s := range states {
		n := 0
		for _, r := range rows {
			if r.Status == s.status {
				n++
			}
		}
		if n > 0 {
			text += fmt.Sprintf(", %d %s", n, s.says)
		}
	}
	return text
}

// pick is the rows of specs.
func pick(measured []Row, specs []Spec) (rows []Row) {
	for _, s := range specs {
		if i := slices.IndexFunc(measured, func(r Row) bool { return r.spec.same(s) }); i >= 0 {
			rows = append(rows, measured[i])
		}
	}
	return rows
}

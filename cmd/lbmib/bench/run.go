package bench

import (
	"context"
	"fmt"
	"io"

	"lbmib/cmd/lbmib/bench/harness"
)

// Bench measures rows.
type Bench struct {
	harness.Effort
	Progress io.Writer // a line for every row

	measure func(context.Context, Spec, harness.Effort) (Row, error) // nil: of this machine
}

// Run measures the rows in their order, and tells the progress. An error is that
// of the context; the rows that were measured before come with it.
func (b *Bench) Run(ctx context.Context, specs []Spec) (rows []Row, err error) {
	measure := b.measure
	if measure == nil {
		var l harness.Limits
		defer l.Close()
		measure = func(ctx context.Context, s Spec, e harness.Effort) (Row, error) { return measureRow(ctx, &l, s, e) }
	}
	for i, s := range specs {
		fmt.Fprintf(b.Progress, "[%d/%d] %v … ", i+1, len(specs), &s)
		r, err := measure(ctx, s, b.Effort)
		if err != nil {
			fmt.Fprintln(b.Progress, "interrupted")
			return rows, err
		}
		fmt.Fprintln(b.Progress, r.result())
		rows = append(rows, r)
	}
	return rows, nil
}

// result is what came out in a few words.
func (r *Row) result() string {
	switch r.Status {
	case harness.Wrong:
		return "FAILED: " + r.Reason
	case harness.Refused:
		return "refused: " + r.Reason
	}
	return fmt.Sprintf("%.4g MFLUPS, %.2f of the %s", r.MFLUPS, r.Roofline, r.Limit)
}

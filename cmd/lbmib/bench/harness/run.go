package harness

import (
	"context"
	"fmt"
	"io"
	"slices"
	"time"
)

// Spec is a row to be measured. Its text names it in one line.
type Spec[S any] interface {
	comparable
	fmt.Stringer
	Is(S) bool // the same row, whoever asked for it
}

// Row is what was measured of a spec, which it embeds, and an Outcome.
type Row[S any] interface {
	Measured
	Is(S) bool
}

// Measured is what is told of any row.
type Measured interface {
	fmt.Stringer
	State() string
	Why() string
	Result() string // what came out in a few words, of a row that is ok
}

// Bench measures rows of type R.
type Bench[S Spec[S], R Row[S]] struct {
	Effort
	Progress io.Writer // a line for every row or, where there are some, for every group
	// Measure measures specs: one, or those of a group, which take turns. Its error is that
	// of the context; all others are the rows'.
	Measure func(context.Context, *Limits, []S, Effort) ([]R, error)
	// Group is what specs have in common that are measured together, comparable; nil: each
	// spec is measured alone.
	Group func(S) fmt.Stringer
}

// Run measures the rows, group by group, and tells the progress. An error is that of the
// context; the rows that were measured before come with it, in the order of specs.
func (b *Bench[S, R]) Run(ctx context.Context, specs []S) (rows []R, err error) {
	var l Limits
	defer l.Close()
	group := b.Group
	if group == nil {
		group = func(s S) fmt.Stringer { return s }
	}
	var groups []fmt.Stringer
	members := map[fmt.Stringer][]int{}
	for i, s := range specs {
		g := group(s)
		if members[g] == nil {
			groups = append(groups, g)
		}
		members[g] = append(members[g], i)
	}
	measured := make([]*R, len(specs))
	for i, g := range groups {
		fmt.Fprintf(b.Progress, "[%d/%d] %v", i+1, len(groups), g)
		var of []S
		for _, k := range members[g] {
			of = append(of, specs[k])
		}
		var some []R
		if some, err = b.measure(ctx, &l, of); err != nil {
			break
		}
		for j, k := range members[g] {
			measured[k] = &some[j]
		}
	}
	for _, r := range measured {
		if r != nil {
			rows = append(rows, *r)
		}
	}
	return rows, err
}

// measure measures a group and tells what came out.
func (b *Bench[S, R]) measure(ctx context.Context, l *Limits, specs []S) (rows []R, err error) {
	if b.Group != nil {
		fmt.Fprintf(b.Progress, ": %d rows", len(specs))
	}
	fmt.Fprint(b.Progress, " … ")
	begin := time.Now()
	rows, err = b.Measure(ctx, l, specs, b.Effort)
	switch {
	case err != nil:
		fmt.Fprintln(b.Progress, "interrupted")
	case b.Group == nil:
		fmt.Fprintln(b.Progress, Result(rows[0]))
	default:
		fmt.Fprintf(b.Progress, "%.1f s%s\n", time.Since(begin).Seconds(), without(rows))
	}
	return rows, err
}

// without tells of rows without a rate.
func without[R Measured](rows []R) (text string) {
	for _, state := range []struct{ name, says string }{{Wrong, Told(Wrong)}, {Refused, Refused}, {Slow, "left out as slow"}} {
		n := 0
		for _, r := range rows {
			if r.State() == state.name {
				n++
			}
		}
		if n > 0 {
			text += fmt.Sprintf(", %d %s", n, state.says)
		}
	}
	return text
}

// Result is what came out of a row, or why nothing did.
func Result(r Measured) string {
	if r.State() == OK {
		return r.Result()
	}
	return Told(r.State()) + ": " + r.Why()
}

// Each makes a Measure of one that measures a single spec.
func Each[S, R any](measure func(context.Context, *Limits, S, Effort) (R, error)) func(context.Context, *Limits, []S, Effort) ([]R, error) {
	return func(ctx context.Context, l *Limits, specs []S, e Effort) (rows []R, err error) {
		r, err := measure(ctx, l, specs[0], e)
		return []R{r}, err
	}
}

// Pick is the rows of specs.
func Pick[S any, R Row[S]](measured []R, specs []S) (rows []R) {
	for _, s := range specs {
		if i := slices.IndexFunc(measured, func(r R) bool { return r.Is(s) }); i >= 0 {
			rows = append(rows, measured[i])
		}
	}
	return rows
}

package transfer

import (
	"context"
	"fmt"
	"io"

	"lbmib/cmd/lbmib/bench/harness"
	"lbmib/cmd/lbmib/bench/relaxation"
)

// Bench measures rows and tables.
type Bench struct {
	harness.Bench[Spec, Row]
	Kernel string // of tables, cases and plots, as ib.Kernel takes it; empty: the fastest

	plots func(kernel string) ([]section, error) // of a report
	drive func(context.Context, *Unstructured, []Driver) ([]Timing, error)

	relaxations func(ctx context.Context, delta string, threads int) ([]*relaxation.State, error)
	redCells    func(ctx context.Context, all []redCellsTiming, steps int, kernel string) (laws float64, err error)
}

// New is the benchmark on this machine; progress gets a line for every problem.
func New(e harness.Effort, progress io.Writer, kernel string) *Bench {
	b := &Bench{Kernel: kernel, plots: sets, drive: drive, redCells: redCells}
	b.relaxations = b.relax
	b.Effort, b.Progress, b.Measure = e, progress, measure
	b.Group = func(s Spec) fmt.Stringer { return s.Problem }
	return b
}

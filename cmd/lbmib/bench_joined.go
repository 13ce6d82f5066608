package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"reflect"

	"lbmib/cmd/lbmib/bench/harness"
	"lbmib/cmd/lbmib/bench/joined"
	"lbmib/run/exit"
	"lbmib/run/setup"
)

type benchJoinedCommand struct {
	joined.Selection
	kernelFlag
	Parts   bool    `help:"Measure seams between parts of one level instead: a box, halved across each axis in one process and on two ranks that are goroutines, beside the box undivided; the flags of grids do not go with it."`
	Repeats int     `help:"Repeats of every measurement, of which the median counts (default: ${default}, the least)." default:"5" placeholder:"N"`
	Seconds float64 `help:"Seconds of stepping grids joined, each alone, and one grid in each repeat (default: ${default})." default:"0.5" placeholder:"S"`
	JSON    bool    `name:"json" help:"Print one JSON document on standard output and nothing else there."`
	Report  string  `help:"Also measure the rows of a report and write it to DIR/joined.md; some minutes." placeholder:"DIR"`
}

func (benchJoinedCommand) examples() []string {
	return []string{
		"lbmib bench joined",
		"lbmib bench joined --domain 40x15 --diameter 20,40 --levels 0,1,2,3 --threads 1",
		"lbmib bench joined --domain 12x10x10 --diameter 16 --levels 1,2 --margin 1,2,1,1,1,1 --precision f64,f32",
		"lbmib bench joined --domain 20x15x15 --diameter 24 --levels 2 --json",
		"lbmib bench joined --backend cuda --precision f64,f32",
		"lbmib bench joined --report bench.out",
		"lbmib bench joined --parts --json",
	}
}

// Run measures. Bad flags are refused before anything is measured.
func (c *benchJoinedCommand) Run(s *surroundings) error {
	effort, err := harness.NewEffort(c.Repeats, c.Seconds)
	if err == nil && c.Parts {
		return c.parts(s, effort)
	}
	var specs []joined.Spec
	if err == nil {
		specs, err = c.Selection.Plan()
	}
	if err == nil && c.Report != "" {
		if e := os.MkdirAll(c.Report, 0o777); e != nil {
			err = fmt.Errorf("--report: %w: choose another directory", e)
		}
	}
	if err != nil {
		return &exit.Error{Code: exit.BadCase, Err: err}
	}
	kernel, err := setup.ChooseKernel(c.Kernel)
	if err != nil {
		return err
	}
	b := joined.New(effort, s.stderr, kernel.Name)
	host := harness.ThisHost(version())
	rows, all, err := c.measure(s.ctx, b, host, specs)
	d := joined.NewDocument(host, rows)
	if err := s.tell(&d, c.JSON, err, fmt.Sprintf("%d of the rows asked for", len(rows))); err != nil {
		return err
	}
	failed, refused := harness.Verdict(all)
	return benchVerdict(failed, refused, "grids that are joined do not keep their mass or their flow")
}

// measure measures the rows asked for, and with --report others: all.
func (c *benchJoinedCommand) measure(ctx context.Context, b *joined.Bench, host harness.Host, specs []joined.Spec) (rows, all []joined.Row, err error) {
	if c.Report != "" {
		return joined.Report(ctx, b, c.Report, host, specs)
	}
	rows, err = b.Run(ctx, specs)
	return rows, rows, err
}

// parts measures seams between parts of one level.
func (c *benchJoinedCommand) parts(s *surroundings, effort harness.Effort) error {
	if !reflect.DeepEqual(c.Selection, joined.Selection{}) || c.Report != "" {
		return &exit.Error{Code: exit.BadCase, Err: errors.New("--parts measures its own boxes: leave out --domain, --diameter, --levels, --margin, --precision, --threads and --report")}
	}
	kernel, err := setup.ChooseKernel(c.Kernel)
	if err != nil {
		return err
	}
	rows, err := joined.NewParts(effort, s.stderr, kernel.Name).Run(s.ctx, joined.PartsPlan())
	d := joined.NewPartsDocument(harness.ThisHost(version()), rows)
	if err := s.tell(&d, c.JSON, err, fmt.Sprintf("%d of the rows", len(rows))); err != nil {
		return err
	}
	failed, refused := harness.Verdict(rows)
	return benchVerdict(failed, refused, "parts of one level do not step")
}

package main

import (
	"context"
	"fmt"
	"os"

	"lbmib/cmd/lbmib/bench/cells"
	"lbmib/cmd/lbmib/bench/harness"
	"lbmib/run/exit"
	"lbmib/run/setup"
)

type benchCellsCommand struct {
	cells.Selection
	kernelFlag
	Repeats int     `help:"Repeats of every measurement, of which the median counts (default: ${default}, the least)." default:"5" placeholder:"N"`
	Seconds float64 `help:"Seconds of stepping with and without cells in each repeat (default: ${default})." default:"0.5" placeholder:"S"`
	JSON    bool    `name:"json" help:"Print one JSON document on standard output and nothing else there."`
	Report  string  `help:"Also measure the rows of a report and write it to DIR/cells.md; some minutes." placeholder:"DIR"`
}

func (benchCellsCommand) examples() []string {
	return []string{
		"lbmib bench cells",
		"lbmib bench cells --cells 1,2,4,8,16,32 --threads 1",
		"lbmib bench cells --cells 16 --vertices 252,642,2562 --law skalak,neo-hookean",
		"lbmib bench cells --cells 64 --haematocrit 0.1,0.3,0.45 --precision f32 --json",
		"lbmib bench cells --report bench.out",
	}
}

// Run measures. Bad flags are refused before anything is measured.
func (c *benchCellsCommand) Run(s *surroundings) error {
	effort, err := harness.NewEffort(c.Repeats, c.Seconds)
	var specs []cells.Spec
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
	b := cells.New(effort, s.stderr, kernel.Name)
	host := harness.ThisHost(version())
	rows, all, err := c.measure(s.ctx, b, host, specs)
	d := cells.NewDocument(host, rows)
	if err := s.tell(&d, c.JSON, err, fmt.Sprintf("%d of the rows asked for", len(rows))); err != nil {
		return err
	}
	failed, refused := harness.Verdict(all)
	return benchVerdict(failed, refused, "cells do not keep the fluid's momentum or their own volume")
}

// measure measures the rows asked for, and with --report others: all.
func (c *benchCellsCommand) measure(ctx context.Context, b *cells.Bench, host harness.Host, specs []cells.Spec) (rows, all []cells.Row, err error) {
	if c.Report != "" {
		return cells.Report(ctx, b, c.Report, host, specs)
	}
	rows, err = b.Run(ctx, specs)
	return rows, rows, err
}

package main

import (
	"context"
	"fmt"
	"os"

	"lbmib/cmd/lbmib/bench/coupled"
	"lbmib/cmd/lbmib/bench/harness"
	"lbmib/run/exit"
	"lbmib/run/setup"
)

type benchCoupledCommand struct {
	coupled.Selection
	kernelFlag
	Repeats int     `help:"Repeats of every measurement, of which the median counts (default: ${default}, the least)." default:"5" placeholder:"N"`
	Seconds float64 `help:"Seconds of stepping with and without bodies in each repeat (default: ${default})." default:"0.5" placeholder:"S"`
	JSON    bool    `name:"json" help:"Print one JSON document on standard output and nothing else there."`
	Report  string  `help:"Also measure the rows of a report and write it to DIR/coupled.md; some minutes." placeholder:"DIR"`
}

func (benchCoupledCommand) examples() []string {
	return []string{
		"lbmib bench coupled",
		"lbmib bench coupled --volume-fraction 0.005,0.02 --algorithm auto,serial,sort-reduce --threads 1",
		"lbmib bench coupled --size 96x96x96 --volume-fraction 0.01,0.3 --motion fixed,moving,free",
		"lbmib bench coupled --size 800x300 --diameter 20 --json",
		"lbmib bench coupled --report bench.out",
	}
}

// Run measures. Bad flags are refused before anything is measured.
func (c *benchCoupledCommand) Run(s *surroundings) error {
	effort, err := harness.NewEffort(c.Repeats, c.Seconds)
	var specs []coupled.Spec
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
	b := coupled.New(effort, s.stderr, kernel.Name)
	host := harness.ThisHost(version())
	rows, all, err := c.measure(s.ctx, b, host, specs)
	d := coupled.NewDocument(host, rows)
	if err := s.tell(&d, c.JSON, err, fmt.Sprintf("%d of the rows asked for", len(rows))); err != nil {
		return err
	}
	failed, refused := harness.Verdict(all)
	return benchVerdict(failed, refused, "forces on bodies are not what the fluid loses")
}

// measure measures the rows asked for, and with --report others: all.
func (c *benchCoupledCommand) measure(ctx context.Context, b *coupled.Bench, host harness.Host, specs []coupled.Spec) (rows, all []coupled.Row, err error) {
	if c.Report != "" {
		return coupled.Report(ctx, b, c.Report, host, specs)
	}
	rows, err = b.Run(ctx, specs)
	return rows, rows, err
}

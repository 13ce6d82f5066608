package main

import (
	"fmt"

	"lbmib/cmd/lbmib/bench/harness"
	"lbmib/cmd/lbmib/bench/suspension"
	"lbmib/run/exit"
	"lbmib/run/setup"
)

type benchSuspensionCommand struct {
	suspension.Selection
	kernelFlag
	Repeats int     `help:"Repeats of every measurement, of which the median counts (default: ${default}, the least)." default:"5" placeholder:"N"`
	Seconds float64 `help:"Seconds of stepping with and without ellipsoids in each repeat (default: ${default})." default:"0.5" placeholder:"S"`
	JSON    bool    `name:"json" help:"Print one JSON document on standard output and nothing else there."`
}

func (benchSuspensionCommand) examples() []string {
	return []string{
		"lbmib bench suspension",
		"lbmib bench suspension --ellipsoids 12000 --haematocrit 0.1,0.3,0.45 --threads 1",
		"lbmib bench suspension --ellipsoids 500000 --json",
		"lbmib bench suspension --ellipsoids 12000 --delta roma3,peskin4 --precision f64,f32",
	}
}

// Run measures. Bad flags are refused before anything is measured.
func (c *benchSuspensionCommand) Run(s *surroundings) error {
	effort, err := harness.NewEffort(c.Repeats, c.Seconds)
	var specs []suspension.Spec
	if err == nil {
		specs, err = c.Selection.Plan()
	}
	if err != nil {
		return &exit.Error{Code: exit.BadCase, Err: err}
	}
	kernel, err := setup.ChooseKernel(c.Kernel)
	if err != nil {
		return err
	}
	b := suspension.New(effort, s.stderr, kernel.Name)
	host := harness.ThisHost(version())
	rows, err := b.Run(s.ctx, specs)
	d := suspension.NewDocument(host, rows)
	if err := s.tell(&d, c.JSON, err, fmt.Sprintf("%d of the rows asked for", len(rows))); err != nil {
		return err
	}
	failed, refused := harness.Verdict(rows)
	return benchVerdict(failed, refused, "fluid and ellipsoids do not keep their momentum")
}

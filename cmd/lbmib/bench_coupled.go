package main

import (
	"context"
	"errors"
	"fmt"

	"lbmib/cmd/lbmib/bench/coupled"
	"lbmib/cmd/lbmib/bench/gauge"
	"lbmib/cmd/lbmib/runner"
)

type benchCoupledCommand struct {
	coupled.Selection
	Repeats int     `help:"Repeats of every measurement, of which the median counts (default: ${default}, the least)." default:"5" placeholder:"N"`
	Seconds float64 `help:"Seconds of stepping with and without bodies in each repeat (default: ${default})." default:"0.5" placeholder:"S"`
	JSON    bool    `name:"json" help:"Print one JSON document on standard output and nothing else there."`
}

func (benchCoupledCommand) examples() []string {
	return []string{
		"lbmib bench coupled",
		"lbmib bench coupled --volume-fraction 0.005,0.02 --algorithm auto,serial,sort-reduce --threads 1",
		"lbmib bench coupled --size 800x300 --diameter 20 --json",
	}
}

// Run measures. Bad flags are refused before anything is measured.
func (c *benchCoupledCommand) Run(s *surroundings) error {
	effort, err := gauge.NewEffort(c.Repeats, c.Seconds)
	var specs []coupled.Spec
	if err == nil {
		specs, err = c.Selection.Plan()
	}
	if err != nil {
		return &runner.Error{Code: runner.ExitBadCase, Err: err}
	}
	kernel, err := runner.ChooseKernel("")
	if err != nil {
		return err
	}
	b := &coupled.Bench{Effort: effort, Progress: s.stderr, Kernel: kernel.Name}
	rows, err := b.Run(s.ctx, specs)
	d := coupled.NewDocument(gauge.ThisHost(version()), rows)
	if c.JSON {
		err = errors.Join(err, s.printJSON(d))
	} else {
		err = errors.Join(err, d.WriteTable(s.stdout))
	}
	switch {
	case errors.Is(err, context.Canceled):
		return &runner.Error{Code: runner.ExitInterrupted, Err: fmt.Errorf("bench: interrupted after %d of the rows asked for", len(rows))}
	case err != nil:
		return &runner.Error{Code: runner.ExitInputOutput, Err: err}
	}
	failed, refused := coupled.Verdict(rows)
	return benchVerdict(failed, refused, "forces on bodies are not what the fluid loses")
}

package main

import (
	"errors"
	"fmt"
	"os"
	"time"

	"lbmib/cmd/lbmib/bench"
	"lbmib/cmd/lbmib/runner"
)

// benchCommand holds what can be measured.
type benchCommand struct {
	LBM benchLBMCommand `cmd:"" name:"lbm" default:"withargs" help:"The fluid alone: MFLUPS beside what the memory gives."`
}

func (benchCommand) examples() []string { return benchLBMCommand{}.examples() }

type benchLBMCommand struct {
	bench.Selection
	Repeats int     `help:"Repeats of every measurement, of which the median counts." default:"5" placeholder:"N"`
	Seconds float64 `help:"Seconds of stepping in each repeat." default:"0.4" placeholder:"S"`
	JSON    bool    `name:"json" help:"Print one JSON document on standard output and nothing else there."`
	Report  string  `help:"Also measure the rows of a report and write it to DIR/lbm.md with its plots; some ten minutes." placeholder:"DIR"`
}

func (benchLBMCommand) examples() []string {
	return []string{
		"lbmib bench lbm",
		"lbmib bench lbm --size 1024x512 --precision f64 --streaming inplace --threads 1",
		"lbmib bench lbm --size 512x512,128x128x128 --layout soa,soaos,aos --json",
		"lbmib bench lbm --report bench.out",
	}
}

// Run measures. Bad flags are refused before anything is measured.
func (c *benchLBMCommand) Run(s *surroundings) error {
	specs, err := c.plan()
	if err != nil {
		return &runner.Error{Code: runner.ExitBadCase, Err: err}
	}
	b := &bench.Bench{
		Effort:   bench.Effort{Repeats: c.Repeats, Step: time.Duration(c.Seconds * float64(time.Second))},
		Progress: s.stderr,
	}
	host := bench.ThisHost(version())
	var rows []bench.Row
	var report error
	if c.Report == "" {
		rows, err = b.Run(s.ctx, specs)
	} else {
		rows, report, err = b.Report(s.ctx, c.Report, host, specs)
	}
	d := bench.NewDocument(host, rows)
	print := func() error { return d.WriteTable(s.stdout) }
	if c.JSON {
		print = func() error { return s.printJSON(d) }
	}
	if e := errors.Join(print(), report); e != nil {
		return &runner.Error{Code: runner.ExitInputOutput, Err: e}
	}
	if err != nil {
		return &runner.Error{Code: runner.ExitInterrupted, Err: fmt.Errorf("bench: interrupted after %d rows", len(rows))}
	}
	return verdict(rows)
}

// plan is the rows to measure.
func (c *benchLBMCommand) plan() ([]bench.Spec, error) {
	const longest = 60
	switch {
	case c.Repeats < bench.LeastRepeats:
		return nil, fmt.Errorf("--repeats %d must be at least %d: a median of fewer says little", c.Repeats, bench.LeastRepeats)
	case !(c.Seconds > 0 && c.Seconds <= longest):
		return nil, fmt.Errorf("--seconds %g must be more than 0 and at most %d: 0.4 is usual", c.Seconds, longest)
	}
	if c.Report != "" {
		if err := os.MkdirAll(c.Report, 0o777); err != nil {
			return nil, fmt.Errorf("--report: %w: choose another directory", err)
		}
	}
	return c.Selection.Plan()
}

// verdict is an error if a flow was wrong or a row could not be measured.
func verdict(rows []bench.Row) error {
	failed, refused := bench.Verdict(rows)
	switch {
	case failed > 0:
		return &runner.Error{Code: runner.ExitInternal, Err: fmt.Errorf("bench: %d of %d rows FAILED the check of their flow: their kernels are wrong, see above; please report it", failed, len(rows))}
	case refused > 0:
		return &runner.Error{Code: runner.ExitBadCase, Err: fmt.Errorf("bench: %d of %d rows were refused, see above", refused, len(rows))}
	}
	return nil
}

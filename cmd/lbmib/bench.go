package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	"lbmib/cmd/lbmib/bench"
	"lbmib/cmd/lbmib/bench/harness"
	"lbmib/run/exit"
	"lbmib/run/setup"
)

// benchCommand holds what can be measured.
type benchCommand struct {
	LBM benchLBMCommand `cmd:"" name:"lbm" default:"withargs" help:"The fluid alone: MFLUPS beside what the memory gives."`
	IB  benchIBCommand  `cmd:"" name:"ib" help:"Interpolation and spreading between markers and grid: every strategy, beside published numbers."`

	Coupled    benchCoupledCommand    `cmd:"" name:"coupled" help:"A stream around cylinders, or a crowd of discs or spheres, beside the same fluid without them: what bodies cost."`
	Cells      benchCellsCommand      `cmd:"" name:"cells" help:"Red cells whose membranes bend, packed in a periodic box, beside the same fluid without them: what cells cost, by part."`
	Suspension benchSuspensionCommand `cmd:"" name:"suspension" help:"Suspended ellipsoids that repel each other in a periodic box, beside the same fluid without them: what they cost, by part."`
	Joined     benchJoinedCommand     `cmd:"" name:"joined" help:"Nested grids around a cylinder's or a sphere's place, beside each of them alone and one grid: what refinement brings, and what its seams cost."`
}

func (benchCommand) examples() []string { return benchLBMCommand{}.examples() }

type benchLBMCommand struct {
	bench.Selection
	Repeats int     `help:"Repeats of every measurement, of which the median counts (default: ${default}, the least)." default:"5" placeholder:"N"`
	Seconds float64 `help:"Seconds of stepping in each repeat (default: ${default})." default:"0.3" placeholder:"S"`
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
	effort, err := harness.NewEffort(c.Repeats, c.Seconds)
	var specs []bench.Spec
	if err == nil {
		specs, err = c.plan()
	}
	if err != nil {
		var usage *exit.Error
		if errors.As(err, &usage) {
			return err
		}
		return &exit.Error{Code: exit.BadCase, Err: err}
	}
	b := bench.New(effort, s.stderr)
	host := harness.ThisHost(version())
	rows, all, err := c.measure(s, b, host, specs)
	d := bench.NewDocument(host, rows)
	if err := s.tell(&d, c.JSON, err, fmt.Sprintf("%d of the rows asked for", len(rows))); err != nil {
		return err
	}
	failed, refused := harness.Verdict(all)
	return benchVerdict(failed, refused, "their kernels are wrong")
}

// measure measures the rows asked for, and with --report others: all.
func (c *benchLBMCommand) measure(s *surroundings, b *bench.Bench, host harness.Host, specs []bench.Spec) (rows, all []bench.Row, err error) {
	if c.Report != "" {
		return bench.Report(s.ctx, b, c.Report, host, specs)
	}
	rows, err = b.Run(s.ctx, specs)
	return rows, rows, err
}

// plan is the rows to measure.
func (c *benchLBMCommand) plan() ([]bench.Spec, error) {
	if len(c.Kernel) == 0 { // else the flag wins
		chosen, err := setup.ChooseKernel("")
		if err != nil {
			return nil, err
		}
		if chosen.Name != "" {
			c.Kernel = []string{chosen.Name}
		}
	}
	specs, err := c.Selection.Plan()
	if err == nil && c.Report != "" {
		if err := os.MkdirAll(c.Report, 0o777); err != nil {
			return nil, fmt.Errorf("--report: %w: choose another directory", err)
		}
	}
	return specs, err
}

// document is what a benchmark prints.
type document interface{ WriteTable(io.Writer) error }

// tell prints what was measured, as a table or as JSON, and turns err, that of
// measuring, into the command's; so much was done when it was interrupted.
func (s *surroundings) tell(d document, asJSON bool, err error, done string) error {
	if asJSON {
		err = errors.Join(err, s.printJSON(d))
	} else {
		err = errors.Join(err, d.WriteTable(s.stdout))
	}
	switch {
	case errors.Is(err, context.Canceled):
		return &exit.Error{Code: exit.Interrupted, Err: fmt.Errorf("bench: interrupted after %s", done)}
	case err != nil:
		return &exit.Error{Code: exit.InputOutput, Err: err}
	}
	return nil
}

// benchVerdict is an error if results were wrong, which is the program's fault, or
// could not be had; suspect is what must be wrong then.
func benchVerdict(failed, refused int, suspect string) error {
	switch {
	case failed > 0:
		return &exit.Error{Code: exit.Internal, Err: fmt.Errorf("bench: %d results FAILED their checks, see above: %s; please report it", failed, suspect)}
	case refused > 0:
		return &exit.Error{Code: exit.BadCase, Err: fmt.Errorf("bench: %d rows were refused, see above", refused)}
	}
	return nil
}

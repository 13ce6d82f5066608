package main

import (
	"errors"
	"os"
	"slices"
	"strings"

	"lbmib/cmd/lbmib/sweep"
	"lbmib/run/exit"
	"lbmib/run/setup"
)

type sweepCommand struct {
	caseFlags
	kernelFlag
	refineFlag
	Over      []string `help:"A key and the values that it takes, e.g. --over reference.reynolds=20,40,100. Repeatable: every combination is run." placeholder:"KEY=V1,V2,…" sep:"none"`
	Out       string   `help:"Directory for results, one below it per run (default: CASE.sweep)." placeholder:"DIR"`
	Threads   int      `help:"Worker threads; 0 takes all processors." placeholder:"N"`
	Overwrite bool     `help:"Replace an earlier sweep in the directory, and its runs with the same values."`
	Quiet     bool     `help:"No progress and no table."`
	Page      bool     `help:"Show the runs live in a browser, with a list of all, as run --page does."`
}

func (sweepCommand) examples() []string {
	return []string{
		"lbmib sweep cases/cylinder-re20.toml --over reference.resolution=8,16,32 --set run.time=40",
		"lbmib sweep cases/cylinder.toml --over reference.reynolds=60,100,150 --over reference.resolution=10,20 --set output.fields.every=0",
		"lbmib sweep cases/poiseuille.toml --over fluid.collision=bgk,trt --json",
		"lbmib sweep cases/cylinder-re20.toml --over reference.reynolds=20,30,40 --set run.time=40 --out shown.sweep --page",
		"lbmib sweep cases/poiseuille.toml --over 'domain.force=[0.4, 0.0],[0.8, 0.0]' --out forces.sweep",
	}
}

// Run runs the sweep. The same command continues one that was interrupted, also with
// other values of the same keys.
func (c *sweepCommand) Run(s *surroundings) error {
	plan, kernel, err := c.plan()
	if err != nil {
		var marked *exit.Error
		if errors.As(err, &marked) {
			return err
		}
		return &exit.Error{Code: exit.BadCase, Err: err}
	}
	o := sweep.Options{
		Threads: c.Threads, Kernel: kernel, Quiet: c.Quiet, Progress: s.stderr, Version: version(), Continue: commandLine(slices.DeleteFunc(slices.Clone(os.Args), func(a string) bool { return a == "--overwrite" })),
	}
	if o.Page, err = s.openPage(c.Page); err != nil {
		return err
	}
	defer o.Page.Close()
	d, err := s.runSweep(plan, o)
	if d == nil {
		s.stayOnPage(o.Page, err)
		return err
	}
	var telling error
	if c.JSON {
		telling = s.printJSON(d)
	} else if !c.Quiet {
		telling = d.WriteTable(s.stdout, widthOf(s.stdout))
	}
	if err == nil && telling != nil {
		err = &exit.Error{Code: exit.InputOutput, Err: telling}
	}
	s.stayOnPage(o.Page, err)
	return err
}

// plan reads the flags and checks every combination.
func (c *sweepCommand) plan() (*sweep.Plan, setup.Kernel, error) {
	if err := checkThreads(c.Threads); err != nil {
		return nil, setup.Kernel{}, err
	}
	kernel, err := setup.ChooseKernel(c.Kernel)
	if err != nil {
		return nil, kernel, err
	}
	refine, err := c.auto()
	if err != nil {
		return nil, kernel, err
	}
	if _, err := c.again(); err != nil {
		return nil, kernel, err
	}
	var axes []sweep.Axis
	for _, text := range c.Over {
		a, err := sweep.ParseAxis(text)
		if err != nil {
			return nil, kernel, err
		}
		axes = append(axes, a)
	}
	newPlan := sweep.NewPlan
	if refine {
		newPlan = sweep.NewRefinedPlan
	}
	plan, err := newPlan(c.Case, c.Set, axes, c.Out, c.Overwrite, kernel)
	return plan, kernel, err
}

// commandLine is a command line as a shell takes it.
func commandLine(args []string) string {
	words := make([]string, len(args))
	for i, a := range args {
		words[i] = shellQuoted(a)
	}
	return strings.Join(words, " ")
}

// runSweep makes the runs of a plan, which can be interrupted and end themselves, with progress as wide as the terminal.
func (s *surroundings) runSweep(plan *sweep.Plan, o sweep.Options) (*sweep.Document, error) {
	if f, ok := terminalOf(s.stderr); ok {
		o.Terminal = true
		o.Width = terminalWidth(f)
	}
	if err := s.endsItself(true); err != nil {
		return nil, err
	}
	o.Requests = &s.attention.requests
	return plan.Run(s.ctx, o)
}

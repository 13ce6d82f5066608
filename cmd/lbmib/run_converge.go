package main

import (
	"fmt"
	"os"
	"slices"
	"strings"

	"lbmib/cmd/lbmib/sweep"
	"lbmib/run/exit"
	"lbmib/run/setup"
)

// converge runs the case on several grids, and tells its results with their numerical uncertainty.
func (r *runCommand) converge(s *surroundings, kernel setup.Kernel, refine bool) error {
	bad := func(format string, args ...any) error {
		return &exit.Error{Code: exit.BadCase, Err: fmt.Errorf(format, args...)}
	}
	switch n := r.Converge; {
	case n < sweep.FewestGrids || n > sweep.MostGrids:
		return bad("--converge %d: must be %d to %d resolutions: three tell an order", n, sweep.FewestGrids, sweep.MostGrids)
	case r.View:
		return bad("--view shows one run, not those of --converge: leave one of them out")
	case r.Steps != nil:
		return bad("--steps is another time on every grid: give --time with --converge")
	}
	c, err := r.load()
	if err != nil {
		return err
	}
	if c.StepsGiven() {
		return bad("%s: run.steps is another time on every grid: give run.time, or --time, with --converge", r.Case)
	}
	sets := slices.DeleteFunc(slices.Clone(r.Set), func(set string) bool { // the finest has it
		key, _, _ := strings.Cut(set, "=")
		return strings.TrimSpace(key) == sweep.ResolutionKey
	})
	axis, note, err := sweep.GridAxis(c, r.Converge, sweep.Accepts(r.Case, sets, refine, kernel))
	if err != nil {
		return bad("--converge: %w", err)
	}
	var remarks []string
	if note != "" {
		remarks = []string{note}
		if !r.Quiet {
			fmt.Fprintf(s.stderr, "--converge: %s\n", note)
		}
	}
	dir := r.Out
	if dir == "" {
		dir = c.Name + ".converge"
	}
	newPlan := sweep.NewPlan
	if refine {
		newPlan = sweep.NewRefinedPlan
	}
	plan, err := newPlan(r.Case, sets, []sweep.Axis{axis}, dir, r.Overwrite, kernel)
	if err != nil {
		if exit.Code(err) != exit.Internal {
			return err
		}
		return &exit.Error{Code: exit.BadCase, Err: err}
	}
	o := sweep.Options{Threads: r.Threads, Kernel: kernel, Quiet: r.Quiet, Progress: s.stderr, Version: version(), Continue: commandLine(os.Args)}
	if o.Page, err = s.openPage(r.Page); err != nil {
		return err
	}
	defer o.Page.Close()
	d, err := s.runSweep(plan, o)
	if d == nil || exit.Code(err) == exit.Interrupted {
		s.stayOnPage(o.Page, err)
		return err
	}
	told, telling := plan.Converge(d, remarks...)
	if telling == nil {
		if r.JSON {
			telling = s.printJSON(told)
		} else if !r.Quiet {
			telling = told.WriteTable(s.stdout, widthOf(s.stdout))
		}
	}
	if err == nil && telling != nil {
		err = &exit.Error{Code: exit.InputOutput, Err: telling}
	}
	s.stayOnPage(o.Page, err)
	return err
}

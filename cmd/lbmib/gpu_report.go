package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"time"

	"lbmib/cmd/lbmib/gpureport"
	"lbmib/cmd/lbmib/runner"
)

type gpuReportCommand struct {
	Out   string `help:"Directory of the report, DEVICE-DATE.md and .json (default: ${default})." default:"validation/gpu" placeholder:"DIR"`
	Quick bool   `help:"Less than two minutes, where the whole takes less than nine."`

	Section string        `hidden:"" help:"Make one section."`
	Into    string        `hidden:"" help:"File of that section."`
	Limit   time.Duration `hidden:"" default:"10m" help:"Time that it may take."`
}

func (gpuReportCommand) examples() []string {
	return []string{"lbmib gpu-report --quick", "lbmib gpu-report --out report.out"}
}

// Run makes the report.
func (c *gpuReportCommand) Run(s *surroundings) error {
	if err := s.endsItself(false); err != nil {
		return err
	}
	program, err := os.Executable()
	if err != nil {
		return err
	}
	o := gpureport.Options{Out: c.Out, Quick: c.Quick, Version: version(), Program: program, Progress: s.stderr}
	if c.Section != "" {
		if err := gpureport.Do(s.ctx, c.Section, c.Into, c.Limit, o); err != nil {
			return &runner.Error{Code: runner.ExitInputOutput, Err: err}
		}
		return nil
	}
	d, files, err := gpureport.Report(s.ctx, o)
	switch {
	case d == nil:
		return &runner.Error{Code: runner.ExitBadCase, Err: fmt.Errorf("gpu-report: %w", err)}
	case errors.Is(err, context.Canceled):
		return &runner.Error{Code: runner.ExitInterrupted, Err: fmt.Errorf("gpu-report: interrupted after %d sections, which are in %s", len(d.Sections), files)}
	case err != nil:
		return &runner.Error{Code: runner.ExitInputOutput, Err: err}
	}
	if err := d.WriteTargets(s.stdout); err != nil {
		return &runner.Error{Code: runner.ExitInputOutput, Err: err}
	}
	fmt.Fprintf(s.stdout, "\nreport: %s\n", files)
	if names := d.Failed(); len(names) > 0 {
		return fmt.Errorf("gpu-report: something is wrong in: %s; see %s", strings.Join(names, ", "), files)
	}
	return nil
}

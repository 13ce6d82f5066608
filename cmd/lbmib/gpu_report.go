package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"time"

	"lbmib/cmd/lbmib/gpureport"
	"lbmib/run/exit"
)

type gpuReportCommand struct {
	Out   string   `help:"Directory of the report, DEVICE-TIME.md and .json (default: ${default})." default:"validation/gpu" placeholder:"DIR"`
	Quick bool     `help:"Less than four minutes, where the whole takes less than nine."`
	Only  []string `help:"These sections alone: ${sections}." placeholder:"SECTION"`

	Section  string        `hidden:"" help:"Make a unit of this section."`
	Unit     string        `hidden:"" help:"The unit."`
	Into     string        `hidden:"" help:"File of the unit."`
	Limit    time.Duration `hidden:"" default:"10m" help:"Time that it may take."`
	Patience time.Duration `hidden:"" help:"How long units may say nothing before they are killed; 0: as their sections have it."`
	Spare    time.Duration `hidden:"" help:"Time that each section may take beyond its limit: a stand-in on a busy machine needs more than a device."`
}

func (gpuReportCommand) examples() []string {
	return []string{"lbmib gpu-report --quick", "lbmib gpu-report --out report.out", "lbmib gpu-report --only kernels,sanitizer"}
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
	o := gpureport.Options{Out: c.Out, Quick: c.Quick, Only: c.Only, Version: version(), Program: program, Progress: s.stderr, Patience: c.Patience, Spare: c.Spare}
	if c.Section != "" {
		ctx, cancel := gpureport.WithParent(s.ctx, os.Stdin)
		defer cancel(nil)
		if err := gpureport.Do(ctx, c.Section, c.Unit, c.Into, c.Limit, o); err != nil {
			return &exit.Error{Code: exit.InputOutput, Err: err}
		}
		return nil
	}
	d, files, err := gpureport.Report(s.ctx, o)
	switch {
	case d == nil && errors.Is(err, context.Canceled):
		return &exit.Error{Code: exit.Interrupted, Err: errors.New("gpu-report: interrupted before the device was open")}
	case d == nil:
		return &exit.Error{Code: exit.BadCase, Err: fmt.Errorf("gpu-report: %w", err)}
	case errors.Is(err, context.Canceled):
		return &exit.Error{Code: exit.Interrupted, Err: fmt.Errorf("gpu-report: interrupted after %d sections, which are in %s", len(d.Sections), files)}
	case err != nil:
		return &exit.Error{Code: exit.InputOutput, Err: err}
	}
	if err := d.WriteTargets(s.stdout); err != nil {
		return &exit.Error{Code: exit.InputOutput, Err: err}
	}
	fmt.Fprintf(s.stdout, "\nreport: %s\n", files)
	if names := d.Unfinished(); len(names) > 0 {
		fmt.Fprintf(s.stdout, "not complete, for lack of time: %s\n", strings.Join(names, ", "))
	}
	if names := d.Failed(); len(names) > 0 {
		return fmt.Errorf("gpu-report: something is wrong in: %s; see %s", strings.Join(names, ", "), files)
	}
	return nil
}

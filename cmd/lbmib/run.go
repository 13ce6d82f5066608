package main

import (
	"fmt"
	"os"

	"golang.org/x/term"

	"lbmib/cmd/lbmib/runner"
	"lbmib/io/casefile"
)

// caseFlags are what every command that reads a case takes.
type caseFlags struct {
	Case string   `arg:"" name:"CASE.toml" help:"The case file."`
	Set  []string `help:"Override a key of the case, e.g. --set reference.reynolds=40. Repeatable." placeholder:"KEY=VALUE" sep:"none"`
	JSON bool     `name:"json" help:"Print one JSON document on standard output and nothing else there."`
}

// load reads the case.
func (f *caseFlags) load() (*casefile.Case, error) {
	c, err := casefile.Load(f.Case, f.Set)
	if err != nil {
		return nil, &runner.Error{Code: runner.ExitBadCase, Err: err}
	}
	return c, nil
}

type runCommand struct {
	caseFlags
	Out       string  `help:"Directory for results (default: the case's, CASE.out)." placeholder:"DIR"`
	Backend   string  `help:"Where to compute: auto or cpu (cuda and hybrid are not available in this version)." default:"auto" enum:"auto,cpu,cuda,hybrid"`
	Threads   int     `help:"Worker threads; 0 takes all processors." placeholder:"N"`
	Time      float64 `help:"Run to this time, in L/U, instead of the case's." placeholder:"T" xor:"duration"`
	Steps     int64   `help:"Run to this step instead of the case's time." placeholder:"N" xor:"duration"`
	Resume    bool    `help:"Continue from the last good checkpoint in the directory." xor:"earlier"`
	Overwrite bool    `help:"Replace an earlier run in the directory." xor:"earlier"`
	Quiet     bool    `help:"No progress and no summary."`
}

func (runCommand) examples() []string {
	return []string{
		"lbmib run cases/cylinder.toml",
		"lbmib run cases/cylinder.toml --resume",
		"lbmib run cases/cylinder.toml --set reference.resolution=20 --out coarse.out --json",
	}
}

// Run runs the case.
func (r *runCommand) Run(s *surroundings) error {
	if r.Threads < 0 || !(r.Time >= 0) || r.Steps < 0 {
		return &runner.Error{Code: runner.ExitBadCase, Err: fmt.Errorf("--threads, --time and --steps must not be negative: leave them out for the case's own")}
	}
	if r.Backend != "auto" {
		r.Set = append(r.Set, "run.backend="+r.Backend)
	}
	switch {
	case r.Time > 0:
		r.Set = append(r.Set, fmt.Sprintf("run.time=%v", r.Time))
	case r.Steps > 0:
		r.Set = append(r.Set, fmt.Sprintf("run.steps=%d", r.Steps))
	}
	c, err := r.load()
	if err != nil {
		return err
	}
	o := runner.Options{
		Out: r.Out, Threads: r.Threads,
		Resume: r.Resume, Overwrite: r.Overwrite, Quiet: r.Quiet,
		Progress: s.stderr, Version: version(),
	}
	if f, ok := s.stderr.(*os.File); ok && term.IsTerminal(int(f.Fd())) {
		o.Terminal = true
		if o.Width, _, err = term.GetSize(int(f.Fd())); err != nil {
			o.Width = 80
		}
	}
	summary, err := runner.Run(s.ctx, c, o)
	if summary == nil {
		return err
	}
	if r.JSON {
		if e := s.printJSON(summary); err == nil {
			err = e
		}
	} else if !r.Quiet {
		fmt.Fprint(s.stdout, summary)
	}
	return err
}

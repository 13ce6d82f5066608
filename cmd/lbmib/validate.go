package main

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"os"
	"runtime"
	"slices"
	"strings"
	"time"

	"lbmib/internal/machine"
	"lbmib/run/backend"
	"lbmib/run/exit"
	"lbmib/run/setup"
	"lbmib/validation/suite"
)

type validateCommand struct {
	Names   []string `arg:"" optional:"" name:"name" help:"Groups to run (default: all); see --list."`
	Quick   bool     `help:"The short suite: some minutes on two cores. The full one takes three to four hours."`
	List    bool     `help:"List the groups with their quantities and bounds; run nothing."`
	JSON    bool     `name:"json" help:"Print one JSON document on standard output and nothing else there."`
	Report  string   `help:"Write report.md, report.json, report.html and plots to DIR." placeholder:"DIR"`
	Out     string   `help:"Directory of the runs. They are kept, and those that are finished are not run again (default: ${default})." default:"validation.out" placeholder:"DIR"`
	Kept    bool     `help:"Evaluate the finished runs in the directory, of whatever version, and run nothing; quantities whose runs are missing are left out."`
	Backend string   `help:"Where to compute the runs: auto, cpu, cuda or hybrid, as in lbmib run." placeholder:"NAME"`
	Threads int      `help:"Worker threads; 0 takes all processors." placeholder:"N"`
	kernelFlag
}

func (validateCommand) examples() []string {
	return []string{
		"lbmib validate --quick",
		"lbmib validate --list",
		"lbmib validate dfg taylor-couette --report report.out",
		"lbmib validate --report report.out --json > validation.json",
	}
}

// Run runs the suite. Unknown names are refused before the first run.
func (v *validateCommand) Run(s *surroundings) error {
	if err := checkThreads(v.Threads); err != nil {
		return err
	}
	kernel, err := setup.ChooseKernel(v.Kernel)
	if err != nil {
		return err
	}
	if !slices.Contains(append([]string{""}, backend.Names...), v.Backend) {
		return &exit.Error{Code: exit.BadCase, Err: fmt.Errorf("--backend is %q, must be one of %s", v.Backend, strings.Join(backend.Names, ", "))}
	}
	plans, err := suite.Select(v.Names, v.Quick)
	if err != nil {
		return &exit.Error{Code: exit.BadCase, Err: err}
	}
	if v.List {
		return suite.WriteList(s.stdout, plans)
	}
	o := suite.Options{Out: v.Out, Threads: v.Threads, Kernel: kernel, Version: programIdentity(), Backend: v.Backend, Kept: v.Kept, Progress: s.stderr}
	if o.Threads == 0 {
		o.Threads = runtime.GOMAXPROCS(0)
	}
	if v.Backend != "" {
		o.Version += " " + v.Backend // runs of another backend are done again
	}
	if err := s.endsItself(true); err != nil {
		return err
	}
	o.Requests = &s.attention.requests
	begin := time.Now()
	release, err := o.Hold()
	if err != nil {
		return err
	}
	defer release()
	outcomes, err := suite.Do(s.ctx, plans, o)
	d := suite.NewDocument(outcomes, v.Quick, suite.Host{Version: version(), Device: machine.CPU(), Threads: o.Threads}, time.Since(begin))
	if v.Kept {
		d.Versions = strings.Join(suite.KeptVersions(plans, v.Out), ", ")
	}
	if e := v.tell(s, d); err == nil {
		err = e
	}
	if err == nil && v.Report != "" {
		if err = suite.WriteReport(v.Report, d, plans, o); err != nil {
			err = &exit.Error{Code: exit.InputOutput, Err: fmt.Errorf("--report: %w", err)}
		}
	}
	if err == nil && d.Failed > 0 {
		err = fmt.Errorf("%d of %d quantities lie outside their bounds or could not be computed: lbmib validate --list tells the bounds and sources, %s keeps the runs", d.Failed, d.Failed+d.Passed, v.Out)
	}
	return err
}

// tell prints the results.
func (v *validateCommand) tell(s *surroundings, d *suite.Document) error {
	if v.JSON {
		return s.printJSON(d)
	}
	return d.WriteText(s.stdout)
}

// programIdentity tells whether a kept run was made by this program: its version
// where that names a commit, and else a digest of the program itself too.
func programIdentity() string {
	v := version()
	if strings.HasSuffix(v, ")") && !strings.HasSuffix(v, "-dirty)") {
		return v
	}
	path, err := os.Executable()
	if err != nil {
		return v
	}
	f, err := os.Open(path)
	if err != nil {
		return v
	}
	defer f.Close()
	sum := sha256.New()
	if _, err := io.Copy(sum, f); err != nil {
		return v
	}
	return v + " " + hex.EncodeToString(sum.Sum(nil)[:6])
}

package main

import (
	"errors"
	"fmt"
	"os"
	"regexp"
	"strings"

	"golang.org/x/term"

	"lbmib/cmd/lbmib/report"
	"lbmib/internal/parallel"
	"lbmib/io/casefile"
	"lbmib/io/view"
	"lbmib/run"
	"lbmib/run/exit"
	"lbmib/run/setup"
)

// caseFlags are what every command that reads a case takes.
type caseFlags struct {
	Case string   `arg:"" name:"CASE.toml" help:"The case file, or what a run has left of it: case-as-run.toml or manifest.json."`
	Set  []string `help:"Override a key of the case, e.g. --set reference.reynolds=40. Repeatable." placeholder:"KEY=VALUE" sep:"none"`
	JSON bool     `name:"json" help:"Print one JSON document on standard output and nothing else there."`
}

// load reads the case.
func (f *caseFlags) load() (*casefile.Case, error) {
	c, err := casefile.Load(f.Case, f.Set)
	if err != nil {
		return nil, &exit.Error{Code: exit.BadCase, Err: err}
	}
	return c, nil
}

// checkThreads refuses numbers of workers that no machine has.
func checkThreads(n int) error {
	if n >= 0 && n <= parallel.MaxThreads {
		return nil
	}
	return &exit.Error{Code: exit.BadCase, Err: fmt.Errorf("--threads is %d, must not be negative and at most %d: 0 takes all processors", n, parallel.MaxThreads)}
}

// kernelFlag is what every command that steps a case's fluid takes.
type kernelFlag struct {
	Kernel string `help:"Row kernels: auto, avx512, avx2 or go; auto takes the fastest that the CPU has. Default: the environment variable LBMIB_KERNEL, else auto." placeholder:"NAME"`
}

// refineFlag is what every command takes that sets a case up.
type refineFlag struct {
	Refine string `help:"auto takes the nested grids that lbmib check proposes where the case has no [[refine]]. A run that is resumed keeps those it was begun on." placeholder:"auto"`
}

// auto tells whether nested grids are asked for.
func (f *refineFlag) auto() (bool, error) {
	switch f.Refine {
	case "", "auto":
		return f.Refine == "auto", nil
	}
	return false, &exit.Error{Code: exit.BadCase, Err: fmt.Errorf("--refine %s: must be auto: leave it out for the grids of the case alone, which [[refine]] gives", f.Refine)}
}

type runCommand struct {
	caseFlags
	kernelFlag
	refineFlag
	Out       string   `help:"Directory for results (default: the case's, CASE.out)." placeholder:"DIR"`
	Backend   string   `help:"Where to compute: auto, cpu, cuda (all on a GPU) or hybrid (the fluid on a GPU, bodies beside it on the CPU). auto measures what a GPU offers, and takes the CPU where there is none." placeholder:"NAME"`
	Threads   int      `help:"Worker threads; 0 takes all processors." placeholder:"N"`
	Time      *float64 `help:"Run to this time, in L/U, instead of the case's." placeholder:"T" xor:"duration"`
	Steps     *int64   `help:"Run to this step instead of the case's time." placeholder:"N" xor:"duration"`
	Resume    bool     `help:"Continue from the last good checkpoint in the directory." xor:"earlier"`
	Overwrite bool     `help:"Replace an earlier run in the directory." xor:"earlier"`
	Quiet     bool     `help:"No progress and no summary." xor:"telling"`
	Converge  int      `help:"Run on so many grids, 3 to 6, the case's the finest, each with nodes √2 times as wide, or as near to that as nested grids allow, and tell results with their numerical uncertainty (GCI)." placeholder:"N"`
	View      bool     `help:"Show the vorticity live in the terminal, above the progress." xor:"telling"`
	Page      bool     `help:"Show the run live in a browser: forces, pictures of quantities on planes, bodies, buttons for a checkpoint and to stop. Serves this machine alone; the address, with a token, is printed on standard error. After the end the page has the report, and the program stays while it is open, 10 minutes at most."`
}

func (runCommand) examples() []string {
	return []string{
		"lbmib run cases/cylinder.toml",
		"lbmib run cases/cylinder.toml --view --out watched.out",
		"lbmib run cases/cylinder.toml --page --out shown.out",
		"lbmib run cases/cylinder.toml --resume",
		"lbmib run cases/sphere.toml --refine auto",
		"lbmib run cylinder.out/manifest.json --out again.out",
		"lbmib run cases/cylinder.toml --converge 3 --set output.fields.every=0",
		"lbmib run cases/cylinder.toml --set reference.resolution=20 --out coarse.out --json",
	}
}

// Run runs the case, with other ranks if a launcher has started them.
func (r *runCommand) Run(s *surroundings) (failed error) {
	if r.Converge != 0 {
		if err := onOneRank("run --converge"); err != nil {
			return err
		}
	}
	ranks, err := s.ranks()
	if err != nil {
		return err
	}
	defer func() {
		if ranks == nil {
			return // a panic is told by the caller
		}
		if p := recover(); p != nil {
			ranks.Comm.Abort(exit.Internal, run.InternalError(p))
		}
		leaveRanks(ranks, failed)
	}()
	return ranks.Meet(r.run(s, ranks))
}

func (r *runCommand) run(s *surroundings, ranks *run.Ranks) error {
	if err := checkThreads(r.Threads); err != nil {
		return err
	}
	kernel, err := setup.ChooseKernel(r.Kernel)
	if err != nil {
		return err
	}
	refine, err := r.auto()
	if err != nil {
		return err
	}
	screen, err := r.screen(s)
	if err != nil {
		return &exit.Error{Code: exit.BadCase, Err: err}
	}
	again, err := r.again()
	if err != nil {
		return err
	}
	asThen := len(r.Set) == 0 && again != nil
	kernel, notes := again.settle(r, kernel)
	for _, note := range notes {
		fmt.Fprintln(s.messagesTo(), note)
	}
	if r.Backend != "" {
		r.Set = append(r.Set, "run.backend="+r.Backend)
	}
	switch {
	case r.Time != nil:
		r.Set = append(r.Set, fmt.Sprintf("run.time=%v", *r.Time))
	case r.Steps != nil:
		r.Set = append(r.Set, fmt.Sprintf("run.steps=%d", *r.Steps))
	}
	if r.Converge != 0 {
		return r.converge(s, kernel, refine)
	}
	c, err := r.load()
	if err != nil {
		return err
	}
	if asThen {
		if err := again.is(c); err != nil {
			return err
		}
	}
	o := run.Options{
		Ranks: ranks, Out: r.Out, Threads: r.Threads, Kernel: kernel,
		Resume: r.Resume, Overwrite: r.Overwrite, Quiet: r.Quiet, Refine: refine,
		Progress: s.messagesTo(), Version: version(), View: screen, Continue: resumeCommand(os.Args),
	}
	if f, ok := terminalOf(s.stderr); ok {
		o.Terminal, o.Width = true, terminalWidth(f)
	}
	if err := s.endsItself(true); err != nil {
		return err
	}
	if ranks != nil {
		o.Continue += "   (under a launcher again, on any number of ranks)"
	}
	o.Requests, o.Report = &s.attention.requests, report.OfRun
	if o.Page, err = s.openPage(r.Page && !s.silent); err != nil {
		return err
	}
	defer o.Page.Close()
	summary, err := run.Run(s.ctx, c, o)
	endPage(o.Page, summary, err)
	if summary == nil {
		ranks.Finalize() // they need not wait for who looks
		s.stayOnPage(o.Page, err)
		return err
	}
	if r.JSON {
		if e := s.printJSON(summary); err == nil {
			err = e
		}
	} else if !r.Quiet {
		fmt.Fprint(s.stdout, summary)
	}
	ranks.Finalize()
	s.stayOnPage(o.Page, err)
	return err
}

// screen is what --view draws on; nil without it.
func (r *runCommand) screen(s *surroundings) (*view.Screen, error) {
	if !r.View {
		return nil, nil
	}
	f, ok := terminalOf(s.stderr)
	if !ok {
		return nil, errors.New("--view draws on standard error, which is not a terminal here: leave --view out, or do not redirect standard error")
	}
	depth, err := view.TerminalDepth(os.Getenv)
	if err != nil {
		return nil, fmt.Errorf("--view: %w, or leave --view out", err)
	}
	size := func() (columns, rows int, err error) { return term.GetSize(int(f.Fd())) }
	return view.NewScreen(s.stderr, size, depth), nil
}

// resumeCommand is the command line that continues what this one began.
func resumeCommand(args []string) string {
	var words []string
	for _, a := range args {
		switch name, _, _ := strings.Cut(a, "="); name {
		case "--resume", "--overwrite":
			continue
		}
		words = append(words, shellQuoted(a))
	}
	return strings.Join(append(words, "--resume"), " ")
}

// plainWord is what a shell takes as it is.
var plainWord = regexp.MustCompile(`^[A-Za-z0-9_@%+=:,./-]+$`)

func shellQuoted(word string) string {
	if plainWord.MatchString(word) {
		return word
	}
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}

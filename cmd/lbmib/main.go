// Command lbmib computes flows around immersed bodies: lattice Boltzmann with
// the immersed boundary method. See README.md, or lbmib --help.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime/debug"
	"strings"
	"sync/atomic"
	"syscall"

	"github.com/alecthomas/kong"

	"lbmib/cmd/lbmib/gpureport"
	"lbmib/internal/durable"
	"lbmib/internal/machine"
	"lbmib/run/exit"
)

// commands are all commands and their flags, as interface names them.
type commands struct {
	New      newCommand      `cmd:"" help:"Write a commented starter case to begin one's own from."`
	Run      runCommand      `cmd:"" help:"Run a case."`
	Check    checkCommand    `cmd:"" help:"Check a case: scales, stability, memory, time. Nothing is run."`
	Sweep    sweepCommand    `cmd:"" help:"Run a case for every combination of values of its keys; one table and plot at the end."`
	Plot     plotCommand     `cmd:"" help:"Draw pictures and the report of a run, finished or not, from its directory."`
	Validate validateCommand `cmd:"" help:"Run published cases and compare the results with their references: value, bounds, source, pass or fail."`
	Bench    benchCommand    `cmd:"" help:"Measure how fast this machine is: the fluid, markers and grid, both together."`

	GPUReport gpuReportCommand `cmd:"" name:"gpu-report" help:"Prove this program on this machine's GPU and measure it there; one report in Markdown and JSON."`

	Doctor  doctorCommand  `cmd:"" help:"Tell what was found on this machine and what to do about what was not."`
	Version versionCommand `cmd:"" help:"Print the version."`

	Help       helpCommand       `cmd:"" help:"Print the help of a command."`
	Completion completionCommand `cmd:"" help:"Print a script that has bash, zsh or fish complete command lines."`
	Man        manCommand        `cmd:"" help:"Print the manual page, lbmib(1)."`

	ShowVersion kong.VersionFlag `name:"version" help:"Print the version."`
}

func main() {
	for _, enough := range []func() error{enoughFiles, enoughSpace} { // before anything that needs threads
		if err := enough(); err != nil {
			fmt.Fprintf(os.Stderr, "lbmib: %v\n", err)
			os.Exit(exit.Code(err))
		}
	}
	os.Exit(invoke(os.Args[1:], os.Stdout, os.Stderr))
}

// invoke is main with its surroundings as arguments; it returns the exit code.
func invoke(args []string, stdout, stderr io.Writer) (code int) {
	m := newMessages(stderr)
	a := listen(m)
	defer a.close() // after the last message: its reader may be gone
	defer m.flush(readerPatience)
	s := &surroundings{ctx: a.ctx, stdout: &output{to: stdout, ctx: a.ctx, before: m}, stderr: m, attention: a}
	told, err := s.command(args)
	for _, e := range []error{err, s.stdout.failed()} {
		if e == nil {
			continue
		}
		if !toldElsewhere(e) {
			fmt.Fprintf(m, "lbmib: %v\n", e)
		}
		if told == exit.Done {
			told = exit.Code(e)
		}
	}
	return told
}

// command does what a command line asks for; its error has the exit code. A command line
// that kong has answered by itself has one without an error.
func (s *surroundings) command(args []string) (code int, err error) {
	defer recovered(&err)
	var c commands
	status := -1
	ctx, err := s.parser(&c, func(code int) { status = code }).Parse(args)
	if status >= 0 { // --help
		return status, nil
	}
	if err != nil {
		var p *kong.ParseError
		if errors.As(err, &p) {
			err = fmt.Errorf("%w\nsee: lbmib --help", err)
		}
		return exit.Done, &exit.Error{Code: exit.BadCase, Err: err}
	}
	if err := onOneRank(strings.Fields(ctx.Command())[0]); err != nil {
		return exit.Done, err
	}
	return exit.Done, s.attend(func() error { return ctx.Run(s) })
}

// parser reads command lines; what answers by itself, as --help, ends with a code.
func (s *surroundings) parser(c *commands, ended func(code int)) *kong.Kong {
	return kong.Must(c,
		kong.Name("lbmib"),
		kong.Description("Fluid–structure interaction by lattice Boltzmann and immersed boundaries: one binary, one case file."),
		kong.Writers(s.stdout, s.stderr),
		kong.Vars{"sections": strings.Join(gpureport.SectionNames(), ", "), "version": "lbmib " + version()},
		kong.Exit(ended),
		kong.ConfigureHelp(kong.HelpOptions{Compact: true, WrapUpperBound: 100}),
		kong.Help(helpWithExamples),
	)
}

// leastFiles is how many files a command must be able to open: two that wait for others,
// the case, and one that it names.
const leastFiles = 4

// enoughFiles refuses to begin where a limit on open files would have the process aborted,
// without a word of its own, as soon as it reads one.
func enoughFiles() error {
	for range leastFiles {
		fd, err := syscall.Open("/", syscall.O_RDONLY|syscall.O_CLOEXEC, 0)
		if errors.Is(err, syscall.EMFILE) || errors.Is(err, syscall.ENFILE) {
			return &exit.Error{Code: exit.InputOutput, Err: fmt.Errorf("there are too few files to begin, at least %d must be free: %w: %s", leastFiles, err, durable.Remedy(err, ""))}
		}
		if err == nil {
			defer syscall.Close(fd)
		}
	}
	return nil
}

// leastSpace is the memory that a command needs at least where it is limited.
const leastSpace = 64 << 20

// enoughSpace refuses to begin where a limit on memory would soon have the process aborted,
// without a word of its own; and has the collector keep to a limit that there is.
func enoughSpace() error {
	have, err := machine.Limit()
	if err != nil || have.By == "" {
		return nil
	}
	if have.Bytes < leastSpace {
		return &exit.Error{Code: exit.InputOutput, Err: fmt.Errorf("there is too little memory to begin: %s: %s", have.By, have.Remedy)}
	}
	if os.Getenv("GOMEMLIMIT") == "" {
		debug.SetMemoryLimit(have.Bytes)
	}
	return nil
}

// recovered turns a panic into an error with the code of an internal one: Go's own exit
// code of a panic stands for a bad case here.
func recovered(err *error) {
	if r := recover(); r != nil {
		*err = &exit.Error{Code: exit.Internal, Err: fmt.Errorf("internal error: %v\n%s\nplease report it with the case file", r, debug.Stack())}
	}
}

// surroundings are what a command works with.
type surroundings struct {
	ctx       context.Context
	stdout    *output
	stderr    *messages
	attention *attention
	phase     atomic.Int32 // of the command
	silent    bool         // another rank speaks for this one
}

// printJSON prints one JSON document.
func (s *surroundings) printJSON(v any) error {
	e := json.NewEncoder(s.stdout)
	e.SetIndent("", "  ")
	return e.Encode(v)
}

type versionCommand struct{}

func (versionCommand) examples() []string { return []string{"lbmib version"} }

func (versionCommand) Run(s *surroundings) error {
	_, err := fmt.Fprintln(s.stdout, "lbmib "+version())
	return err
}

// release is the version, commit what it was built from; make build stamps the
// commit where Go's own stamp is switched off.
var (
	release = "0.1.0-dev"
	commit  string
)

// version is the release and the commit that it was built from.
func version() string {
	from := commit
	if info, ok := debug.ReadBuildInfo(); ok && from == "" {
		for _, s := range info.Settings {
			switch {
			case s.Key == "vcs.revision" && len(s.Value) >= 12:
				from = s.Value[:12]
			case s.Key == "vcs.modified" && s.Value == "true":
				from += "-dirty"
			}
		}
	}
	if from == "" {
		return release
	}
	return release + " (" + from + ")"
}

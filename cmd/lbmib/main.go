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
	"os/signal"
	"runtime/debug"
	"syscall"

	"github.com/alecthomas/kong"

	"lbmib/cmd/lbmib/runner"
)

// commands are all commands and their flags, as interface names them.
type commands struct {
	New      newCommand      `cmd:"" help:"Write a commented starter case to begin one's own from."`
	Run      runCommand      `cmd:"" help:"Run a case."`
	Check    checkCommand    `cmd:"" help:"Check a case: scales, stability, memory, time. Nothing is run."`
	Sweep    sweepCommand    `cmd:"" help:"Run a case for every combination of values of its keys; one table and plot at the end."`
	Plot     plotCommand     `cmd:"" help:"Draw pictures and the report of a run, finished or not, from its directory."`
	Validate validateCommand `cmd:"" help:"Run published cases and hold the results against their references: value, bounds, source, pass or fail."`
	Bench    benchCommand    `cmd:"" help:"Measure how fast this machine is: the fluid, markers and grid, both together."`

	GPUReport gpuReportCommand `cmd:"" name:"gpu-report" help:"Prove this program on this machine's GPU and measure it there; one report in Markdown and JSON."`

	Doctor  doctorCommand  `cmd:"" help:"Tell what was found on this machine and what to do about what was not."`
	Version versionCommand `cmd:"" help:"Print the version."`
}

func main() {
	os.Exit(run(os.Args[1:], os.Stdout, os.Stderr))
}

// run is main with its surroundings as arguments; it returns the exit code.
func run(args []string, stdout, stderr io.Writer) (code int) {
	defer func() { // Go's own exit code of a panic stands for a bad case here
		if r := recover(); r != nil {
			fmt.Fprintf(stderr, "lbmib: internal error: %v\n%s\nplease report it with the case file\n", r, debug.Stack())
			code = runner.ExitInternal
		}
	}()
	var c commands
	exit := -1
	parser := kong.Must(&c,
		kong.Name("lbmib"),
		kong.Description("Fluid–structure interaction by lattice Boltzmann and immersed boundaries: one binary, one case file."),
		kong.Writers(stdout, stderr),
		kong.Exit(func(code int) { exit = code }),
		kong.ConfigureHelp(kong.HelpOptions{Compact: true, WrapUpperBound: 100}),
		kong.Help(helpWithExamples),
	)
	ctx, err := parser.Parse(args)
	if exit >= 0 { // --help
		return exit
	}
	if err != nil {
		fmt.Fprintf(stderr, "lbmib: %v\n", err)
		var p *kong.ParseError
		if errors.As(err, &p) {
			fmt.Fprintln(stderr, "see: lbmib --help")
		}
		return runner.ExitBadCase
	}
	interruptible, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	context.AfterFunc(interruptible, stop) // a second signal ends the process at once
	s := &surroundings{ctx: interruptible, stdout: stdout, stderr: stderr}
	if err := ctx.Run(s); err != nil {
		fmt.Fprintf(stderr, "lbmib: %v\n", err)
		return runner.ExitCode(err)
	}
	return runner.ExitDone
}

// surroundings are what a command works with.
type surroundings struct {
	ctx            context.Context
	stdout, stderr io.Writer
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

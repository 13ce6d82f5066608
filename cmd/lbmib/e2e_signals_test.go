package main

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

// slowSetup is a case whose markers take minutes to weigh, long before its first step.
const slowSetup = `
[reference]
resolution = 90
velocity   = 0.1
reynolds   = 40
[domain]
lattice = "D3Q19"
size    = [1.4, 1.4, 1.4]
[domain.boundary]
left   = { type = "velocity", value = [1.0, 0.0, 0.0] }
right  = { type = "outflow" }
bottom = { type = "free-slip" }
top    = { type = "free-slip" }
front  = { type = "periodic" }
back   = { type = "periodic" }
[fluid]
precision = "f32"
[[body]]
name    = "sphere"
spacing = 0.35
shape   = { type = "sphere", center = [0.7, 0.7, 0.7], diameter = 1.0 }
[run]
steps = 4
[output]
directory = "run"
`

// prompt bounds the time from a signal to the end of a process; it is meant to be a
// second, on a machine that does nothing else.
const prompt = 20 * time.Second

func TestCheckAndTheSetupOfRunsStopWhenTheyAreAsked(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		signal os.Signal
		args   []string
	}{
		{syscall.SIGTERM, []string{"run", "case.toml"}},
		{syscall.SIGHUP, []string{"run", "case.toml"}},
		{syscall.SIGTERM, []string{"check", "case.toml"}},
		{os.Interrupt, []string{"check", "case.toml", "--json"}},
		{syscall.SIGTERM, []string{"sweep", "case.toml", "--over", "reference.reynolds=40,50"}},
	} {
		dir := place(t, slowSetup)
		cmd, end := command(t, dir, nil, c.args...)
		ended := begin(t, cmd, end)
		select {
		case o := <-ended:
			t.Fatalf("%v ended by itself: %+v", c.args, o)
		case <-time.After(2 * time.Second):
		}
		_ = cmd.Process.Signal(c.signal)
		asked := time.Now()
		o := <-ended
		o.want(t, 130, "interrupted")
		if took := time.Since(asked); took > prompt {
			t.Errorf("%v took %v to stop", c.args, took)
		}
		if _, err := os.Stat(filepath.Join(dir, "run")); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%v left a run directory: %v", c.args, err)
		}
	}
}

func TestAHangUpLeavesACheckpointUnlessItIsIgnored(t *testing.T) {
	t.Parallel()
	whole := finished(t, cylinder)
	dir := place(t, cylinder)
	cmd, end := command(t, dir, nil, "run", "case.toml")
	ended := begin(t, cmd, end)
	if !exists(filepath.Join(dir, "run", "manifest.json"), ended) {
		t.Fatal("the run ended at once")
	}
	_ = cmd.Process.Signal(syscall.SIGHUP)
	_ = cmd.Process.Signal(syscall.SIGHUP) // a terminal that closes sends several
	o := <-ended
	o.want(t, 130, "interrupted at step")
	lbmib(t, dir, "run", "case.toml", "--resume").want(t, 0)
	sameRun(t, dir, whole)

	ignoring := place(t, cylinder)
	nohup := exec.Command("sh", "-c", `trap "" HUP; exec "$0" run case.toml --quiet`, binary)
	nohup.Dir = ignoring
	if err := nohup.Start(); err != nil {
		t.Fatal(err)
	}
	gone := make(chan outcome)
	if !exists(filepath.Join(ignoring, "run", "manifest.json"), gone) {
		t.Fatal("the run has no directory")
	}
	_ = nohup.Process.Signal(syscall.SIGHUP)
	if err := nohup.Wait(); err != nil {
		t.Fatalf("a hang-up that was ignored at the start ended the run: %v", err)
	}
	sameRun(t, ignoring, whole)
}

func TestACheckpointThatIsAskedForIsWrittenAndTheRunGoesOn(t *testing.T) {
	t.Parallel()
	// Without checkpoints of its own a run has the one that was asked for and no other.
	text := edited(t, cylinder, `checkpoint = { every = 2.0`, `checkpoint = { every = 0.0`)
	whole := finished(t, text)
	dir := place(t, text)
	cmd, end := command(t, dir, nil, "run", "case.toml")
	ended := begin(t, cmd, end)
	if !exists(filepath.Join(dir, "run", "manifest.json"), ended) {
		t.Fatal("the run ended at once")
	}
	_ = cmd.Process.Signal(syscall.SIGUSR1)
	o := <-ended
	o.want(t, 0, "written to "+filepath.Join("run", "checkpoint")+", as asked; the run goes on")
	if n := len(checkpoints(t, dir)); n != 1 {
		t.Errorf("%d checkpoints, want the one that was asked for", n)
	}
	want := results(t, whole)
	want["checkpoint"] = "dir"
	sameTree(t, results(t, dir), want)
	lbmib(t, dir, "run", "case.toml", "--resume", "--quiet").want(t, 0)
	sameTree(t, results(t, dir), want)
}

func TestAReaderThatGoesDoesNotEndTheRun(t *testing.T) {
	t.Parallel()
	whole := finished(t, cylinder)
	dir := place(t, cylinder)
	reader, writer, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(binary, "run", "case.toml")
	cmd.Dir, cmd.Stdout, cmd.Stderr = dir, writer, writer
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	writer.Close()
	reader.Close()
	gone := make(chan outcome)
	if !exists(filepath.Join(dir, "run", "manifest.json"), gone) {
		t.Fatal("the run has no directory")
	}
	_ = cmd.Process.Signal(syscall.SIGUSR1) // makes it say something
	var exit *exec.ExitError
	if err := cmd.Wait(); !errors.As(err, &exit) || exit.ExitCode() != 4 {
		t.Errorf("the run ended with %v, want exit code 4", err)
	}
	sameTree(t, results(t, dir), results(t, whole))
	summaryOf(t, dir)
}

func TestOutputThatCannotBeWrittenIsAnErrorOfItsOwn(t *testing.T) {
	t.Parallel()
	full, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
	if err != nil {
		t.Skip("there is no /dev/full")
	}
	defer full.Close()
	dir := place(t, cylinder)
	for _, args := range [][]string{
		{"run", "case.toml", "--json", "--time=2"}, {"run", "case.toml", "--time=2", "--overwrite"},
		{"check", "case.toml"}, {"check", "case.toml", "--json"}, {"version"}, {"doctor"}, {"--help"},
		{"new", "--list"}, {"validate", "--list"}, {"plot", "run"},
	} {
		var stderr bytes.Buffer
		cmd := exec.Command(binary, args...)
		cmd.Dir, cmd.Stdout, cmd.Stderr = dir, full, &stderr
		var exit *exec.ExitError
		if err := cmd.Run(); !errors.As(err, &exit) || exit.ExitCode() != 4 {
			t.Errorf("%v: %v, want exit code 4", args, err)
		}
		if s := stderr.String(); strings.Count(s, "standard output cannot be written to: no space left on device: free some space") != 1 || strings.Contains(s, "internal") {
			t.Errorf("%v says %q", args, s)
		}
	}
	summaryOf(t, dir)
}

func TestASecondSignalEndsTheProcessAtOnce(t *testing.T) {
	for _, c := range []struct {
		name    string
		signals []os.Signal
		wait    time.Duration // before the last
		ends    os.Signal
		stops   bool
	}{
		{"one", []os.Signal{syscall.SIGTERM}, 0, nil, true},
		{"its echo", []os.Signal{syscall.SIGTERM, syscall.SIGTERM}, 0, nil, true},
		{"two", []os.Signal{syscall.SIGTERM, os.Interrupt}, 2 * echo, os.Interrupt, true},
		{"a terminal that closes", []os.Signal{syscall.SIGHUP, syscall.SIGHUP}, 2 * echo, nil, true},
		{"no stop", []os.Signal{syscall.SIGUSR1, syscall.SIGPIPE}, 0, nil, false},
	} {
		var stderr bytes.Buffer
		var ended os.Signal
		var once sync.Once
		a := listen(newMessages(&stderr))
		a.end = func(s os.Signal) { once.Do(func() { ended = s }) }
		signals, done := make(chan os.Signal), make(chan struct{})
		go func() { a.hear(signals); close(done) }()
		for i, s := range c.signals {
			if i == len(c.signals)-1 {
				time.Sleep(c.wait)
			}
			signals <- s
		}
		close(signals)
		<-done
		if stops := a.ctx.Err() != nil; stops != c.stops || ended != c.ends {
			t.Errorf("%s: stops %v, ended by %v", c.name, stops, ended)
		}
		a.close()
	}
}

// unreadPipe is a full pipe that nobody reads.
type unreadPipe struct{ until <-chan struct{} }

func (s unreadPipe) Write(b []byte) (int, error) {
	<-s.until
	return len(b), nil
}

func TestSignalsAreHeardWhileStderrIsStuck(t *testing.T) {
	a := listen(newMessages(unreadPipe{t.Context().Done()}))
	defer a.close()
	signals := make(chan os.Signal, 33)
	for range 32 {
		signals <- syscall.SIGUSR1
	}
	signals <- syscall.SIGTERM
	go a.hear(signals)
	select {
	case <-a.ctx.Done():
	case <-time.After(10 * time.Second):
		t.Error("SIGTERM is not heard")
	}
	close(signals)
}

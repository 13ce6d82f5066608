package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// binary is the program under test, built once.
var binary string

func TestMain(m *testing.M) {
	// A process inherits which signals are ignored, as by nohup or in the background of a
	// shell's script; those that are caught here are its own to choose.
	for _, s := range []os.Signal{os.Interrupt, syscall.SIGTERM, syscall.SIGHUP} {
		if signal.Ignored(s) {
			signal.Notify(make(chan os.Signal, 1), s)
		}
	}
	os.Exit(func() int {
		dir, err := os.MkdirTemp("", "lbmib-e2e-")
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			return 1
		}
		defer os.RemoveAll(dir)
		binary = filepath.Join(dir, "lbmib")
		install := exec.Command("go", "install", "./cmd/lbmib") // as README.md says, from a checkout
		install.Dir, install.Env = "../..", append(os.Environ(), "GOBIN="+dir)
		if out, err := install.CombinedOutput(); err != nil {
			fmt.Fprintf(os.Stderr, "go install: %v\n%s", err, out)
			return 1
		}
		return m.Run()
	}())
}

// patience bounds one run of the program. The runs here take a second or two, some of them half a minute where the machine has
// nothing else to do: this is for those that would never end.
const patience = 15 * time.Minute

// outcome is what a finished process leaves beside its files.
type outcome struct {
	code           int // −1: killed by a signal
	stdout, stderr string
}

// command is the program in a working directory, started by the caller.
func command(t *testing.T, dir string, env []string, args ...string) (cmd *exec.Cmd, end func() outcome) {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	t.Cleanup(cancel)
	cmd = exec.CommandContext(ctx, binary, args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), env...)
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	return cmd, func() outcome {
		err := cmd.Wait()
		var exit *exec.ExitError
		if err != nil && !errors.As(err, &exit) {
			t.Fatalf("lbmib %s: %v", strings.Join(args, " "), err)
		}
		if ctx.Err() != nil {
			t.Fatalf("lbmib %s: no end after %v\n%s", strings.Join(args, " "), patience, stderr.String())
		}
		return outcome{cmd.ProcessState.ExitCode(), stdout.String(), stderr.String()}
	}
}

// begin starts a process and gives its outcome once it has ended, nothing if it
// does not end in time.
func begin(t *testing.T, cmd *exec.Cmd, end func() outcome) <-chan outcome {
	t.Helper()
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan outcome, 1)
	go func() {
		defer close(ended) // end fails the test by leaving this goroutine
		ended <- end()
	}()
	return ended
}

// lbmib runs the program in a working directory to its end.
func lbmib(t *testing.T, dir string, args ...string) outcome {
	t.Helper()
	return lbmibWith(t, dir, nil, args...)
}

// lbmibWith is lbmib with further environment variables.
func lbmibWith(t *testing.T, dir string, env []string, args ...string) outcome {
	t.Helper()
	cmd, end := command(t, dir, env, args...)
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	return end()
}

// want fails the test unless the process ended with the code and its standard
// error holds every fragment.
func (o outcome) want(t *testing.T, code int, fragments ...string) {
	t.Helper()
	if o.code != code {
		t.Fatalf("exit code %d, want %d; standard error:\n%s", o.code, code, o.stderr)
	}
	for _, f := range fragments {
		if !strings.Contains(o.stderr, f) {
			t.Errorf("standard error does not say %q:\n%s", f, o.stderr)
		}
	}
}

// cylinder is a small case with every kind of output: a second or so of work.
const cylinder = `title = "small cylinder"

[reference]
resolution = 8
velocity   = 0.1
reynolds   = 60

[domain]
lattice = "D2Q9"
size    = [10.0, 6.0]
initial = { type = "shear", velocity = [1.0, 0.0], amplitude = 0.05 }

[domain.boundary]
left   = { type = "velocity", value = [1.0, 0.0] }
right  = { type = "outflow" }
bottom = { type = "free-slip" }
top    = { type = "free-slip" }

[fluid]
collision = "bgk"
precision = "f64"

[ib]
delta   = "roma3"
forcing = "direct"

[[body]]
name    = "cylinder"
spacing = 1.0
shape   = { type = "circle", center = [3.0, 3.0], diameter = 1.0 }

[run]
time = 40.0

[output]
directory  = "run"
forces     = { every = 0.05 }
fields     = { every = 3.0, quantities = ["velocity", "density", "vorticity"] }
checkpoint = { every = 2.0, keep = 2 }
probes     = [ { name = "wake", at = [5.0, 3.0], every = 0.025 } ]
`

// sphere is cylinder's counterpart in space.
const sphere = `title = "small sphere"

[reference]
resolution = 6
velocity   = 0.1
reynolds   = 40

[domain]
lattice = "D3Q19"
size    = [4.0, 3.0, 3.0]
initial = { type = "uniform", velocity = [1.0, 0.0, 0.0] }

[domain.boundary]
left   = { type = "velocity", value = [1.0, 0.0, 0.0] }
right  = { type = "outflow" }
bottom = { type = "free-slip" }
top    = { type = "free-slip" }
front  = { type = "periodic" }
back   = { type = "periodic" }

[fluid]
collision = "trt"

[[body]]
name    = "sphere"
spacing = 1.2
shape   = { type = "sphere", center = [1.4, 1.5, 1.5], diameter = 1.0 }

[run]
time = 8.0

[output]
directory  = "run"
forces     = { every = 0.05 }
fields     = { every = 1.0 }
checkpoint = { every = 0.5, keep = 2 }
probes     = [ { name = "wake", at = [2.5, 1.5, 1.5], every = 0.1 } ]
`

// place makes a working directory with a case in it.
func place(t *testing.T, text string) (dir string) {
	t.Helper()
	dir = t.TempDir()
	write(t, filepath.Join(dir, "case.toml"), text)
	return dir
}

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
}

func read(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// edited is a text with one passage replaced.
func edited(t *testing.T, text, old, new string) string {
	t.Helper()
	if strings.Count(text, old) != 1 {
		t.Fatalf("%q stands %d times in the text, want once", old, strings.Count(text, old))
	}
	return strings.Replace(text, old, new, 1)
}

// tree is everything below a directory: path → content, "dir" for directories.
func tree(t *testing.T, dir string) map[string]string {
	t.Helper()
	all := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name, err := filepath.Rel(dir, path)
		if err != nil {
			return err
		}
		if d.IsDir() {
			all[name] = "dir"
			return nil
		}
		text, err := os.ReadFile(path)
		all[name] = "file " + string(text)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// sameTree compares two trees and names what differs.
func sameTree(t *testing.T, got, want map[string]string) {
	t.Helper()
	for name, content := range got {
		if w, ok := want[name]; !ok {
			t.Errorf("%s is there and should not be", name)
		} else if w != content {
			t.Errorf("%s differs from what it should be (%d and %d bytes)", name, len(content), len(w))
		}
	}
	for name := range want {
		if _, ok := got[name]; !ok {
			t.Errorf("%s is missing", name)
		}
	}
}

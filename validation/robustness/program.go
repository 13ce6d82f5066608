package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"time"
)

// program is the program under test.
type program struct{ path string }

// patience bounds a run of the program in which nothing is wrong; they take a second
// or two on a machine that does nothing else.
const patience = 3 * time.Minute

// outcome is how a process ended.
type outcome struct {
	args   []string
	code   int            // −1: by a signal
	signal syscall.Signal // that ended it
	stderr string
	stdout string
	wall   time.Duration
}

// want is an error unless the process ended with a code.
func (o outcome) want(code int) error {
	if o.code == code {
		return nil
	}
	return fmt.Errorf("lbmib %s: %s, want exit code %d; standard error:\n%s", strings.Join(o.args, " "), o.how(), code, o.stderr)
}

func (o outcome) how() string {
	if o.code < 0 {
		return fmt.Sprintf("ended by %v", o.signal)
	}
	return fmt.Sprintf("exit code %d", o.code)
}

// process is a process under way.
type process struct {
	cmd            *exec.Cmd
	args           []string
	stdout, stderr bytes.Buffer
	begun          time.Time
	timer          *time.Timer
	ended          chan struct{}
	err            error
}

// begin starts the program in a directory, by way of wrap where that is given.
func (p *program) begin(dir string, wrap []string, args ...string) (*process, error) {
	words := append(append(append([]string{}, wrap...), p.path), args...)
	r := &process{cmd: exec.Command(words[0], words[1:]...), args: args, begun: time.Now(), ended: make(chan struct{})}
	r.cmd.Dir, r.cmd.Stdout, r.cmd.Stderr = dir, &r.stdout, &r.stderr
	r.cmd.WaitDelay = 10 * time.Second // a grandchild may hold the pipes
	r.cmd.SysProcAttr = withParent()
	if err := r.cmd.Start(); err != nil {
		return nil, err
	}
	r.timer = time.AfterFunc(patience, func() { _ = r.cmd.Process.Signal(syscall.SIGQUIT) }) // with what it was doing
	go func() {
		r.err = r.cmd.Wait()
		close(r.ended)
	}()
	return r, nil
}

// wait is how the process ended.
func (r *process) wait() outcome {
	<-r.ended
	r.timer.Stop()
	o := outcome{args: r.args, code: r.cmd.ProcessState.ExitCode(), stdout: r.stdout.String(), stderr: r.stderr.String(), wall: time.Since(r.begun)}
	if w, ok := r.cmd.ProcessState.Sys().(syscall.WaitStatus); ok && w.Signaled() {
		o.signal = w.Signal()
	}
	var exit *exec.ExitError
	if r.err != nil && !errors.As(r.err, &exit) {
		o.code, o.stderr = -1, o.stderr+"\n"+r.err.Error()
	}
	return o
}

// do runs the program to its end.
func (p *program) do(dir string, args ...string) outcome {
	return p.doWrapped(dir, nil, args...)
}

// doWrapped is do by way of another program.
func (p *program) doWrapped(dir string, wrap []string, args ...string) outcome {
	r, err := p.begin(dir, wrap, args...)
	if err != nil {
		return outcome{args: args, code: -1, stderr: err.Error()}
	}
	return r.wait()
}

// build makes the program of the working tree in a directory.
func build(dir string) (*program, error) {
	p := &program{path: dir + "/lbmib"}
	out, err := exec.Command("go", "build", "-o", p.path, "lbmib/cmd/lbmib").CombinedOutput()
	if err != nil {
		return nil, fmt.Errorf("go build: %w\n%s", err, out)
	}
	return p, nil
}

// workspace is a directory for runs: in memory where there is room, for syncing to a
// disk takes longer than the runs.
func workspace() (string, error) {
	if info, err := os.Stat("/dev/shm"); err == nil && info.IsDir() {
		if dir, err := os.MkdirTemp("/dev/shm", "lbmib-robustness-"); err == nil {
			return dir, nil
		}
	}
	return os.MkdirTemp("", "lbmib-robustness-")
}

// moduleRoot is the directory of the working tree.
func moduleRoot() (string, error) {
	out, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}").Output()
	if err != nil {
		return "", fmt.Errorf("go list: %w: run this in the working tree", err)
	}
	return strings.TrimSpace(string(out)), nil
}

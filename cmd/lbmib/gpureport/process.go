package gpureport

import (
	"io"
	"os"
	"os/exec"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

// A process that is asked to end has so long until it is killed. One that does not end
// even then, since the driver holds it in the kernel, is left behind.
const (
	grace   = 2 * time.Second
	forsake = 5 * time.Second
)

// ending is how a process ended.
type ending struct {
	err    error         // of its exit: nil if it ended well
	cause  string        // why it was asked to end: "", hung, limit, interrupted
	silent time.Duration // time since it said something, when it was asked to end
	last   string        // the last of what it said
}

// Causes.
const (
	byHang      = "hung"
	byLimit     = "limit"
	byInterrupt = "interrupted"
)

// watched runs a process of a group of its own to its end. It is asked to end where it
// says nothing for longer than patience, near its limit, and where stop is closed; it is
// killed, with all that it has started, where it does not, at the limit at the latest.
// Writes to progress must not block: see relay.
func watched(cmd *exec.Cmd, progress io.Writer, limit, patience time.Duration, stop <-chan struct{}) ending {
	begin := time.Now()
	ear := &ear{to: progress, begin: begin}
	cmd.Stdout, cmd.Stderr = ear, ear
	cmd.WaitDelay = time.Second
	ownGroup(cmd)
	alive, err := cmd.StdinPipe() // ends with this process: see WithParent
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		return ending{err: err}
	}
	defer alive.Close()
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	var e ending
	var asked, killed time.Time
	ask := func(cause string) {
		e.cause, e.silent, asked = cause, ear.silent(), time.Now()
		interruptGroup(cmd.Process)
	}
	tick := time.NewTicker(50 * time.Millisecond)
	defer tick.Stop()
	for {
		select {
		case e.err = <-ended:
			killGroup(cmd.Process) // whatever it has left behind
			e.last = ear.last()
			return e
		case <-stop:
			stop = nil
			if e.cause == "" {
				ask(byInterrupt)
			}
		case <-tick.C:
		}
		elapsed := time.Since(begin)
		switch {
		case !killed.IsZero():
			if time.Since(killed) > forsake {
				e.err, e.last = os.ErrDeadlineExceeded, ear.last()
				return e
			}
		case e.cause == "" && ear.silent() > patience: // first: a hang is one at the limit, too
			ask(byHang)
		case e.cause == "" && elapsed > limit-min(grace, limit/8):
			ask(byLimit)
		case e.cause != "" && (elapsed > limit || time.Since(asked) > grace):
			killed = time.Now()
			killGroup(cmd.Process)
		}
	}
}

// ear passes on what a process says and remembers the last of it.
type ear struct {
	to    io.Writer
	begin time.Time
	heard atomic.Int64 // nanoseconds after begin
	mutex sync.Mutex   // of the tail
	tail  []byte
}

func (e *ear) Write(text []byte) (int, error) {
	const room = 4 << 10
	e.heard.Store(int64(time.Since(e.begin)))
	e.mutex.Lock()
	e.tail = append(e.tail, text...)
	e.tail = e.tail[max(0, len(e.tail)-room):]
	e.mutex.Unlock()
	_, _ = e.to.Write(text) // a reader that is gone does not end the report
	return len(text), nil
}

func (e *ear) silent() time.Duration {
	return time.Since(e.begin) - time.Duration(e.heard.Load())
}

// last is the last of what was said, in one line.
func (e *ear) last() string {
	e.mutex.Lock()
	defer e.mutex.Unlock()
	lines := strings.Split(strings.TrimSpace(string(e.tail)), "\n")
	return strings.Join(lines[max(0, len(lines)-5):], " / ")
}

package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"sync/atomic"
	"syscall"
	"time"

	"lbmib/run"
	"lbmib/run/exit"
)

// Signals. SIGTERM, SIGINT and SIGHUP ask a command to stop: a run then leaves a
// checkpoint. A second one ends the process at once. SIGUSR1 asks for a checkpoint, and
// the run goes on. A pipe or terminal that is gone is an error of the write, not the end
// of the process.

const (
	// echo is the time in which a second signal is the first one's: timeout(1) sends it
	// to the process and to its group.
	echo = 300 * time.Millisecond
	// grace is the time that a command that is not at a run has to end by itself.
	grace = 800 * time.Millisecond
)

// attention is what listens to signals.
type attention struct {
	ctx      context.Context // cancelled by the first signal to stop
	cancel   context.CancelFunc
	requests run.Requests
	runs     atomic.Bool     // the command is one that makes runs
	deaf     atomic.Bool     // signals are another rank's to act on
	stderr   *messages       // which never waits, so that signals are always heard
	end      func(os.Signal) // ends the process as the signal does by default
	signals  chan os.Signal
}

// listen begins to listen.
func listen(stderr *messages) *attention {
	a := &attention{stderr: stderr, end: endBy, signals: make(chan os.Signal, 16)}
	a.ctx, a.cancel = context.WithCancel(context.Background())
	heard := []os.Signal{os.Interrupt, syscall.SIGTERM, syscall.SIGUSR1, syscall.SIGPIPE}
	if !signal.Ignored(syscall.SIGHUP) { // as nohup sets it
		heard = append(heard, syscall.SIGHUP)
	}
	signal.Notify(a.signals, heard...)
	go a.hear(a.signals)
	return a
}

// close stops listening.
func (a *attention) close() {
	signal.Stop(a.signals)
	close(a.signals)
	a.cancel()
}

// hear acts on signals until there are no more.
func (a *attention) hear(signals <-chan os.Signal) {
	var first time.Time
	for s := range signals {
		switch {
		case s == syscall.SIGPIPE, a.deaf.Load(): // the write says so; another rank does
		case s == syscall.SIGUSR1:
			a.askCheckpoint()
		case first.IsZero():
			first = time.Now()
			a.cancel()
		case s == syscall.SIGHUP || time.Since(first) < echo: // a terminal that closes sends several
		default:
			a.end(s)
		}
	}
}

// askCheckpoint asks the run for a checkpoint, and tells where it comes later or never.
func (a *attention) askCheckpoint() {
	switch {
	case !a.runs.Load():
		fmt.Fprintln(a.stderr, "SIGUSR1: this command makes no checkpoints, it goes on")
	case !a.requests.Checkpoint():
		fmt.Fprintln(a.stderr, "SIGUSR1: the checkpoint is written as soon as a run is set up")
	}
}

// endBy ends the process by a signal.
func endBy(s os.Signal) {
	signal.Reset(s)
	_ = syscall.Kill(os.Getpid(), s.(syscall.Signal))
}

// errInterrupted is of a command that was asked to stop and had not ended in time.
var errInterrupted = &exit.Error{Code: exit.Interrupted, Err: errors.New("interrupted: what it was computing is lost, no file is left half written")}

// attend runs a command that works with these surroundings. One that has not said that
// it ends by itself (endsItself) is left where it is when it was asked to stop: what it
// computes is lost, and files are only ever replaced whole.
func (s *surroundings) attend(command func() error) error {
	done := make(chan error, 1)
	go func() {
		var err error
		defer func() { done <- err }()
		defer recovered(&err)
		err = command()
	}()
	select {
	case err := <-done:
		return err
	case <-s.ctx.Done():
	}
	select {
	case err := <-done:
		return err
	case <-time.After(grace):
	}
	if s.phase.CompareAndSwap(atWork, left) {
		return errInterrupted
	}
	return <-done
}

// Phases of a command.
const (
	atWork       int32 = iota
	endingItself       // it listens to the context and must be waited for
	left               // its end is no longer waited for
)

// endsItself says that from here on the command ends by itself when it is asked to stop,
// and whether it makes runs, of which a checkpoint may be asked.
func (s *surroundings) endsItself(makesRuns bool) error {
	if !s.phase.CompareAndSwap(atWork, endingItself) {
		return errInterrupted // nobody waits any more
	}
	s.attention.runs.Store(makesRuns)
	return nil
}

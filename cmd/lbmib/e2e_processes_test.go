package main

import (
	"errors"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"
	"time"
)

func TestADirectoryIsUsedByOneRunAtATime(t *testing.T) {
	t.Parallel()
	whole := finished(t, cylinder)
	dir := place(t, cylinder)
	cmd, end := command(t, dir, nil, "run", "case.toml", "--quiet")
	ended := begin(t, cmd, end)
	if !exists(filepath.Join(dir, "run", "checkpoint", "*.ckpt"), ended) {
		t.Fatal("the run was done before another could begin")
	}
	// The first run stands still, so that whatever changes is the second's doing.
	send(t, cmd, syscall.SIGSTOP)
	before := settled(t, dir)
	for _, flag := range []string{"--quiet", "--resume", "--overwrite"} {
		lbmib(t, dir, "run", "case.toml", flag).want(t, 2, "run is in use by another run: wait for it, or choose another directory with --out DIR")
		sameTree(t, tree(t, dir), before)
	}
	send(t, cmd, syscall.SIGCONT)
	(<-ended).want(t, 0)
	sameRun(t, dir, whole)
}

func send(t *testing.T, cmd *exec.Cmd, s syscall.Signal) {
	t.Helper()
	if err := cmd.Process.Signal(s); err != nil {
		t.Fatal(err)
	}
}

// settled is a tree that does not change any more: a process stands still only
// some time after the signal that stops it was sent.
func settled(t *testing.T, dir string) map[string]string {
	t.Helper()
	for before := tree(t, dir); ; {
		time.Sleep(100 * time.Millisecond)
		now := tree(t, dir)
		if maps.Equal(before, now) {
			return now
		}
		before = now
	}
}

// A first Ctrl-C lets the run write its checkpoint; while something keeps it
// from ending, as here standard error that nobody reads, a second one kills it.
func TestASecondInterruptEndsTheProcessAtOnce(t *testing.T) {
	t.Parallel()
	dir := place(t, cylinder)
	reader, full := fullPipe(t)
	defer reader.Close()
	cmd, end := command(t, dir, nil, "run", "case.toml", "--quiet")
	cmd.Stderr = full
	ended := begin(t, cmd, end)
	full.Close()
	if !exists(filepath.Join(dir, "run", "checkpoint", "*.ckpt"), ended) {
		t.Fatal("the run was done before it could be interrupted")
	}
	send(t, cmd, syscall.SIGINT)
	if !exists(filepath.Join(dir, "run", "summary.json"), ended) {
		t.Fatal("the run ended with a message that nobody read")
	}
	if s := summaryOf(t, dir); s["status"] != "interrupted" {
		t.Fatalf("status %v, want interrupted", s["status"])
	}
	time.Sleep(2 * echo) // an earlier one would count as the first once more
	send(t, cmd, syscall.SIGINT)
	<-ended
	if w := cmd.ProcessState.Sys().(syscall.WaitStatus); !w.Signaled() || w.Signal() != syscall.SIGINT {
		t.Errorf("the process ended with %v, want by the second signal", cmd.ProcessState)
	}
	lbmib(t, dir, "run", "case.toml", "--quiet", "--resume").want(t, 0)
}

// fullPipe is a pipe on which the next write blocks.
func fullPipe(t *testing.T) (reader, writer *os.File) {
	t.Helper()
	var ends [2]int
	if err := syscall.Pipe(ends[:]); err != nil {
		t.Fatal(err)
	}
	for _, fd := range ends {
		syscall.CloseOnExec(fd)
	}
	if err := syscall.SetNonblock(ends[1], true); err != nil {
		t.Fatal(err)
	}
	page := make([]byte, 4096)
	for {
		if _, err := syscall.Write(ends[1], page); err != nil {
			break // full
		}
	}
	if err := syscall.SetNonblock(ends[1], false); err != nil {
		t.Fatal(err)
	}
	return os.NewFile(uintptr(ends[0]), "reader"), os.NewFile(uintptr(ends[1]), "writer")
}

// A run writes to its directory, not to whatever stands where it was.
func TestARunDirectoryThatIsMovedKeepsItsRun(t *testing.T) {
	t.Parallel()
	whole := finished(t, cylinder)
	dir := place(t, cylinder)
	run, moved := filepath.Join(dir, "run"), filepath.Join(dir, "moved")
	cmd, end := command(t, dir, nil, "run", "case.toml")
	ended := begin(t, cmd, end)
	if !exists(filepath.Join(run, "checkpoint", "*.ckpt"), ended) {
		t.Fatal("the run ended at once")
	}
	if err := os.Rename(run, moved); err != nil {
		t.Fatal(err)
	}
	second := edited(t, cylinder, "reynolds   = 60", "reynolds   = 50")
	write(t, filepath.Join(dir, "second.toml"), second)
	lbmib(t, dir, "run", "second.toml", "--quiet").want(t, 0)
	o := <-ended
	o.want(t, 0, "warning: run was moved or replaced while the run went on: everything that this run wrote is in "+moved)

	alone := place(t, second)
	write(t, filepath.Join(alone, "second.toml"), second)
	lbmib(t, alone, "run", "second.toml", "--quiet").want(t, 0)
	sameRun(t, dir, alone)
	if err := errors.Join(os.RemoveAll(run), os.Rename(moved, run)); err != nil {
		t.Fatal(err)
	}
	sameRun(t, dir, whole)
}

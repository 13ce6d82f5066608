package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

func TestMessagesAreWrittenInOrder(t *testing.T) {
	var to bytes.Buffer
	m := newMessages(&to)
	want := ""
	for i := range 1000 {
		fmt.Fprintln(m, i)
		want += fmt.Sprintln(i)
	}
	if m.flush(time.Minute); to.String() != want {
		t.Errorf("%d bytes are written, want %d", to.Len(), len(want))
	}
}

// Of messages that nobody reads the newest are kept, and how many were not is told.
func TestMessagesThatNobodyReadsAreBounded(t *testing.T) {
	r, w := io.Pipe()
	m := newMessages(w)
	line := strings.Repeat("x", 1023) + "\n"
	for range 5000 {
		fmt.Fprint(m, line)
	}
	fmt.Fprint(m, "the last")
	begin := time.Now()
	m.flush(50 * time.Millisecond)
	m.flush(time.Hour) // it is known to be stuck
	if took := time.Since(begin); took > time.Minute {
		t.Errorf("a reader that takes nothing is waited for: %v", took)
	}
	if m.bytes > mostWaiting || len(m.waiting) < 1000 {
		t.Errorf("%d bytes in %d messages wait, %d are dropped", m.bytes, len(m.waiting), m.dropped)
	}
	text := make(chan string)
	go func() {
		all, _ := io.ReadAll(r)
		text <- string(all)
	}()
	m.mutex.Lock()
	m.stuck = false
	m.mutex.Unlock()
	m.flush(time.Minute)
	w.Close()
	if all := <-text; !strings.HasSuffix(all, "the last") || !strings.Contains(all, "messages were dropped: nothing read standard error") {
		t.Errorf("%d bytes are read", len(all))
	}
}

func TestMessagesToAReaderThatIsGone(t *testing.T) {
	r, w := io.Pipe()
	r.CloseWithError(syscall.EPIPE)
	m := newMessages(w)
	fmt.Fprint(m, "one")
	m.flush(time.Minute)
	if _, err := fmt.Fprint(m, "two"); !errors.Is(err, syscall.EPIPE) {
		t.Errorf("the writer is told %v, want that the pipe is broken", err)
	}
}

// A run whose progress goes to a full pipe that stays open ends, with its files.
func TestARunEndsThoughNobodyReadsItsProgress(t *testing.T) {
	t.Parallel()
	dir := place(t, cylinder)
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	defer w.Close()
	if err := w.SetWriteDeadline(time.Now().Add(time.Second)); err != nil {
		t.Fatal(err)
	}
	for err == nil { // until it is full
		_, err = w.Write(make([]byte, 4096))
	}
	for name, args := range map[string][]string{
		"run":     {"run", "case.toml", "--time=1", "--out=run.out"},
		"refused": {"run", "none.toml"},
	} {
		cmd := exec.Command(binary, args...)
		cmd.Dir, cmd.Stderr = dir, w
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		done := make(chan struct{})
		go func() { _ = cmd.Wait(); close(done) }()
		select {
		case <-done:
		case <-time.After(patience):
			_ = cmd.Process.Kill()
			<-done
			t.Fatalf("%s: it does not end", name)
		}
		if want := map[string]int{"run": 0, "refused": 2}[name]; cmd.ProcessState.ExitCode() != want {
			t.Errorf("%s: exit code %d, want %d", name, cmd.ProcessState.ExitCode(), want)
		}
	}
	if _, err := os.Stat(filepath.Join(dir, "run.out", "summary.json")); err != nil {
		t.Error(err)
	}
}

// TERM ends a run whose summary nobody reads.
func TestTermEndsACommandWhoseOutputIsNotRead(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	o := &output{to: unreadPipe{t.Context().Done()}, ctx: ctx, before: newMessages(io.Discard)}
	done := make(chan struct{})
	go func() { fmt.Fprint(o, "summary"); close(done) }()
	cancel()
	select {
	case <-done:
	case <-time.After(patience):
		t.Fatal("it does not end")
	}
	if err := o.failed(); err == nil || !strings.Contains(err.Error(), "nothing reads it") {
		t.Error(err)
	}
}

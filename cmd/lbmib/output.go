package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"sync"
	"syscall"
	"time"

	"golang.org/x/term"

	"lbmib/run/exit"
)

// output is standard output. What a command does never depends on whether somebody can
// read it: a write that fails is kept, tells nobody, and is the exit code's at the end.
type output struct {
	to     io.Writer
	ctx    context.Context // once it is cancelled, a reader that takes nothing is not waited for
	before *messages       // go before, so that both are in order where they are shown together

	mutex sync.Mutex
	first error
}

func (o *output) Write(text []byte) (int, error) {
	o.mutex.Lock()
	defer o.mutex.Unlock()
	if o.first != nil {
		return len(text), nil
	}
	o.before.flush(readerPatience)
	done := make(chan error, 1)
	go func(text []byte) {
		_, err := o.to.Write(text)
		done <- err
	}(append([]byte(nil), text...))
	select {
	case o.first = <-done:
		return len(text), nil
	case <-o.ctx.Done():
	}
	select {
	case o.first = <-done:
	case <-time.After(readerPatience):
		o.first = errUnread
	}
	return len(text), nil
}

// errUnread is of output that is not read after the command was asked to stop.
var errUnread = errors.New("nothing reads it, and the command was asked to stop")

// failed is the error of the first write that failed.
func (o *output) failed() error {
	o.mutex.Lock()
	defer o.mutex.Unlock()
	if o.first == nil {
		return nil
	}
	cause, remedy := o.first, "redirect it to a place that can be written to"
	var path *fs.PathError
	if errors.As(cause, &path) {
		cause = path.Err
	}
	switch {
	case errors.Is(cause, syscall.ENOSPC), errors.Is(cause, syscall.EDQUOT):
		remedy = "free some space or redirect it to another disk"
	case errors.Is(cause, syscall.EPIPE):
		remedy = "its reader has gone: let it read to the end, or redirect the output to a file"
	}
	return &exit.Error{Code: exit.InputOutput, Err: fmt.Errorf("standard output cannot be written to: %w: %s; files that the command writes are complete", cause, remedy)}
}

// terminalOf is the terminal that w writes to, if it is one.
func terminalOf(w io.Writer) (*os.File, bool) {
	switch o := w.(type) {
	case *output:
		w = o.to
	case *messages:
		w = o.to
	}
	f, ok := w.(*os.File)
	return f, ok && term.IsTerminal(int(f.Fd()))
}

// terminalWidth is how many characters a line of a terminal has.
func terminalWidth(f *os.File) int {
	const usual = 80
	if width, _, err := term.GetSize(int(f.Fd())); err == nil && width > 0 {
		return width
	}
	return usual
}

// widthOf is that of the terminal that is written to; 0: it is none.
func widthOf(w io.Writer) int {
	if f, ok := terminalOf(w); ok {
		return terminalWidth(f)
	}
	return 0
}

package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"sync"
	"syscall"

	"golang.org/x/term"

	"lbmib/cmd/lbmib/runner"
)

// output is standard output. What a command does never depends on whether somebody can
// read it: a write that fails is kept, tells nobody, and is the exit code's at the end.
type output struct {
	to io.Writer

	mutex sync.Mutex
	first error
}

func (o *output) Write(text []byte) (int, error) {
	o.mutex.Lock()
	defer o.mutex.Unlock()
	if o.first == nil {
		_, o.first = o.to.Write(text)
	}
	return len(text), nil
}

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
	return &runner.Error{Code: runner.ExitInputOutput, Err: fmt.Errorf("standard output cannot be written to: %w: %s; files that the command writes are complete", cause, remedy)}
}

// terminalOf is the terminal that w writes to, if it is one.
func terminalOf(w io.Writer) (*os.File, bool) {
	if o, ok := w.(*output); ok {
		w = o.to
	}
	f, ok := w.(*os.File)
	return f, ok && term.IsTerminal(int(f.Fd()))
}

// Package exit has the exit codes of the commands, and errors that carry one.
package exit

import (
	"errors"
	"fmt"
)

// Exit codes of the commands.
const (
	Done        = 0
	Internal    = 1
	BadCase     = 2
	Diverged    = 3
	InputOutput = 4
	Interrupted = 130
)

// Error is an error with the exit code that belongs to it.
type Error struct {
	Code int
	Err  error
}

func (e *Error) Error() string { return e.Err.Error() }
func (e *Error) Unwrap() error { return e.Err }

// Code is the exit code that belongs to an error.
func Code(err error) int {
	var e *Error
	switch {
	case err == nil:
		return Done
	case errors.As(err, &e):
		return e.Code
	}
	return Internal
}

// AsBadCase marks an error as the case's, inputOutput as one of reading or writing.
func AsBadCase(err error) error { return As(BadCase, err) }

func AsInputOutput(err error) error { return As(InputOutput, err) }

// As keeps the code of an error that has one.
func As(code int, err error) error {
	var marked *Error
	if err == nil || errors.As(err, &marked) {
		return err
	}
	return &Error{code, err}
}

func InputOutputf(format string, args ...any) error {
	return AsInputOutput(fmt.Errorf(format, args...))
}

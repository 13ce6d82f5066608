package run

import (
	"errors"
	"fmt"
)

// Exit codes of the commands.
const (
	ExitDone        = 0
	ExitInternal    = 1
	ExitBadCase     = 2
	ExitDiverged    = 3
	ExitInputOutput = 4
	ExitInterrupted = 130
)

// Error is an error with the exit code that belongs to it.
type Error struct {
	Code int
	Err  error
}

func (e *Error) Error() string { return e.Err.Error() }
func (e *Error) Unwrap() error { return e.Err }

// ExitCode is the exit code that belongs to an error.
func ExitCode(err error) int {
	var e *Error
	switch {
	case err == nil:
		return ExitDone
	case errors.As(err, &e):
		return e.Code
	}
	return ExitInternal
}

// badCase marks an error as the case's, inputOutput as one of reading or writing.
func badCase(err error) error { return mark(ExitBadCase, err) }

func inputOutput(err error) error { return mark(ExitInputOutput, err) }

// mark keeps the code of an error that has one.
func mark(code int, err error) error {
	var marked *Error
	if err == nil || errors.As(err, &marked) {
		return err
	}
	return &Error{code, err}
}

func ioErrorf(format string, args ...any) error { return inputOutput(fmt.Errorf(format, args...)) }

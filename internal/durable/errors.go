package durable

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"syscall"
)

// Error is a file or directory that could not be written. Its message names
// the path, the cause and, for what the operating system refuses, the remedy.
type Error struct {
	Path    string
	Err     error
	InPlace bool // the new content stands at Path, but a power failure may still undo that
}

func (e *Error) Error() string {
	what := "cannot be written"
	if e.InPlace {
		what = "written, but its directory cannot be synced"
	}
	text := fmt.Sprintf("%s: %s: %v", e.Path, what, Cause(e.Err))
	if r := remedy(e.Err); r != "" {
		text += ": " + r
	}
	return text
}

// Unwrap is the cause.
func (e *Error) Unwrap() error { return e.Err }

// remedy is what to do about an error of the operating system; empty for
// others, which bring their own.
func remedy(err error) string {
	var number syscall.Errno
	if !errors.As(err, &number) {
		return ""
	}
	switch number {
	case syscall.ENOSPC, syscall.EDQUOT:
		return "free some space or choose a directory on a larger disk"
	case syscall.EFBIG:
		return "raise the limit on file sizes (ulimit -f)"
	case syscall.EACCES, syscall.EPERM, syscall.EROFS:
		return "make the directory writable or choose another"
	case syscall.ENOENT:
		return "make its directory or choose another"
	case syscall.ENOTDIR:
		return "a file stands where the directory should be: remove it or choose another directory"
	case syscall.EEXIST, syscall.EISDIR:
		return "something else stands in its place: remove it or choose another name"
	case syscall.ENAMETOOLONG:
		return "choose a shorter name"
	}
	return "check the disk and that the directory still exists"
}

// Cause drops the operation and path that the os package puts before an error,
// for messages that name the path already.
func Cause(err error) error {
	switch e := err.(type) {
	case *fs.PathError:
		return e.Err
	case *os.LinkError:
		return e.Err
	}
	return err
}

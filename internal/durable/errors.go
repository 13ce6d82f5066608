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
	if r := Remedy(e.Err, ""); r != "" {
		text += ": " + r
	}
	return text
}

// Unwrap is the cause.
func (e *Error) Unwrap() error { return e.Err }

// Remedy is what to do about an error of the operating system. For others, which bring
// their own, it is empty; for those that call for nothing special it is usual, if that
// is not empty.
func Remedy(err error, usual string) string {
	var number syscall.Errno
	if !errors.As(err, &number) {
		return usual
	}
	switch number {
	case syscall.EMFILE:
		return "raise the number of files that a process may have open (ulimit -n)"
	case syscall.ENFILE:
		return "the system has no more files to open: close other programs, or raise fs.file-max"
	case syscall.ENOMEM:
		return "free some memory, or raise the limit on it (ulimit -v, the control group's memory.max)"
	case syscall.ENOSPC, syscall.EDQUOT:
		return "free some space or choose a directory on a larger disk"
	case syscall.EFBIG:
		return "raise the limit on file sizes (ulimit -f)"
	}
	if usual != "" {
		return usual
	}
	switch number {
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

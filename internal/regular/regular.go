// Package regular opens files that end: whatever a user names as input may be a
// pipe, a terminal or a device, which would be waited for or read for ever. Paths mean
// what they mean to package durable.
package regular

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"syscall"

	"lbmib/internal/durable"
)

// ErrKind is wrapped by errors about what is no regular file.
var ErrKind = errors.New("not a regular file")

// ErrSize is wrapped by errors about files that are larger than asked for.
var ErrSize = errors.New("larger than allowed")

// Most bounds the bytes of files that are read whole and hold no tables or fields.
const Most = 1 << 30

// kinds are what else a path may lead to.
var kinds = []struct {
	mode fs.FileMode
	name string
}{
	{fs.ModeDir, "a directory"}, {fs.ModeNamedPipe, "a pipe"}, {fs.ModeSocket, "a socket"},
	{fs.ModeCharDevice, "a device"}, {fs.ModeDevice, "a device"},
}

func check(path string, info fs.FileInfo) error {
	if info.Mode().IsRegular() {
		return nil
	}
	what := "no file"
	for _, k := range kinds {
		if info.Mode()&k.mode != 0 {
			what = k.name
			break
		}
	}
	return fmt.Errorf("%s is %s, %w: give the path of a file", path, what, ErrKind)
}

// Check refuses a path that leads to no regular file, without opening it.
func Check(path string) error {
	info, err := durable.Stat(path)
	if err != nil {
		return err
	}
	return check(path, info)
}

// Open opens a regular file for reading and tells its size. Nothing else is opened
// or, where it takes the place of a file meanwhile, waited for.
func Open(path string) (*os.File, int64, error) { return OpenFile(path, os.O_RDONLY) }

// OpenFile is Open with flags of os.OpenFile, without O_CREATE.
func OpenFile(path string, flag int) (*os.File, int64, error) {
	if err := Check(path); err != nil { // opening some devices does something
		return nil, 0, err
	}
	f, err := durable.OpenFile(path, flag|syscall.O_NONBLOCK, 0)
	if err != nil {
		return nil, 0, err
	}
	info, err := f.Stat()
	if err == nil {
		err = check(path, info)
	}
	if err != nil {
		f.Close()
		return nil, 0, err
	}
	return f, info.Size(), nil
}

// ReadFile reads a regular file of at most so many bytes.
func ReadFile(path string, most int64) ([]byte, error) {
	f, size, err := Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	if size > most {
		return nil, fmt.Errorf("%s has %d bytes, %w, at most %d: is this the right file?", path, size, ErrSize, most)
	}
	text := make([]byte, size)
	n, err := io.ReadFull(f, text)
	if errors.Is(err, io.ErrUnexpectedEOF) { // it became shorter
		err = nil
	}
	return text[:n], err
}

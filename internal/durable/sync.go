package durable

import (
	"errors"
	"os"
	"path/filepath"
	"syscall"
)

// Sync brings a file to the disk. Pipes, devices and the directories of some
// file systems cannot be synced and say so: there is nothing more to do on them.
func Sync(f interface{ Sync() error }) error {
	err := f.Sync()
	if errors.Is(err, syscall.EINVAL) || errors.Is(err, errors.ErrUnsupported) {
		return nil
	}
	return err
}

// SyncDir brings the names in a directory to the disk: a file made or renamed
// there stays after a power failure.
func SyncDir(dir string) error {
	d, err := Open(dir)
	if err != nil {
		return err
	}
	defer d.Close() // opened to read: closing cannot lose anything
	return Sync(d)
}

// MakeDir makes a directory and those above it that are missing, and brings
// their names to the disk. Errors are of type *Error.
func MakeDir(dir string) error {
	var parents []string // of the directories that are missing, the lowest first
	for d := filepath.Clean(dir); ; d = filepath.Dir(d) {
		if _, err := Stat(d); err == nil || d == filepath.Dir(d) {
			break
		}
		parents = append(parents, filepath.Dir(d))
	}
	if _, err := reach(dir, func(at string) (struct{}, error) { return struct{}{}, os.MkdirAll(at, 0o777) }); err != nil {
		return &Error{Path: dir, Err: err}
	}
	for _, p := range parents {
		if err := SyncDir(p); err != nil {
			return &Error{Path: dir, Err: err, InPlace: true}
		}
	}
	return nil
}

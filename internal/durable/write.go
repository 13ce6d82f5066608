// Package durable writes files whole: whatever happens, power failure
// included, a path holds either all of the new content or all of the old.
package durable

import (
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"strings"
)

// File is what Write needs of an *os.File.
type File interface {
	io.WriteCloser
	Sync() error
}

// Create makes the file that Write writes to. It must not be there, so that
// nothing is written through a link or into another's file.
func Create(name string) (File, error) {
	return OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
}

// Write puts at path what content writes: under a temporary name beside it,
// synced, renamed, and the directory synced. The file has the permissions of a
// new one, those that the umask leaves (0644 under the usual 022).
//
// The temporary name is always the same (Temporary), so that what a killed
// process left is replaced by the next. Goroutines that write to one path take
// turns; processes must not write to one path at the same time.
//
// Errors are of type *Error. But for one that is InPlace, path holds what it
// held before and the temporary file is gone.
func Write(path string, content func(w io.Writer) error) error {
	return WriteWith(Create, path, content)
}

// WriteWith is Write to a file that create makes: tests give it disks that fail.
func WriteWith(create func(name string) (File, error), path string, content func(w io.Writer) error) error {
	return write(path, content, create, SyncDir)
}

// WriteJSON is Write for a value as an indented JSON document.
func WriteJSON(path string, v any) error {
	return Write(path, func(w io.Writer) error {
		text, err := json.MarshalIndent(v, "", "  ")
		if err == nil {
			_, err = w.Write(append(text, '\n'))
		}
		return err
	})
}

func write(path string, content func(io.Writer) error, create func(string) (File, error), syncDir func(string) error) error {
	defer lock(path)()
	temporary := Temporary(path)
	_ = Remove(temporary) // if that fails, create tells
	if err := writeSynced(temporary, content, create); err != nil {
		return &Error{Path: path, Err: err}
	}
	if err := rename(temporary, path); err != nil {
		_ = Remove(temporary) // the first error is the one that tells
		return &Error{Path: path, Err: err}
	}
	if err := syncDir(filepath.Dir(path)); err != nil {
		return &Error{Path: path, Err: err, InPlace: true}
	}
	return nil
}

// writeSynced makes a file, complete and on the disk, or none.
func writeSynced(name string, content func(io.Writer) error, create func(string) (File, error)) (err error) {
	f, err := create(name)
	if err != nil {
		return err
	}
	whole := false
	defer func() { // after a panic in content too
		if !whole {
			_ = Remove(name)
		}
	}()
	err = content(f)
	if err == nil {
		err = Sync(f)
	}
	if closing := f.Close(); err == nil {
		err = closing
	}
	whole = err == nil
	return err
}

// Temporary is the name under which Write writes before it renames: .NAME.tmp
// in the same directory.
func Temporary(path string) string {
	return filepath.Join(filepath.Dir(path), "."+filepath.Base(path)+".tmp")
}

// Final is the name that a temporary one, as Temporary gives it, stands for;
// ok is false for any other name. Neither has a directory.
func Final(temporary string) (name string, ok bool) {
	name, dotted := strings.CutPrefix(temporary, ".")
	name, ok = strings.CutSuffix(name, ".tmp")
	if !dotted || !ok || name == "" {
		return "", false
	}
	return name, true
}

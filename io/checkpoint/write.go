package checkpoint

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
	"unicode/utf8"
)

// file is what Write needs of an *os.File.
type file interface {
	io.WriteCloser
	Sync() error
}

func create(name string) (file, error) {
	return os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
}

// Write keeps a checkpoint of the given step as dir/STEP.ckpt, the step with
// leading zeros to twelve digits, and returns its path. meta is any value
// that encoding/json can write. The directory is made if need be.
//
// The file is written under a temporary name, synced, renamed and the
// directory synced; temporaries that a killed run left are removed first.
// Only then older checkpoints are removed but for the last keep, keep ≥ 1,
// counted from step backwards; files of later steps are left alone.
//
// After an error with an empty path the directory holds the same checkpoints
// as before. An error with a path means that the new checkpoint is in place
// and an older one could not be removed.
func Write(dir string, step int64, meta any, sections []Section, keep int) (path string, err error) {
	return write(dir, step, meta, sections, keep, create)
}

func write(dir string, step int64, meta any, sections []Section, keep int, create func(string) (file, error)) (string, error) {
	x, err := newIndex(step, meta, sections)
	if err != nil {
		return "", fmt.Errorf("checkpoint in %s: %w", dir, err)
	}
	if keep < 1 {
		return "", fmt.Errorf("checkpoint in %s: keep = %d would remove the new one too: keep at least 1", dir, keep)
	}
	path := filepath.Join(dir, fileName(step))
	if err := prepare(dir); err != nil {
		return "", failure(path, err)
	}
	temporary := filepath.Join(dir, temporaryName(step))
	if err := writeFile(temporary, sections, x, create); err != nil {
		os.Remove(temporary)
		return "", failure(path, err)
	}
	if err := os.Rename(temporary, path); err != nil {
		os.Remove(temporary)
		return "", failure(path, err)
	}
	if err := syncDir(dir); err != nil {
		return path, fmt.Errorf("%s: written, but its directory could not be synced: %w: check the disk; older checkpoints are kept", path, cause(err))
	}
	return path, prune(dir, step, keep)
}

func newIndex(step int64, meta any, sections []Section) (*index, error) {
	if step < 0 {
		return nil, fmt.Errorf("step %d: steps count from 0", step)
	}
	document, err := json.Marshal(meta)
	if err != nil {
		return nil, fmt.Errorf("step %d: meta cannot be written as JSON: %w", step, err)
	}
	x := &index{Step: step, Meta: document, Sections: make([]indexSection, len(sections))}
	seen := make(map[string]bool, len(sections))
	for i, s := range sections {
		switch {
		case s.Name == "" || !utf8.ValidString(s.Name):
			return nil, fmt.Errorf("step %d: section %d has the name %q: give it one in UTF-8", step, i, s.Name)
		case seen[s.Name]:
			return nil, fmt.Errorf("step %d: two sections are named %q: names must differ", step, s.Name)
		case kindOf(s.Data) == "":
			return nil, fmt.Errorf("step %d: section %q is a %T: only []float64, []float32, []int64 and []byte can be kept", step, s.Name, s.Data)
		}
		seen[s.Name] = true
		x.Sections[i] = indexSection{Name: s.Name, Kind: kindOf(s.Data), Count: int64(length(s.Data))}
	}
	return x, nil
}

// prepare makes the directory and clears it of temporaries.
func prepare(dir string) error {
	if _, err := os.Stat(dir); errors.Is(err, fs.ErrNotExist) {
		if err := os.MkdirAll(dir, 0o777); err != nil {
			return err
		}
		if err := syncDir(filepath.Dir(dir)); err != nil {
			return err
		}
	}
	return removeAll(dir, isTemporary)
}

func writeFile(name string, sections []Section, x *index, create func(string) (file, error)) error {
	f, err := create(name)
	if err != nil {
		return err
	}
	if err := writeContent(f, sections, x); err != nil {
		f.Close()
		return err
	}
	if err := f.Sync(); err != nil {
		f.Close()
		return err
	}
	return f.Close()
}

func writeContent(w io.Writer, sections []Section, x *index) error {
	if _, err := w.Write(head()); err != nil {
		return err
	}
	if err := writeChunks(w, sections, x); err != nil {
		return err
	}
	raw, err := json.Marshal(x)
	if err != nil {
		return err
	}
	if _, err := w.Write(raw); err != nil {
		return err
	}
	_, err = w.Write(tail(raw))
	return err
}

// failure is the error of a checkpoint that could not be written.
func failure(path string, err error) error {
	remedy := "check the disk and that the directory still exists"
	switch {
	case errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EDQUOT):
		remedy = "free some space or set output.directory to a larger disk"
	case errors.Is(err, fs.ErrPermission) || errors.Is(err, syscall.EROFS):
		remedy = "make the directory writable or set another output.directory"
	case errors.Is(err, syscall.ENOTDIR) || errors.Is(err, fs.ErrExist):
		remedy = "a file stands where the directory should be: remove it or set another output.directory"
	}
	return fmt.Errorf("%s: the checkpoint could not be written: %w: %s; earlier checkpoints are untouched", path, cause(err), remedy)
}

// cause drops the operation and path that the os package puts before an
// error; the message names the path already.
func cause(err error) error {
	var p *fs.PathError
	if errors.As(err, &p) {
		return p.Err
	}
	var l *os.LinkError
	if errors.As(err, &l) {
		return l.Err
	}
	return err
}

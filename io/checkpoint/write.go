package checkpoint

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"unicode/utf8"

	"lbmib/internal/durable"
)

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
// and that the directory could not be synced or an older one not be removed.
func Write(dir string, step int64, meta any, sections []Section, keep int) (path string, err error) {
	return write(dir, step, meta, sections, keep, durable.Create)
}

func write(dir string, step int64, meta any, sections []Section, keep int, create func(string) (durable.File, error)) (string, error) {
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
	err = durable.WriteWith(create, path, func(w io.Writer) error { return writeContent(w, sections, x) })
	var failed *durable.Error
	switch {
	case errors.As(err, &failed) && failed.InPlace:
		return path, fmt.Errorf("%w; older checkpoints are kept", err)
	case err != nil:
		return "", failure(path, err)
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
	if err := durable.MakeDir(dir); err != nil {
		return err
	}
	return removeAll(dir, isTemporary)
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
	var failed *durable.Error
	if !errors.As(err, &failed) {
		err = &durable.Error{Path: path, Err: err}
	}
	return fmt.Errorf("%w; earlier checkpoints are untouched", err)
}

package runner

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"lbmib/io/casefile"
	"lbmib/io/checkpoint"
	"lbmib/io/hdf5"
)

// directory is where a run leaves its files.
type directory struct {
	path       string
	checkpoint int64 // steps between checkpoints; 0: none
	keep       int
}

func newDirectory(c *casefile.Case) directory {
	return directory{path: c.Output.Directory, checkpoint: c.StepsOf(c.Output.Checkpoint.Every), keep: c.Output.Checkpoint.Keep}
}

func (d directory) file(name ...string) string {
	return filepath.Join(append([]string{d.path}, name...)...)
}

func (d directory) checkpoints() string { return d.file("checkpoint") }

func (d directory) checkpointDue(step int64) bool { return d.checkpoint > 0 && step%d.checkpoint == 0 }

// leftByRun are the files of a run that another run must not mix with.
var leftByRun = []string{"manifest.json", "summary.json", "forces.csv", "probes.csv", "fields", "fields.vtkhdf.series", "markers.vtkhdf.series", "checkpoint", "plots"}

// open prepares the run directory and, to resume, finds the checkpoint to
// continue from; without --resume it is nil.
func (r *run[T]) open() (*checkpoint.Checkpoint, error) {
	r.dir = newDirectory(r.cas)
	r.watch = newWatch(r.cas)
	r.fields = newFieldWriter[T](r.cas)
	if r.fields.interval > 0 {
		if err := hdf5.Load(); err != nil {
			return nil, inputOutput(r.cas.Errorf("output.fields", "%v\n(or run without fields: --set output.fields.every=0)", err))
		}
	}
	var saved *checkpoint.Checkpoint
	var err error
	if r.opts.Resume {
		if saved, err = r.findCheckpoint(); err != nil {
			return nil, err
		}
		if err := r.dir.sweep(); err != nil {
			return nil, err
		}
	} else if err := r.dir.clear(r.opts.Overwrite); err != nil {
		return nil, err
	}
	for _, sub := range []string{"", "plots"} {
		if err := os.MkdirAll(r.dir.file(sub), 0o777); err != nil {
			return nil, ioErrorf("the run directory cannot be made: %w: choose another with --out DIR", err)
		}
	}
	if r.fields.interval > 0 {
		if err := os.MkdirAll(r.dir.file("fields"), 0o777); err != nil {
			return nil, ioErrorf("the directory for fields cannot be made: %w: choose another place with --out DIR", err)
		}
	}
	var offsets recordOffsets
	if saved != nil {
		var m savedMeta
		if err := saved.DecodeMeta(&m); err != nil {
			return nil, inputOutput(err)
		}
		offsets = m.Offsets
	}
	if r.records, err = openRecords(r.problem, r.dir, saved != nil, offsets); err != nil {
		return nil, inputOutput(err)
	}
	r.progress = newProgress(r.opts, r.flow.Nodes())
	return saved, inputOutput(r.writeManifest("running", nil))
}

// clear makes sure that no earlier run is in the directory.
func (d directory) clear(overwrite bool) error {
	_, err := os.Lstat(d.file("manifest.json"))
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return ioErrorf("the run directory cannot be read: %w: choose another with --out DIR", err)
	case !overwrite:
		return badCase(fmt.Errorf("%s holds an earlier run: continue it with --resume, replace it with --overwrite, or choose another directory with --out DIR", d.path))
	}
	for _, name := range leftByRun {
		if err := os.RemoveAll(d.file(name)); err != nil {
			return ioErrorf("the earlier run cannot be removed: %w", err)
		}
	}
	return nil
}

// sweep removes the temporary files of a process that was killed.
func (d directory) sweep() error {
	for _, sub := range []string{"", "fields", "plots"} {
		entries, err := os.ReadDir(d.file(sub))
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return ioErrorf("the run directory cannot be read: %w: make it readable", err)
		}
		for _, e := range entries {
			if !strings.HasSuffix(e.Name(), ".tmp") && !strings.HasPrefix(e.Name(), ".lbmib-") {
				continue
			}
			if err := os.Remove(d.file(sub, e.Name())); err != nil {
				return ioErrorf("a temporary file of an earlier process cannot be removed: %w: remove it by hand", err)
			}
		}
	}
	return nil
}

// writeWhole replaces a file by text: temporary name, sync, rename.
func writeWhole(path string, text []byte) error {
	f, err := os.OpenFile(filepath.Join(filepath.Dir(path), "."+filepath.Base(path)+".tmp"), os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o666)
	if err != nil {
		return fmt.Errorf("%s cannot be written: %w", path, err)
	}
	_, err = f.Write(text)
	if err == nil {
		err = f.Sync()
	}
	if closing := f.Close(); err == nil {
		err = closing
	}
	if err == nil {
		err = os.Rename(f.Name(), path)
	}
	if err != nil {
		_ = os.Remove(f.Name()) // the first error is the one that tells
		return fmt.Errorf("%s cannot be written: %w", path, err)
	}
	return nil
}

func writeJSON(path string, v any) error {
	text, err := json.MarshalIndent(v, "", "  ")
	if err != nil {
		return fmt.Errorf("%s cannot be encoded: %w", path, err)
	}
	return writeWhole(path, append(text, '\n'))
}

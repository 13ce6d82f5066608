package runner

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"lbmib/internal/durable"
	"lbmib/io/casefile"
	"lbmib/io/checkpoint"
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
var leftByRun = []string{"checkpoint", "forces.csv", "probes.csv", "fields", "fields.vtkhdf.series", "markers.vtkhdf.series", "plots", "summary.json", "manifest.json"}

// open prepares the run directory and, to resume, finds the checkpoint to
// continue from; without --resume it is nil.
func (r *run[T]) open() (*checkpoint.Checkpoint, error) {
	r.dir = newDirectory(r.cas)
	r.watch = newWatch(r.cas)
	r.fields = newFieldWriter[T](r.cas)
	saved, err := r.occupy()
	if err != nil {
		return nil, err
	}
	below := []string{"plots"}
	if r.fields.interval > 0 {
		below = append(below, "fields")
	}
	for _, sub := range below {
		if err := r.dir.makeDir(sub); err != nil {
			return nil, err
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

// occupy takes the run directory for this process and only then makes it ready:
// for a new run clear of an earlier one, else with the checkpoint to resume from.
func (r *run[T]) occupy() (saved *checkpoint.Checkpoint, err error) {
	if !r.opts.Resume {
		if err := r.dir.makeDir(""); err != nil {
			return nil, err
		}
	}
	r.lock, err = r.dir.claim(r.opts.Progress)
	switch {
	case r.opts.Resume && errors.Is(err, fs.ErrNotExist):
		return nil, r.dir.nothingToResume()
	case err != nil:
		return nil, err
	case !r.opts.Resume:
		return nil, r.dir.clear(r.opts.Overwrite)
	}
	if saved, err = r.findCheckpoint(); err != nil {
		return nil, err
	}
	return saved, r.dir.sweep()
}

func (d directory) makeDir(sub string) error {
	if err := durable.MakeDir(d.file(sub)); err != nil {
		return ioErrorf("%w (with --out DIR)", err)
	}
	return nil
}

// clear makes sure that nothing of an earlier run is in the directory.
func (d directory) clear(overwrite bool) error {
	for _, name := range leftByRun {
		_, err := os.Lstat(d.file(name))
		switch {
		case errors.Is(err, fs.ErrNotExist):
		case err != nil:
			return ioErrorf("the run directory cannot be read: %w: choose another with --out DIR", err)
		case !overwrite:
			return badCase(fmt.Errorf("%s holds %s of an earlier run: continue it with --resume, replace it with --overwrite, or choose another directory with --out DIR", d.path, name))
		}
	}
	for _, name := range leftByRun {
		for _, path := range []string{d.file(name), durable.Temporary(d.file(name))} {
			if err := os.RemoveAll(path); err != nil {
				return ioErrorf("the earlier run cannot be removed: %w: make its directory writable, or choose another with --out DIR", err)
			}
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
			if _, temporary := durable.Final(e.Name()); !temporary {
				continue
			}
			if err := os.Remove(d.file(sub, e.Name())); err != nil {
				return ioErrorf("a temporary file of an earlier process cannot be removed: %w: remove it by hand", err)
			}
		}
	}
	return nil
}

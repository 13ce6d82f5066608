package run

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"

	"lbmib/internal/durable"
	"lbmib/internal/regular"
	"lbmib/io/casefile"
	"lbmib/io/checkpoint"
	"lbmib/run/exit"
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

// step matches how the number of a step ends the name of a picture.
const step = "[0-9][0-9][0-9][0-9][0-9][0-9][0-9][0-9][0-9].png"

// leftByRun are the files that a run writes, or lbmib plot of it, as patterns; another run must not
// mix with them. The manifest, which says whose they are, comes last.
var leftByRun = []string{"checkpoint/*.ckpt",
	"fields.vtkhdf.series", "markers.vtkhdf.series", "slices/*.vtkhdf.series", "boxes/*.vtkhdf.series",
	"forces.csv", "bodies.csv", "probes.csv", "lines/*.csv", "fields/*.vtkhdf", "slices/*.vtkhdf", "boxes/*.vtkhdf",
	"plots/forces.png", "plots/bodies.png", "plots/line_*.png", "plots/speed.png", "plots/vorticity.png",
	"plots/motion.png", "plots/probes.png", "plots/density.png", // by lbmib plot, and those of a step:
	"plots/speed_" + step, "plots/vorticity_" + step, "plots/density_" + step, "report.html", "summary.json", "manifest.json"}

// open prepares the run directory and, to resume, finds the checkpoint to
// continue from; without --resume it is nil.
func (r *run[T]) open() (*checkpoint.Checkpoint, error) {
	r.dir = newDirectory(r.Case)
	r.watch = newWatch(r.Case)
	r.fields, r.means = newFieldWriter[T](r.Problem), newMeans[T](r.Problem)
	r.progress = newProgress(r.opts, r.Problem)
	saved, err := r.occupy()
	if err != nil {
		return nil, err
	}
	if saved != nil && r.isFinished(saved) {
		return saved, nil
	}
	for _, sub := range r.folders() {
		if err := r.dir.makeDir(sub); err != nil {
			return nil, err
		}
	}
	if err := r.writeManifest("running", nil); err != nil { // says whose files follow
		return nil, exit.AsInputOutput(err)
	}
	var offsets recordOffsets
	if saved != nil {
		var m savedMeta
		if err := saved.DecodeMeta(&m); err != nil {
			return nil, exit.AsInputOutput(err)
		}
		offsets = m.Offsets
	}
	if r.records, err = openRecords(r.Problem, r.dir, saved != nil, offsets); err != nil {
		return nil, exit.AsInputOutput(err)
	}
	return saved, nil
}

// isFinished tells whether the run of a checkpoint has ended there and left all
// its files; its summary is then the result.
func (r *run[T]) isFinished(saved *checkpoint.Checkpoint) bool {
	var m savedMeta
	if saved.DecodeMeta(&m) != nil {
		return false
	}
	text, err := regular.ReadFile(r.dir.file("summary.json"), regular.Most)
	if err != nil || saved.Step != r.Problem.Steps && m.stoppedBy(r.Case) == "" {
		return false
	}
	var s Summary
	if json.Unmarshal(text, &s) != nil || s.Steps != saved.Step || s.Status != "done" && s.Status != "steady" {
		return false
	}
	for _, picture := range r.pictureFiles() {
		if _, err := durable.Stat(r.dir.file("plots", picture)); err != nil {
			return false
		}
	}
	r.already = &s
	return true
}

// folders are those that the run writes into.
func (r *run[T]) folders() []string {
	out := r.Case.Output
	all := []string{"plots"}
	for _, f := range []struct {
		name string
		used bool
	}{
		{"fields", out.Fields.Every > 0 || out.Means != nil}, {"lines", len(out.Lines) > 0},
		{"slices", len(out.Slices) > 0}, {"boxes", len(out.Boxes) > 0},
	} {
		if f.used {
			all = append(all, f.name)
		}
	}
	return all
}

// occupy takes the run directory for this process and only then makes it ready:
// for a new run clear of an earlier one, else with the checkpoint to resume from.
func (r *run[T]) occupy() (saved *checkpoint.Checkpoint, err error) {
	if !r.opts.Resume {
		if err := r.dir.makeDir(""); err != nil {
			return nil, err
		}
	}
	r.held, err = r.dir.claim(r.opts.Progress)
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
		return exit.InputOutputf("%w (with --out DIR)", err)
	}
	return nil
}

// clear makes sure that nothing of an earlier run is in the directory. Files that
// no run writes are never touched.
func (d directory) clear(overwrite bool) error {
	left := d.left()
	switch {
	case len(left) == 0:
		return nil
	case left[len(left)-1] != d.file("manifest.json"):
		return exit.AsBadCase(fmt.Errorf("%s is there, but no manifest.json of a run: it may not be this program's to replace; move it away or choose another directory with --out DIR", left[0]))
	case !overwrite:
		return exit.AsBadCase(fmt.Errorf("%s holds an earlier run: continue it with --resume, replace it with --overwrite, or choose another directory with --out DIR", d.path))
	}
	if err := d.sweep(); err != nil {
		return err
	}
	if err := durable.RemoveInTurn(left, turnOf); err != nil { // nothing refers to what is not there
		return exit.InputOutputf("the earlier run cannot be removed: %w: %s", err, durable.Remedy(err, "make its directory writable, or choose another with --out DIR"))
	}
	return nil
}

// turnOf tells which of the files that left gave may be removed at the same time:
// checkpoints before what they refer to, lists before the files that they name, and the
// manifest last.
func turnOf(path string) string {
	switch ext := filepath.Ext(path); {
	case ext == ".ckpt", ext == ".series", filepath.Base(path) == "manifest.json":
		return ext
	}
	return ""
}

// left are the files of a run that are in the directory.
func (d directory) left() (files []string) {
	for _, pattern := range leftByRun {
		files = append(files, d.matching(pattern)...)
	}
	return files
}

// matching are the files that a pattern names, in order.
func (d directory) matching(pattern string) (files []string) {
	dir, name := filepath.Split(pattern)
	entries, err := durable.ReadDir(d.file(dir))
	if err != nil {
		return nil // none, or unreadable: making files there will tell
	}
	for _, e := range entries {
		if ok, _ := filepath.Match(name, e.Name()); ok {
			files = append(files, d.file(dir, e.Name()))
		}
	}
	return files
}

// sweep removes the temporary files of a process that was killed.
func (d directory) sweep() error {
	for _, sub := range []string{"", "fields", "lines", "slices", "boxes", "plots", "checkpoint"} {
		entries, err := durable.ReadDir(d.file(sub))
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return exit.InputOutputf("the run directory cannot be read: %w: %s", err, durable.Remedy(err, "make it readable"))
		}
		for _, e := range entries {
			if _, temporary := durable.Final(e.Name()); !temporary {
				continue
			}
			if err := durable.Remove(d.file(sub, e.Name())); err != nil {
				return exit.InputOutputf("a temporary file of an earlier process cannot be removed: %w: remove it by hand", err)
			}
		}
	}
	return nil
}

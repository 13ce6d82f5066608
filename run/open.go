package run

import (
	"encoding/json"
	"errors"
	"io/fs"

	"lbmib/internal/durable"
	"lbmib/internal/regular"
	"lbmib/io/checkpoint"
	"lbmib/run/exit"
	"lbmib/run/observe"
	"lbmib/run/rundir"
)

// open prepares the run directory and, to resume, finds the checkpoint to
// continue from; without --resume it is nil.
func (r *run[T]) open() (*checkpoint.Checkpoint, error) {
	r.Dir = rundir.New(r.Case)
	r.watch = newWatch(r.Case)
	r.fields, r.means = newFieldWriter[T](r.Problem), observe.NewMeans[T](r.Problem)
	r.progress = newProgress(r.opts, r.Problem)
	saved, err := r.occupy()
	if err != nil {
		return nil, err
	}
	if saved != nil && r.isFinished(saved) {
		return saved, nil
	}
	for _, sub := range r.folders() {
		if err := r.Dir.MakeDir(sub); err != nil {
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
	if r.records, err = openRecords(r.Problem, r.Dir, saved != nil, offsets); err != nil {
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
	text, err := regular.ReadFile(r.Dir.File("summary.json"), regular.Most)
	if err != nil || saved.Step != r.Problem.Steps && m.stoppedBy(r.Case) == "" {
		return false
	}
	var s Summary
	if json.Unmarshal(text, &s) != nil || s.Steps != saved.Step || s.Status != "done" && s.Status != "steady" {
		return false
	}
	for _, picture := range pictureFiles(&r.State) {
		if _, err := durable.Stat(r.Dir.File("plots", picture)); err != nil {
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
		if err := r.Dir.MakeDir(""); err != nil {
			return nil, err
		}
	}
	r.held, err = r.Dir.Claim(r.opts.Progress)
	switch {
	case r.opts.Resume && errors.Is(err, fs.ErrNotExist):
		return nil, nothingToResume(r.Dir)
	case err != nil:
		return nil, err
	case !r.opts.Resume:
		return nil, r.Dir.Clear(r.opts.Overwrite)
	}
	if saved, err = r.findCheckpoint(); err != nil {
		return nil, err
	}
	return saved, r.Dir.Sweep()
}

package run

import (
	"encoding/json"
	"errors"
	"io"
	"io/fs"

	"lbmib/internal/durable"
	"lbmib/internal/regular"
	"lbmib/io/checkpoint"
	"lbmib/lbm"
	"lbmib/run/exit"
	"lbmib/run/observe"
	"lbmib/run/rundir"
)

// open prepares the run directory and its outputs and, to resume, finds the checkpoint to
// continue from; without --resume it is nil. Of a run that had ended it finds the summary.
func (r *run[T]) open() (saved *savedMeta, already *Summary, err error) {
	r.Dir = rundir.New(r.Case)
	r.Dir.Outputs = observe.Patterns()
	r.progress = newProgress(r.opts, r.Problem)
	r.results = &results[T]{State: &r.State, ending: &r.ending, clock: &r.clock, made: r.made, checks: r.checks, version: r.opts.Version, grids: r.opts.grids}
	r.saves = newCheckpoints(r.results)
	r.slips = newSlips(r.Problem, r.checks)
	found, err := r.occupy()
	if err != nil {
		return nil, nil, err
	}
	var kept *observe.Saved
	if found != nil {
		if saved, err = metaOf(found); err != nil {
			return nil, nil, err
		}
		if already = finishedBefore(&r.State, saved); already != nil {
			if _, err := durable.Lstat(r.Dir.File(rundir.CaseCopy)); errors.Is(err, fs.ErrNotExist) { // without it the manifest is of no use
				return saved, already, r.copyCase()
			}
			return saved, already, nil
		}
		kept = &saved.Saved
	}
	if err := r.Dir.MakeDir("plots"); err != nil {
		return nil, nil, err
	}
	if err := r.results.writeManifest("running", nil); err != nil { // says whose files follow
		return nil, nil, exit.AsInputOutput(err)
	}
	if err := r.copyCase(); err != nil { // of a resume, too: it may be to another end
		return nil, nil, err
	}
	out, err := observe.New(&r.State, kept, observe.Hooks{
		Unshared:   r.saves.Wait,
		ShowsForce: func(step int64) bool { return r.progress.due(step, r.Problem.Steps) },
		Granted:    r.slips.add,
		Crossed:    r.crossed,
		Row:        r.rows(),
		Stop:       r.stop,
	})
	if err != nil {
		return nil, nil, exit.AsInputOutput(err)
	}
	r.out, r.saves.out, r.results.out = out, out, out
	return saved, nil, nil
}

// copyCase writes the case into the directory, for the run to be done again.
func (r *run[T]) copyCase() error {
	return exit.AsInputOutput(durable.Write(r.Dir.File(rundir.CaseCopy), func(w io.Writer) error {
		_, err := w.Write(r.Case.AsRun(r.Dir.Path))
		return err
	}))
}

// finishedBefore is the summary of a run that has ended at a checkpoint and left all its files; nil:
// it has not.
func finishedBefore[T lbm.Float](r *observe.State[T], m *savedMeta) *Summary {
	step := m.From.Step
	text, err := regular.ReadFile(r.Dir.File("summary.json"), regular.Most)
	if err != nil || step != r.Problem.Steps && m.stoppedBy(r.Case) == "" {
		return nil
	}
	s := new(Summary)
	if json.Unmarshal(text, s) != nil || s.Steps != step || s.Status != "done" && s.Status != "steady" {
		return nil
	}
	s.units = r.Units
	for _, picture := range pictureFiles(r) {
		if _, err := durable.Stat(r.Dir.File("plots", picture)); err != nil {
			return nil
		}
	}
	return s
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
	if saved, err = findCheckpoint(r.Dir, r.Problem, r.opts.Progress); err != nil {
		return nil, err
	}
	return saved, r.Dir.Sweep()
}

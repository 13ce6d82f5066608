package run

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"time"

	"lbmib/internal/durable"
	"lbmib/internal/regular"
	"lbmib/io/checkpoint"
	"lbmib/run/exit"
)

// verifyFinished compares tables, files and lists of a run that had ended with what its last
// checkpoint knows of them, and puts lists right. What it finds is told and kept as it is
// when a run goes on; where all is well nothing is written.
func (r *run[T]) verifyFinished(ctx context.Context, saved *checkpoint.Checkpoint) error {
	var m savedMeta
	if err := saved.DecodeMeta(&m); err != nil {
		return exit.AsInputOutput(err)
	}
	r.Step, r.first = saved.Step, saved.Step
	for _, o := range m.Outputs {
		err := regular.CheckSum(ctx, r.Dir.File(o.Path), o.Sum, o.Series == "") // rows may follow the checkpoint
		if ctx.Err() != nil {
			return exit.As(exit.Interrupted, fmt.Errorf("interrupted while the files of the run, which had ended, were compared with their checksums: nothing was changed\nto continue: %s", r.opts.Continue))
		}
		if err != nil && (o.Series == "" || !errors.Is(err, fs.ErrNotExist)) { // of those lists tell
			r.checks.warn("%s: %v: it was damaged, changed or removed since it was written, and stays as it is: put it back from a copy, or compute everything again with --overwrite", r.Dir.File(o.Path), err)
		}
	}
	if saved.Format >= 2 {
		for _, series := range r.series() {
			known := slices.DeleteFunc(slices.Clone(m.Outputs), func(o output) bool { return o.Series != series })
			if _, err := r.verifySeries(series, known, true); err != nil {
				return exit.AsInputOutput(err)
			}
		}
	}
	r.checks.say(r.progress)
	if err := r.keepWarnings(); err != nil {
		return exit.AsInputOutput(err)
	}
	return exit.AsInputOutput(r.keepEnd())
}

// keepEnd makes the manifest of a run that had ended say so: the process may have been killed
// between its last two files.
func (r *run[T]) keepEnd() error {
	manifest, err := r.readManifest()
	if err != nil || string(manifest["status"]) != `"running"` {
		return err
	}
	ended := time.Now()
	if summary, err := durable.Stat(r.Dir.File("summary.json")); err == nil {
		ended = summary.ModTime()
	}
	for key, value := range map[string]any{"status": r.already.Status, "exit_status": 0, "steps": r.already.Steps, "end": ended.Format(time.RFC3339)} {
		if manifest[key], err = json.Marshal(value); err != nil {
			return err
		}
	}
	return durable.WriteJSON(r.Dir.File("manifest.json"), manifest)
}

// readManifest is the manifest that is there, by its keys.
func (r *run[T]) readManifest() (map[string]json.RawMessage, error) {
	path := r.Dir.File("manifest.json")
	text, err := regular.ReadFile(path, regular.Most)
	if err != nil {
		return nil, fmt.Errorf("%s: the manifest cannot be read: %w: %s", path, durable.Cause(err), durable.Remedy(err, "make it readable"))
	}
	manifest := map[string]json.RawMessage{}
	if err := json.Unmarshal(text, &manifest); err != nil {
		return nil, fmt.Errorf("%s: %w: the file is damaged, compute everything again with --overwrite", path, err)
	}
	return manifest, nil
}

// keepWarnings adds what was found to the summary and manifest of a run that had ended.
func (r *run[T]) keepWarnings() error {
	all, fresh := slices.Clone(r.already.Warnings), false
	for _, warning := range r.checks.told() {
		if slices.Contains(all, warning) {
			continue
		}
		if strings.HasSuffix(warning, countedWarnings) { // instead of an earlier count
			all = slices.DeleteFunc(all, func(w string) bool { return strings.HasSuffix(w, countedWarnings) })
		}
		all, fresh = append(all, warning), true
	}
	if !fresh {
		return nil
	}
	r.already.Warnings = all
	manifest, err := r.readManifest()
	if err != nil {
		return err
	}
	if manifest["warnings"], err = json.Marshal(all); err != nil {
		return err
	}
	if err := durable.WriteJSON(r.Dir.File("manifest.json"), manifest); err != nil {
		return err
	}
	return durable.WriteJSON(r.Dir.File("summary.json"), r.already)
}

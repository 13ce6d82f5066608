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
	"lbmib/run/exit"
)

// finished is a run that had ended.
type finished struct {
	*Summary
	*verifier
	resume string // the command that continues the run
}

// verify compares tables, files and lists with what the last checkpoint knows of them, and puts
// lists right. What it finds is told and kept as it is when a run goes on; where all is well
// nothing is written.
func (f *finished) verify(ctx context.Context, m *savedMeta) error {
	for _, o := range m.Outputs {
		err := regular.CheckSum(ctx, f.dir.File(o.Path), o.Sum, o.Series == "") // rows may follow the checkpoint
		if ctx.Err() != nil {
			return exit.As(exit.Interrupted, fmt.Errorf("interrupted while the files of the run, which had ended, were compared with their checksums: nothing was changed\nto continue: %s", f.resume))
		}
		if err != nil && (o.Series == "" || !errors.Is(err, fs.ErrNotExist)) { // of those lists tell
			f.checks.warn("%s: %v: it was damaged, changed or removed since it was written, and stays as it is: put it back from a copy, or compute everything again with --overwrite", f.dir.File(o.Path), err)
		}
	}
	if m.From.Format >= 2 {
		for _, series := range f.lists {
			if _, err := f.list(series, filesOf(m, series), true); err != nil {
				return exit.AsInputOutput(err)
			}
		}
	}
	f.checks.say(f.progress)
	if err := f.keepWarnings(); err != nil {
		return exit.AsInputOutput(err)
	}
	return exit.AsInputOutput(f.keepEnd())
}

// keepEnd makes the manifest of a run that had ended say so: the process may have been killed
// between its last two files.
func (f *finished) keepEnd() error {
	manifest, err := f.readManifest()
	if err != nil || string(manifest["status"]) != `"running"` {
		return err
	}
	ended := time.Now()
	if summary, err := durable.Stat(f.dir.File("summary.json")); err == nil {
		ended = summary.ModTime()
	}
	for key, value := range map[string]any{"status": f.Status, "exit_status": 0, "steps": f.Steps, "end": ended.Format(time.RFC3339)} {
		if manifest[key], err = json.Marshal(value); err != nil {
			return err
		}
	}
	return durable.WriteJSON(f.dir.File("manifest.json"), manifest)
}

// readManifest is the manifest that is there, by its keys.
func (f *finished) readManifest() (map[string]json.RawMessage, error) {
	path := f.dir.File("manifest.json")
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
func (f *finished) keepWarnings() error {
	all, fresh := slices.Clone(f.Warnings), false
	for _, warning := range f.checks.told() {
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
	f.Warnings = all
	manifest, err := f.readManifest()
	if err != nil {
		return err
	}
	if manifest["warnings"], err = json.Marshal(all); err != nil {
		return err
	}
	if err := durable.WriteJSON(f.dir.File("manifest.json"), manifest); err != nil {
		return err
	}
	return durable.WriteJSON(f.dir.File("summary.json"), f.Summary)
}

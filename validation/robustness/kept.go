package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"

	"lbmib/io/checkpoint"
)

// kept are the steps of the newest sound checkpoints of the scenario's own case, by the
// directory of the run ("run", of a sweep "run/reynolds=20").
type kept map[string]int64

// checkpointsIn are the checkpoints of a run or of the runs of a sweep.
func checkpointsIn(dir string) []string {
	one, _ := filepath.Glob(filepath.Join(dir, "run", "checkpoint", "*.ckpt"))
	more, _ := filepath.Glob(filepath.Join(dir, "run", "*", "checkpoint", "*.ckpt"))
	return append(one, more...)
}

// keptIn reads the checkpoints in a directory. One that does not verify does not count,
// nor does one of another case, such as that of the run that --overwrite replaces.
// Those of lbmib validate do not either: it begins its groups again.
func (r *reference) keptIn(dir string) (kept, error) {
	k := kept{}
	if r.kind == validates {
		return k, nil
	}
	for _, path := range checkpointsIn(dir) {
		run, err := filepath.Rel(dir, filepath.Dir(filepath.Dir(path)))
		if err != nil {
			return nil, err
		}
		c, err := checkpoint.Read(path)
		if err != nil {
			continue
		}
		var is, own struct {
			Case string `json:"case_sha256"`
		}
		if err := c.DecodeMeta(&is); err != nil {
			return nil, err
		}
		manifest, err := os.ReadFile(filepath.Join(r.dir, run, "manifest.json"))
		if err == nil {
			err = json.Unmarshal(manifest, &own)
		}
		if err != nil || own.Case == "" {
			return nil, fmt.Errorf("the digest of the case of %s is not known: %w", run, err)
		}
		if is.Case == own.Case {
			k.add(kept{run: c.Step})
		}
	}
	return k, nil
}

func (k kept) add(more kept) {
	for run, step := range more {
		if old, ok := k[run]; !ok || step > old {
			k[run] = step
		}
	}
}

// without is an error if checkpoints of these steps or later ones are not there now.
func (k kept) without(now kept) error {
	for _, run := range slices.Sorted(maps.Keys(k)) {
		switch step, ok := now[run]; {
		case !ok:
			return fmt.Errorf("the checkpoint of step %d of %s is lost: no sound one is left", k[run], run)
		case step < k[run]:
			return fmt.Errorf("the checkpoint of step %d of %s is lost: the newest sound one is of step %d", k[run], run, step)
		}
	}
	return nil
}

// hold links the checkpoints in a directory into another, so that they can still be
// looked at if the program removes them.
func hold(dir, to string) error {
	for _, path := range checkpointsIn(dir) {
		name, err := filepath.Rel(dir, path)
		if err == nil {
			err = os.MkdirAll(filepath.Join(to, filepath.Dir(name)), 0o777)
		}
		if err == nil {
			err = os.Link(path, filepath.Join(to, name))
		}
		if err != nil && !errors.Is(err, fs.ErrNotExist) { // an older one has made way for a newer
			return err
		}
	}
	return nil
}

var resuming = regexp.MustCompile(`resuming at step (\d+) \(.*\) from (.+)/checkpoint/\d+\.ckpt`)

// resumedAt is where a process says that it goes on: run → step.
func resumedAt(stderr string) kept {
	said := kept{}
	for _, m := range resuming.FindAllStringSubmatch(stderr, -1) {
		if step, err := strconv.ParseInt(m[1], 10, 64); err == nil {
			said[filepath.Clean(m[2])] = step
		}
	}
	return said
}

// finished are the runs that are done: by the summary, the last file but the manifest, which
// is then shown; for one of a sweep by the manifest, too, which passes it over.
func finished(dir string) map[string]bool {
	is := map[string]bool{}
	for _, name := range []string{"summary.json", "manifest.json"} {
		for _, pattern := range []string{"run", "run/*"} {
			paths, _ := filepath.Glob(filepath.Join(dir, filepath.FromSlash(pattern), name))
			for _, path := range paths {
				var of struct{ Status string }
				text, err := os.ReadFile(path)
				if err != nil || json.Unmarshal(text, &of) != nil || of.Status != "done" {
					continue
				}
				if run, err := filepath.Rel(dir, filepath.Dir(path)); err == nil {
					is[run] = true
				}
			}
		}
	}
	return is
}

// look notes the checkpoints that the next process finds.
func (k *killing) look() error {
	now, err := k.keptIn(k.dir)
	if err != nil {
		return err
	}
	if k.kept == nil {
		k.kept = kept{}
	}
	k.kept.add(now)
	return nil
}

// keeps holds that a process lost no checkpoint, went on from the newest that it found
// (before) and did not ask to start over if it found one. Runs that were done before it
// began need not go on.
func (k *killing) keeps(o outcome, before kept, done map[string]bool) error {
	now, err := k.keptIn(k.dir)
	if err != nil {
		return err
	}
	if err := k.kept.without(now); err != nil { // with those at the moment of the signal
		return fmt.Errorf("after %s: %w\n%s", o.how(), err, o.stderr)
	}
	said := resumedAt(o.stderr)
	for run, step := range before {
		at, ok := said[run]
		switch {
		case ok && at < step:
			return fmt.Errorf("%s goes on at step %d, and there was a sound checkpoint of step %d\n%s", run, at, step, o.stderr)
		case !ok && !done[run] && (o.code == 0 || now[run] > step):
			return fmt.Errorf("%s does not say that it goes on, and there was a sound checkpoint of step %d\n%s", run, step, o.stderr)
		case !ok && !done[run] && o.code == 2 && k.remedy(o.stderr) != nil:
			return fmt.Errorf("%s is to start over, and there was a sound checkpoint of step %d\n%s", run, step, o.stderr)
		}
	}
	k.kept.add(now)
	return nil
}

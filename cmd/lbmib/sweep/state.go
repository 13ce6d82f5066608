package sweep

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"

	"lbmib/internal/durable"
	"lbmib/internal/regular"
	"lbmib/run"
)

// state is what is left of a combination in its directory.
type state int

const (
	fresh     state = iota // nothing
	begun                  // a run that ended before its first checkpoint
	resumable              // a checkpoint to go on from
	ended                  // its summary, to the end of the case or to where it diverged or a body stopped it
)

// state looks into the directory of a combination. What another case left there
// is an error.
func (c *Combination) state() (state, error) {
	var manifest struct {
		Hash   string `json:"case_sha256"`
		Status string
	}
	path := filepath.Join(c.Dir, "manifest.json")
	switch err := readJSON(path, &manifest); {
	case errors.Is(err, fs.ErrNotExist):
		return fresh, nil // a run refuses a directory that holds results of others
	case err != nil:
		return fresh, err
	case manifest.Hash != c.Hash:
		return fresh, fmt.Errorf("%s holds the run of another case (the case file or --set has changed since): replace the sweep with --overwrite, or choose another directory with --out DIR", c.Dir)
	}
	s, err := c.summary()
	over := err == nil && (isLost(s.Status) || s.Status == "done" && s.Steps == c.Steps)
	if over && manifest.Status != "running" && !c.holdsTemporaries() {
		return ended, nil
	}
	kept, _ := durable.ReadDir(filepath.Join(c.Dir, "checkpoint"))
	switch {
	case slices.ContainsFunc(kept, func(e fs.DirEntry) bool { return filepath.Ext(e.Name()) == ".ckpt" }):
		return resumable, nil // also a steady one: whether it is steady enough the run itself knows
	case over:
		return ended, nil
	}
	return begun, nil
}

// holdsTemporaries tells whether the run was killed while it wrote one of its documents: resuming
// a run that had ended removes them, and writes the last manifest.
func (c *Combination) holdsTemporaries() bool {
	files, _ := durable.ReadDir(c.Dir)
	return slices.ContainsFunc(files, func(e fs.DirEntry) bool {
		_, temporary := durable.Final(e.Name())
		return temporary
	})
}

// summary is the one that the combination's run left.
func (c *Combination) summary() (*run.Summary, error) {
	s := new(run.Summary)
	return s, readJSON(filepath.Join(c.Dir, "summary.json"), s)
}

// isLost tells whether a run with a status could not get to its end and never will.
func isLost(status string) bool { return status == "diverged" || status == "stopped" }

// failure is why the run of a summary is lost, as its manifest keeps it.
func (c *Combination) failure(s *run.Summary) error {
	var manifest struct {
		Error string `json:"error"`
	}
	if !isLost(s.Status) || readJSON(filepath.Join(c.Dir, "manifest.json"), &manifest) != nil || manifest.Error == "" {
		return nil
	}
	return errors.New(manifest.Error)
}

func readJSON(path string, into any) error {
	text, err := regular.ReadFile(path, regular.Most)
	if err != nil {
		return err
	}
	if err := json.Unmarshal(text, into); err != nil {
		return fmt.Errorf("%s: %w: the file is damaged, remove its directory to run it again", path, err)
	}
	return nil
}

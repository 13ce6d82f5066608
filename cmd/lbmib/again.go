package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"

	"lbmib/internal/durable"
	"lbmib/internal/regular"
	"lbmib/io/casefile"
	"lbmib/run/exit"
	"lbmib/run/rundir"
	"lbmib/run/setup"
)

// record is what a manifest says of a run that is to be done again.
type record struct {
	file string

	Hash    string               `json:"case_sha256"`
	Files   []casefile.NamedFile `json:"files"`
	Version string               `json:"version"`
	Backend string               `json:"backend"`
	Kernel  string               `json:"kernel"`
}

// again has the flags mean the run that a manifest is of: the case beside it. It is nil where they name a case file.
func (f *caseFlags) again() (*record, error) {
	if !strings.EqualFold(filepath.Ext(f.Case), ".json") {
		return nil, nil
	}
	r := &record{file: f.Case}
	bad := func(format string, args ...any) error {
		return &exit.Error{Code: exit.BadCase, Err: fmt.Errorf("%s: "+format, append([]any{f.Case}, args...)...)}
	}
	text, err := regular.ReadFile(f.Case, regular.Most)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, bad("there is no such file: give a case file, or the manifest.json of a run that is to be done again")
	case err != nil:
		return nil, bad("it cannot be read: %w: %s", durable.Cause(err), durable.Remedy(err, "make it readable"))
	}
	if err := json.Unmarshal(text, r); err != nil || r.Hash == "" {
		return nil, bad("it is no manifest of a run: give a case file, or the manifest.json that a run has left")
	}
	f.Case = filepath.Join(filepath.Dir(f.Case), rundir.CaseCopy)
	if _, err := durable.Lstat(f.Case); err != nil {
		return nil, bad("there is no %s beside it, which has the case: run the case file itself", rundir.CaseCopy)
	}
	return r, nil
}

// is refuses a case that is not the one that the run was of. Overrides that are given now make it another on purpose.
func (r *record) is(c *casefile.Case) error {
	if r == nil || c.Hash() == r.Hash {
		return nil
	}
	var changed []string
	for _, now := range c.Files() {
		for _, then := range r.Files {
			if now.Path == then.Path && now.SHA256 != then.SHA256 {
				changed = append(changed, now.Path)
			}
		}
	}
	why := rundir.CaseCopy + " beside it is another case: it was changed, or this version reads it in another way; run that file itself"
	if len(changed) > 0 {
		why = strings.Join(changed, ", ") + " has changed since that run: restore the file as it was then, or run " + rundir.CaseCopy + " with the present one"
	}
	return &exit.Error{Code: exit.BadCase, Err: fmt.Errorf("%s: the run cannot be done again: %s", r.file, why)}
}

// settle takes backend and kernel of the run where the command line names none, and tells what may make other bits.
func (r *record) settle(c *runCommand, kernel setup.Kernel) (setup.Kernel, []string) {
	if r == nil {
		return kernel, nil
	}
	var notes []string
	if r.Version != version() {
		notes = append(notes, fmt.Sprintf("note: the run was made by version %s, this is %s: bits may differ", r.Version, version()))
	}
	if c.Backend == "" {
		c.Backend = r.Backend
	}
	if kernel.Name != "" || r.Kernel == "cuda" || c.Backend == "cuda" {
		return kernel, notes
	}
	then, err := setup.ChooseKernel(r.Kernel)
	if err != nil {
		return kernel, append(notes, fmt.Sprintf("note: the run was made by kernel %s, which this CPU lacks: bits may differ", r.Kernel))
	}
	return then, notes
}

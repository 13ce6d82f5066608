// Package casefile reads a case: the TOML file that describes a flow, its
// bodies, the numerics and the outputs. Load and Parse return a Case in which
// every value is checked, every default filled in and every number in
// reference units (lengths in L, velocities in U, times in L/U); what is
// wrong is reported all at once, each with file, line, column, key, bound and
// remedy. The positions come from a scanner beside the TOML package, which has none
// of keys (indexPositions). Units converts between reference, lattice and SI units.
package casefile

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"strings"

	"lbmib/internal/durable"
	"lbmib/internal/regular"
)

// maxFileSize bounds a case file in bytes; real ones have a few kilobytes.
const maxFileSize = 1 << 20

// Case is a checked and fully resolved case in reference units.
type Case struct {
	File  string // as given to Load or Parse
	Title string
	Name  string // base name of File without its extension

	Reference   Reference
	Domain      Domain
	Ports       []Port // of the vessel
	Solids      []Solid
	Fluid       Fluid
	IB          IB
	Bodies      []Body // rigid ones
	Cells       []Body // elastic ones
	Refine      []Refine
	Suspensions []Suspension // one at most
	Run         Run
	Output      Output

	positions      map[string]Position // key path → where it stands in the file
	reynoldsOfFile any                 // reference.reynolds of the file, which its title may tell; nil: it was not overridden, or there is none
	overrides      []override          // --set, in the order given
	text           []byte              // as read, without what a run has added
	folder         string              // that paths are relative to, where it is not the file's
	root           map[string]any      // decoded, with the overrides
	notes          *notes              // what was read
}

// Load reads and checks the case file at path after applying the overrides in
// sets, each "key=value" with a dotted key ("run.time", "body.0.shape.diameter")
// and a TOML value; a bare word is taken as a string. Problems with the
// content are returned as Errors, a file that cannot be read as the error of
// the operating system.
func Load(path string, sets []string) (*Case, error) {
	text, err := Read(path)
	if err != nil {
		return nil, err
	}
	return Parse(path, text, sets)
}

// Read returns the text of a case file for Parse, which refuses one that is too
// long to be one; no more than that is read. It may be a pipe where the program was
// given it open, as /dev/stdin or /dev/fd/N; else it is a regular file.
func Read(path string) ([]byte, error) {
	var f *os.File
	var err error
	if path == "/dev/stdin" || strings.HasPrefix(path, "/dev/fd/") {
		f, err = os.Open(path)
	} else {
		f, _, err = regular.Open(path)
	}
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, fmt.Errorf("case file cannot be read: %w: is the path right? For instance: lbmib run cases/cylinder.toml", err)
	case errors.Is(err, regular.ErrKind):
		return nil, fmt.Errorf("case file cannot be read: %w, for instance: lbmib run cases/cylinder.toml", err)
	case err != nil:
		return nil, fmt.Errorf("case file cannot be read: %w: %s", err, durable.Remedy(err, "make it readable"))
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, maxFileSize+1))
	if err != nil {
		return nil, fmt.Errorf("case file cannot be read: %w: %s", err, durable.Remedy(err, "give the path of a case file, for instance: lbmib run cases/cylinder.toml"))
	}
	return text, nil
}

// Parse is Load for a case already in memory; name stands for the file in
// messages, gives the case its Name, and its folder is where the files lie that
// the case names.
func Parse(name string, text []byte, sets []string) (*Case, error) {
	base := filepath.Base(name)
	c := &Case{File: name, Name: strings.TrimSuffix(base, filepath.Ext(base))}
	root, err := c.decode(text)
	if err != nil {
		return nil, Errors{err}
	}
	if _, flow := root["reference"]; !flow && isTable(root["shear"]) && isTable(root["spring"]) {
		return nil, Errors{c.problem("", "is not a flow, but a case for lbmib bench ib, with [shear] and [spring]: run it by lbmib bench ib %s", name)}
	}
	c.root, c.text = root, text
	before, fault := c.readAsRun(root)
	if fault != nil {
		return nil, Errors{fault}
	}
	for _, set := range before {
		if err := c.override(root, set); err != nil {
			return nil, Errors{err}
		}
	}
	for i := range c.overrides {
		c.overrides[i].earlier, c.overrides[i].adds = true, false
	}
	return c.read(sets)
}

// read applies overrides to the decoded file, and fills the case from it.
func (c *Case) read(sets []string) (*Case, error) {
	r := &reader{c: c}
	for _, set := range sets {
		if err := c.override(c.root, set); err != nil {
			r.report(err)
		}
	}
	r.read(c.root)
	c.titleOverrides()
	if len(r.errs) > 0 {
		r.errs.sort()
		return nil, r.errs.first(maxProblems)
	}
	return c, nil
}

func isTable(v any) bool { _, ok := v.(map[string]any); return ok }

// read fills the case from the decoded file. The reference comes first, for
// all else may be written in its units; the domain next, for its lattice gives
// vectors their length; the run before the outputs, which default to parts of it.
func (r *reader) read(root map[string]any) {
	t := r.open("", root)
	r.c.notes = &t.notes
	r.c.Title = t.line("title", r.c.Name)
	readReference(t.require("reference", `resolution = 40, velocity = 0.1, reynolds = 100`))
	readConstants(t.table(constantsTable))
	readDomain(t.require("domain", `lattice = "D2Q9", size = [40.0, 15.0]`))
	readPorts(r, t.tables("port"))
	readFluid(t.table("fluid"))
	readIB(t.table("ib"))
	readSolids(r, t.tables("solid"))
	readBodies(r, t.tables("body"))
	readRefine(r, t.tables("refine"))
	readSuspensions(r, t.tables("suspension"))
	readRun(t.require("run", `time = 100.0`))
	readOutput(t.table("output"))
	for _, check := range r.atEnd {
		check()
	}
	r.reportUnknown()
	r.reportIdleConstants(root)
}

// StepsOf returns the number of time steps nearest to the duration t, in L/U:
// at least 1 for t > 0, and 0 for t ≤ 0.
func (c *Case) StepsOf(t float64) int64 {
	if !(t > 0) {
		return 0
	}
	return max(1, int64(math.Round(t*c.Reference.Resolution/c.Reference.Velocity)))
}

package rundir

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"

	"lbmib/internal/durable"
	"lbmib/io/casefile"
	"lbmib/run/exit"
)

// Dir is where a run leaves its files.
type Dir struct {
	Path       string
	checkpoint int64 // steps between checkpoints; 0: none
	Keep       int
	Outputs    []string // what outputs leave, as patterns: lists before what they name
}

func New(c *casefile.Case) Dir {
	return Dir{Path: c.Output.Directory, checkpoint: c.StepsOf(c.Output.Checkpoint.Every), Keep: c.Output.Checkpoint.Keep}
}

func (d Dir) File(name ...string) string {
	return filepath.Join(append([]string{d.Path}, name...)...)
}

func (d Dir) Checkpoints() string { return d.File("checkpoint") }

func (d Dir) CheckpointDue(step int64) bool { return d.checkpoint > 0 && step%d.checkpoint == 0 }

// step matches how the number of a step ends the name of a picture.
const step = "[0-9][0-9][0-9][0-9][0-9][0-9][0-9][0-9][0-9].png"

// drawn are the files that a run writes beside outputs and checkpoints, or lbmib plot of it, as
// patterns. The manifest, which says whose they all are, comes last.
var drawn = func() (all []string) {
	for _, name := range []string{"forces", "bodies", "line_*", "grids", "wall", "suspension", "suspension_profile", "surfaces", "cells", "filaments", "sheets", "flow", "motion", "body_pressure", "phase", "probes"} {
		all = append(all, "plots/"+name+".png")
	}
	for _, field := range FieldPictures {
		all = append(all, "plots/"+field+".png", "plots/"+field+"_"+step, "plots/"+field+".gif", "plots/"+field+".webm", "plots/"+field+".mp4")
	}
	return append(all, "plots/surfaces_"+step, "plots/wall_"+step, "report.html", "phase.csv", "summary.json", CaseCopy, "manifest.json")
}()

// FieldPictures are the names of maps of fields: those that a run draws, and others of lbmib plot.
var FieldPictures = []string{"speed", "vorticity", "density", "pressure", "cp", "q", "body", "speed_mean", "pressure_mean", "fluctuation"}

// CaseCopy is the case file that a run was begun or last resumed with, below its directory.
const CaseCopy = "case-as-run.toml"

func (d Dir) MakeDir(sub string) error {
	if err := durable.MakeDir(d.File(sub)); err != nil {
		return exit.InputOutputf("%w (with --out DIR)", err)
	}
	return nil
}

// Clear makes sure that nothing of an earlier run is in the directory. Files that
// no run writes are never touched.
func (d Dir) Clear(overwrite bool) error {
	left := d.Left()
	switch {
	case len(left) == 0:
		return nil
	case left[len(left)-1] != d.File("manifest.json"):
		return exit.AsBadCase(fmt.Errorf("%s is there, but no manifest.json of a run: it may not be this program's to replace; move it away or choose another directory with --out DIR", left[0]))
	case !overwrite:
		return exit.AsBadCase(fmt.Errorf("%s holds an earlier run: continue it with --resume, replace it with --overwrite, or choose another directory with --out DIR", d.Path))
	}
	if err := d.Sweep(); err != nil {
		return err
	}
	if err := durable.RemoveInTurn(left, TurnOf); err != nil { // nothing refers to what is not there
		return exit.InputOutputf("the earlier run cannot be removed: %w: %s", err, durable.Remedy(err, "make its directory writable, or choose another with --out DIR"))
	}
	return nil
}

// TurnOf tells which of the files that left gave may be removed at the same time:
// checkpoints before what they refer to, lists before the files that they name, and the
// manifest last.
func TurnOf(path string) string {
	switch ext := filepath.Ext(path); {
	case ext == ".ckpt", ext == ".series", filepath.Base(path) == "manifest.json":
		return ext
	}
	return ""
}

// Left are the files of a run that are in the directory; another run must not mix with them.
func (d Dir) Left() (files []string) {
	seen := map[string]bool{} // patterns overlap
	for _, pattern := range slices.Concat([]string{"checkpoint/*.ckpt"}, d.Outputs, drawn) {
		for _, name := range d.Matching(pattern) {
			if !seen[name] {
				seen[name] = true
				files = append(files, name)
			}
		}
	}
	return files
}

// Matching are the files that a pattern names, in order.
func (d Dir) Matching(pattern string) (files []string) {
	dir, name := filepath.Split(pattern)
	entries, err := durable.ReadDir(d.File(dir))
	if err != nil {
		return nil // none, or unreadable: making files there will tell
	}
	for _, e := range entries {
		if ok, _ := filepath.Match(name, e.Name()); ok {
			files = append(files, d.File(dir, e.Name()))
		}
	}
	return files
}

// Sweep removes the temporary files of a process that was killed.
func (d Dir) Sweep() error {
	folders := []string{"", "plots", "checkpoint"}
	for _, pattern := range d.Outputs {
		folders = append(folders, strings.TrimSuffix(filepath.Dir(pattern), "."))
	}
	slices.Sort(folders)
	for _, sub := range slices.Compact(folders) {
		entries, err := durable.ReadDir(d.File(sub))
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return exit.InputOutputf("the run directory cannot be read: %w: %s", err, durable.Remedy(err, "make it readable"))
		}
		for _, e := range entries {
			if _, temporary := durable.Final(e.Name()); !temporary {
				continue
			}
			if err := durable.Remove(d.File(sub, e.Name())); err != nil {
				return exit.InputOutputf("a temporary file of an earlier process cannot be removed: %w: remove it by hand", err)
			}
		}
	}
	return nil
}

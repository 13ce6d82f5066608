package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"
)

func TestANewCaseRunsAndIsPlotted(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	o := lbmib(t, dir, "new", "--list")
	o.want(t, 0)
	for _, name := range templateNames() {
		if !strings.Contains(o.stdout, name+" ") {
			t.Errorf("the list does not name %s:\n%s", name, o.stdout)
		}
	}
	lbmib(t, dir, "new", "oscillating-cylinder", "mine.toml").want(t, 0)
	lbmib(t, dir, "run", "mine.toml", "--set", "reference.resolution=8", "--set", "run.time=2.5", "--quiet").want(t, 0)
	o = lbmib(t, dir, "plot", "mine.out")
	o.want(t, 0)
	for _, f := range []string{"plots/forces.png", "plots/motion.png", "plots/bodies.png", "plots/speed.png", "plots/vorticity.png", "report.html"} {
		path := filepath.Join("mine.out", f)
		if info, err := os.Stat(filepath.Join(dir, path)); err != nil || info.Size() == 0 || !strings.Contains(o.stdout, path) {
			t.Errorf("%s is missing, empty or not told: %v\n%s", path, err, o.stdout)
		}
	}
}

// Without --at the newest state has the run's own name, with it that of its step;
// and a step that is not there is refused before anything is drawn over.
func TestPlotsOfAStepAreApart(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	lbmib(t, dir, "new", "channel").want(t, 0)
	lbmib(t, dir, "run", "channel.toml", "--set", "reference.resolution=8", "--set", "run.steps=40", "--set", "output.fields.every=0.125", "--quiet").want(t, 0)
	o := lbmib(t, dir, "plot", "channel.out", "--at", "20", "--field", "speed")
	o.want(t, 0)
	if want := filepath.Join("channel.out", "plots", "speed_000000020.png"); !strings.Contains(o.stdout, want) {
		t.Errorf("%s is not told:\n%s", want, o.stdout)
	}
	lbmib(t, dir, "plot", "channel.out", "--field", "pressure_coefficient,cp").want(t, 0)
	before := tree(t, dir)
	lbmib(t, dir, "plot", "channel.out", "--at", "21").want(t, 2, "holds no fields of step 21: choose one of 20, 40")
	sameTree(t, tree(t, dir), before)
}

// Without the HDF5 library check ends as run does, with the same words.
func TestCheckEndsAsRunWithoutHDF5(t *testing.T) {
	t.Parallel()
	dir := place(t, cylinder)
	for _, command := range []string{"check", "run"} {
		lbmibWith(t, dir, []string{"LBMIB_HDF5=/nonexistent/libhdf5.so"}, command, "case.toml").want(t, 4, "output.fields", "/nonexistent/libhdf5.so", "--set output.fields.every=0")
	}
	lbmibWith(t, dir, []string{"LBMIB_HDF5=/nonexistent/libhdf5.so"}, "check", "case.toml", "--set", "output.directory=\"/proc/none\"", "--set", "reference.velocity=0.9").want(t, 2)
}

func TestNewWritesOverNothing(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	write(t, filepath.Join(dir, "gem.stl"), "mine")
	before := tree(t, dir)
	lbmib(t, dir, "new", "stl").want(t, 2, "gem.stl, which the case of this template is for, is there already with other contents", "another folder")
	sameTree(t, tree(t, dir), before) // not half of it either
	if err := os.Remove(filepath.Join(dir, "gem.stl")); err != nil {
		t.Fatal(err)
	}
	lbmib(t, dir, "new", "stl").want(t, 0)
	lbmib(t, dir, "new", "stl", "second.toml").want(t, 0) // the surface of the first serves it
	lbmib(t, dir, "new", "stl").want(t, 2, "stl.toml is there already", "another FILE")
	for line := range strings.Lines(lbmib(t, dir, "new", "--list").stdout) {
		name := strings.TrimRight(line[:min(26, len(line))], " ")
		if utf8.RuneCountInString(strings.TrimRight(line, "\n")) > 80 || strings.Contains(name, " ") || len(name) > 24 {
			t.Errorf("--list breaks its columns, or a page of 80: %q", line)
		}
	}
	lbmib(t, dir, "new", "cylinder").want(t, 0)
	text := read(t, filepath.Join(dir, "cylinder.toml"))
	lbmib(t, dir, "new", "cavity", "cylinder.toml").want(t, 2, "cylinder.toml is there already")
	if read(t, filepath.Join(dir, "cylinder.toml")) != text {
		t.Error("the file was written over")
	}
	lbmib(t, dir, "new", "cilinder").want(t, 2, `no template "cilinder"`, "cylinder")
	lbmib(t, dir, "new").want(t, 2, "which template?")
	lbmib(t, dir, "new", "cavity", "none/cavity.toml").want(t, 4, "none/cavity.toml cannot be written")
}

func TestBadPlotsAreRefused(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	before := tree(t, dir)
	for want, args := range map[string][]string{
		"no such directory":              {"none"},
		"no manifest.json":               {"."},
		"no such field: choose of speed": {".", "--field", "heat"},
		"two numbers":                    {".", "--field", "speed", "--range", "3"},
		"the lower first":                {".", "--field", "speed", "--range", "3,1"},
		"needs one field":                {".", "--range=0,1"},
		"counted from 0":                 {".", "--at=-3"},
	} {
		lbmib(t, dir, append([]string{"plot"}, args...)...).want(t, 2, want)
	}
	sameTree(t, tree(t, dir), before)
}

func TestASweepFromTheCommandLine(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	lbmib(t, dir, "new", "channel").want(t, 0)
	args := []string{"sweep", "channel.toml", "--over", "reference.resolution=6,10", "--set", "run.steps=40", "--set", "output.plots=false", "--threads", "1"}
	lbmib(t, dir, append(args, "--over", "reference.velocty=0.1")...).want(t, 2, "velocty", "did you mean")
	if _, err := os.Stat(filepath.Join(dir, "channel.sweep")); err == nil {
		t.Error("a sweep that was refused made its directory")
	}
	o := lbmib(t, dir, append(args, "--json")...)
	o.want(t, 0, "[2/2]")
	var d struct {
		Runs []struct {
			Name, Status string
			Summary      struct{ Steps int }
		}
	}
	if err := json.Unmarshal([]byte(o.stdout), &d); err != nil {
		t.Fatalf("--json prints %.200q: %v", o.stdout, err)
	}
	if len(d.Runs) != 2 || d.Runs[1].Name != "resolution=10" || d.Runs[1].Status != "done" || d.Runs[1].Summary.Steps != 40 {
		t.Errorf("the document is %+v, want two runs of 40 steps", d)
	}
	o = lbmib(t, dir, args...)
	o.want(t, 0, "done earlier")
	if !strings.Contains(o.stdout, "| resolution | status |") {
		t.Errorf("the table is\n%s", o.stdout)
	}
}

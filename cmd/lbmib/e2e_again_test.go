package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A run is done again, to the same bytes, from its manifest or its copy of the case, in another folder and after the case file has changed;
// with the files that the case names, the overrides and the nested grids that it was run with.
func TestARunIsDoneAgain(t *testing.T) {
	t.Parallel()
	dir := place(t, cylinder)
	inflow := "y,speed\n0,1\n6,1\n"
	if err := os.WriteFile(filepath.Join(dir, "in.csv"), []byte(inflow), 0o644); err != nil {
		t.Fatal(err)
	}
	lbmib(t, dir, "run", "case.toml", "--set", "reference.reynolds=40", "--set", `domain.boundary.left={ type = "velocity", profile = { file = "in.csv" } }`, "--set", "output.fields.every=0.5", "--time=1.5", "--threads=2", "--backend=cpu").want(t, 0)
	if err := os.WriteFile(filepath.Join(dir, "case.toml"), []byte("title = 3"), 0o644); err != nil {
		t.Fatal(err)
	}
	elsewhere := t.TempDir()
	for _, from := range []string{"manifest.json", "case-as-run.toml"} {
		lbmib(t, elsewhere, "run", filepath.Join(dir, "run", from), "--out", from+".out", "--threads=1").want(t, 0)
		again := filepath.Join(elsewhere, from+".out")
		same := 0
		err := filepath.WalkDir(filepath.Join(dir, "run"), func(path string, d os.DirEntry, err error) error {
			name, _ := filepath.Rel(filepath.Join(dir, "run"), path)
			if err != nil || d.IsDir() || !strings.HasSuffix(name, ".csv") && !strings.HasSuffix(name, ".vtkhdf") && !strings.HasSuffix(name, "speed.png") {
				return err
			}
			same++
			if read(t, path) != read(t, filepath.Join(again, name)) {
				t.Errorf("%s: %s differs", from, name)
			}
			return nil
		})
		if err != nil || same < 4 {
			t.Errorf("%s: %d files, %v", from, same, err)
		}
	}
	lbmib(t, elsewhere, "run", "manifest.json.out/manifest.json", "--out", "third.out", "--quiet").want(t, 0)
	if read(t, filepath.Join(elsewhere, "third.out", "forces.csv")) != read(t, filepath.Join(dir, "run", "forces.csv")) {
		t.Error("the run of the run differs")
	}
	lbmib(t, elsewhere, "check", "third.out/manifest.json").want(t, 0)
	if err := os.WriteFile(filepath.Join(dir, "in.csv"), []byte(inflow+"3,1\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	lbmib(t, elsewhere, "run", "third.out/manifest.json", "--out", "fourth.out").want(t, 2, "the run cannot be done again", "in.csv has changed since that run")
	lbmib(t, elsewhere, "run", "third.out/manifest.json", "--out", "fourth.out", "--set", "run.steps=3").want(t, 0)
	lbmib(t, elsewhere, "run", "nothing.json").want(t, 2, "there is no such file: give a case file, or the manifest.json")
	lbmib(t, elsewhere, "run", "third.out/summary.json").want(t, 2, "is no manifest of a run")
}

// A run that was resumed to a later end is done again to that end.
func TestAnExtendedRunIsDoneAgainInFull(t *testing.T) {
	t.Parallel()
	dir := place(t, cylinder)
	lbmib(t, dir, "run", "case.toml", "--time=0.5", "--quiet").want(t, 0)
	lbmib(t, dir, "run", "case.toml", "--time=1", "--resume", "--quiet").want(t, 0)
	lbmib(t, dir, "run", "run/manifest.json", "--out", "again.out", "--quiet").want(t, 0)
	if read(t, filepath.Join(dir, "again.out", "forces.csv")) != read(t, filepath.Join(dir, "run", "forces.csv")) {
		t.Error("it does not come to the same end")
	}
	lbmib(t, dir, "run", "run/case-as-run.toml", "--time=1.5", "--resume", "--out", "run", "--quiet").want(t, 0)
	if text := read(t, filepath.Join(dir, "run", "case-as-run.toml")); strings.Count(text, "[as_run]") != 1 || !strings.Contains(text, "run.time=1.5") {
		t.Errorf("resumed from its copy, the copy is\n%s", text)
	}
}

// The grids that --refine auto took are those of the copy, too.
func TestARunOnProposedGridsIsDoneAgain(t *testing.T) {
	t.Parallel()
	dir := place(t, strings.Replace(cylinder, "size    = [10.0, 6.0]", "size    = [24.0, 16.0]", 1))
	lbmib(t, dir, "run", "case.toml", "--refine=auto", "--set", "reference.resolution=16", "--time=0.1", "--quiet").want(t, 0)
	lbmib(t, dir, "run", "run/manifest.json", "--out", "again", "--quiet").want(t, 0)
	if read(t, filepath.Join(dir, "again", "forces.csv")) != read(t, filepath.Join(dir, "run", "forces.csv")) || !strings.Contains(read(t, filepath.Join(dir, "run", "manifest.json")), `"refine_auto"`) {
		t.Error("the forces differ, or there were no grids")
	}
}

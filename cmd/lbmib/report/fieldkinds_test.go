package report_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"lbmib/cmd/lbmib/report"
	"lbmib/run/rundir"
)

// pictured opens a run and draws fields of it.
func pictured(t *testing.T, dir string, fields ...string) ([]string, error) {
	t.Helper()
	d, err := report.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	return report.Pictures(d, report.Choice{Fields: fields, Step: -1})
}

// Pressure, its coefficient and the Q criterion are drawn of density and velocity, means and the mask where they were written.
func TestAllFieldsAreDrawn(t *testing.T) {
	dir := leave(t, swinging, `output.fields.quantities=["velocity","density","body"]`, "output.means.from=0.5", "output.means.every=0.5")
	files, err := pictured(t, dir, report.FieldNames...)
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range report.FieldNames {
		path := filepath.Join(dir, "plots", name+".png")
		if s, err := os.Stat(path); err != nil || s.Size() < 1000 || !strings.Contains(strings.Join(files, " "), path) {
			t.Errorf("%s: %v, of %q", name, err, files)
		}
	}
}

// A run that writes means and no other fields has maps of them, as plots/speed_mean.png whenever they are drawn.
func TestMeansAloneAreDrawn(t *testing.T) {
	dir := leave(t, swinging, "output.fields.every=0", "output.means.from=0.5", "output.means.every=0.5", "run.time=1.0")
	files, err := pictured(t, dir, "speed_mean", "fluctuation")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"speed_mean.png", "fluctuation.png"} {
		path := filepath.Join(dir, "plots", name)
		if s, err := os.Stat(path); err != nil || s.Size() < 1000 || !slices.Contains(files, path) {
			t.Errorf("%s: %v, of %q", name, err, files)
		}
	}
	if _, err := pictured(t, dir, "speed"); err == nil || !strings.Contains(err.Error(), "holds no fields") {
		t.Errorf("the speed: %v", err)
	}
}

func TestFieldsThatWereNotWrittenAreRefused(t *testing.T) {
	dir := leave(t, swinging, `output.fields.quantities=["velocity"]`)
	for field, want := range map[string]string{
		"pressure":      "holds no density, which a map of the pressure is drawn from: ask the case for it with output.fields.quantities",
		"body":          "holds no body",
		"pressure_mean": "ask the case for output.means",
	} {
		if _, err := pictured(t, dir, field); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", field, err, want)
		}
	}
	if files, err := pictured(t, dir, "q"); err != nil || len(files) == 0 {
		t.Errorf("the Q criterion of a velocity: %q, %v", files, err)
	}
}

// A run that replaces another leaves none of its pictures, of whatever field.
func TestPicturesOfAnEarlierRunAreReplaced(t *testing.T) {
	dir := t.TempDir()
	if err := os.Mkdir(filepath.Join(dir, "plots"), 0o777); err != nil {
		t.Fatal(err)
	}
	files := []string{"manifest.json", "plots/surfaces_000000020.png", "plots/wall_000000020.png"}
	for _, name := range report.FieldNames {
		files = append(files, "plots/"+name+".png", "plots/"+name+"_000000020.png", "plots/"+name+".gif", "plots/"+name+".mp4")
	}
	for _, name := range append(files, "plots/mine.png") {
		if err := os.WriteFile(filepath.Join(dir, name), nil, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	if err := (rundir.Dir{Path: dir}).Clear(true); err != nil {
		t.Fatal(err)
	}
	for _, name := range files {
		if _, err := os.Stat(filepath.Join(dir, name)); err == nil {
			t.Errorf("%s is left", name)
		}
	}
	if _, err := os.Stat(filepath.Join(dir, "plots/mine.png")); err != nil {
		t.Errorf("what is no run's: %v", err)
	}
}

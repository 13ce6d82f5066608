package report_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"lbmib/cmd/lbmib/report"
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

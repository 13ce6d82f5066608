package sweep

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"lbmib/internal/durable"
)

// A run whose summary is there, but whose last manifest the power took, is closed without being done again.
func TestASweepClosesARunThatEndedWithThePower(t *testing.T) {
	file, dir := write(t, channel), filepath.Join(t.TempDir(), "sweep")
	p := plan(t, file, dir, "reference.reynolds=10")
	before, _, err := runPlan(t, p)
	if err != nil {
		t.Fatal(err)
	}
	manifest := filepath.Join(p.Runs[0].Dir, "manifest.json")
	text, err := os.ReadFile(manifest)
	if err != nil {
		t.Fatal(err)
	}
	for name, content := range map[string]string{
		manifest:                    strings.Replace(string(text), `"status": "done"`, `"status": "running"`, 1),
		durable.Temporary(manifest): "",
	} {
		if err := os.WriteFile(name, []byte(content), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	after, told, err := runPlan(t, p)
	if err != nil || after.Runs[0].Status != "done" || after.Runs[0].find("middle", "u") != before.Runs[0].find("middle", "u") {
		t.Errorf("%v, %v, before %v: %s", after.Runs, err, before.Runs, told)
	}
	closed, err := os.ReadFile(manifest)
	if err != nil || !strings.Contains(string(closed), `"status": "done"`) {
		t.Errorf("the manifest does not say that the run has ended (%v)", err)
	}
	if _, err := os.Stat(durable.Temporary(manifest)); err == nil {
		t.Error("a temporary file is left")
	}
}

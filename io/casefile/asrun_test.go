package casefile

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// What a run leaves of a case is the same case, wherever it lies: with its overrides, its name and the files that it names; and again
// what that leaves.
func TestACaseAsRunIsTheSameCase(t *testing.T) {
	dir := t.TempDir()
	file, copied := filepath.Join(dir, "cases", "jet.toml"), filepath.Join(dir, "out", "case-as-run.toml")
	for _, folder := range []string{file, copied} {
		if err := os.MkdirAll(filepath.Dir(folder), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(filepath.Join(dir, "cases", "in.csv"), []byte("y,speed\n0,1\n15,1\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	text := cylinder + "\n# the end"
	c, err := Parse(file, []byte(text), []string{`domain.boundary.left={ type = "velocity", profile = { file = "in.csv" } }`, "run.steps=7", "title=\"a \\\"b\\\"\"", "reference.reynolds=40"})
	if err != nil {
		t.Fatal(err)
	}
	again, err := Parse(copied, c.AsRun(filepath.Dir(copied)), nil)
	if err != nil {
		t.Fatalf("%v in\n%s", err, c.AsRun(filepath.Dir(copied)))
	}
	third, err := Parse(copied, again.AsRun(filepath.Dir(copied)), []string{"reference.reynolds=50", "run.time=3"})
	if err != nil {
		t.Fatal(err)
	}
	if again.Hash() != c.Hash() || again.Title != c.Title || again.Name != "jet" || again.Run.Steps != 7 || !slices.Equal(again.Files(), c.Files()) {
		t.Errorf("the copy is %q, %q, %d steps, %v", again.Name, again.Title, again.Run.Steps, again.Files())
	}
	if string(again.text) != text+"\n" || string(again.AsRun("x")) != string(c.AsRun("x")) {
		t.Errorf("the copy's copy is\n%s\nof\n%s", again.AsRun("x"), c.AsRun("x"))
	}
	if third.Reference.Reynolds != 50 || third.Run.Time != 3 || strings.Count(string(third.AsRun("x")), "[as_run]") != 1 {
		t.Errorf("with another Reynolds number it is\n%s", third.AsRun("x"))
	}
	with, err := again.With([]string{"run.steps=8"}, 1)
	if err != nil || len(with.Files()) != 1 {
		t.Errorf("with further overrides: %v", err)
	}
	for text, want := range map[string]string{
		"as_run = 3\n" + cylinder: "must be a table",
		strings.Replace(cylinder, "[domain]", "[as_run]\nset = []\n[domain]", 1): "must be the last table of the file",
		cylinder + "\n[as_run]\nsets = []":                                       "as_run.sets: is not as a run writes it",
		cylinder + "\n[as_run]\nname = \"a/b\"":                                  "as_run.name: is not as a run writes it",
		cylinder + "\n[as_run]\nset = [\"run.stepz=7\"]":                         "--set run.stepz=7",
	} {
		if _, err := Parse(file, []byte(text), nil); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", text[max(0, len(text)-40):], err, want)
		}
	}
}

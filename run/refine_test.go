package run

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"lbmib/run/check"
	"lbmib/run/setup/setuptest"
)

// refinedRun runs a case and returns its forces, its manifest's --refine auto and what it told.
func refinedRun(t *testing.T, text, dir string, o Options, sets ...string) (csv, auto, told string) {
	t.Helper()
	var messages bytes.Buffer
	o.Out, o.Progress = dir, &messages
	sets = append(sets, "output.fields.every=0", "output.checkpoint.every=0.5", "output.forces.every=0.1")
	if _, err := Run(t.Context(), setuptest.Load(t, text, sets...), o); err != nil {
		t.Fatal(err)
	}
	all, err := os.ReadFile(filepath.Join(dir, "forces.csv"))
	if err != nil {
		t.Fatal(err)
	}
	manifest, err := os.ReadFile(filepath.Join(dir, "manifest.json"))
	if err != nil {
		t.Fatal(err)
	}
	var m struct {
		Auto string `json:"refine_auto"`
	}
	if err := json.Unmarshal(manifest, &m); err != nil {
		t.Fatal(err)
	}
	return string(all), m.Auto, messages.String()
}

// The grids that are proposed give the same bits whether they stand in the case or are taken by --refine auto, and after a resume, which
// needs not be told of them; and they are drawn.
func TestTheProposalIsTaken(t *testing.T) {
	if testing.Short() {
		t.Skip("physics of code that other tests take through the race detector")
	}
	text := strings.Replace(setuptest.StreamCase, "[16.0, 12.0]", "[24.0, 12.0]", 1)
	_, set, _, err := check.WithGrids(setuptest.Load(t, text))
	if err != nil || set == "" {
		t.Fatal(set, err)
	}
	in := func(name string) string { return filepath.Join(t.TempDir(), name) }
	pasted, by, _ := refinedRun(t, text, in("pasted"), Options{}, set, "run.time=2")
	if by != "" {
		t.Errorf("the manifest of a case with its own grids has %q", by)
	}
	dir := in("auto")
	auto, by, told := refinedRun(t, text, dir, Options{Refine: true}, "run.time=2")
	if auto != pasted || by != set || !strings.Contains(told, "--refine auto: 3 levels of nested grids") {
		t.Errorf("other bits than with the tables in the case: %t; taken %q, told %q", auto != pasted, by, told)
	}
	if _, err := os.Stat(filepath.Join(dir, "plots", "grids.png")); err != nil {
		t.Error(err)
	}
	for _, again := range []bool{false, true} { // with the flag or without
		dir := in("resumed")
		refinedRun(t, text, dir, Options{Refine: true}, "run.time=1")
		resumed, by, told := refinedRun(t, text, dir, Options{Resume: true, Refine: again}, "run.time=2")
		if resumed != pasted || by != set || !strings.Contains(told, "resuming on the nested grids") {
			t.Errorf("resumed: other bits %t; %q, told %q", resumed != pasted, by, told)
		}
	}
}

// Where there is nothing to take the run says so and goes on.
func TestWhatIsTakenInsteadOfAProposal(t *testing.T) {
	small := strings.Replace(setuptest.StreamCase, "[16.0, 12.0]", "[8.0, 6.0]", 1)
	for says, c := range map[string]struct {
		text string
		sets []string
	}{
		"the case has [[refine]] of its own, which is taken as it is":        {setuptest.StreamCase + around, nil},
		"one grid is taken: nested grids would not take 1.3 times less work": {small, []string{"body.0.shape.center=[3.0, 3.0]"}},
		`one grid is taken: body "rod" may go anywhere`:                      {strings.Replace(setuptest.StreamCase, "[16.0, 12.0]", "[40.0, 15.0]", 1), []string{"body.0.motion.type=free", "body.0.motion.density=1.5"}},
	} {
		if _, by, told := refinedRun(t, c.text, t.TempDir(), Options{Refine: true}, append(c.sets, "run.steps=2", "output.plots=false")...); by != "" || !strings.Contains(told, says) {
			t.Errorf("told %q, want %q; the manifest has %q", told, says, by)
		}
	}
	dir := t.TempDir()
	long := strings.Replace(setuptest.StreamCase, "[16.0, 12.0]", "[24.0, 12.0]", 1)
	refinedRun(t, long, dir, Options{}, "run.time=0.5", "output.plots=false")
	if _, by, told := refinedRun(t, long, dir, Options{Resume: true, Refine: true}, "run.time=0.6", "output.plots=false"); by != "" || !strings.Contains(told, "begun on one grid") {
		t.Errorf("a run on one grid that is resumed: %q, told %q", by, told)
	}
}

// What is proposed for the cases of the tree can be stepped.
func TestProposedGridsStep(t *testing.T) {
	if testing.Short() {
		t.Skip("physics of code that other tests take through the race detector")
	}
	for file, sets := range map[string][]string{
		"cylinder.toml": nil, "oscillating-cylinder.toml": nil, "templates/flapping.toml": nil, "templates/dfg.toml": nil,
		"sphere.toml": {"reference.resolution=8", "domain.size=[20, 16, 16]"},
	} {
		text, err := os.ReadFile(filepath.Join("..", "cases", file))
		if err != nil {
			t.Fatal(err)
		}
		if _, by, _ := refinedRun(t, string(text), t.TempDir(), Options{Refine: true}, append(sets, "run.steps=4", "output.plots=false")...); by == "" {
			t.Errorf("%s: no grids were taken", file)
		}
	}
	solids := strings.Replace(setuptest.StreamCase, "[16.0, 12.0]", "[40.0, 16.0]", 1) + `
[[solid]]
name = "post"
shape = { type = "circle", center = [9.0, 6.3], diameter = 1.0 }
[[solid]]
name = "step"
shape = { type = "box", min = [25.0, 0.0], max = [26.0, 1.0] }
`
	if _, by, _ := refinedRun(t, solids, t.TempDir(), Options{Refine: true}, "run.steps=4", "output.plots=false", "reference.reynolds=60"); strings.Count(by, "box") != 2 {
		t.Errorf("a body beside solids: %q", by)
	}
}

package main

import (
	"bytes"
	"encoding/json"
	"os"
	"strings"
	"testing"

	"lbmib/run/check"
	"lbmib/run/exit"
)

const tinyCase = `
[reference]
resolution = 16
velocity = 0.1
reynolds = 20
[domain]
lattice = "D2Q9"
size = [1.0, 1.0]
initial = { type = "taylor-green" }
[run]
time = 1.0
`

func inEmptyDirectory(t *testing.T) {
	t.Helper()
	t.Chdir(t.TempDir())
	if err := os.WriteFile("case.toml", []byte(tinyCase), 0o600); err != nil {
		t.Fatal(err)
	}
}

func TestCheckExitsByWhetherARunWouldBegin(t *testing.T) {
	inEmptyDirectory(t)
	for _, c := range []struct {
		name           string
		args           []string
		code           int
		stdout, stderr string
	}{
		{"sound", []string{"--set", "reference.velocity=0.05"}, exit.Done, "no problems were found", ""},
		{"unsafe, but allowed", []string{"--set", "reference.reynolds=5000"}, exit.Done, "--set fluid.collision=trt", ""},
		{"unsafe, and not allowed", []string{"--set", "reference.reynolds=5000", "--strict"}, exit.BadCase, "--set fluid.collision=trt", "the case is unsafe, which --strict does not let pass"},
		{"sound, strictly", []string{"--set", "reference.velocity=0.05", "--strict"}, exit.Done, "no problems were found", ""},
		{"refused", []string{"--set", "reference.velocity=0.5"}, exit.BadCase, "", "Mach number"},
		{"a flag that is none", []string{"--colour"}, exit.BadCase, "", "unknown flag"},
	} {
		var stdout, stderr bytes.Buffer
		code := invoke(append([]string{"check", "case.toml"}, c.args...), &stdout, &stderr)
		if code != c.code || !strings.Contains(stdout.String(), c.stdout) || !strings.Contains(stderr.String(), c.stderr) {
			t.Errorf("%s: exit code %d, want %d\n%s%s", c.name, code, c.code, stdout.String(), stderr.String())
		}
		if c.stderr == "" && stderr.Len() > 0 {
			t.Errorf("%s: on standard error: %s", c.name, stderr.String())
		}
	}
}

func TestCheckAsJSONIsOneDocumentEvenWhenRefused(t *testing.T) {
	inEmptyDirectory(t)
	for _, set := range []string{"run.seed=1", "reference.velocity=0.5", "output.directory=/dev/null/x"} {
		var stdout, stderr bytes.Buffer
		code := invoke([]string{"check", "case.toml", "--json", "--set", set}, &stdout, &stderr)
		var r check.Report
		d := json.NewDecoder(&stdout)
		if err := d.Decode(&r); err != nil || d.More() {
			t.Fatalf("%s: not one document: %v", set, err)
		}
		refused := code == exit.BadCase || code == exit.InputOutput && strings.HasPrefix(set, "output.directory")
		if refused != (r.Verdict == check.Refused) || (len(r.Errors) > 0) != (code != 0) {
			t.Errorf("%s: exit code %d beside verdict %s and errors %q", set, code, r.Verdict, r.Errors)
		}
	}
}

func TestColoursAreForTerminalsOnly(t *testing.T) {
	if painter(new(bytes.Buffer)) != nil {
		t.Error("a buffer is painted")
	}
	f, err := os.Create(t.TempDir() + "/log")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if painter(f) != nil {
		t.Error("a file is painted")
	}
}

// The grids that are proposed are told, taken and drawn.
func TestCheckProposesAndDrawsGrids(t *testing.T) {
	t.Chdir(t.TempDir())
	text := strings.Replace(tinyCase, `size = [1.0, 1.0]
initial = { type = "taylor-green" }`, `size = [20.0, 12.0]
initial = { type = "uniform", velocity = [1.0, 0.0] }
[domain.boundary]
left   = { type = "velocity", value = [1.0, 0.0] }
right  = { type = "outflow" }
bottom = { type = "free-slip" }
top    = { type = "free-slip" }
[[body]]
name  = "rod"
shape = { type = "circle", center = [5.0, 6.0], diameter = 1.0 }`, 1)
	if err := os.WriteFile("case.toml", []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		args           []string
		code           int
		stdout, stderr string
	}{
		{nil, exit.Done, "  [[refine]]\n  around = \"rod\"\n  margin = [1.5, 8.0, 2.0, 2.0]\n  level = 2\n", ""},
		{[]string{"--refine", "auto"}, exit.Done, "level 2         1 box", ""},
		{[]string{"--plot", "grids.png"}, exit.Done, "", ""},
		{[]string{"--refine", "2"}, exit.BadCase, "", "--refine 2: must be auto"},
		{[]string{"--plot", "grids.svg"}, exit.BadCase, "", "ends in .png"},
		{[]string{"--plot", "nowhere/grids.png"}, exit.InputOutput, "", "nowhere"},
	} {
		var stdout, stderr bytes.Buffer
		code := invoke(append([]string{"check", "case.toml"}, c.args...), &stdout, &stderr)
		if code != c.code || !strings.Contains(stdout.String(), c.stdout) || !strings.Contains(stderr.String(), c.stderr) {
			t.Errorf("%v: exit code %d, want %d\n%s%s", c.args, code, c.code, stdout.String(), stderr.String())
		}
	}
	if info, err := os.Stat("grids.png"); err != nil || info.Size() == 0 {
		t.Errorf("the picture: %v", err)
	}
}

// A case that is refused for its grids, or for where a body is, is drawn as far as it is known, and one of which nothing is known says so. What remains to be
// done is told by its errors, wherever these are printed.
func TestWhatIsRefusedIsDrawnAsFarAsItIsKnown(t *testing.T) {
	inEmptyDirectory(t)
	const rod = `body.0={name="rod", shape={type="circle", center=[0.5,0.5], diameter=0.4}}`
	for _, c := range []struct {
		name  string
		sets  []string
		says  string
		drawn bool
	}{
		{"a box without room for the body", []string{"reference.resolution=64", rod, `refine=[{box={min=[0.25,0.25], max=[0.5,0.5]}, level=1}]`}, "the case is refused, and drawn as far as it is known", true},
		{"two bodies in one place", []string{"reference.resolution=64", rod, `body.1={name="twin", shape={type="circle", center=[0.52,0.5], diameter=0.4}}`}, "drawn as far as it is known", true},
		{"a speed that no lattice has", []string{"reference.velocity=0.5"}, "nothing was drawn: the case is refused before", false},
	} {
		os.Remove("grids.png")
		args := []string{"check", "case.toml", "--plot", "grids.png"}
		for _, set := range c.sets {
			args = append(args, "--set", set)
		}
		var stdout, stderr bytes.Buffer
		code := invoke(args, &stdout, &stderr)
		info, err := os.Stat("grids.png")
		if code != exit.BadCase || !strings.Contains(stderr.String(), c.says) || (err == nil && info.Size() > 0) != c.drawn {
			t.Errorf("%s: exit code %d, picture %v\n%s%s", c.name, code, err, stdout.String(), stderr.String())
		}
		if strings.Contains(strings.Join(strings.Fields(stdout.String()), " "), "errors above") {
			t.Errorf("%s: standard output speaks of errors above it, which standard error has:\n%s", c.name, stdout.String())
		}
	}
}

// How a flow is shared among ranks is told, drawn and, where there cannot be so many, refused with what there can be.
func TestCheckSharesAmongRanks(t *testing.T) {
	inEmptyDirectory(t)
	for _, c := range []struct {
		args           []string
		code           int
		stdout, stderr string
	}{
		{[]string{"--ranks", "4", "--plot", "ranks.png"}, exit.Done, "4 ranks (predicted)", ""},
		{[]string{"--ranks", "4", "--json"}, exit.Done, `"efficiency_hidden"`, ""},
		{[]string{"--ranks", "100000"}, exit.BadCase, "exposed", "take at most"},
		{[]string{"--ranks=-1"}, exit.BadCase, "", "must be from 1"},
	} {
		var stdout, stderr bytes.Buffer
		code := invoke(append([]string{"check", "case.toml"}, c.args...), &stdout, &stderr)
		if code != c.code || !strings.Contains(stdout.String(), c.stdout) || !strings.Contains(stderr.String(), c.stderr) {
			t.Errorf("%v: exit code %d, want %d\n%s%s", c.args, code, c.code, stdout.String(), stderr.String())
		}
	}
	if info, err := os.Stat("ranks.png"); err != nil || info.Size() == 0 {
		t.Errorf("the picture: %v", err)
	}
}

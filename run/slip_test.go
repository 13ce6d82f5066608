package run

import (
	"bytes"
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"lbmib/internal/checking/checkingtest"
	"lbmib/io/casefile"
	"lbmib/io/table"
	"lbmib/run/check"
	"lbmib/run/setup/setuptest"
)

// thinCase is a cylinder whose boundary layer has 0.6 nodes.
const thinCase = `
[reference]
resolution = 6
velocity   = 0.1
reynolds   = 100
[domain]
lattice = "D2Q9"
size    = [8.0, 6.0]
` + setuptest.StreamFaces + `[fluid]
collision = "regularized"
[[body]]
name  = "cylinder"
shape = { type = "circle", center = [3.0, 3.0], diameter = 1.0 }
[run]
time = 6.0
[output]
plots      = false
forces     = { every = 0.1 }
checkpoint = { every = 3.0 }
`

func runThin(t *testing.T, dir string, sets []string, o Options) (s *Summary, said string) {
	t.Helper()
	c, err := casefile.Parse("thin.toml", []byte(thinCase), sets)
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	o.Out, o.Threads, o.Progress = dir, 1, &out
	if s, err = Run(t.Context(), c, o); err != nil {
		t.Fatal(err)
	}
	return s, out.String()
}

// A wall along which the fluid is let slip is told: before the run by its layer, during the run
// by what is granted, and afterwards in forces.csv, summary and manifest; also of a run that is
// resumed, and in the same words.
func TestFluidThatSlipsAlongUnresolvedWallsIsTold(t *testing.T) {
	checkingtest.NumbersAlone(t)
	dir := filepath.Join(t.TempDir(), "run")
	s, said := runThin(t, dir, nil, Options{})
	b := s.Bodies["cylinder"]
	if !(b.SlipGranted > 0.3 && b.SlipGranted < 1 && b.SlipMax < 0.05) {
		t.Errorf("the slip granted is %v of U, what is left besides %v", b.SlipGranted, b.SlipMax)
	}
	if text := s.String(); !strings.Contains(text, "slip left by the wall correction ") || strings.Contains(text, "granted") {
		t.Errorf("printed:\n%s", text)
	}
	words := check.DragWords(float64(b.DragError), true) // one estimate of what drag is off by, in the same words wherever the slip is known
	if lines := strings.Join(strings.Fields(s.String()), " "); !strings.Contains(lines, words) || !strings.Contains(strings.Join(s.Cautions, "\n"), words) || strings.Contains(strings.Join(s.Warnings, ""), "%") {
		t.Errorf("%q is not what is printed,\n%s\nor the cautions %q, or a warning has another number: %q", words, lines, s.Cautions, s.Warnings)
	}
	if !strings.Contains(said, check.DragWords(check.DragError(setuptest.Problem(t, thinCase), 0, math.NaN()), false)) {
		t.Errorf("before the run it says %q", said)
	}
	if !strings.Contains(said, `unsafe: boundary layer of body "cylinder", about 0.6 nodes, is fewer than 1`) {
		t.Errorf("it says %q", said)
	}
	if len(s.Warnings) != 1 || !strings.Contains(s.Warnings[0], `body "cylinder": at t = `) || strings.Contains(s.Warnings[0], "--set") ||
		strings.Count(said, s.Warnings[0]+"; try: --set reference.resolution=20 ") != 1 {
		t.Fatalf("the summary warns %q, the run says %q", s.Warnings, said)
	}
	var manifest struct{ Warnings []string }
	text, err := os.ReadFile(filepath.Join(dir, "manifest.json"))
	if err == nil {
		err = json.Unmarshal(text, &manifest)
	}
	if err != nil || len(manifest.Warnings) != 1 || manifest.Warnings[0] != s.Warnings[0] {
		t.Errorf("%v, the manifest warns %q", err, manifest.Warnings)
	}
	rows, err := table.Read(filepath.Join(dir, "forces.csv"))
	if err != nil || !slices.Contains(rows.Columns, "slip_granted") || rows.Columns[len(rows.Columns)-1] != "outer_fy" {
		t.Fatalf("%v, the columns are %v", err, rows.Columns)
	}

	parts := filepath.Join(t.TempDir(), "parts")
	runThin(t, parts, []string{"run.time=1"}, Options{}) // before it is told
	again, said := runThin(t, parts, nil, Options{Resume: true})
	if len(again.Warnings) != 1 || again.Warnings[0] != s.Warnings[0] || again.Bodies["cylinder"].SlipGranted != b.SlipGranted {
		t.Errorf("resumed, the summary warns %q and grants %v; should be %q, %v; it says %q", again.Warnings, again.Bodies["cylinder"].SlipGranted, s.Warnings, b.SlipGranted, said)
	}

	s, said = runThin(t, filepath.Join(t.TempDir(), "none"), []string{"ib.correction=none"}, Options{})
	if s.Bodies["cylinder"].SlipGranted != 0 || len(s.Warnings) > 0 || strings.Contains(s.String(), "left by the wall") {
		t.Errorf("without the correction %v is granted, and the run says %q", s.Bodies["cylinder"].SlipGranted, said)
	}
	if all := strings.Join(s.Cautions, "\n"); !strings.Contains(all, `unsafe: boundary layer of body "cylinder", about 0.6 nodes, is fewer than 0.7: the delta smears`) {
		t.Errorf("without the correction the cautions are %q", all)
	}
}

// What the drag of a body that swings is off by goes by the mean of the slip over the window: its maximum is half as large again.
func TestDragIsEstimatedByTheMeanSlip(t *testing.T) {
	sets := []string{"reference.resolution=10", "run.time=12", `domain.boundary={}`, `domain.initial={type="rest"}`, `body.0.motion={type="prescribed", amplitude=[0.8,0], frequency=0.2}`}
	s, _ := runThin(t, filepath.Join(t.TempDir(), "run"), sets, Options{})
	b := s.Bodies["cylinder"]
	p := setuptest.Problem(t, thinCase, sets...)
	if most := check.DragError(p, 0, float64(b.SlipGranted)); !(float64(b.DragError) < 0.7*most) || !(b.DragError > 0.03) {
		t.Errorf("drag is off by %v, by the largest slip, %v U, it would be %v", b.DragError, b.SlipGranted, most)
	}
}

// The mean passes the bound once; a sudden start and slip that comes and goes below it do not.
func TestOnlySlipThatLastsIsTold(t *testing.T) {
	for _, test := range []struct {
		name  string
		slip  func(t float64) float64
		times int
	}{
		{"lasting", func(float64) float64 { return 0.4 }, 1},
		{"a start at Re = 100 on 20 nodes", func(t float64) float64 { return 0.1 / math.Sqrt(t) }, 0},
		{"to and fro", func(t float64) float64 { return 0.4 * math.Abs(math.Sin(6*t)) }, 0},
		{"not known", func(float64) float64 { return math.NaN() }, 0},
	} {
		var w slipWatch
		times := 0
		for k := 1; k <= 400; k++ {
			if at := float64(k) * 0.05; w.add(at, test.slip(at)) {
				times++
			}
		}
		if times != test.times {
			t.Errorf("%s: told %d times, should be %d", test.name, times, test.times)
		}
	}
}

// A run tells of a start that makes a bang, and its summary keeps it.
func TestARunTellsOfAStartWithABang(t *testing.T) {
	s, said := runThin(t, t.TempDir(), []string{"domain.boundary.left.ramp=2", "run.time=1"}, Options{})
	if !strings.Contains(said, `begin with ramp beside domain.initial = { type = "rest" }`) || !strings.Contains(strings.Join(s.Cautions, ""), "density's change at the start") {
		t.Errorf("the run says %q, the summary %q", said, s.Cautions)
	}
}

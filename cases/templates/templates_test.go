package templates_test

import (
	"context"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"lbmib/cases/templates"
	"lbmib/io/casefile"
	"lbmib/io/table"
	"lbmib/run"
	"lbmib/run/check"
	"lbmib/run/setup"
)

// put writes a template and its files as lbmib new does.
func put(t *testing.T, tp templates.Template) (path string) {
	t.Helper()
	dir := t.TempDir()
	path = filepath.Join(dir, tp.Name+".toml")
	if err := os.WriteFile(path, tp.Text, 0o666); err != nil {
		t.Fatal(err)
	}
	for name, text := range tp.Files {
		if err := os.WriteFile(filepath.Join(dir, name), text, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return path
}

// coarse are resolutions at which templates still hold together: bodies need
// some nodes.
var coarse = map[string]string{"flapping": "16", "airfoil": "30", "settling-sphere": "6", "sphere": "6", "capsule": "6", "taylor-green": "16", "shear-ellipse": "16"}

// A template is checked as it is, and coarser it runs some steps: speeds stay
// finite and everything that it asks for is written.
func TestEveryTemplateRuns(t *testing.T) {
	for _, tp := range templates.All() {
		t.Run(tp.Name, func(t *testing.T) {
			path := put(t, tp)
			c, err := casefile.Load(path, nil)
			if err != nil {
				t.Fatal(err)
			}
			if err := check.Examine(c, setup.Kernel{}); err != nil {
				t.Fatalf("as it is: %v", err)
			}
			resolution := coarse[tp.Name]
			if resolution == "" {
				resolution = "10"
			}
			c, err = casefile.Load(path, []string{"reference.resolution=" + resolution, "run.steps=20", "output.plots=false"})
			if err != nil {
				t.Fatal(err)
			}
			s, err := run.Run(context.Background(), c, run.Options{Out: filepath.Join(filepath.Dir(path), "out"), Quiet: true, Threads: 1})
			if err != nil {
				t.Fatal(err)
			}
			if s.Status != "done" || s.Steps != 20 {
				t.Errorf("it ended %s after %d steps, want done after 20", s.Status, s.Steps)
			}
			if len(c.Bodies) > 0 && (s.Markers == 0 || math.IsNaN(float64(s.Bodies[c.Bodies[0].Name].SlipMax)) && c.StepsOf(c.Output.Every("forces")) <= 20) {
				t.Errorf("%d markers, slip %v: the bodies are not felt", s.Markers, s.Bodies[c.Bodies[0].Name].SlipMax)
			}
		})
	}
}

// The pipe's template gives Hagen–Poiseuille flow, 2 U in the middle, as exactly as it
// says: to 1.1 % at 12 nodes per diameter.
func TestThePipeIsHagenPoiseuille(t *testing.T) {
	pipe, ok := templates.Find("pipe")
	if !ok {
		t.Fatal("there is no such template")
	}
	path := put(t, pipe)
	c, err := casefile.Load(path, []string{"reference.resolution=12", "reference.velocity=0.06", "run.time=6", "output.plots=false"})
	if err != nil {
		t.Fatal(err)
	}
	out := filepath.Join(filepath.Dir(path), "out")
	if _, err := run.Run(context.Background(), c, run.Options{Out: out, Quiet: true}); err != nil {
		t.Fatal(err)
	}
	rows, err := table.Read(filepath.Join(out, "probes.csv"))
	if err != nil {
		t.Fatal(err)
	}
	u, err := rows.Float("u", nil)
	if err != nil {
		t.Fatal(err)
	}
	if last := u[len(u)-1]; math.Abs(last-2) > 0.012*2 {
		t.Errorf("the velocity in the middle is %.4f U, should be 2 to 1.1 %%", last)
	}
}

// The flag's template flaps as it says, by 0.26 L to either side and 0.30 times in L/U, which is Huang, Shin & Sung's (2007) frequency as far as it
// is remembered. Half of its resolution is too little: there the motion dies.
func TestTheFlagFlaps(t *testing.T) {
	if testing.Short() {
		t.Skip("it takes some seconds")
	}
	flag, ok := templates.Find("flag")
	if !ok {
		t.Fatal("there is no such template")
	}
	path := put(t, flag)
	c, err := casefile.Load(path, []string{"run.time=32", "output.plots=false", "output.fields.every=0", "output.checkpoint.every=0"})
	if err != nil {
		t.Fatal(err)
	}
	out := filepath.Join(filepath.Dir(path), "out")
	if _, err := run.Run(context.Background(), c, run.Options{Out: out, Quiet: true}); err != nil {
		t.Fatal(err)
	}
	rows, err := table.Read(filepath.Join(out, "filaments.csv"))
	if err != nil {
		t.Fatal(err)
	}
	times, _ := rows.Float("t", nil)
	y, err := rows.Float("tip_y", nil)
	if err != nil {
		t.Fatal(err)
	}
	low, high, ups := 3., 3., []float64(nil)
	for k := 1; k < len(y); k++ {
		if times[k] < 25 {
			continue
		}
		low, high = min(low, y[k]), max(high, y[k])
		if y[k-1] < 3 && y[k] >= 3 {
			ups = append(ups, times[k])
		}
	}
	if math.Abs(3-low-0.26) > 0.02 || math.Abs(high-3-0.26) > 0.02 {
		t.Errorf("the tip goes from %.3f to %.3f L, should go from 2.74 to 3.26", low, high)
	}
	if len(ups) < 2 || math.Abs(1/(ups[1]-ups[0])-0.305) > 0.01 {
		t.Errorf("it comes up at %.4v L/U, should do so every 3.28", ups)
	}
}

func TestTheListHoldsEveryFileOfTheFolder(t *testing.T) {
	listed := map[string]bool{}
	for _, tp := range templates.All() {
		listed[tp.Name+".toml"] = true
		for f := range tp.Files {
			listed[f] = true
		}
		if len(tp.About) < 20 || strings.HasPrefix(tp.About, "#") || strings.Contains(tp.About, "=") {
			t.Errorf("%s: the first line is %q, want a comment that says what the case shows", tp.Name, tp.About)
		}
	}
	for _, pattern := range []string{"*.toml", "*.stl"} {
		found, err := filepath.Glob(pattern)
		if err != nil || len(found) == 0 {
			t.Fatalf("%s: %v", pattern, err)
		}
		for _, f := range found {
			if !listed[f] {
				t.Errorf("%s is in the folder but in no list", f)
			}
		}
	}
	if _, ok := templates.Find("none"); ok {
		t.Error("a template that is not there is found")
	}
}

// Every table of a template explains itself: a key without a comment on its line
// or above it is one of a few that say all in their names.
func TestKeysAreExplained(t *testing.T) {
	plain := regexp.MustCompile(`^(title|lattice|name|left|right|bottom|top|front|back|size|initial|collision|fields|velocity|time|lines|probes|type|shape|slices|displacement|forces|checkpoint|center)\b`)
	key := regexp.MustCompile(`^[a-z_]+ *=`)
	for _, tp := range templates.All() {
		commented := false // the line above
		for i, line := range strings.Split(string(tp.Text), "\n") {
			if key.MatchString(line) && !strings.Contains(line, "#") && !commented && !plain.MatchString(line) {
				t.Errorf("%s:%d: %s: explain the key in a comment", tp.Name, i+1, line)
			}
			commented = strings.HasPrefix(line, "#")
		}
	}
}

package reference

import (
	"io/fs"
	"math"
	"strings"
	"testing"
)

func TestEveryFileIsATableWithItsSource(t *testing.T) {
	names, err := fs.Glob(files, "*.csv")
	if err != nil || len(names) < 10 {
		t.Fatalf("found %d files: %v", len(names), err)
	}
	for _, name := range names {
		if r := Read(name); r.Rows() == 0 {
			t.Errorf("%s has no rows", name)
		}
		text, err := files.ReadFile(name)
		if err != nil || !strings.HasPrefix(string(text), "#") || !strings.Contains(string(text), "onfidence") {
			t.Errorf("%s does not begin with its source and confidence: %v", name, err)
		}
	}
}

func TestEveryGateHasBoundsAroundItsReferenceAndASource(t *testing.T) {
	seen := map[string]bool{}
	for _, g := range Gates() {
		where := g.Group + ", " + g.Quantity
		if !g.ReportOnly() && !(g.Low <= g.Reference && g.Reference <= g.High && g.Low < g.High) {
			t.Errorf("%s: reference %g in %g … %g", where, g.Reference, g.Low, g.High)
		}
		if g.ReportOnly() != (g.Confidence == "D") {
			t.Errorf("%s: confidence %q, bounds %g … %g: of doubtful memory, D, is what is reported only, without bounds", where, g.Confidence, g.Low, g.High)
		}
		if !strings.Contains("ABCDV", g.Confidence) || len(g.Confidence) != 1 {
			t.Errorf("%s: confidence %q: A, B, C or V, or D of what is reported only", where, g.Confidence)
		}
		if g.Source == "" || g.Tolerance == "" {
			t.Errorf("%s: source %q, tolerance %q: both must be told", where, g.Source, g.Tolerance)
		}
		if g.When != Quick && g.When != Full && g.When != Both {
			t.Errorf("%s: counts in %q", where, g.When)
		}
		key := where + string(g.When)
		if seen[key] {
			t.Errorf("%s stands twice", where)
		}
		seen[key] = true
	}
}

func TestAGateHoldsItsBoundsAndNothingElse(t *testing.T) {
	g := Gate{When: Quick, Reference: 2, Low: 1.9, High: 2.1}
	for v, want := range map[float64]bool{1.9: true, 2.1: true, 2: true, 1.8999: false, 2.1001: false, math.Inf(1): false} {
		if g.Holds(v) != want {
			t.Errorf("%g within 1.9 … 2.1: %v", v, !want)
		}
	}
	if g.Holds(math.NaN()) {
		t.Error("no number passes")
	}
	if told := (&Gate{Reference: 2, Low: math.NaN(), High: math.NaN()}); !told.Holds(17) || told.Holds(math.NaN()) || !told.ReportOnly() || g.ReportOnly() {
		t.Error("what is reported only is no value, or held against something")
	}
	if d := g.Deviation(2.1); math.Abs(d-0.05) > 1e-12 {
		t.Errorf("2.1 deviates from 2 by %g, want 0.05", d)
	}
	for when, want := range map[When][2]bool{Quick: {true, false}, Full: {false, true}, Both: {true, true}} {
		g.When = when
		if got := [2]bool{g.Counts(true), g.Counts(false)}; got != want {
			t.Errorf("a gate of %s counts in quick, full: %v, want %v", when, got, want)
		}
	}
}

func TestTablesAreReadByColumnAndCondition(t *testing.T) {
	r, err := parse("x.csv", strings.NewReader("# comment\nname,v\na,1.5\nb,\na,-2e3\n"))
	if err != nil {
		t.Fatal(err)
	}
	if v := r.Where("name", "a").Float("v"); len(v) != 2 || v[0] != 1.5 || v[1] != -2000 {
		t.Errorf("got %v", v)
	}
	if v := r.Float("v"); !math.IsNaN(v[1]) {
		t.Errorf("an empty cell is %g, want none", v[1])
	}
	for what, f := range map[string]func(){
		"a column that is not there": func() { r.Float("w") },
		"rows that are not there":    func() { r.Where("name", "c") },
		"text as a number":           func() { r.Float("name") },
		"a file that is not there":   func() { Read("none.csv") },
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s is not told", what)
				}
			}()
			f()
		}()
	}
	for _, bad := range []string{"", "a,b\n", "a,b\n1\n"} {
		if _, err := parse("bad.csv", strings.NewReader(bad)); err == nil {
			t.Errorf("%q is taken for a table", bad)
		}
	}
}

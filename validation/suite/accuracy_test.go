package suite

import (
	"bytes"
	"context"
	"math"
	"os"
	"strings"
	"testing"
)

func TestEveryOperatorHasItsRowOfTheAccuracyTable(t *testing.T) {
	_, err := load(Run{Case: "cavity.toml", Sets: []string{`fluid.collision="none"`}}, t.TempDir())
	if err == nil {
		t.Fatal("a collision operator that there is not is accepted")
	}
	text, failed := os.ReadFile("../accuracy/results.md")
	if failed != nil {
		t.Fatal(failed)
	}
	for _, collision := range Operators {
		if !strings.Contains(err.Error(), collision) {
			t.Errorf("%s is no operator of a case: %v", collision, err)
		}
		columns := measures(collision)
		for _, m := range columns {
			for _, run := range m.from {
				if _, err := load(run, t.TempDir()); err != nil {
					t.Errorf("%s, run %s: %v", m.title, run.Name, err)
				}
			}
		}
		_, row, found := strings.Cut(string(text), "\n| "+collision+" |")
		row, _, _ = strings.Cut(row, "\n")
		if !found || strings.Count(row, "|") != len(columns) {
			t.Errorf("results.md has %q of %s, want %d numbers: go run ./validation/accuracy", row, collision, len(columns))
		}
	}
}

// Equilibria of second order change the viscosity by −3u² of a stream along a wave's normal;
// recursive regularization does not.
func TestARecursiveOperatorKeepsTheViscosityInAStream(t *testing.T) {
	for collision, want := range map[string][2]float64{"bgk": {-0.035, -0.02}, "recursive": {-0.004, 0.004}} {
		run := shearInStream(collision)
		var progress bytes.Buffer
		p := Plan{Group: Group{Name: "accuracy"}}
		f, err := p.finish(context.Background(), run, Options{Out: t.TempDir(), Threads: 1, Version: "v", Progress: &progress})
		if err != nil {
			t.Fatalf("%v\n%s", err, progress.String())
		}
		r := &Results{runs: map[string]*finished{run.Name: f}}
		if v := shearRate(r, run.Name) - 1; r.err != nil || math.IsNaN(v) || v < want[0] || v > want[1] {
			t.Errorf("%s: the wave decays by %+.4f of νk² faster, want %v: %v", collision, v, want, r.err)
		}
	}
}

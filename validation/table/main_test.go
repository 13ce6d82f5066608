package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// runDir is a run directory with a drag coefficient.
func runDir(t *testing.T, name string, resolution, cd float64) string {
	t.Helper()
	dir := t.TempDir()
	for file, text := range map[string]string{
		"summary.json":  fmt.Sprintf(`{"case": %q, "status": "done", "steps": 10, "wall_seconds": 1.5, "bodies": {"cylinder": {"cd_mean": %g, "strouhal": null, "periods": 0, "converged": true, "window": [1, 2]}}}`, name, cd),
		"manifest.json": fmt.Sprintf(`{"version": "test", "case": {"reference": {"resolution": %g}, "domain": {"size": [40.0, 15.0]}, "ib": {"retraction": 0}}}`, resolution),
	} {
		if err := os.WriteFile(filepath.Join(dir, file), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func TestGatesHoldResults(t *testing.T) {
	for _, c := range []struct {
		cd, resolution float64
		ok             bool
		says           string
	}{
		{2.25, 40, true, "| pass |"},
		{2.34, 40, false, "**FAIL**"}, // + 5 % of 2.22 is 2.331
		{2.15, 40, false, "**FAIL**"}, // − 3 % is 2.1534
		{9.99, 10, true, "9.9900"},    // no gate at this resolution: listed only
	} {
		var out strings.Builder
		ok, err := run(&out, "../gates.csv", []string{runDir(t, "cylinder-re20", c.resolution, c.cd)})
		if err != nil {
			t.Fatal(err)
		}
		if ok != c.ok || !strings.Contains(out.String(), c.says) {
			t.Errorf("Cd %g at D = %g: ok is %v, want %v with %q in\n%s", c.cd, c.resolution, ok, c.ok, c.says, out.String())
		}
	}
	if _, err := run(&strings.Builder{}, "../gates.csv", []string{t.TempDir()}); err == nil {
		t.Error("a directory without a run is accepted")
	}
}

func TestEveryGateIsWithinItsBounds(t *testing.T) {
	gates, err := readGates("../gates.csv")
	if err != nil {
		t.Fatal(err)
	}
	if len(gates) < 8 {
		t.Errorf("found %d gates", len(gates))
	}
	for _, g := range gates {
		if !(g.lowest <= g.reference && g.reference <= g.highest && g.lowest < g.highest) || g.source == "" {
			t.Errorf("%s %s: reference %g in %g … %g, source %q", g.name, g.quantity, g.reference, g.lowest, g.highest, g.source)
		}
	}
}

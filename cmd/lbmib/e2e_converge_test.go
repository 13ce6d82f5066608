package main

import (
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// bgkChannel is a channel whose flow rate is held: the force converges to 12/Re with second order where τ is the same on all grids.
const bgkChannel = `
[reference]
resolution = 16
velocity = 0.05
reynolds = 10
[domain]
lattice = "D2Q9"
size = [0.5, 1.0]
flow = { axis = "x", speed = 1.0 }
[domain.boundary]
bottom = { type = "no-slip" }
top    = { type = "no-slip" }
[fluid]
collision = "trt"
[run]
time = 8.0
[output]
statistics = { from = 6.0 }
`

func TestAConvergenceStudyTellsUncertainties(t *testing.T) {
	t.Parallel()
	dir := place(t, bgkChannel)
	o := lbmib(t, dir, "run", "case.toml", "--converge", "3", "--json", "--set", "reference.resolution=24")
	o.want(t, 0)
	var d struct {
		Resolution []float64
		Quantities []struct {
			Of, Name, Behaviour                     string
			Value, Uncertainty, Order, Extrapolated float64
		}
		Notes []string
	}
	if err := json.Unmarshal([]byte(o.stdout), &d); err != nil {
		t.Fatalf("%v: %.300s", err, o.stdout)
	}
	force := false
	for _, q := range d.Quantities {
		if q.Of == "flow" && q.Name == "body_force_mean" { // 1.2/(1 + 1/(2N²))
			force = true
			if q.Behaviour != "monotone" || math.Abs(q.Order-2) > 0.05 || math.Abs(q.Extrapolated-1.2) > 1e-4 || math.Abs(q.Value-1.2) > q.Uncertainty {
				t.Errorf("the force is %+v, want 1.2", q)
			}
		}
	}
	if !force || len(d.Resolution) != 3 || d.Resolution[0] != 12 || d.Resolution[2] != 24 {
		t.Errorf("there is no force, or other grids: %s", o.stdout)
	}
	o = lbmib(t, dir, "run", "case.toml", "--converge", "3", "--set", "reference.resolution=24") // what is done stays
	o.want(t, 0, "done earlier")
	for _, says := range []string{"value ± uncertainty", "N = 17", "body_force_mean", "the uncertainty is that of the grid alone"} {
		if !strings.Contains(o.stdout, says) {
			t.Errorf("it does not say %q:\n%s", says, o.stdout)
		}
	}
	for _, file := range []string{"converge.json", "converge.csv", "converge.png"} {
		if info, err := os.Stat(filepath.Join(dir, "case.converge", file)); err != nil || info.Size() == 0 {
			t.Errorf("%s: %v", file, err)
		}
	}
	lbmib(t, dir, "run", "case.toml", "--converge", "2").want(t, 2, "must be 3 to 6 resolutions")
	lbmib(t, dir, "run", "case.toml", "--converge", "3", "--steps=40").want(t, 2, "another time on every grid")
	lbmib(t, dir, "run", "case.toml", "--converge", "6").want(t, 2, "ask for fewer")
}

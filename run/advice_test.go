package run

import (
	"io"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"lbmib/internal/checking/checkingtest"
	"lbmib/io/casefile"
	"lbmib/run/check"
	"lbmib/run/setup"
	"lbmib/run/setup/setuptest"
)

// What is proposed with a turbulence model beside the corners of solids runs, and ends far from noise; with the
// constant 0.1 the same grid has 0.02 to 0.05 of it.
func TestModelsThatAreProposedBesideCornersLeaveNoNoise(t *testing.T) {
	if testing.Short() {
		t.Skip("physics of code that other tests take through the race detector")
	}
	checkingtest.NumbersAlone(t)
	path := setuptest.InEmptyDirectory(t, setuptest.SquareCase)
	if j := check.Check(path, nil, setup.Kernel{}).Scales.GridReynolds; j.Verdict != check.Unsafe || !strings.Contains(j.Reason, "at the corners of walls the constant 0.1 leaves noise") {
		t.Errorf("at U Δx/ν = %g with the constant 0.1: %+v", j.Value, j)
	}
	r := check.Check(path, []string{"reference.reynolds=2000"}, setup.Kernel{})
	if last := r.Proposals[len(r.Proposals)-1]; last.Name != "modelled" || !slices.Contains(last.Set, "fluid.les.constant=0.2") || last.Resolution > 12 {
		t.Errorf("beside finer grids is proposed %+v, want a larger constant on about as many nodes", last)
	}
	c, err := casefile.Load(path, nil)
	if err != nil {
		t.Fatal(err)
	}
	ran := 0
	for _, constant := range check.ModelConstants {
		p := check.ProposeConstant(c, constant)
		if p == nil {
			t.Fatalf("with the constant %g nothing is proposed", constant)
		}
		if p.Resolution > 14 { // too long for a test
			continue
		}
		again, err := casefile.Load(path, p.Set)
		if err != nil {
			t.Fatal(err)
		}
		summary, err := Run(t.Context(), again, Options{Out: filepath.Join(t.TempDir(), "run"), Threads: 1, Progress: io.Discard})
		if err != nil {
			t.Fatalf("with %v: %v", p.Set, err)
		}
		if !(float64(summary.GridNoise) < check.NoiseMost/5) {
			t.Errorf("with %v grid_noise is %v", p.Set, summary.GridNoise)
		}
		ran++
	}
	if ran == 0 {
		t.Error("no proposal has about as few nodes as the case")
	}
}

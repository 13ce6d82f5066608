package run

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"lbmib/cuda/driver"
	"lbmib/run/rundir"
	"lbmib/run/setup/setuptest"
)

// A run says what it is about to do, and leaves the case as it was read.
func TestARunBeginsWithWhatItIs(t *testing.T) {
	dir := t.TempDir()
	t.Setenv(driver.PathVariable, filepath.Join(t.TempDir(), "none.so")) // a driver that is named and does not work, of which a process tells once
	var said strings.Builder
	c := setuptest.Load(t, setuptest.StreamCase, append([]string{"run.steps=8", "run.threads=1"}, oil...)...)
	summary, err := Run(t.Context(), c, Options{Out: dir, Progress: &said})
	if err != nil {
		t.Fatal(err)
	}
	first := strings.Join(strings.Fields(said.String()), " ")
	if want := "case: 320 × 240 nodes, 63 markers; Re 100, τ 0.56, Ma 0.17 of U, Δx 0.05 L = 0.0005 m, Δt 0.005 L/U = 0.0001 s; 8 steps on cpu"; !strings.HasPrefix(first, want) {
		t.Errorf("it begins %q, want %q", first, want)
	}
	if !strings.Contains(first, " MFLUPS with outputs ") || !strings.Contains(summary.String(), " MFLUPS while stepping; ") {
		t.Errorf("two rates are not told apart: %q and then\n%s", first, summary)
	}
	text, err := os.ReadFile(filepath.Join(dir, rundir.CaseCopy))
	if err != nil || !strings.HasPrefix(string(text), setuptest.StreamCase) || !strings.Contains(string(text), `"run.steps=8"`) {
		t.Errorf("%v: the case that it leaves is %q", err, text)
	}
}

// The viscosity of a fluid that thins is told beside the numbers that go by its least.
func TestARunBeginsWithTheLawOfViscosity(t *testing.T) {
	var said strings.Builder
	c := setuptest.Load(t, `
[reference]
resolution = 8
velocity   = 0.02
reynolds   = 10
[domain]
lattice = "D2Q9"
size    = [2, 1]
force   = [1.0, 0.0]
initial = { type = "rest" }
boundary = { bottom = { type = "no-slip" }, top = { type = "no-slip" } }
[fluid]
rheology = { type = "carreau-yasuda", zero_viscosity = 1.0, time = 1.0, exponent = 0.5 }
[run]
steps = 4
threads = 1
`)
	if _, err := Run(t.Context(), c, Options{Out: t.TempDir(), Progress: &said}); err != nil {
		t.Fatal(err)
	}
	// ν∞ = 0.1: 0.1 + 0.9 (1 + 64)^(−1/4) at 8 U/L
	if got := strings.Join(strings.Fields(said.String()), " "); !strings.Contains(got, "; viscosity by carreau-yasuda, 10 times that of Re and τ at rest and 4.17 times at 8 U/L; 4 steps") {
		t.Errorf("it begins %q", got)
	}
}

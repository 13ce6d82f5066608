package run

import (
	"math"
	"path/filepath"
	"testing"

	"lbmib/internal/checking/checkingtest"
	"lbmib/run/setup/setuptest"
)

// vortexCase is fastest before its first step.
const vortexCase = `
[reference]
resolution = 32
velocity = 0.05
reynolds = 10
[domain]
lattice = "D2Q9"
size = [1.0, 1.0]
initial = { type = "taylor-green", amplitude = 1.0, wavenumber = 1 }
[domain.boundary]
left = { type = "periodic" }
right = { type = "periodic" }
bottom = { type = "periodic" }
top = { type = "periodic" }
[run]
time = 1.0
`

// The extremes begin with the initial state, whether somebody asks for a checkpoint of it or not.
func TestExtremesBeginWithTheInitialState(t *testing.T) {
	checkingtest.NumbersAlone(t)
	run := func(o Options) float64 {
		t.Helper()
		o.Out = filepath.Join(t.TempDir(), "run")
		s, err := Run(t.Context(), setuptest.Load(t, vortexCase), o)
		if err != nil {
			t.Fatal(err)
		}
		return float64(s.MachMax)
	}
	undisturbed := run(Options{})
	if want := 0.05 * math.Sqrt(3); math.Abs(undisturbed/want-1) > 0.02 { // nodes lie beside the fastest points, and half a step decays
		t.Errorf("largest Mach number %g, want that of the start, %g", undisturbed, want)
	}
	var asked Requests
	asked.Checkpoint()
	if got := run(Options{Requests: &asked}); got != undisturbed || !(got > 0) {
		t.Errorf("largest Mach number %g with a checkpoint of the start, %g without", got, undisturbed)
	}
}

package run

import (
	"testing"

	"lbmib/run/setup/setuptest"
)

// Bodies that differ by what is inside alone share a membrane.
func TestElasticBodiesHoldAnotherFluid(t *testing.T) {
	p := setuptest.Problem(t, setuptest.CapsuleCase, "body.1.motion.viscosity_ratio=5.0")
	a, b := p.Coupling.Cells[0], p.Coupling.Cells[1]
	if a.Membrane != b.Membrane || a.ViscosityRatio() != 1 || b.ViscosityRatio() != 5 {
		t.Errorf("ratios %g and %g, one membrane: %t; want 1, 5 and one", a.ViscosityRatio(), b.ViscosityRatio(), a.Membrane == b.Membrane)
	}
}

// ringsCase is two rings in a shear.
const ringsCase = `
[reference]
resolution = 8
velocity   = 0.01
reynolds   = 0.5
[domain]
lattice = "D2Q9"
size    = [9.0, 4.0]
initial = { type = "rest" }
[domain.boundary]
bottom = { type = "moving-wall", value = [-2.0, 0.0] }
top    = { type = "moving-wall", value = [2.0, 0.0] }
[fluid]
collision = "trt"
[[body]]
name   = "a"
shape  = { type = "circle", center = [2.25, 2.0], diameter = 2.0 }
motion = { type = "elastic", law = "skalak", capillary = 0.5 }
[[body]]
name   = "b"
shape  = { type = "circle", center = [6.75, 2.0], diameter = 2.0 }
motion = { type = "elastic", law = "skalak", capillary = 0.5 }
[run]
time = 0.5
[output]
cells = { every = 0.1 }
`

// A capsule or a ring with a fluid inside that is five times as viscous deforms less fast, and the same bits come of a run that is resumed
// on another number of threads.
func TestElasticBodiesOfAnotherViscosityRun(t *testing.T) {
	const least = 0.4 // of D over that of λ = 1
	for name, c := range map[string]struct{ text, half string }{
		"capsule": {setuptest.CapsuleCase, "run.time=0.1"},
		"ring":    {ringsCase, "run.time=0.25"},
	} {
		t.Run(name, func(t *testing.T) {
			run := func(out string, resume bool, sets ...string) *Summary {
				t.Helper()
				s, err := Run(t.Context(), setuptest.Load(t, c.text, append(sets, "body.0.motion.viscosity_ratio=5.0")...), Options{Out: out, Resume: resume})
				if err != nil {
					t.Fatal(err)
				}
				return s
			}
			whole, half := t.TempDir(), t.TempDir()
			s := run(whole, false)
			if thick, thin := float64(s.Cells["a"].Deformation), float64(s.Cells["b"].Deformation); !(thick < 0.85*thin && thick > least*thin) {
				t.Errorf("D = %.4f with λ = 5, %.4f with 1: want less, and more than %.4f", thick, thin, least*thin)
			}
			run(half, false, c.half, "run.threads=1")
			run(half, true, "run.threads=1")
			sameCells(t, whole, half)
		})
	}
}

// What cannot be is refused at its key before anything is written, and τ inside is judged.
func TestViscosityRatiosAreChecked(t *testing.T) {
	if testing.Short() {
		t.Skip("physics of code that other tests take through the race detector")
	}
	const ratio = "body.0.motion.viscosity_ratio=5.0"
	path := setuptest.InEmptyDirectory(t, setuptest.CapsuleCase)
	for says, sets := range map[string][]string{
		"inside λ = 5, τ = 5.3; nodes find 1.11 of V":                             {ratio},
		"inside, above 3: viscosity carries changes over a node in a step":        {ratio},
		"inside, below 0.505: trt hardly damps small scales here and may diverge": {"body.0.motion.viscosity_ratio=0.004"},
		"viscosity inside do not go with a turbulence model":                      {ratio, `fluid.les={type="smagorinsky", constant=0.1}`},
		"its surface has holes for the nodes at":                                  {ratio, "reference.resolution=8", "body.0.motion.mesh=42"},
	} {
		checkSays(t, path, says, sets...)
	}
}

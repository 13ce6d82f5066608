package run

import (
	"math"
	"path/filepath"
	"strings"
	"testing"

	"lbmib/run/setup/setuptest"
)

// A capsule or a ring too stiff for explicit steps comes, with implicit ones, to the deformation that many explicit ones find at a low velocity, and the same bits come of a run that is
// resumed on another number of threads.
func TestStiffElasticBodiesAreImplicit(t *testing.T) {
	if testing.Short() {
		t.Skip("physics of code that other tests take through the race detector")
	}
	for name, c := range map[string]struct{ text, half, slow string }{
		"capsule": {setuptest.CapsuleCase, "run.time=0.1", "reference.velocity=0.0002"},
		"ring":    {ringsCase, "run.time=0.25", "reference.velocity=0.0008"},
	} {
		t.Run(name, func(t *testing.T) {
			run := func(out string, resume bool, sets ...string) *Summary {
				t.Helper()
				sets = append(sets, "body.0.motion.capillary=0.003", "body.1.motion.capillary=0.003", "output.fields.every=0", "ib.contact={distance=2.0, stiffness=0.1}")
				s, err := Run(t.Context(), setuptest.Load(t, c.text, sets...), Options{Out: out, Resume: resume})
				if err != nil {
					t.Fatal(err)
				}
				return s
			}
			implicit := []string{"body.0.motion.implicit=true", "body.1.motion.implicit=true"}
			whole, half := t.TempDir(), t.TempDir()
			fast, slow := run(whole, false, implicit...), run(t.TempDir(), false, c.slow)
			// At rest in the shear but for what a larger Mach number and the first order in Δt leave.
			if got, want := float64(fast.Cells["a"].Deformation), float64(slow.Cells["a"].Deformation); !(want > 1e-3) || math.Abs(got/want-1) > 0.03 {
				t.Errorf("D = %.5f by implicit steps, %.5f by many explicit ones", got, want)
			}
			run(half, false, append(implicit, c.half, "run.threads=1")...)
			run(half, true, append(implicit, "run.threads=1")...)
			sameCells(t, whole, half)
		})
	}
}

// What implicit steps bear, and what they do not, is refused or told at its key before anything is written.
func TestImplicitBodiesAreChecked(t *testing.T) {
	if testing.Short() {
		t.Skip("physics of code that other tests take through the race detector")
	}
	const stiff, implicit = "body.0.motion.capillary=0.005", "body.0.motion.implicit=true"
	path := setuptest.InEmptyDirectory(t, setuptest.CapsuleCase)
	for says, sets := range map[string][]string{
		", or implicit = true": {stiff},
		", implicit":           {stiff, implicit},
		`is true, but ib.delta is "m4prime", whose weights are negative in places`:         {stiff, implicit, `ib.delta="m4prime"`},
		"is implicit, but its bending and viscosity, which are not, have the stiffness":    {stiff, implicit, "body.0.motion.bending=100"},
		"is implicit, and forces of where it goes are found by the processor: use backend": {stiff, implicit, `run.backend="cuda"`},
		"use a reference.velocity of at most 6.51e-05, or moduli":                          {implicit, "body.0.motion.capillary=1e-6"},
	} {
		checkSays(t, path, says, sets...)
	}
}

// A run whose implicit forces cannot be ends as one that has diverged: the fluid has made its step, so that no state of that step is kept.
func TestImplicitForcesThatCannotBeEndARun(t *testing.T) {
	out := t.TempDir()
	const load = `body.0.motion.loads=[{at="x-max",part=0.05,force=[1e6,0,0],ramp=0.002},{at="x-min",part=0.05,force=[-1e6,0,0],ramp=0.002}]`
	_, err := Run(t.Context(), setuptest.Load(t, setuptest.CapsuleCase, "body.0.motion.implicit=true", load, "output.checkpoint.every=0.0005"), Options{Out: out})
	if err == nil || !strings.Contains(err.Error(), `body "a" at step`) || !strings.Contains(err.Error(), "diverged") {
		t.Fatalf("error %v, should say that the flow has diverged, and name the body and the step", err)
	}
	if left, err := filepath.Glob(filepath.Join(out, "checkpoint", "*.ckpt")); err != nil || len(left) > 0 {
		t.Errorf("%v: checkpoints %v are left of a step that was not made to its end", err, left)
	}
}

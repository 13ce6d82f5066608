package run

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"lbmib/run/exit"
	"lbmib/run/observe"
	"lbmib/run/setup/setuptest"
)

// settling is a small cylinder whose drag settles.
var settling = []string{"reference.reynolds=20", "run.soft_start=0.5", "run.time=40.0", "output.fields.every=0", "output.checkpoint.every=5.0",
	"output.probes=[]", `domain.initial={type="uniform", velocity=[1.0, 0.0]}`}

func TestARunStopsWhereItsMeanDragIsKnown(t *testing.T) {
	sets := append(settling, "run.stop_when.cd_interval=0.01")
	dir := t.TempDir()
	s, err := Run(t.Context(), setuptest.Load(t, watchedCase, sets...), Options{Out: dir})
	if err != nil {
		t.Fatal(err)
	}
	b := s.Bodies["cylinder"]
	if s.StoppedBy != "cd_interval" || s.Status != "done" || s.Time >= 40 || math.Mod(s.Time, observe.DragLook) > 1e-9 {
		t.Errorf("%s by %q at t = %g", s.Status, s.StoppedBy, s.Time)
	}
	if !(float64(b.CdInterval) <= 0.01*float64(b.CdMean)) {
		t.Errorf("the mean %g is known to %g, want 1 %%", b.CdMean, b.CdInterval)
	}
	long, err := Run(t.Context(), setuptest.Load(t, watchedCase, settling...), Options{Out: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	if end := long.Bodies["cylinder"]; math.Abs(float64(end.CdMean-b.CdMean)) > 2*float64(b.CdInterval) || !(end.CdInterval < b.CdInterval) {
		t.Errorf("a run to the end has the mean %g ± %g, the one that stopped %g ± %g", end.CdMean, end.CdInterval, b.CdMean, b.CdInterval)
	}

	// It is over: resuming finds it so, unless the bound is tightened.
	again, err := Run(t.Context(), setuptest.Load(t, watchedCase, sets...), Options{Out: dir, Resume: true})
	if err != nil || again.Steps != s.Steps || again.StoppedBy != "cd_interval" {
		t.Errorf("resumed: %+v (%v)", again, err)
	}
	parts := t.TempDir()
	if _, err := Run(&cancelledAfter{t.Context(), 600}, setuptest.Load(t, watchedCase, sets...), Options{Out: parts}); exit.Code(err) != exit.Interrupted {
		t.Fatal(err)
	}
	if again, err = Run(t.Context(), setuptest.Load(t, watchedCase, sets...), Options{Out: parts, Resume: true}); err != nil || again.Steps != s.Steps {
		t.Errorf("interrupted and resumed it stops after %d steps, want %d (%v)", again.Steps, s.Steps, err)
	}
	tighter := append(settling, "run.stop_when.cd_interval=0.001")
	if again, err = Run(t.Context(), setuptest.Load(t, watchedCase, tighter...), Options{Out: dir, Resume: true}); err != nil || again.Steps <= s.Steps {
		t.Errorf("with a tighter bound it stops after %d steps, want more than %d (%v)", again.Steps, s.Steps, err)
	}
}

// stoneCase is a stone that sinks out of the domain.
const stoneCase = `
[reference]
resolution = 8
velocity = 0.05
reynolds = 10
[domain]
lattice = "D2Q9"
size = [6.0, 4.0]
gravity = [0.0, -1.0]
[domain.boundary]
left = { type = "outflow" }
right = { type = "outflow" }
bottom = { type = "outflow" }
top = { type = "outflow" }
[[body]]
name = "stone"
shape = { type = "circle", center = [3.0, 1.5], diameter = 1.0 }
motion = { type = "free", density = 4.0 }
[run]
time = 20.0
[output]
plots = false
fields = { every = 0.4 }
checkpoint = { every = 0.5 }
`

// A body that leaves the domain ends the run: not as a flow that diverged, but in
// words of its own with the line of the body, and with the last good state.
func TestABodyThatLeavesTheDomainEndsTheRun(t *testing.T) {
	dir := t.TempDir()
	s, err := Run(t.Context(), setuptest.Load(t, stoneCase, "ib.contact.stiffness=1e-9"), Options{Out: dir})
	if exit.Code(err) != exit.Diverged {
		t.Fatalf("error %v with code %d, want %d", err, exit.Code(err), exit.Diverged)
	}
	for _, want := range []string{"case.toml:15:1: body.0: stopped: at t = ", `body "stone" left the domain`, "the last good checkpoint is kept"} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("the message does not tell %q: %v", want, err)
		}
	}
	if strings.Contains(s.String(), "diverged") || !strings.Contains(s.String(), "stopped after") || !strings.Contains(s.String(), "left the domain") {
		t.Errorf("the summary reads %q", s)
	}
	last := fmt.Sprintf("%s_%09d.vtkhdf", filepath.Join(dir, "fields", "case"), s.Steps)
	if _, err := os.Stat(last); err != nil {
		t.Errorf("the last good field is missing: %v", err)
	}
	if _, err := os.Stat(filepath.Join(dir, "checkpoint", fmt.Sprintf("%012d.ckpt", s.Steps))); err != nil {
		t.Errorf("the last good checkpoint is missing: %v", err)
	}
	if s.Status != "stopped" || s.StoppedBy != "body" || !strings.Contains(s.Reason, "stone") || s.Bodies["stone"].MotionSummary == nil {
		t.Errorf("the summary has status %q, reason %q and the body %+v", s.Status, s.Reason, s.Bodies["stone"])
	}
	text2, err := os.ReadFile(filepath.Join(dir, "summary.json"))
	var onDisk Summary
	if err != nil || json.Unmarshal(text2, &onDisk) != nil || onDisk.Reason != s.Reason {
		t.Errorf("summary.json: %v, %s", err, text2)
	}
}

func TestARunBeginsWithTheFlowOfAFile(t *testing.T) {
	dir := t.TempDir()
	if _, err := Run(t.Context(), setuptest.Load(t, setuptest.SwimmingCase, "run.time=0.6", "output.means.from=0.1"), Options{Out: dir}); err != nil {
		t.Fatal(err)
	}
	file := fmt.Sprintf("fields/case_%09d.vtkhdf", 96)
	set := fmt.Sprintf("domain.initial={type=\"file\", path=%q}", filepath.Join(dir, file))
	r := setUp(t, setuptest.Load(t, setuptest.SwimmingCase, set), 0)
	var now observe.Snapshot[float64]
	now.Take(&r.State)
	u, rho := fieldOf(t, dir, file, "velocity", r.Flow.Size, 3), fieldOf(t, dir, file, "density", r.Flow.Size, 1)
	for n := range now.Rho {
		if r.Flow.Solid[n] {
			continue
		}
		for a := range 2 { // the rounding of single precision; the force is that of t = 0 in both
			if got := now.U[a][n] / r.Units.Velocity; math.Abs(got-float64(u[3*n+a])) > 1e-6 || math.Abs(now.Rho[n]-float64(rho[n])) > 1e-6 {
				t.Fatalf("node %v: u = %g, ρ = %g, in the file %g and %g", r.Flow.Position(n), got, now.Rho[n], u[3*n+a], rho[n])
			}
		}
	}
	if least := int64(4 * (len(u) + len(rho))); r.Stored.Bytes(&r.Domain) < least {
		t.Errorf("%d bytes are foreseen, %d are held", r.Stored.Bytes(&r.Domain), least)
	}
	// Between nodes linear, and straight on beyond the walls.
	if _, got := r.Stored.At([3]float64{10, -0.5, 0}); math.Abs(got[0]/r.Units.Velocity-1.5*float64(u[3*10])+0.5*float64(u[3*58])) > 1e-12 {
		t.Errorf("half a node beyond the wall u = %g", got[0])
	}
	if _, a := r.Stored.At([3]float64{47.5, 3, 0}); math.Abs(a[0]/r.Units.Velocity-0.5*float64(u[3*(47+3*48)])-0.5*float64(u[3*3*48])) > 1e-12 {
		t.Errorf("across the periodic face u = %g", a[0])
	}

	// Runs with it end, and what does not fit is refused.
	if _, err := Run(t.Context(), setuptest.Load(t, setuptest.SwimmingCase, set, "run.time=0.1", "output.means.from=0.0"), Options{Out: t.TempDir()}); err != nil {
		t.Error(err)
	}
	_, err := Run(t.Context(), setuptest.Load(t, setuptest.SwimmingCase, set, "domain.size=[6.0, 4.5]"), Options{Out: t.TempDir()})
	if exit.Code(err) != exit.BadCase || !strings.Contains(err.Error(), "domain.initial.path") {
		t.Errorf("another size: %v", err)
	}
}

func TestForcesAndPressuresVaryWithTime(t *testing.T) {
	// A channel between pressure faces whose difference swings: the flow follows.
	p := problemOf(t, `left = { type = "velocity", profile = "parabolic", peak = 1.5, ramp = 4.0 }`,
		`left = { type = "pressure", density = 1.001, factor = "sin(t)" }`, `{ type = "outflow" }`, `{ type = "pressure" }`)
	if a := p.Flow.Faces[0].Amplitude; a == nil || math.Abs(a(10/p.Units.Dt)-math.Sin(10)) > 1e-12 {
		t.Error("the pressure does not vary")
	}
	if p.Flow.Faces[1].Amplitude != nil {
		t.Error("a steady pressure has an amplitude")
	}
	p = problemOf(t, "[domain.boundary]", `force = ["cos(2*t)", 0.5]`+"\n[domain.boundary]")
	f := p.Flow.Acceleration(3 / p.Units.Dt)
	if want := p.Units.ToLatticeAcceleration(math.Cos(6)); math.Abs(f[0]-want) > 1e-15 || f[1] != p.Units.ToLatticeAcceleration(0.5) {
		t.Errorf("the force at t = 3 is %v", f)
	}
	if q := problemOf(t); q.Flow.Acceleration != nil {
		t.Error("a constant force is evaluated in every step")
	}
}

// In a channel driven by a pressure that swings slowly the flux is in phase with
// it, and of the size of the steady one: 12 νQ/h² = −Δp/L.
func TestAPressureFactorDrivesTheFlow(t *testing.T) {
	const text = `
[reference]
resolution = 10
velocity = 0.02
reynolds = 1
[domain]
lattice = "D2Q9"
size = [2.0, 1.0]
[domain.boundary]
left = { type = "pressure", density = 1.0005, factor = "sin(2*pi*t/4)" }
right = { type = "pressure" }
bottom = { type = "no-slip" }
top = { type = "no-slip" }
[run]
time = 5.0
[output]
plots = false
forces = { every = 1.0 }
lines = [ { name = "across", from = [1.0, 0.0], to = [1.0, 1.0], points = 11, every = 1.0 } ]
`
	dir := t.TempDir()
	if _, err := Run(t.Context(), setuptest.Load(t, text), Options{Out: dir}); err != nil {
		t.Fatal(err)
	}
	u := columnOf(t, filepath.Join(dir, "lines", "across.csv"), "u")
	middle := func(time int) float64 { return u[(time-1)*11+5] }
	// Steady: u = Δp h²/(8 ρν L), Δp = 0.0005/3 in lattice units, h = 10, L = 20 nodes.
	want := 0.0005 / 3 * 100 / (8 * 0.2 * 20) / 0.02
	// It lags by h²/(π²ν) = 0.101 L/U, 0.159 of a radian.
	lag := 0.159 * want
	if math.Abs(middle(1)/want-1) > 0.1 || math.Abs(middle(3)/want+1) > 0.1 || math.Abs(middle(4)+lag) > 0.02*want || math.Abs(middle(5)-middle(1)) > 1e-2*want {
		t.Errorf("in the middle u = %g, %g, %g, %g, %g at t = 1 … 5, want ±%g at odd times", middle(1), middle(2), middle(3), middle(4), middle(5), want)
	}
}

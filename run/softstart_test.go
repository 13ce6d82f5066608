package run

import (
	"bytes"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"lbmib/internal/checking/checkingtest"
	"lbmib/io/casefile"
	"lbmib/io/table"
	"lbmib/run/check"
	"lbmib/run/setup"
)

// shakenCase is a cylinder that oscillates at small amplitude in a fluid at rest: KC = 0.3,
// β = 50.
const shakenCase = `
[reference]
resolution = 16
velocity   = 0.01
reynolds   = 15
[domain]
lattice = "D2Q9"
size    = [10.0, 10.0]
[domain.boundary]
left   = { type = "outflow" }
right  = { type = "outflow" }
bottom = { type = "outflow" }
top    = { type = "outflow" }
[fluid]
collision = "trt"
[[body]]
name   = "cylinder"
shape  = { type = "circle", center = [5.0, 5.0], diameter = 1.0 }
motion = { type = "prescribed", amplitude = [0.047746, 0.0], frequency = 3.33333 }
[run]
time = 0.9
[output]
plots  = false
forces = { every = 0.003 }
`

// The mass that a cylinder shaken at small amplitude takes along is that of Stokes, Trans.
// Camb. Phil. Soc. 9 (1851) 8, 1 + 4/√(πβ) of what it displaces, in its first periods, too: a start of
// many periods would leave most of it out.
func TestAShakenCylinderHasItsAddedMass(t *testing.T) {
	checkingtest.NumbersAlone(t)
	c, err := casefile.Parse("shaken.toml", []byte(shakenCase), nil)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	var out bytes.Buffer
	s, err := Run(t.Context(), c, Options{Out: dir, Threads: 1, Progress: &out})
	if err != nil {
		t.Fatal(err)
	}
	rows, err := table.Read(filepath.Join(dir, "forces.csv"))
	if err != nil {
		t.Fatal(err)
	}
	at, err := rows.Float("t", nil)
	if err != nil {
		t.Fatal(err)
	}
	fx, err := rows.Float("fx", nil)
	if err != nil {
		t.Fatal(err)
	}
	const omega, period = 2 * math.Pi / 0.3, 0.3
	sum := 0.
	for i, time := range at { // the third period: F = ½ fx ρU²D, against acceleration −ω sin ωt
		if time > 2*period+1e-9 {
			sum += fx[i] / 2 * math.Sin(omega*time) * (time - at[i-1])
		}
	}
	added := 2 / period * sum / (math.Pi / 4 * omega)
	if want := 1 + 4/math.Sqrt(math.Pi*50); math.Abs(added/want-1) > 0.08 { // 16 nodes, a domain of 10 D
		t.Errorf("added mass %.3f, should be %.3f", added, want)
	}
	if soft := float64(s.Bodies["cylinder"].SoftStart); math.Abs(soft-period/6) > 0.01 {
		t.Errorf("the start took %v L/U, a sixth of the period is %v", soft, period/6)
	}
	if want := "soft start: within 0.05"; !strings.Contains(s.String(), want) {
		t.Errorf("the summary has no %q:\n%s", want, s)
	}
}

// How long a start takes depends on what starts, unless the case says.
func TestSoftStartsDependOnWhatStarts(t *testing.T) {
	checkingtest.NumbersAlone(t)
	for _, c := range []struct {
		base string
		sets []string
		want float64
		text string
	}{
		{thinCase, nil, 2, "within 2 L/U"},
		{thinCase, []string{"run.soft_start=0"}, 0, "at once"},
		{thinCase, []string{`domain.initial.velocity=[0.0, 0.0]`}, 0, "at once"},
		{shakenCase, nil, 0.05, "within 0.05"},
		{shakenCase, []string{"run.soft_start=2"}, 2, "within 2 L/U"},
		{shakenCase, []string{`body.0.motion.phase=1.5707963267948966`}, 0, "at once"},
		{shakenCase, []string{"body.0.motion.frequency=0.01", "body.0.motion.amplitude=[2.0, 0.0]"}, 2, "within 2 L/U"},
	} {
		name := fmt.Sprint(c.sets)
		file := filepath.Join(t.TempDir(), "case.toml")
		if err := os.WriteFile(file, []byte(c.base), 0o644); err != nil {
			t.Fatal(err)
		}
		r := check.Check(file, c.sets, setup.Kernel{})
		if len(r.Bodies) != 1 {
			t.Errorf("%s: %v", name, r)
			continue
		}
		var text strings.Builder
		r.Write(&text, nil)
		if got := float64(r.Bodies[0].SoftStart); math.Abs(got-c.want) > 0.01 || !strings.Contains(text.String(), c.text) {
			t.Errorf("%s: a start of %v L/U, want %v and %q", name, got, c.want, c.text)
		}
	}
}

// leafCase is a flag on a cylinder in a stream that is there at once.
const leafCase = `
[reference]
resolution = 16
velocity   = 0.05
reynolds   = 80
[domain]
lattice = "D2Q9"
size    = [8.0, 5.0]
initial = { type = "uniform", velocity = [1.0, 0.0] }
[domain.boundary]
left   = { type = "velocity", value = [1.0, 0.0] }
right  = { type = "outflow" }
bottom = { type = "free-slip" }
top    = { type = "free-slip" }
[fluid]
collision = "trt"
[[body]]
name  = "cylinder"
shape = { type = "circle", center = [2.0, 2.5], diameter = 1.0 }
[[body]]
name   = "flag"
shape  = { type = "line", points = [[2.5, 2.5], [4.0, 3.0]] }
motion = { type = "elastic", law = "beam", mass = 1.0, bending = 0.05, hold = { start = { type = "clamped", body = "cylinder" } } }
[run]
time = 3.0
[output]
plots  = false
forces = { every = 0.01 }
probes = [ { name = "above", at = [3.2, 3.1], every = 0.01 } ]
`

// What bends starts as softly as what holds it. In the stream at once the density beside it departs by 4.1 %, and the force coefficient
// reaches 17; softly 0.17 % and 0.48. A line that nothing holds is released at once, and one without mass starts as softly.
func TestHeldLinesStartSoftly(t *testing.T) {
	checkingtest.NumbersAlone(t)
	start := func(sets ...string) (density, force float64, softly float64) {
		t.Helper()
		c, err := casefile.Parse("leaf.toml", []byte(leafCase), sets)
		if err != nil {
			t.Fatal(err)
		}
		dir := t.TempDir()
		s, err := Run(t.Context(), c, Options{Out: dir, Threads: 1, Quiet: true})
		if err != nil {
			t.Fatal(err)
		}
		probes, err := table.Read(filepath.Join(dir, "probes.csv"))
		if err != nil {
			t.Fatal(err)
		}
		rho, _ := probes.Float("rho", nil)
		for _, v := range rho {
			density = math.Max(density, math.Abs(v-1))
		}
		forces, err := table.Read(filepath.Join(dir, "forces.csv"))
		if err != nil {
			t.Fatal(err)
		}
		h, err := readHistory(forces, "flag", 2)
		if err != nil {
			t.Fatal(err)
		}
		for k := range h.Cd {
			force = math.Max(force, math.Hypot(h.Cd[k], h.Cl[k]))
		}
		return density, force, float64(s.Bodies["flag"].SoftStart)
	}
	density, force, softly := start()
	if softly != 2 {
		t.Errorf("its start takes %g L/U, want the 2 of bodies in a stream", softly)
	}
	bang, blow, _ := start("body.1.motion.hold.start=hinged", "run.soft_start=0", "body.1.shape.points=[[2.7,2.5],[4.0,3.0]]")
	t.Logf("density %.4f, force %.3g; at once %.4f, %.3g", density, force, bang, blow)
	if density > bang/5 || force > blow/4 {
		t.Errorf("density departs by %.4f, force coefficient up to %.3g; at once by %.4f, up to %.3g: want a fifth and a quarter at most", density, force, bang, blow)
	}
	if _, _, softly := start("body.1.motion.hold={}", "body.1.shape.points=[[2.7,2.5],[4.0,3.0]]"); !math.IsNaN(softly) {
		t.Errorf("a line that nothing holds starts within %g L/U", softly)
	}
	light, _, _ := start("body.1.motion.mass=0")
	if light > bang/5 {
		t.Errorf("without mass density departs by %.4f", light)
	}
}

package run

import (
	"fmt"
	"math"
	"path/filepath"
	"strings"
	"testing"

	"lbmib/cuda/standin"
	"lbmib/internal/checking/checkingtest"
	"lbmib/run/setup/setuptest"
)

// heldChannel is a channel whose flow rate is held.
const heldChannel = `
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
time = 16.0
`

// heldArray is a row of cylinders in a stream that is held, of which one moves freely.
const heldArray = `
[reference]
resolution = 10
velocity = 0.05
reynolds = 20
[domain]
lattice = "D2Q9"
size = [6.0, 3.0]
flow = { axis = "x", flow_rate = "3*smooth(t)" }
[domain.boundary]
bottom = { type = "free-slip" }
top    = { type = "free-slip" }
[[body]]
name = "rod"
shape = { type = "circle", center = [1.5, 1.5], diameter = 1.0 }
[[body]]
name = "drop"
shape = { type = "circle", center = [4.5, 1.3], diameter = 1.0 }
motion = { type = "free", density = 1.2 }
[run]
time = 2.0
`

// A plane channel takes 12 ν U/H², a pipe 32 ν U/D². The nodes across sum the parabola to 1 + 1/(2N²) of its mean, and with trt
// walls are midway between nodes, so that the force is known to rounding; on two levels to the interpolation at their seam, in
// a pipe as well as the immersed wall is.
func TestAFlowRateIsHeldByTheForceOfPoiseuille(t *testing.T) {
	if testing.Short() {
		t.Skip("physics of code that other tests take through the race detector")
	}
	inNodes := 1 / (1 + 1/(2*16.*16))
	for name, c := range map[string]struct {
		text        string
		sets        []string
		force, most float64 // and its relative error
	}{
		"speed":         {heldChannel, nil, 1.2 * inNodes, 1e-12},
		"flow rate":     {heldChannel, []string{"domain.flow={flow_rate=0.5}"}, 0.6 * inNodes, 1e-12},
		"creeping":      {heldChannel, []string{"reference.reynolds=0.1", "reference.velocity=0.001", "run.time=2"}, 120 * inNodes, 1e-6},
		"single":        {heldChannel, []string{"fluid.precision=f32"}, 1.2 * inNodes, 1e-5},
		"backwards":     {heldChannel, []string{"domain.flow.speed=-1"}, -1.2 * inNodes, 1e-12},
		"across y":      {heldChannel, []string{"domain.flow.axis=y", "domain.size=[1.0, 0.5]", "domain.boundary={left={type=\"no-slip\"}, right={type=\"no-slip\"}}"}, 1.2 * inNodes, 1e-12},
		"on two levels": {heldChannel + "[[refine]]\nbox = { min = [0.0, 0.0], max = [0.5, 0.25] }\n", []string{"domain.size=[0.5, 1.0]"}, 1.2, 0.01},
		"beside solids": {heldChannel, []string{"domain.size=[0.5, 1.5]", `solid=[{shape={type="box", min=[0, 1.0], max=[0.5, 1.5]}}]`}, 1.2 * inNodes, 1e-12},
		"in a pipe": {heldChannel, []string{"domain.lattice=D3Q19", "domain.size=[0.25, 1.25, 1.25]", "run.time=8",
			`domain.boundary={bottom={type="no-slip"}, top={type="no-slip"}, front={type="no-slip"}, back={type="no-slip"}}`,
			`body=[{shape={type="cylinder", center=[0.125, 0.625, 0.625], diameter=1, length=0.25, direction=[1, 0, 0], caps=false}, fluid="inside"}]`}, 3.2, 0.01},
	} {
		t.Run(name, func(t *testing.T) {
			checkingtest.NumbersAlone(t)
			dir := t.TempDir()
			s, err := Run(t.Context(), setuptest.Load(t, c.text, c.sets...), Options{Out: dir})
			if err != nil {
				t.Fatal(err)
			}
			if got := float64(s.Flow.ForceLast); !(math.Abs(got/c.force-1) <= c.most) {
				t.Errorf("the force is %v, want %v to %v", got, c.force, c.most)
			}
			speed := cellsOf(t, dir, "flow.csv", "speed")
			if last, want := speed[len(speed)-1], math.Copysign(1, c.force); name != "flow rate" && math.Abs(last-want) > 1e-4 {
				t.Errorf("the speed is %v, want %v", last, want)
			}
			if !strings.Contains(s.String(), "held by a force") {
				t.Errorf("the summary does not tell the force:\n%s", s)
			}
		})
	}
}

// From rest the force begins with U/4τ, τ being the time between corrections: 0.05 L/U, or H²/24ν where that is less.
func TestAHeldFlowBeginsByTheTimeBetweenCorrections(t *testing.T) {
	if testing.Short() {
		t.Skip("physics of code that other tests take through the race detector")
	}
	for want, sets := range map[float64][]string{5: {"run.time=0.5", "output.flow.every=0.05"}, 60: {"run.time=0.1", "output.flow.every=0.004", "reference.reynolds=0.1", "reference.velocity=0.001"}} {
		dir := t.TempDir()
		if _, err := Run(t.Context(), setuptest.Load(t, heldChannel, sets...), Options{Out: dir}); err != nil {
			t.Fatal(err)
		}
		if first := cellsOf(t, dir, "flow.csv", "body_force")[0]; math.Abs(first/want-1) > 0.01 {
			t.Errorf("it begins with %v U²/L, want %v", first, want)
		}
	}
}

// What varies with time is followed, with an error of Tτ dD/dt = 0.2 · 0.05 · 0.5 · 1.5 · π/2 at most: what the walls take, D, is some
// 1.5 times the speed, which swings by 0.5 with a frequency of 1/4.
func TestAHeldFlowRateMayVary(t *testing.T) {
	checkingtest.NumbersAlone(t)
	dir := t.TempDir()
	if _, err := Run(t.Context(), setuptest.Load(t, heldChannel, `domain.flow.speed="1 + 0.5*sin(2*pi*t/4)"`), Options{Out: dir}); err != nil {
		t.Fatal(err)
	}
	at, u, want := cellsOf(t, dir, "flow.csv", "t"), cellsOf(t, dir, "flow.csv", "speed"), cellsOf(t, dir, "flow.csv", "speed_held")
	for k := range at {
		if at[k] > 4 && math.Abs(u[k]-want[k]) > 0.012 {
			t.Fatalf("at t = %v the speed is %v, want %v", at[k], u[k], want[k])
		}
	}
}

// A device holds the flow as the processor does.
func TestAFlowRateIsHeldOnADevice(t *testing.T) {
	checkingtest.NumbersAlone(t)
	want, got := t.TempDir(), t.TempDir()
	if _, err := Run(t.Context(), setuptest.Load(t, heldArray, "run.time=0.5"), Options{Out: want}); err != nil {
		t.Fatal(err)
	}
	standin.Use(t)
	if _, err := Run(t.Context(), setuptest.Load(t, heldArray, "run.time=0.5", "run.backend=cuda"), Options{Out: got}); err != nil {
		t.Fatal(err)
	}
	for _, column := range []string{"t", "speed", "flow_rate", "speed_held", "body_force"} {
		a, b := cellsOf(t, got, "flow.csv", column), cellsOf(t, want, "flow.csv", column)
		if len(a) != len(b) || len(b) != 10 {
			t.Fatalf("%d rows, want %d, and 10", len(a), len(b))
		}
		for k := range b {
			if math.Abs(a[k]-b[k]) > 1e-10*(1+math.Abs(b[k])) {
				t.Fatalf("row %d: %s is %v, want %v", k, column, a[k], b[k])
			}
		}
	}
}

// Rows are as far apart as asked for, in whole corrections.
func TestRowsOfAHeldFlowAreWholeCorrections(t *testing.T) {
	dir := t.TempDir()
	if _, err := Run(t.Context(), setuptest.Load(t, heldChannel, "output.flow.every=0.12", "run.time=1"), Options{Out: dir}); err != nil {
		t.Fatal(err)
	}
	if got := fmt.Sprint(cellsOf(t, dir, "flow.csv", "step")); got != "[48 96 144 192 240 288]" {
		t.Errorf("rows after the steps %s in %s", got, filepath.Join(dir, "flow.csv"))
	}
}

// A pipe's section is what the tube holds.
func TestASectionOfAPipeIsItsInside(t *testing.T) {
	dir := t.TempDir()
	sets := []string{"domain={ lattice=\"D3Q19\", size=[0.25, 1.25, 1.25], force=[1.6, 0, 0] }", "run.time=1", "output.sections=[{axis=\"x\", at=0.1, every=0.5}]",
		`body=[{shape={type="cylinder", center=[0.125, 0.625, 0.625], diameter=1, length=0.25, direction=[1, 0, 0], caps=false}, fluid="inside"}]`}
	if _, err := Run(t.Context(), setuptest.Load(t, heldChannel, sets...), Options{Out: dir}); err != nil {
		t.Fatal(err)
	}
	if area := cellsOf(t, dir, "sections.csv", "area"); math.Abs(area[1]-math.Pi/4) > 0.03 { // whole nodes, 16 across
		t.Errorf("the area is %v, want π/4", area)
	}
}

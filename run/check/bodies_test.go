package check

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
	"lbmib/run/setup"
	"lbmib/run/setup/setuptest"
)

// cubeFile writes a cube with edges of 1 between 0 and 1 as ASCII STL.
func cubeFile(t *testing.T, dir string) {
	t.Helper()
	var b strings.Builder
	b.WriteString("solid cube\n")
	for axis := range 3 {
		for side := range 2 {
			corner := func(i, j int) [3]int {
				var p [3]int
				p[axis], p[(axis+1)%3], p[(axis+2)%3] = side, i, j
				return p
			}
			for _, f := range [2][3][3]int{{corner(0, 0), corner(1, 0), corner(1, 1)}, {corner(0, 0), corner(1, 1), corner(0, 1)}} {
				if side == 0 {
					f[1], f[2] = f[2], f[1]
				}
				b.WriteString("facet normal 0 0 0\nouter loop\n")
				for _, v := range f {
					fmt.Fprintf(&b, "vertex %d %d %d\n", v[0], v[1], v[2])
				}
				b.WriteString("endloop\nendfacet\n")
			}
		}
	}
	b.WriteString("endsolid cube\n")
	if err := os.WriteFile(filepath.Join(dir, "cube.stl"), []byte(b.String()), 0o600); err != nil {
		t.Fatal(err)
	}
}

// motionless stands in for the measurement of speeds.
func motionless(*casefile.Case, *setup.Problem, setup.Kernel) speeds { return speeds{mflups: 100} }

func TestCheckTellsHowBodiesMoveAndWhatTheirFilesHold(t *testing.T) {
	const text = `
[reference]
resolution = 10
velocity = 0.05
reynolds = 50
[domain]
lattice = "D3Q19"
size = [4.0, 4.0, 4.0]
[[body]]
name = "cube"
shape = { type = "stl", file = "cube.stl", scale = 0.8, center = [2.0, 2.0, 1.5] }
motion = { type = "prescribed", amplitude = [0.0, 0.0, 0.3], frequency = 0.2 }
[[body]]
name = "ball"
shape = { type = "sphere", center = [2.0, 2.0, 3.2], diameter = 1.0 }
motion = { type = "free", density = 2.0, velocity = [0.5, 0.0, 0.0] }
[ib]
forcing = "multidirect"
[run]
time = 10.0
`
	dir := t.TempDir()
	cubeFile(t, dir)
	path := filepath.Join(dir, "case.toml")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	r := check(path, nil, setup.Kernel{}, motionless)
	if len(r.Errors) > 0 || len(r.Bodies) != 2 {
		t.Fatalf("%d bodies, errors %v", len(r.Bodies), r.Errors)
	}
	cube, ball := r.Bodies[0], r.Bodies[1]
	if m := cube.Mesh; m == nil || m.Triangles != 12 || !m.Watertight || math.Abs(float64(m.Thinnest)-8) > 1e-6 {
		t.Errorf("the cube's file holds %+v, want 12 triangles, 8 nodes thick", m)
	}
	want := 0.3 * 2 * math.Pi * 0.2 // at t = 0, which is looked at
	if cube.Motion != "prescribed" || math.Abs(float64(cube.Speed)-want) > 1e-9 || math.Abs(float64(cube.Mach.Value)-want*0.05*math.Sqrt(3)) > 1e-9 {
		t.Errorf("the cube is %s at %g U, Mach %v, want %g U", cube.Motion, cube.Speed, cube.Mach, want)
	}
	if ball.Motion != "free" || math.Abs(float64(ball.Speed)-0.5) > 1e-12 || ball.Mesh != nil {
		t.Errorf("the ball is %+v", ball)
	}
	if ball.Retraction != 0 || !(ball.Smear > 0.1 && ball.Smear < 1) {
		t.Errorf("markers are set back by %g nodes and corrected by %g, want 0 and some tenths", ball.Retraction, ball.Smear)
	}
	var page bytes.Buffer
	r.Write(&page, nil)
	for _, say := range []string{"12 triangles, watertight, 8 nodes thick", "prescribed, markers up to 0.377 U", "free, released with markers up to 0.5 U", "nodes by the delta, corrected"} {
		if !strings.Contains(page.String(), say) {
			t.Errorf("the report does not say %q:\n%s", say, page.String())
		}
	}
}

// A file with a triangle that stands twice is taken, without it, and both check and the run tell.
func TestTrianglesThatStandTwiceAreTold(t *testing.T) {
	dir := t.TempDir()
	cubeFile(t, dir)
	file := filepath.Join(dir, "cube.stl")
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	facet := bytes.SplitAfter(text, []byte("endfacet\n"))[3]
	if err := os.WriteFile(file, bytes.Replace(text, []byte("endsolid"), append(bytes.Clone(facet), "endsolid"...), 1), 0o600); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(dir, "case.toml")
	if err := os.WriteFile(path, []byte(`
reference = { resolution = 10, velocity = 0.05, reynolds = 50 }
domain = { lattice = "D3Q19", size = [4.0, 4.0, 4.0] }
body = [ { shape = { type = "stl", file = "cube.stl", center = [2.0, 2.0, 2.0] } } ]
run = { time = 1.0 }
ib = { forcing = "multidirect" }
`), 0o600); err != nil {
		t.Fatal(err)
	}
	r := check(path, nil, setup.Kernel{}, motionless)
	const want = "cube.stl, 1 of 13, are left out"
	if len(r.Errors) > 0 || r.Verdict == OK || len(r.Surfaces) != 1 || !strings.Contains(r.Surfaces[0].Reason, want) {
		t.Fatalf("errors %v, %+v", r.Errors, r.Surfaces)
	}
	var page bytes.Buffer
	r.Write(&page, nil)
	if !strings.Contains(page.String(), "triangles that stand twice") {
		t.Errorf("the report does not tell:\n%s", page.String())
	}
	for _, m := range RemarksOn(r.problem, nil) {
		if m.Verdict == Caution && strings.Contains(m.Text, want) {
			return
		}
	}
	t.Error("a run does not tell")
}

// A surface of a thousandth of L is refused with a question for its scale, one of three nodes is taken with it, by check and by a run.
func TestTheScaleOfATinySurfaceIsAskedFor(t *testing.T) {
	dir := t.TempDir()
	cubeFile(t, dir)
	of := func(scale string) *Report {
		path := filepath.Join(dir, "case.toml")
		if err := os.WriteFile(path, []byte(`
reference = { resolution = 10, velocity = 0.05, reynolds = 50 }
domain = { lattice = "D3Q19", size = [4.0, 4.0, 4.0] }
body = [ { name = "cube", shape = { type = "stl", file = "cube.stl", scale = `+scale+`, center = [2.0, 2.0, 2.0] } } ]
run = { time = 1.0 }
ib = { forcing = "multidirect" }
`), 0o600); err != nil {
			t.Fatal(err)
		}
		return check(path, nil, setup.Kernel{}, motionless)
	}
	const ask = "is its scale right? The file's surface is 1 of its units long, which scale = "
	if r := of("0.001"); len(r.Errors) != 1 || !strings.Contains(r.Errors[0], ask+"0.001 makes 0.001 L, 0.01 nodes: where L is about the body's length, scale = 1 makes it 1 L") {
		t.Errorf("of 0.001 L: %v", r.Errors)
	}
	r := of("0.3")
	if len(r.Errors) > 0 || len(r.Bodies) != 1 || r.Bodies[0].Nodes.Verdict == OK || !strings.Contains(r.Bodies[0].Nodes.Reason, ask+"0.3 makes 0.3 L, 3 nodes") {
		t.Fatalf("of three nodes: %v, %+v", r.Errors, r.Bodies)
	}
	told := false
	for _, m := range RemarksOn(r.problem, nil) {
		told = told || strings.Contains(m.Text, `body "cube" is tiny; `+ask)
	}
	if !told {
		t.Error("a run of three nodes does not ask")
	}
	var page bytes.Buffer
	r.Write(&page, nil)
	if text := strings.Join(strings.Fields(page.String()), " "); !strings.Contains(text, "in the file 0…1 × 0…1 × 0…1 of its units") || !strings.Contains(text, "placed 1.85…2.15 × 1.85…2.15 × 1.85…2.15 L") {
		t.Errorf("the report does not tell the surface's extents:\n%s", page.String())
	}
	if r := of("1"); len(r.Errors) > 0 || strings.Contains(r.Bodies[0].Nodes.Reason, "scale") {
		t.Errorf("of ten nodes: %v, %+v", r.Errors, r.Bodies)
	}
}

// The time of the bodies is part of the estimate: by their markers, and for moving
// ones, whose weights are found anew in every step, by more.
func TestTheTimeOfBodiesIsEstimated(t *testing.T) {
	measured := func(sets ...string) float64 {
		t.Helper()
		p, err := setup.New(setuptest.Load(t, setuptest.StreamCase, sets...))
		if err != nil {
			t.Fatal(err)
		}
		return measureMarkers(p, setup.Kernel{})
	}
	fixed, free := measured(), measured(`body.0.motion={type="free", density=2.0}`)
	if !(fixed > 1e-9 && fixed < 1e-2) || !(free > fixed) { // seconds per marker; slow machines with the race detector
		t.Errorf("a marker takes %g s in a step, of a moving body %g", fixed, free)
	}
	if large := measured("body.0.shape.diameter=7", "reference.resolution=100", "domain.size=[16,12]", "body.0.shape.center=[8,6]"); !(large > 0 && large < 1e-2) {
		t.Errorf("of a body that fits no small box a marker takes %g s", large)
	}
	tried := func(*casefile.Case, *setup.Problem, setup.Kernel) speeds { return speeds{mflups: 100, marker: 1e-6} }
	r := check(setuptest.InEmptyDirectory(t, setuptest.StreamCase), nil, setup.Kernel{}, tried)
	bodies := 1e-6 * float64(r.Bodies[0].Markers) * float64(r.Run.Steps)
	fluid := float64(r.Domain.Total) * float64(r.Run.Steps) / 100e6
	if e := r.Estimate; math.Abs(float64(e.BodySeconds)-bodies) > 1e-9*bodies || math.Abs(float64(e.Seconds.Value)-bodies-fluid) > 1e-9*fluid {
		t.Errorf("estimate %+v, want %g s of which bodies take %g", e, bodies+fluid, bodies)
	}
	var page bytes.Buffer
	r.Write(&page, nil)
	if want := fmt.Sprintf("bodies %.2g %%", 100*bodies/(bodies+fluid)); !strings.Contains(page.String(), want) || !strings.Contains(page.String(), "1 µs a") {
		t.Errorf("the report does not say %q:\n%s", want, page.String())
	}
}

func TestCheckKnowsOperatorsAndTurbulenceModels(t *testing.T) {
	checkingtest.NumbersAlone(t)
	for _, c := range []struct {
		sets    []string
		verdict Verdict // of τ = 0.5024 and a grid Reynolds number of 125
		coarse  Verdict
	}{
		{nil, Unsafe, Unsafe},
		{[]string{"fluid.collision=mrt"}, Caution, Unsafe}, // in a stream
		{[]string{"fluid.collision=regularized"}, Caution, Unsafe},
		{[]string{`fluid.les={type="smagorinsky", constant=0.1}`}, OK, Unsafe}, // diverged at 200
		{[]string{`fluid.les={type="smagorinsky", constant=0.2}`}, OK, Caution},
		{[]string{`fluid.les={type="smagorinsky", constant=0.1}`, "fluid.collision=mrt"}, Caution, Unsafe},         // noise
		{[]string{`fluid.les={type="smagorinsky", constant=0.2}`, "fluid.collision=trt"}, Caution, Unsafe},         // noise
		{[]string{`fluid.les={type="smagorinsky", constant=0.2}`, "fluid.collision=regularized"}, Caution, Unsafe}, // noise
		{[]string{`fluid.les={type="smagorinsky", constant=0.1}`, "fluid.collision=recursive"}, OK, Caution},
		{[]string{"fluid.collision=recursive"}, OK, Unsafe},
	} {
		r := check(setuptest.InEmptyDirectory(t, setuptest.StreamCase), append(c.sets, "reference.reynolds=2500"), setup.Kernel{}, motionless)
		if len(r.Errors) > 0 {
			t.Fatal(r.Errors)
		}
		if r.Scales.Tau.Verdict != c.verdict || r.Scales.GridReynolds.Verdict != c.coarse {
			t.Errorf("%v: τ = %g is %s, the grid Reynolds number %g %s, want %s and %s", c.sets,
				r.Scales.Tau.Value, r.Scales.Tau.Verdict, r.Scales.GridReynolds.Value, r.Scales.GridReynolds.Verdict, c.verdict, c.coarse)
		}
	}
	if r := check(setuptest.InEmptyDirectory(t, setuptest.StreamCase), []string{`domain.boundary.left.factor="1+0.5*sin(t)"`}, setup.Kernel{}, motionless); math.Abs(float64(r.Scales.Mach.Value)-1.5*0.1*math.Sqrt(3)) > 1e-3 {
		t.Errorf("an inflow that swings up to 1.5 U has the Mach number %g of %v", r.Scales.Mach.Value, r.Errors)
	}
}

// Shells that overlap are a caution of the whole.
func TestShellsThatOverlapAreACaution(t *testing.T) {
	r := Report{Bodies: []BodyReport{{Mesh: &MeshReport{Shells: 2, Overlap: &Judged{Verdict: Caution, Reason: "some cross each other"}}}}}
	found := false
	for _, j := range r.judgements() {
		found = found || j.Verdict == Caution
	}
	if !found {
		t.Error("a caution about shells is no judgement of the report")
	}
}

package run

import (
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"lbmib/geometry"
	"lbmib/internal/checking/checkingtest"
	"lbmib/run/setup/setuptest"
)

// tubeFile is the file of an open tube along x of diameter 1, 1.4 long, with its centroid at the origin: of 80 sides, whose area is that of the circle.
func tubeFile(t *testing.T) string {
	t.Helper()
	const sides, rows, length = 80, 6, 1.4
	radius := 0.5 * math.Sqrt(2*math.Pi/sides/math.Sin(2*math.Pi/sides))
	var points []geometry.Vec
	var triangles [][3]int
	for i := range rows + 1 {
		for j := range sides {
			sin, cos := math.Sincos(2 * math.Pi * float64(j) / sides)
			points = append(points, geometry.Vec{length * (float64(i)/rows - 0.5), radius * cos, radius * sin})
		}
	}
	for i := range rows {
		for j := range sides {
			a, b := i*sides+j, i*sides+(j+1)%sides
			triangles = append(triangles, [3]int{a, b, a + sides}, [3]int{b, b + sides, a + sides})
		}
	}
	path := filepath.Join(t.TempDir(), "tube.stl")
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if err := geometry.WriteSTL(f, "a tube", points, triangles); err != nil {
		t.Fatal(err)
	}
	return path
}

const passageCase = `
[reference]
resolution = 16
velocity   = 0.02
reynolds   = 5

[domain]
lattice = "D3Q19"
size    = [0.5, 1.25, 1.25]
force   = ["32/Re", 0, 0]

[domain.boundary]
bottom = { type = "no-slip" }
top    = { type = "no-slip" }
front  = { type = "no-slip" }
back   = { type = "no-slip" }

[fluid]
collision = "trt"

[[body]]
name  = "wall"
shape = { type = "stl", file = "tube.stl", center = [0.25, 0.625, 0.625], open = true }
fluid = "inside"

[run]
time = 1.5
soft_start = 0

[output]
plots = false
sections = [{ axis = "x", at = 0.25, every = 0.5 }]
probes = [{ name = "middle", at = [0.25, 0.625, 0.625], every = 0.5 }]
`

// passageText is the case beside its surface.
func passageText(t *testing.T) string {
	return strings.Replace(passageCase, `"tube.stl"`, fmt.Sprintf("%q", tubeFile(t)), 1)
}

// A tube from a file, longer than the domain, is the wall of a pipe that goes on through periodic faces: its flow is that of Hagen and Poiseuille, 2 U in the middle and
// U as a mean over the section, and that in an open cylinder. The flow rate through the section, π/4 UL², comes with its area, that of 208 whole nodes, which is 3.45 % too large here.
func TestAPassageFromAFileIsAPipe(t *testing.T) {
	if testing.Short() {
		t.Skip("physics of code that other tests take through the race detector")
	}
	checkingtest.NumbersAlone(t)
	text := passageText(t)
	found := map[string][3]float64{}
	for name, sets := range map[string][]string{"file": nil,
		"cylinder": {`body=[{shape={type="cylinder", center=[0.25, 0.625, 0.625], diameter=1, length=0.5, direction=[1, 0, 0], caps=false}, fluid="inside"}]`}} {
		dir := t.TempDir()
		if _, err := Run(t.Context(), setuptest.Load(t, text, sets...), Options{Out: dir, Quiet: true}); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		last := func(file, column string) float64 {
			all := cellsOf(t, dir, file, column)
			return all[len(all)-1]
		}
		area := last("sections.csv", "area")
		got := [3]float64{last("sections.csv", "u"), last("probes.csv", "u") / 2, last("sections.csv", "flow_rate") / area}
		t.Logf("%s: mean speed %.5f of 1, in the middle %.5f of 2, area %.4f of π/4", name, got[0], 2*got[1], area/(math.Pi/4))
		found[name] = got
		for k, most := range []float64{0.01, 0.003, 0.01} {
			if e := got[k] - 1; math.Abs(e) > most {
				t.Errorf("%s: the %s is off by %.2g", name, [...]string{"mean speed", "velocity in the middle", "flow rate over the area"}[k], e)
			}
		}
		if area != 208./256 {
			t.Errorf("%s: the area is %v", name, area)
		}
	}
	for k := range 3 {
		if d := found["file"][k] - found["cylinder"][k]; math.Abs(d) > 0.002 {
			t.Errorf("a file and a cylinder differ by %.2g", d)
		}
	}
}

// Between walls the same tube is a closed cavity. A force along it is borne by pressure, and nothing flows; where one end moves, the flow is that in an open cylinder. That is
// compared without the correction of the wall's place: at the rim of the moving end the velocity jumps from 0 to 1 within a node, and there the correction goes by how markers happen to lie: cylinders
// with markers 0.8 to 1.3 nodes apart then differ by 0.017 U from each other, and a file from them by 0.01 to 0.04.
// Neither is wrong: corrected, 0.2 L in front of the moving end, a file has −0.170, −0.152, −0.168 and −0.161 U on 16, 24, 32 and 64 nodes, a cylinder −0.192, −0.180, −0.176 and −0.170, and a solid of
// nodes −0.104, −0.127, −0.138 and −0.150. The last two lead to −0.164 and −0.161, first order in the width of a node: rings of the cylinder all stand half a step from the end, a file's markers anywhere.
func TestAPassageFromAFileIsACavity(t *testing.T) {
	if testing.Short() {
		t.Skip("physics of code that other tests take through the race detector")
	}
	checkingtest.NumbersAlone(t)
	text := passageText(t)
	ends := []string{`domain.boundary.left={type="no-slip"}`, `domain.boundary.right={type="no-slip"}`}
	dir := t.TempDir()
	if _, err := Run(t.Context(), setuptest.Load(t, text, ends...), Options{Out: dir, Quiet: true}); err != nil {
		t.Fatal(err)
	}
	if u := cellsOf(t, dir, "probes.csv", "u"); math.Abs(u[len(u)-1]) > 1e-3 {
		t.Errorf("in a closed tube the velocity is %v", u)
	}
	var found [2]float64
	for k, sets := range [][]string{nil,
		{`body=[{shape={type="cylinder", center=[0.25, 0.625, 0.625], diameter=1, length=0.5, direction=[1, 0, 0], caps=false}, fluid="both"}]`}} {
		sets := append([]string{`domain.boundary.left={type="no-slip"}`, `domain.boundary.right={type="moving-wall", value=[0, 1, 0]}`,
			"domain.force=[0, 0, 0]", "ib.correction=none", "run.time=1", `output.probes=[{at=[0.3, 0.625, 0.625], every=0.5}]`}, sets...)
		dir := t.TempDir()
		if _, err := Run(t.Context(), setuptest.Load(t, text, sets...), Options{Out: dir, Quiet: true}); err != nil {
			t.Fatal(err)
		}
		v := cellsOf(t, dir, "probes.csv", "v")
		found[k] = v[len(v)-1]
	}
	t.Logf("below the moving end: %v and %v U", found[0], found[1])
	if !(math.Abs(found[1]) > 0.1) || math.Abs(found[0]-found[1]) > 0.01 {
		t.Errorf("below the moving end the velocity is %v U, in a cylinder %v U", found[0], found[1])
	}
}

// A closed surface that nearly reaches periodic faces is neither open there nor left as a room of its own.
func TestAClosedPassageReachesTheFacesOrKeepsAway(t *testing.T) {
	var points []geometry.Vec
	for k := range 8 {
		points = append(points, geometry.Vec{0.48 * float64(k&1), 1 * float64(k>>1&1), 1 * float64(k>>2)})
	}
	file := filepath.Join(t.TempDir(), "box.stl")
	f, err := os.Create(file)
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(geometry.WriteSTL(f, "a box", points, [][3]int{{0, 2, 1}, {1, 2, 3}, {4, 5, 6}, {5, 7, 6}, {0, 1, 4}, {1, 5, 4}, {2, 6, 3}, {3, 6, 7}, {0, 4, 2}, {2, 4, 6}, {1, 3, 5}, {3, 7, 5}}), f.Close()); err != nil {
		t.Fatal(err)
	}
	for length, want := range map[float64]string{1: "0.16 and 0.16 nodes before the periodic faces across x", 1.0416666667: "", 1.03: "before the periodic faces across x", 0.8: ""} { // of 0.48 L, in a domain of 0.5
		c := setuptest.Load(t, passageText(t), fmt.Sprintf("body.0.shape={type=\"stl\", file=%q, center=[0.25, 0.625, 0.625]}", file), "body.0.fluid=inside", fmt.Sprintf("body.0.shape.scale=%v", length), "run.steps=2")
		_, err := Run(t.Context(), c, Options{Out: filepath.Join(t.TempDir(), "run"), Quiet: true})
		if want == "" && err != nil || want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
			t.Errorf("%v times as long: %v, want %q", length, err, want)
		}
	}
}

// Surfaces that end elsewhere are refused with the place, and so are those that move.
func TestPassagesThatAreNone(t *testing.T) {
	text := passageText(t)
	for want, sets := range map[string][]string{
		`is open at -0.45, 1.12`:                          {"domain.size.0=1.5"},
		`is open at 1.192e-08, 1.12`:                      {`domain.boundary.left={type="velocity", value=[1, 0, 0]}`, `domain.boundary.right={type="outflow"}`, "domain.size.0=1.4", "body.0.shape.center.0=0.7"},
		`is cut open by the domain's faces, but it moves`: {`body.0.motion={type="prescribed", spin=1}`, "body.0.motion.axis=[1, 0, 0]"},
		`is cut where two faces meet`:                     {"domain.size.1=0.75", "body.0.shape.center.1=0.375"},
		`is not that at the other face`:                   {"body.0.shape.angle=20"},
		`is not watertight: 160 edges`:                    {"body.0.shape.open=false"},
	} {
		dir := filepath.Join(t.TempDir(), "run")
		_, err := Run(t.Context(), setuptest.Load(t, text, sets...), Options{Out: dir, Quiet: true})
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v: %v, want %q", sets, err, want)
		}
		if _, err := os.Stat(dir); err == nil {
			t.Errorf("%v: it was refused, but %s is there", sets, dir)
		}
	}
}

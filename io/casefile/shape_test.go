package casefile

import (
	"errors"
	"fmt"
	"lbmib/geometry"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
)

// inSpace is a case for one body in three dimensions.
const inSpace = `
reference = { resolution = 8, velocity = 0.05, reynolds = 10 }
domain = { lattice = "D3Q19", size = [8, 8, 8] }
run.time = 2
[[body]]
shape = SHAPE
`

func spatial(shape string) string { return strings.Replace(inSpace, "SHAPE", shape, 1) }

func shapeOf(t *testing.T, text string) Shape {
	t.Helper()
	return mustParse(t, text).Bodies[0].Shape
}

func TestShapesAreReadAsWritten(t *testing.T) {
	z := [3]float64{0, 0, 1}
	sphere := func(x float64) plain {
		return plain{Type: "sphere", given: map[string]any{"center": place{x, 4, 5}, "diameter": 1.}}
	}
	for text, want := range map[string]plain{
		withBody(`shape = { type = "ellipse", center = [3, 4], axes = [2, 1], angle = 30 }`):        {Type: "ellipse", given: map[string]any{"center": place{3, 4}, "axes": [3]float64{2, 1}}, Angle: 30, Axis: z},
		withBody(`shape = { type = "polygon", points = [[1, 1], [2, 1], [1, 2]], angle = -5 }`):     {Type: "polygon", given: map[string]any{"points": places{{1, 1}, {2, 1}, {1, 2}}}, Angle: -5, Axis: z},
		withBody(`shape = { type = "line", points = [[1, 1], [2, 1]] }`):                            {Type: "line", given: map[string]any{"points": places{{1, 1}, {2, 1}}}, Axis: z},
		withBody(`shape = { type = "naca", digits = "2412", center = [9, 7], chord = 2 }`):          {Type: "naca", given: map[string]any{"digits": "2412", "center": place{9, 7}, "chord": 2.}, Axis: z},
		spatial(`{ type = "ellipsoid", center = [3, 4, 5], axes = [2, 1, 1], angle = 9 }`):          {Type: "ellipsoid", given: map[string]any{"center": place{3, 4, 5}, "axes": [3]float64{2, 1, 1}}, Angle: 9, Axis: z},
		spatial(`{ type = "rbc", center = [3, 4, 5], diameter = 2, angle = 90, axis = [0, 3, 0] }`): {Type: "rbc", given: map[string]any{"center": place{3, 4, 5}, "diameter": 2.}, Angle: 90, Axis: [3]float64{0, 1, 0}},
		spatial(`{ type = "cylinder", center = [3, 4, 5], diameter = 1, length = 4, direction = [0, 3, 4], caps = false }`): {Type: "cylinder", Axis: z,
			given: map[string]any{"center": place{3, 4, 5}, "diameter": 1., "length": 4., "direction": [3]float64{0, 0.6, 0.8}, "caps": false}},
		spatial(`{ type = "union", of = [ { type = "sphere", center = [3, 4, 5], diameter = 1 }, { type = "sphere", center = [4, 4, 5], diameter = 1 } ] }`): {Type: "union", Axis: z,
			given: map[string]any{"of": []plain{sphere(3), sphere(4)}}},
	} {
		if got := plainly(shapeOf(t, text)); !reflect.DeepEqual(got, want) {
			t.Errorf("got  %+v\nwant %+v", got, want)
		}
	}
}

// plain is what was read, without what was made of it.
type plain struct {
	Type  string
	given map[string]any
	Angle float64
	Axis  [3]float64
}

func plainly(s Shape) plain {
	p := plain{s.Type, map[string]any{}, s.Angle, s.Axis}
	for _, v := range s.values {
		if v.key == "type" || v.key == "angle" || v.key == "axis" {
			continue
		}
		if of, composed := v.of.(parts); composed {
			v.of = []plain{plainly(of[0]), plainly(of[1])}
		}
		p.given[v.key] = v.of
	}
	return p
}

func TestTheFluidOfThinSurfacesIsOnBothSides(t *testing.T) {
	for text, want := range map[string]string{
		cylinder: "outside",
		withBody(`shape = { type = "line", points = [[1, 1], [2, 1]] }`):                              "both",
		withBody("fluid = \"outside\"\nshape = { type = \"line\", points = [[1, 1], [2, 1]] }"):       "outside",
		withBody("fluid = \"inside\"\n" + circle):                                                     "inside",
		spatial(`{ type = "cylinder", center = [3, 4, 5], diameter = 1, length = 4, caps = false }`):  "both",
		spatial(`{ type = "union", of = [ { type = "sphere", center = [3, 4, 5], diameter = 1 } ] }`): "outside",
		withBody(`shape = { type = "union", of = [ { type = "line", points = [[1, 1], [2, 1]] } ] }`): "both",
	} {
		if got := mustParse(t, text).Bodies[0].Fluid; got != want {
			t.Errorf("fluid %q, want %q, of %s", got, want, text)
		}
	}
}

func TestBoundsHoldTheTurnedShape(t *testing.T) {
	const tol = 5e-7 // an ellipse is a polygon that leaves it by 7e-8 of its size
	for _, c := range []struct {
		text string
		want [3]float64 // extents
	}{
		{withBody(circle), [3]float64{1, 1}},
		{withBody(`shape = { type = "ellipse", center = [5, 5], axes = [4, 2], angle = 90 }`), [3]float64{2, 4}},
		{withBody(`shape = { type = "ellipse", center = [5, 5], axes = [4, 2], angle = 45 }`), [3]float64{math.Sqrt(10), math.Sqrt(10)}}, // √(a²+b²)/√2
		{withBody(`shape = { type = "polygon", points = [[4, 4], [8, 4], [8, 6], [4, 6]], angle = 90 }`), [3]float64{2, 4}},
		{withBody(`shape = { type = "line", points = [[4, 4], [8, 4]], angle = 30 }`), [3]float64{4 * math.Cos(math.Pi/6), 2}},
		{spatial(`{ type = "cylinder", center = [4, 4, 4], diameter = 1, length = 4, direction = [1, 0, 0] }`), [3]float64{4, 1, 1}},
		{spatial(`{ type = "cylinder", center = [4, 4, 4], diameter = 1, length = 4, direction = [1, 0, 0], angle = 90 }`), [3]float64{1, 4, 1}},
		{spatial(`{ type = "ellipsoid", center = [4, 4, 4], axes = [3, 2, 1], angle = 90, axis = [1, 0, 0] }`), [3]float64{3, 1, 2}},
		{spatial(`{ type = "union", of = [ { type = "sphere", center = [3, 4, 5], diameter = 1 }, { type = "sphere", center = [5, 4, 5], diameter = 1 } ] }`), [3]float64{3, 1, 1}},
	} {
		made := mustParse(t, c.text)
		lo, hi, ok := made.Bodies[0].Shape.bounds(made.Reference.Resolution)
		for i, want := range c.want {
			if i < 2 || c.want[2] != 0 {
				if got := hi[i] - lo[i]; !ok || math.Abs(got-want) > tol {
					t.Errorf("extent %v along %c, want %v, of\n%s", got, "xyz"[i], want, c.text)
				}
			}
		}
	}
}

func TestTheMiddleOfAPolygonIsItsCentroid(t *testing.T) {
	// an L of three unit squares: (0.5+0.5+1.5)/3 along both axes
	for _, points := range []string{"[[5, 5], [7, 5], [7, 6], [6, 6], [6, 7], [5, 7]]", "[[5, 7], [6, 7], [6, 6], [7, 6], [7, 5], [5, 5]]"} { // in either orientation
		c := mustParse(t, withBody(`shape = { type = "polygon", points = `+points+` }`))
		if m := c.Bodies[0].Shape.middle(c.Reference.Resolution); math.Abs(m[0]-5-5./6) > 1e-13 || math.Abs(m[1]-5-5./6) > 1e-13 {
			t.Errorf("centroid %v, want 5 + 5/6", m)
		}
	}
	c := mustParse(t, withBody(`shape = { type = "line", points = [[5, 5], [7, 5], [7, 7]] }`))
	if m := c.Bodies[0].Shape.middle(c.Reference.Resolution); math.Abs(m[0]-6.5) > 1e-13 || math.Abs(m[1]-5.5) > 1e-13 {
		t.Errorf("a bent line has its middle at %v, want 6.5, 5.5", m)
	}
}

// inFolder writes files and returns the path of a case beside them.
func inFolder(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return filepath.Join(dir, "case.toml")
}

func TestFilesLieBesideTheCaseAndTakePartInItsHash(t *testing.T) {
	const solid = "solid part\nendsolid part\n" // content is the runner's business
	text := spatial(`{ type = "stl", file = "part.stl", scale = 0.5, center = [4, 4, 4], angle = 90, axis = [0, 1, 0] }`)
	path := inFolder(t, map[string]string{"part.stl": solid})
	c, err := Parse(path, []byte(text), nil)
	if err != nil {
		t.Fatal(err)
	}
	s := c.Bodies[0].Shape
	file, sum := s.File()
	if file != filepath.Join(filepath.Dir(path), "part.stl") || !s.placed() || s.Number("scale") != 0.5 || s.open() {
		t.Errorf("shape %+v", s)
	}
	if files := c.Files(); len(files) != 1 || files[0].Path != "part.stl" || files[0].SHA256 != sum || len(sum) != 64 {
		t.Errorf("files %+v", c.Files())
	}
	elsewhere, err := Parse(inFolder(t, map[string]string{"part.stl": solid}), []byte(text), nil)
	if err != nil || elsewhere.Hash() != c.Hash() {
		t.Errorf("the same case in another folder has another hash (%v)", err)
	}
	other, err := Parse(inFolder(t, map[string]string{"part.stl": solid + "\n"}), []byte(text), nil)
	if err != nil || other.Hash() == c.Hash() {
		t.Errorf("another STL file gives the same hash (%v)", err)
	}
	absolute, err := Parse("elsewhere.toml", []byte(text), []string{"body.0.shape.file=" + file})
	if err != nil {
		t.Fatalf("an absolute path: %v", err)
	}
	if path, _ := absolute.Bodies[0].Shape.File(); path != file {
		t.Errorf("an absolute path is read as %s", path)
	}
	_, err = Parse(inFolder(t, nil), []byte(text), nil)
	if err == nil || !strings.Contains(err.Error(), "part.stl\": paths are relative to the folder of the case file") {
		t.Errorf("a missing file gives %v", err)
	}
}

func TestAnStlFileThatIsNotPlacedCannotBeCopied(t *testing.T) {
	path := inFolder(t, map[string]string{"part.stl": "solid\n"})
	text := spatial(`{ type = "stl", file = "part.stl", open = true }`)
	c, err := Parse(path, []byte(text), nil)
	if err != nil || c.Bodies[0].Fluid != "both" || c.Bodies[0].Shape.Number("scale") != 1 || c.Bodies[0].Shape.placed() {
		t.Fatalf("%+v, %v", c, err)
	}
	for set, want := range map[string]string{
		"body.0.array={count=[2,1,1], step=[1,1,1]}":             "needs a shape that can be moved, but an STL file gives the place: add center to it",
		"body.0.motion={type='free', density=2}":                 "is open and has neither volume nor mass",
		"solid.0.shape={type='stl', file='part.stl', open=true}": "is open and has no inside to fill",
	} {
		_, err := Parse(path, []byte(text), []string{set})
		if err == nil || !strings.Contains(fmt.Sprint(err), want) {
			t.Errorf("%s: %v, want %q", set, err, want)
		}
		var list Errors
		if errors.As(err, &list) && len(list) != 1 {
			t.Errorf("%s: %d problems, want one:\n%v", set, len(list), err)
		}
	}
}

// A cylinder without caps is the wall of a pipe where it goes on through periodic
// faces; elsewhere it has no inside, and the message says what makes it one.
func TestAPipeIsATubeThroughPeriodicFaces(t *testing.T) {
	const pipe = `
[reference]
resolution = 10
velocity = 0.05
reynolds = 10
[domain]
lattice = "D3Q19"
size = [0.5, 1.2, 1.2]
force = [3.2, 0.0, 0.0]
[[body]]
shape = { type = "cylinder", center = [0.25, 0.6, 0.6], diameter = 1.0, length = 0.5, direction = [1, 0, 0], caps = false }
fluid = "inside"
[run]
time = 1.0
`
	if b := mustParse(t, pipe).Bodies[0]; b.Fluid != "inside" || b.Shape.Flag("caps") {
		t.Errorf("body %+v", b)
	}
	mustParse(t, pipe, "body.0.shape.direction=[0, 0, 1]", "body.0.shape.angle=90", "body.0.shape.axis=[0, 1, 0]") // turned to x
	for set, want := range map[string]string{
		"body.0.shape.length=0.4":          "its length is 0.4 where the domain is 0.5 long along x: make it length = 0.5; or close it with caps = true, or use \"both\"",
		"body.0.shape.direction=[1, 1, 0]": "lay it along an axis, for instance direction = [1, 0, 0]",
		`domain.boundary={left={type="velocity", value=[1.0, 0.0, 0.0]}, right={type="outflow"}}`: "left and right are not: make them periodic and drive the flow by domain.force",
	} {
		_, err := Parse("case.toml", []byte(pipe), []string{set})
		if err == nil || !strings.Contains(err.Error(), "case.toml:12:1: body.0.fluid: ") || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", set, err, want)
		}
	}
}

// The corners of a box that fills nodes are those given, however often they are compared.
func TestABoxFillsWhatIsBetweenItsCorners(t *testing.T) {
	c := mustParse(t, strings.Replace(cylinder, "[run]", "[[solid]]\nname = \"step\"\nshape = { type = \"box\", min = [3.0, 1.5], max = [5.0, 2.5] }\n[run]", 1))
	inside, err := c.Solids[0].Shape.Inside(Lattice{Dim: 2, Resolution: 1, Node: func(x [3]float64) [3]float64 { return x }})
	if err != nil {
		t.Fatal(err)
	}
	for x, want := range map[geometry.Vec]bool{{3.1, 1.6}: true, {4.9, 2.4}: true, {2.9, 2}: false, {1, 1}: false, {4, 1.4}: false, {5.1, 2}: false} {
		if inside.Contains(x) != want {
			t.Errorf("%v is inside: %t, want %t", x, !want, want)
		}
	}
}

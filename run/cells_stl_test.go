package run

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"lbmib/geometry"
	"lbmib/io/casefile"
	"lbmib/run/setup"
	"lbmib/run/setup/setuptest"
)

// ringFile is the torus of the cases, radii 0.4 and 0.1, as the shape of a body.
func ringFile(t *testing.T, more string) string {
	t.Helper()
	path, err := filepath.Abs("../cases/torus.stl")
	if err != nil {
		t.Fatal(err)
	}
	return fmt.Sprintf(`{type="stl", file=%q, scale=3.0, %s}`, filepath.ToSlash(path), more)
}

const ringMotion = `{type="elastic", law="neo-hookean", shear=100.0, bending=0.1}`

// The vertices of an elastic body from a file are its welded points, where those of the rigid one are; copies that are turned share a
// membrane, and others do not.
func TestFilesAreMembranes(t *testing.T) {
	turned := ringFile(t, "center=[2.0, 2.5, 2.0], axis=[1.0, 2.0, 0.0], angle=50.0")
	for second, share := range map[string]bool{
		ringFile(t, "center=[6.0, 2.5, 2.0]"):                                               true,
		strings.Replace(ringFile(t, "center=[6.0, 2.5, 2.0]"), "scale=3.0", "scale=2.5", 1): false,
	} {
		p := setuptest.Problem(t, setuptest.CapsuleCase, "body.0.shape="+turned, "body.0.motion="+ringMotion, "body.1.shape="+second, "body.1.motion="+ringMotion)
		a, b := p.Coupling.Cells[0], p.Coupling.Cells[1]
		if got := a.Membrane == b.Membrane; got != share {
			t.Errorf("beside %s: they share a membrane: %v, want %v", second, got, share)
		}
		if m := a.Membrane.Mesh(); m.Genus() != 1 || m.Vertices() != 864 {
			t.Fatalf("a torus of genus %d with %d vertices, want 1 and 864", m.Genus(), m.Vertices())
		}
		rigid, err := p.Case.Cells[0].Shape.On(casefile.Lattice{Dim: 3, Resolution: 4, Node: p.Node, Mesh: p.Surface})
		if err != nil {
			t.Fatal(err)
		}
		points, _, _ := geometry.Triangles(rigid)
		for k, x := range a.Points() {
			if d := x.Sub(points[k]).Norm(); d > 1e-9 {
				t.Fatalf("vertex %d is %g nodes away from the rigid surface's", k, d)
			}
		}
	}
}

// An elastic torus in a shear deforms, keeps its volume, and turns as its membrane does.
func TestAnElasticTorusRuns(t *testing.T) {
	c := setuptest.Load(t, setuptest.CapsuleCase, "body.0.shape="+ringFile(t, "center=[3.0, 2.5, 2.0]"), "body.0.motion="+ringMotion,
		"body.1.shape.center=[6.7, 2.5, 2.0]", "run.time=0.1", "output.fields.every=0", "output.cells.every=0.05")
	s, err := Run(t.Context(), c, Options{Out: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	a := s.Cells["a"]
	if !(math.Abs(float64(a.VolumeDrift)) < 1e-3 && float64(a.Energy) > 0 && float64(a.Tread) < -0.02) {
		t.Errorf("the torus ends as %+v", a)
	}
}

// What a file lacks to be a membrane is refused with its place; so are keys that have no sense.
func TestFilesThatAreNoMembranesAreRefused(t *testing.T) {
	shape := ringFile(t, "center=[2.0, 2.5, 2.0]")
	for says, sets := range map[string][]string{
		`body.0.motion.mesh=642: has no effect with shape "stl", whose vertices are those of the file`: {"body.0.motion={type='elastic', shear=1.0}", "body.0.motion.mesh=642"},
		`capillary: needs a radius, which shape "stl" does not tell`:                                   {"body.0.motion={type='elastic', capillary=0.1}"},
		`is elastic, but the shape "stl" is open`:                                                      {"body.0.shape.open=true", "body.0.motion={type='elastic', shear=1.0}"},
	} {
		_, err := casefile.Parse("case.toml", []byte(setuptest.CapsuleCase), append([]string{"body.0.shape=" + shape}, sets...))
		if err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%v: %q is not in %v", sets, says, err)
		}
	}
	// Two tetrahedra with an edge in common: closed, with an edge of four triangles.
	corner := [][3]float64{{0, 0, 0}, {0, 0, 1}, {1, 0, 0}, {0, 1, 0}, {-1, 0, 0}, {0, -1, 0}}
	text := "solid two\n"
	for _, f := range [][3]int{{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}, {0, 4, 1}, {0, 1, 5}, {0, 5, 4}, {1, 4, 5}} {
		text += "facet normal 0 0 0\nouter loop\n"
		for _, v := range f {
			text += fmt.Sprintln("vertex", corner[v][0], corner[v][1], corner[v][2])
		}
		text += "endloop\nendfacet\n"
	}
	path := filepath.Join(t.TempDir(), "two.stl")
	if err := os.WriteFile(path, []byte(text+"endsolid two\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	c, err := casefile.Parse("case.toml", []byte(setuptest.CapsuleCase), []string{fmt.Sprintf(`body.0.shape={type="stl", file=%q, center=[2.0, 2.5, 2.0]}`, filepath.ToSlash(path)), "body.0.motion={type='elastic', shear=1.0}"})
	if err != nil {
		t.Fatal(err)
	}
	_, err = setup.New(c)
	for _, says := range []string{"body.0.shape.file", "two.stl cannot be a membrane: elastic: mesh: triangle", "is one of 4 triangles at the edge between points", "(0, 0, 1)", "there must be 2: remove inner walls"} {
		if err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("two tetrahedra: %q is not in %v", says, err)
		}
	}
}

// An ellipsoid is a sphere drawn out along its axes, and turned.
func TestEllipsoidsAreMembranes(t *testing.T) {
	p := setuptest.Problem(t, setuptest.CapsuleCase, `body.0.shape={type="ellipsoid", center=[2.0, 2.5, 2.0], axes=[3.0, 2.0, 1.5], angle=30.0}`)
	cell := p.Coupling.Cells[0]
	for k, x := range cell.Points() {
		r := cell.Turn.Transpose().Apply(x.Sub(cell.Center))
		if q := r[0]*r[0]/36 + r[1]*r[1]/16 + r[2]*r[2]/9; math.Abs(q-1) > 1e-9 {
			t.Fatalf("vertex %d is not on the ellipsoid: %g", k, q)
		}
	}
	if m := cell.Measure(); math.Abs(m.Inclination*180/math.Pi-30) > 0.1 {
		t.Errorf("it is inclined by %g°", m.Inclination*180/math.Pi)
	}
	if want := math.Cbrt(3*2*1.5) / 2; math.Abs(p.RadiusOf(0)-want) > 1e-9 { // of the sphere as large
		t.Errorf("the radius of its capillary number is %g, want %g", p.RadiusOf(0), want)
	}
}

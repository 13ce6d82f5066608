package geometry

import (
	"errors"
	"math"
	"strings"
	"testing"
)

// Every constructor with one length or coordinate given.
var constructors = []struct {
	name string
	size bool // it is a length, else a coordinate
	make func(x float64) (Shape, error)
}{
	{"circle, diameter", true, func(x float64) (Shape, error) { return NewCircle(Vec{1, 1}, x) }},
	{"circle, center", false, func(x float64) (Shape, error) { return NewCircle(Vec{1, x}, 1) }},
	{"ellipse, axes", true, func(x float64) (Shape, error) { return NewEllipse(Vec{1, 1}, [2]float64{1, x}) }},
	{"ellipse, center", false, func(x float64) (Shape, error) { return NewEllipse(Vec{x, 1}, [2]float64{1, 1}) }},
	{"polygon, points", false, func(x float64) (Shape, error) { return NewPolygon([]Vec{{0, 0}, {1, 0}, {0, x}}) }},
	{"polygon, thickness", true, func(x float64) (Shape, error) { return NewPolygon([]Vec{{0, 0}, {1, 0}, {1, x}, {0, x}}) }},
	{"line, points", false, func(x float64) (Shape, error) { return NewLine([]Vec{{0, 0}, {1, x}}) }},
	{"line, length", true, func(x float64) (Shape, error) { return NewLine([]Vec{{0, 0}, {x, 0}}) }},
	{"naca, chord", true, func(x float64) (Shape, error) { return NewNACA("2412", Vec{}, x) }},
	{"naca, center", false, func(x float64) (Shape, error) { return NewNACA("0012", Vec{0, x}, 1) }},
	{"sphere, diameter", true, func(x float64) (Shape, error) { return NewSphere(Vec{}, x) }},
	{"sphere, center", false, func(x float64) (Shape, error) { return NewSphere(Vec{0, 0, x}, 1) }},
	{"ellipsoid, axes", true, func(x float64) (Shape, error) { return NewEllipsoid(Vec{}, [3]float64{1, 1, x}) }},
	{"ellipsoid, center", false, func(x float64) (Shape, error) { return NewEllipsoid(Vec{0, 0, x}, [3]float64{1, 1, 1}) }},
	{"cylinder, diameter", true, func(x float64) (Shape, error) { return NewCylinder(Vec{}, Vec{0, 0, 1}, x, 1, true) }},
	{"cylinder, length", true, func(x float64) (Shape, error) { return NewCylinder(Vec{}, Vec{0, 0, 1}, 1, x, false) }},
	{"cylinder, center", false, func(x float64) (Shape, error) { return NewCylinder(Vec{x}, Vec{0, 0, 1}, 1, 1, true) }},
	{"rbc, diameter", true, func(x float64) (Shape, error) { return NewRedCell(Vec{}, x) }},
	{"rbc, center", false, func(x float64) (Shape, error) { return NewRedCell(Vec{0, x}, 1) }},
	{"union, part", true, func(x float64) (Shape, error) {
		far, _ := NewCircle(Vec{3, 0}, 1)
		return NewUnion(far, Circle{Vec{}, x / 2}) // as if it had been scaled
	}},
	{"mesh, scaled", true, func(x float64) (Shape, error) {
		m, _, err := meshOf("stl", boxCorners(Vec{}, Vec{1, 1, 1}))
		m.scale = x
		return m, errors.Join(err, Check(m))
	}},
}

func TestSizesAndPlacesBeyondTheBoundsAreRefused(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	for _, c := range constructors {
		wrong := []float64{nan, inf, -inf, 1e300, -1e300, 1e10}
		if c.size {
			wrong = append(wrong, 0, 5e-324, 1e-160, 1e-12, 0.9*MinSize)
		}
		for _, x := range wrong {
			s, err := c.make(x)
			if err == nil || !strings.Contains(err.Error(), "geometry: ") || strings.Count(err.Error(), ": ") < 2 {
				t.Errorf("%s = %v: %v, error %v; want one that says bound and remedy", c.name, x, s, err)
			}
		}
		for _, x := range []float64{1, 2 * MinSize} {
			if _, err := c.make(x); err != nil && c.size {
				t.Errorf("%s = %v: %v", c.name, x, err)
			}
		}
	}
}

// What the bounds let through has finite measures and ends in its samples.
func TestTheSmallestShapesAreFinite(t *testing.T) {
	for _, c := range constructors {
		s, err := c.make(MinSize)
		if !c.size || err != nil {
			continue
		}
		for what, v := range map[string]float64{"enclosed": s.Enclosed(), "surface": s.Surface(), "length": s.Length(), "frontal": s.Frontal(), "inertia": s.Inertia().trace()} {
			if !within(v, 1e9) || v < 0 {
				t.Errorf("%s: %s is %v", c.name, what, v)
			}
		}
		if s.Contains(Vec{math.NaN(), math.NaN(), math.NaN()}) {
			t.Errorf("%s holds a point that is none", c.name)
		}
		m, err := s.Sample(math.Pow(s.Surface()/100, 1/float64(s.Dim()-1)))
		if err != nil || m.Len() > 1<<16 {
			t.Errorf("%s: %d markers, %v", c.name, m.Len(), err)
		}
		for _, x := range m.X {
			if !x.within(10) {
				t.Fatalf("%s: a marker at %v", c.name, x)
			}
		}
	}
}

func TestSpacingsThatCountNothingAreRefused(t *testing.T) {
	for _, surface := range []float64{math.NaN(), math.Inf(1), 0} {
		if n, err := markerCount("circle", surface, 1, 2); err == nil {
			t.Errorf("a surface of %v takes %d markers", surface, n)
		}
	}
}

// A file in metres of a cell of some micrometres has normals, too.
func TestSmallFilesHaveNormals(t *testing.T) {
	const scale = 1e-7
	small, _, err := readSTL(stlText(boxCorners(Vec{}, Vec{8 * scale, 8 * scale, 8 * scale})))
	if err != nil {
		t.Fatal(err)
	}
	m := sampled(t, small.Scaled(1/scale), 1)
	for k, x := range m.X { // a face is 4 from the middle, an edge farther
		if out := m.Normal[k].Dot(x.Sub(Vec{4, 4, 4})); !(out > 4-1e-6) {
			t.Fatalf("marker %d at %v faces %v", k, x, m.Normal[k])
		}
	}
}

func TestMeshesBeyondTheBoundsAreRefused(t *testing.T) {
	for _, size := range []float64{1e-200, 1e16, 1e200} {
		if _, report, err := meshOf("stl", boxCorners(Vec{}, Vec{size, size, size})); err == nil {
			t.Errorf("a block of %v is accepted: %+v", size, report)
		}
	}
}

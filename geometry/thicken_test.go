package geometry

import (
	"math"
	"strings"
	"testing"
)

// sheet is one of n by n squares of a side of one, lifted by a function of its place.
func sheet(t *testing.T, n int, lift func(x, y float64) Vec) Shape {
	t.Helper()
	var points []Vec
	var triangles [][3]int
	for j := range n + 1 {
		for i := range n + 1 {
			points = append(points, lift(float64(i)/float64(n), float64(j)/float64(n)))
		}
	}
	for j := range n {
		for i := range n {
			a := i + (n+1)*j
			triangles = append(triangles, [3]int{a, a + 1, a + n + 2}, [3]int{a, a + n + 2, a + n + 1})
		}
	}
	m, _, err := NewMesh(points, triangles)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// A flat sheet becomes a plate: its volume, area, normals and rims; a bent one a shell of the same thickness everywhere.
func TestSheetsGetThick(t *testing.T) {
	const h = 0.1
	flat := sheet(t, 6, func(x, y float64) Vec { return Vec{x, y, 0} })
	s, err := Thicken(flat, h)
	if err != nil {
		t.Fatal(err)
	}
	if lo, hi := s.Bounds(); s.Open() || lo.Sub(Vec{0, 0, -h / 2}).Norm() > 1e-12 || hi.Sub(Vec{1, 1, h / 2}).Norm() > 1e-12 {
		t.Errorf("it goes from %v to %v", lo, hi)
	}
	if v, a := s.Enclosed(), s.Surface(); math.Abs(v-h) > 1e-12 || math.Abs(a-2-4*h) > 1e-12 {
		t.Errorf("its volume is %v, its area %v", v, a)
	}
	for _, c := range []struct {
		x      Vec
		inside bool
	}{{Vec{0.3, 0.7, 0.049}, true}, {Vec{0.3, 0.7, -0.049}, true}, {Vec{0.3, 0.7, 0.051}, false}, {Vec{0.999, 0.5, 0}, true}, {Vec{1.001, 0.5, 0}, false}} {
		if s.Contains(c.x) != c.inside {
			t.Errorf("%v: inside is %v", c.x, !c.inside)
		}
	}
	m, err := s.Sample(0.1)
	if err != nil {
		t.Fatal(err)
	}
	rim := 0
	for k, x := range m.X {
		switch n := m.Normal[k]; {
		case x[0] > 0.1 && x[0] < 0.9 && x[1] > 0.1 && x[1] < 0.9 && n != (Vec{}) && n[2]*x[2] < 0.99*h/2:
			t.Errorf("the normal at %v is %v", x, n)
		case x[0] > 1-1e-9 && n[0] > 0.5:
			rim++
		}
	}
	if rim < 8 {
		t.Errorf("%d markers are on the rim", rim)
	}
	const radius = 1. // a quarter of a tube
	bent := sheet(t, 24, func(x, y float64) Vec {
		sin, cos := math.Sincos(math.Pi / 2 * x)
		return Vec{radius * cos, radius * sin, 2 - 2*y}
	})
	if s, err = Thicken(bent, h); err != nil {
		t.Fatal(err)
	}
	if v, want := s.Enclosed(), math.Pi/4*(math.Pow(radius+h/2, 2)-math.Pow(radius-h/2, 2))*2; math.Abs(v/want-1) > 2e-3 {
		t.Errorf("the volume of a bent one is %v, want %v", v, want)
	}
	folded := sheet(t, 8, func(x, y float64) Vec { return Vec{math.Max(0, 2*x-1), y, math.Max(0, 1-2*x)} })
	if s, err = Thicken(folded, h); err != nil {
		t.Fatal(err)
	}
	if v, want := s.Enclosed(), 2*h; math.Abs(v/want-1) > 1e-9 { // mitred: what is lost on one side is won on the other
		t.Errorf("the volume of a folded one is %v, want %v", v, want)
	}
}

// Shells that cross themselves are refused with the place, and so is what is no sheet.
func TestSheetsThatCannotGetThick(t *testing.T) {
	roll := func(x, y float64) Vec {
		sin, cos := math.Sincos(4 * math.Pi * x)
		return Vec{(1 + 0.2*x) * cos, (1 + 0.2*x) * sin, y}
	}
	ball := func() Shape {
		m, _, err := NewMesh([]Vec{{}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, [][3]int{{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}})
		if err != nil {
			t.Fatal(err)
		}
		return m
	}
	branch, _, err := NewMesh([]Vec{{}, {0, 0, 1}, {1, 0, 0}, {-1, 1, 0}, {-1, -1, 0}}, [][3]int{{0, 1, 2}, {0, 1, 3}, {1, 0, 4}})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		of        Shape
		thickness float64
		want      string
	}{
		{sheet(t, 40, roll), 0.05, ""},
		{sheet(t, 40, roll), 0.15, "would cross itself"},
		{sheet(t, 40, func(x, y float64) Vec { return Vec{x, y, 0.1 * math.Sin(4*math.Pi*x)} }), 1.2, "would cross itself"},
		{ball(), 0.1, "closed"},
		{branch, 0.1, "3 triangles"},
		{sheet(t, 4, func(x, y float64) Vec { return Vec{x, y, 0} }), 0, "must be positive"},
	} {
		_, err := Thicken(c.of, c.thickness)
		if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v thick: %v, want %q", c.thickness, err, c.want)
		}
	}
}

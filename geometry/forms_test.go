package geometry

import (
	"math"
	"runtime"
	"slices"
	"testing"
	"time"
)

// must is a shape, or the end of the test.
func must(t testing.TB) func(s Shape, err error) Shape {
	return func(s Shape, err error) Shape {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
}

// box is a block as a mesh of the given corners per triangle.
func boxCorners(lo, hi Vec) (corners []Vec) {
	at := func(k int) (p Vec) {
		for a := range 3 {
			p[a] = [2]float64{lo[a], hi[a]}[k>>a&1]
		}
		return p
	}
	for _, face := range [][4]int{{0, 2, 3, 1}, {4, 5, 7, 6}, {0, 1, 5, 4}, {2, 6, 7, 3}, {0, 4, 6, 2}, {1, 3, 7, 5}} {
		a, b, c, d := at(face[0]), at(face[1]), at(face[2]), at(face[3])
		corners = append(corners, a, b, c, a, c, d)
	}
	return corners
}

func boxMesh(t testing.TB, lo, hi Vec) Shape {
	m, _, err := meshOf("mesh", boxCorners(lo, hi))
	return must(t)(m, err)
}

// known is a shape with what a formula says of it; NaN where there is none.
type known struct {
	name                               string
	shape                              Shape
	enclosed, surface, length, frontal float64
	inertia                            Mat
	accuracy                           float64 // relative, of all of them
	center                             Vec
}

func planarInertia(v float64) Mat { return Mat{2: {2: v}} }

func knownShapes(t testing.TB) []known {
	is := must(t)
	pi, none := math.Pi, math.NaN()
	at := Vec{3, -2}
	in := Vec{3, -2, 1}
	square := []Vec{{1, 1}, {5, 1}, {5, 3}, {1, 3}}
	// A spheroid with half axes a = a < c: area 2πa²(1 + c/(ae) asin e).
	e := math.Sqrt(1 - 1./9)
	prolate := 2 * pi * (1 + 3/e*math.Asin(e))
	return []known{
		{"circle", is(NewCircle(at, 4)), 4 * pi, 4 * pi, 4, 4, planarInertia(8 * pi), 1e-12, at},
		{"ellipse", is(NewEllipse(at, [2]float64{8, 4})), 8 * pi, 19.376896441095354, 4, 4, planarInertia(40 * pi), 2e-7, at}, // 16 E(3/4)
		{"rectangle", is(NewPolygon(square)), 8, 12, 2, 2, planarInertia(8 * (16 + 4) / 12.), 1e-12, Vec{3, 2}},
		{"rectangle, clockwise", is(NewPolygon(reversed(square))), 8, 12, 2, 2, planarInertia(8 * (16 + 4) / 12.), 1e-12, Vec{3, 2}},
		{"L", is(NewPolygon([]Vec{{0, 0}, {2, 0}, {2, 1}, {1, 1}, {1, 2}, {0, 2}})), 3, 8, 2, 2, planarInertia(11. / 6), 1e-12, Vec{5. / 6, 5. / 6}},
		{"line", is(NewLine([]Vec{{0, 0}, {3, 0}, {3, 4}})), 0, 7, 5, 5, Mat{}, 1e-12, Vec{(4.5 + 12) / 7, 8. / 7}},
		{"naca 0012", is(NewNACA("0012", Vec{}, 10)), 100 * 0.12 * 5 * 2 * (0.2969/1.5 - 0.126/2 - 0.3516/3 + 0.2843/4 - 0.1036/5), none, 10, 10, Mat{2: {2: none}}, 1e-5, Vec{none, 0}},
		{"sphere", is(NewSphere(in, 4)), 32. / 3 * pi, 16 * pi, 4, 4 * pi, Identity().Scale(0.4 * 32. / 3 * pi * 4), 1e-12, in},
		{"prolate", is(NewEllipsoid(in, [3]float64{2, 2, 6})), 4 * pi, prolate, 2, 3 * pi, Mat{{8 * pi}, {1: 8 * pi}, {2: 1.6 * pi}}, 1e-9, in},
		{"triaxial", is(NewEllipsoid(in, [3]float64{2, 4, 6})), 8 * pi, 48.882151, 4, 6 * pi, Mat{{1.6 * pi * 13}, {1: 1.6 * pi * 10}, {2: 1.6 * pi * 5}}, 1e-6, in},
		{"cylinder", is(NewCylinder(in, Vec{0, 0, 2}, 4, 6, true)), 24 * pi, 32 * pi, 4, 24, Mat{{24 * pi * 4}, {1: 24 * pi * 4}, {2: 48 * pi}}, 1e-12, in},
		{"tube", is(NewCylinder(in, Vec{1, 0, 0}, 4, 6, false)), 0, 24 * pi, 4, 4 * pi, Mat{}, 1e-12, in},
		// What the profile of Evans & Fung gives in µm, to three digits.
		{"rbc", is(NewRedCell(in, 7.82)), 94.1, 134.1, 7.82, none, Mat{{none, none, none}, {none, none, none}, {none, none, none}}, 5e-4, in},
		{"block", boxMesh(t, Vec{1, 2, 3}, Vec{3, 5, 8}), 30, 62, 3, 15, Mat{{30. / 12 * 34}, {1: 30. / 12 * 29}, {2: 30. / 12 * 13}}, 1e-12, Vec{2, 3.5, 5.5}},
	}
}

func TestMeasuresAreThoseOfTheFormulas(t *testing.T) {
	for _, k := range knownShapes(t) {
		near := func(what string, got, want, scale float64) {
			if !math.IsNaN(want) && !(math.Abs(got-want) <= k.accuracy*scale) {
				t.Errorf("%s: %s is %.12g, want %.12g", k.name, what, got, want)
			}
		}
		near("enclosed", k.shape.Enclosed(), k.enclosed, k.enclosed)
		near("surface", k.shape.Surface(), k.surface, k.surface)
		near("length", k.shape.Length(), k.length, k.length)
		near("frontal", k.shape.Frontal(), k.frontal, k.frontal)
		i := k.shape.Inertia()
		for a := range 3 {
			near("centre", k.shape.Center()[a], k.center[a], 1+k.shape.Length())
			for b := range 3 {
				near("inertia", i[a][b], k.inertia[a][b], 1+math.Abs(i.trace()))
			}
		}
	}
}

// turned is a shape in a general attitude.
func turned(s Shape) Shape {
	if s.Dim() == 2 {
		return s.Rotated(Rotation(Vec{0, 0, 1}, 0.7)).Translated(Vec{0.3, 0.8})
	}
	return s.Rotated(Rotation(Vec{1, 2, -1}, 0.7)).Translated(Vec{0.3, 0.8, -0.2})
}

// Volume, centroid and inertia are sums over the points that Contains holds.
func TestContentsAgreeWithTheMeasures(t *testing.T) {
	if testing.Short() {
		t.Skip("not with -short: the stage test runs it")
	}
	for _, k := range knownShapes(t) {
		s := turned(k.shape)
		if s.Open() != (s.Enclosed() == 0) {
			t.Errorf("%s: open is %v with a volume of %v", k.name, s.Open(), s.Enclosed())
		}
		lo, hi := s.Bounds()
		n := [3]int{500, 500, 1}
		if s.Dim() == 3 {
			n = [3]int{48, 48, 48}
		}
		var step, first Vec
		cell, volume := 1., 0.
		var second Mat
		for a := range s.Dim() {
			step[a] = (hi[a] - lo[a]) / float64(n[a])
			cell *= step[a]
		}
		for i := range n[0] * n[1] * n[2] {
			p := lo.Add(Vec{step[0] * (float64(i%n[0]) + 0.5), step[1] * (float64(i/n[0]%n[1]) + 0.5), step[2] * (float64(i/n[0]/n[1]) + 0.5)})
			if s.Contains(p) {
				volume += cell
				first = first.Add(p.Sub(s.Center()).Scale(cell))
				second = second.Add(steiner(p.Sub(s.Center()), cell))
			}
		}
		size := hi.Sub(lo).Norm()
		// Cells on the surface are in or out by chance.
		if math.Abs(volume-s.Enclosed()) > 4e-3*s.Enclosed() || first.Norm() > 2e-3*size*volume {
			t.Errorf("%s: holds a volume of %v, want %v, centred %v off", k.name, volume, s.Enclosed(), first.Scale(1/volume))
		}
		inertia := s.Inertia()
		for a := range 3 {
			for b := range 3 {
				if s.Dim() == 2 && a+b < 4 {
					continue
				}
				if math.Abs(second[a][b]-inertia[a][b]) > 6e-3*inertia.trace() {
					t.Errorf("%s: inertia %d%d is %v of what it holds, %v by formula", k.name, a, b, second[a][b], inertia[a][b])
				}
			}
		}
	}
}

func TestMarkersCoverEveryShapeEvenly(t *testing.T) {
	for _, k := range knownShapes(t) {
		for _, fraction := range []float64{1. / 12, 1. / 31} {
			s := turned(k.shape)
			spacing := s.Surface() * fraction / 2
			if s.Dim() == 3 {
				spacing = math.Sqrt(s.Surface()) * fraction
			}
			m, err := s.Sample(spacing)
			if err != nil {
				t.Fatal(k.name, err)
			}
			checkEven(t, k.name, s, m, spacing)
		}
	}
}

func checkEven(t *testing.T, name string, s Shape, m Markers, spacing float64) {
	t.Helper()
	var sum float64
	var closed Vec
	near := newBins(m.X, 2*spacing)
	lo, hi := s.Bounds()
	for k, x := range m.X {
		sum += m.Area[k]
		closed = closed.Add(m.Normal[k].Scale(m.Area[k]))
		nearest := math.Inf(1)
		near.each(x, 2*spacing, func(l int) {
			if l != k {
				nearest = min(nearest, m.X[l].Sub(x).Norm())
			}
		})
		if nearest < 0.6*spacing || nearest > 1.6*spacing {
			t.Errorf("%s: marker %d of %d is %.3f spacings from the next one, want 0.6 to 1.6", name, k, m.Len(), nearest/spacing)
		}
		if n := m.Normal[k].Norm(); n != 0 && math.Abs(n-1) > 1e-12 {
			t.Errorf("%s: normal %d has length %v", name, k, n)
		}
		for a := range 3 {
			if x[a] < lo[a]-1e-6*spacing || x[a] > hi[a]+1e-6*spacing {
				t.Errorf("%s: marker %d at %v is out of the bounds %v %v", name, k, x, lo, hi)
			}
		}
		if d := m.Normal[k].Scale(0.05 * spacing); m.Normal[k] != (Vec{}) && !s.Open() && (s.Contains(x.Add(d)) || !s.Contains(x.Sub(d))) {
			t.Errorf("%s: marker %d at %v is not on the surface, or its normal %v not outwards", name, k, x, m.Normal[k])
		}
	}
	if math.Abs(sum-s.Surface()) > 1e-3*s.Surface() {
		t.Errorf("%s: areas sum to %v, want %v", name, sum, s.Surface())
	}
	// ∮ n dA = 0; at corners the mean normal is one of length one, and in space
	// shares of the surface are measured to some percent of a marker each.
	if tolerance := math.Max(3*math.Pow(spacing, float64(s.Dim()-1)), 0.01*s.Surface()); !s.Open() && closed.Norm() > tolerance {
		t.Errorf("%s: Σ n A = %v, want less than %v", name, closed, tolerance)
	}
}

// A change of unit and a rotation commute with sampling.
func TestSamplesTurnAndScaleWithTheShape(t *testing.T) {
	r := Rotation(Vec{0, 0, 1}, 1.1)
	for _, k := range knownShapes(t) {
		if k.name == "circle" || k.name == "sphere" { // turn into themselves
			continue
		}
		spacing := math.Pow(k.shape.Surface()/300, 1/float64(k.shape.Dim()-1))
		m, err := k.shape.Sample(spacing)
		if err != nil {
			t.Fatal(err)
		}
		s, err := k.shape.Rotated(r).Scaled(4).Sample(4 * spacing)
		if err != nil || s.Len() != m.Len() {
			t.Fatalf("%s: %d markers, %d when turned and scaled, %v", k.name, m.Len(), s.Len(), err)
		}
		c := k.shape.Center()
		for i, x := range m.X {
			if want := c.Add(r.Apply(x.Sub(c))).Scale(4); s.X[i].Sub(want).Norm() > 1e-12*k.shape.Surface() {
				t.Fatalf("%s: marker %d went to %v, want %v", k.name, i, s.X[i], want)
			}
		}
	}
}

func TestOutlinesAreClosedAndOnTheSurface(t *testing.T) {
	for _, k := range knownShapes(t) {
		s := turned(k.shape)
		line := s.Outline(60)
		if closed := line[0] == line[len(line)-1]; closed != (k.name != "line") {
			t.Errorf("%s: outline closed: %v", k.name, closed)
		}
		if s.Open() {
			continue
		}
		for _, x := range line {
			d := x.Sub(s.Center())
			if math.Abs(d[2]) > 1e-9 || s.Contains(s.Center().Add(d.Scale(1.02))) && k.name != "L" && k.name != "naca 0012" {
				t.Errorf("%s: outline point %v is not on the section", k.name, x)
			}
		}
	}
}

func TestCornersHaveMarkers(t *testing.T) {
	square := must(t)(NewPolygon([]Vec{{0, 0}, {7.3, 0}, {7.3, 4.1}, {0, 4.1}}))
	m, err := square.Sample(1)
	if err != nil {
		t.Fatal(err)
	}
	for _, corner := range []Vec{{0, 0}, {7.3, 0}, {7.3, 4.1}, {0, 4.1}} {
		if !slices.ContainsFunc(m.X, func(x Vec) bool { return x.Sub(corner).Norm() < rounding }) {
			t.Errorf("no marker in the corner %v", corner)
		}
	}
	block, err := boxMesh(t, Vec{}, Vec{4.3, 5, 6}).Sample(1)
	if err != nil {
		t.Fatal(err)
	}
	for k := range 8 {
		corner := Vec{4.3 * float64(k&1), 5 * float64(k>>1&1), 6 * float64(k>>2)}
		if !slices.ContainsFunc(block.X, func(x Vec) bool { return x.Sub(corner).Norm() < 1e-9 }) {
			t.Errorf("no marker in the block's corner %v", corner)
		}
	}
}

// The extent of a curve is that of its points, to the bit, though few are looked at; shapes
// with the same section share it, and no longer than there is one.
func TestSectionsAreSharedAndTheirExtentsExact(t *testing.T) {
	digits, center := "2412", Vec{3, 1}
	a, b := must(t)(NewNACA(digits, center, 10)).(placed), must(t)(NewNACA(digits, Vec{7, 2}, 10)).(placed)
	other := must(t)(NewNACA(digits, center, 11)).(placed)
	if a.form != b.form || a.form == other.form {
		t.Error("sections are not shared by digits and chord")
	}
	for _, s := range []placed{a, other, must(t)(NewPolygon([]Vec{{0, 0}, {30, 0}, {30, 1}, {29, 1}, {29, 40}, {0, 40}})).(placed)} {
		for k := range 100 {
			sin, cos := math.Sincos(0.0631 * float64(k))
			d, want := Vec{cos, sin}, math.Inf(-1)
			var c *curve
			switch f := s.form.(type) {
			case *section:
				c = &f.curve
			case *planar:
				c = &f.curve
			}
			for _, p := range c.points {
				want = max(want, p.Dot(d))
			}
			if got := s.form.support(d); got != want {
				t.Fatalf("%s reaches %v along %v, want %v", s.kind(), got, d, want)
			}
		}
	}
	count := func() int {
		sections.Lock()
		defer sections.Unlock()
		return len(sections.values)
	}
	before := count()
	for k := range 100 {
		must(t)(NewNACA(digits, center, 100+float64(k)))
	}
	for range 50 { // cleanups come some time after a collection
		runtime.GC()
		if time.Sleep(10 * time.Millisecond); count() <= before {
			return
		}
	}
	t.Errorf("%d sections are kept that nobody has", count()-before)
}

// The section of a long tube has its corners, in whichever direction it lies.
func TestTheOutlineOfACylinderHasItsCorners(t *testing.T) {
	for _, direction := range []Vec{{1, 0, 0}, {0, 1, 0}, {0.6, -0.8, 0}} {
		c, err := NewCylinder(Vec{2, 3, 0}, direction, 1, 40, false)
		if err != nil {
			t.Fatal(err)
		}
		across := Vec{-direction[1], direction[0], 0}
		for _, end := range []float64{-20, 20} {
			for _, side := range []float64{-0.5, 0.5} {
				corner, nearest := Vec{2, 3, 0}.Add(direction.Scale(end)).Add(across.Scale(side)), math.Inf(1)
				for _, x := range c.Outline(180) {
					nearest = math.Min(nearest, x.Sub(corner).Norm())
				}
				if nearest > 1e-9 {
					t.Errorf("along %v the corner %v is %v from the outline", direction, corner, nearest)
				}
			}
		}
	}
}

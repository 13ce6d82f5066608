package geometry

import (
	"math"
	"strings"
	"testing"
)

func mustCircle(t *testing.T, c Vec, d float64) Circle {
	t.Helper()
	s, err := NewCircle(c, d)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func mustSphere(t *testing.T, c Vec, d float64) Sphere {
	t.Helper()
	s, err := NewSphere(c, d)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// shapes are examples of every shape, with what is known of them.
func shapes(t *testing.T) map[string]struct {
	shape                                Shape
	enclosed, surface, length, frontal   float64
	lo, hi, inside, outside, onOtherSide Vec
} {
	type known = struct {
		shape                                Shape
		enclosed, surface, length, frontal   float64
		lo, hi, inside, outside, onOtherSide Vec
	}
	return map[string]known{
		"circle": {
			mustCircle(t, Vec{3, -2}, 5), 6.25 * math.Pi, 5 * math.Pi, 5, 5,
			Vec{0.5, -4.5}, Vec{5.5, 0.5}, Vec{4.7, -3.7}, Vec{4.8, -3.8}, Vec{0.4, -2},
		},
		"sphere": {
			mustSphere(t, Vec{3, -2, 1}, 4), 32. / 3 * math.Pi, 16 * math.Pi, 4, 4 * math.Pi,
			Vec{1, -4, -1}, Vec{5, 0, 3}, Vec{4.1, -3.1, 2.1}, Vec{4.2, -3.2, 2.2}, Vec{3, -2, 3.1},
		},
	}
}

// A few roundings of numbers of order ten.
const rounding = 1e-13

func TestMeasuresAndContents(t *testing.T) {
	for name, k := range shapes(t) {
		for what, pair := range map[string][2]float64{
			"enclosed": {k.shape.Enclosed(), k.enclosed},
			"surface":  {k.shape.Surface(), k.surface},
			"length":   {k.shape.Length(), k.length},
			"frontal":  {k.shape.Frontal(), k.frontal},
		} {
			if math.Abs(pair[0]-pair[1]) > rounding {
				t.Errorf("%s: %s is %v, want %v", name, what, pair[0], pair[1])
			}
		}
		if lo, hi := k.shape.Bounds(); lo != k.lo || hi != k.hi {
			t.Errorf("%s: bounds %v %v, want %v %v", name, lo, hi, k.lo, k.hi)
		}
		if !k.shape.Contains(k.inside) || !k.shape.Contains(k.shape.Center()) {
			t.Errorf("%s: its inside is outside", name)
		}
		if k.shape.Contains(k.outside) || k.shape.Contains(k.onOtherSide) {
			t.Errorf("%s: its outside is inside", name)
		}
	}
}

func TestMarkerAreasSumToTheSurface(t *testing.T) {
	for name, k := range shapes(t) {
		for _, spacing := range []float64{0.9, 0.31, 0.1} {
			m, err := k.shape.Sample(spacing)
			if err != nil {
				t.Fatal(err)
			}
			var sum float64
			for _, a := range m.Area {
				sum += a
			}
			// Rounding of a sum of n equal terms grows no faster than n.
			if tolerance := 1e-16 * float64(m.Len()) * k.surface; math.Abs(sum-k.surface) > tolerance {
				t.Errorf("%s, spacing %v: areas sum to %v, want %v", name, spacing, sum, k.surface)
			}
			want := math.Round(k.surface / math.Pow(spacing, float64(k.shape.Dim()-1)))
			if float64(m.Len()) != want || len(m.Area) != m.Len() || len(m.Normal) != m.Len() {
				t.Errorf("%s, spacing %v: %d markers, %d areas, %d normals, want %v", name, spacing, m.Len(), len(m.Area), len(m.Normal), want)
			}
		}
	}
}

func TestMarkersLieOnTheSurfaceWithNormalsOutwards(t *testing.T) {
	for name, k := range shapes(t) {
		m, err := k.shape.Sample(0.2)
		if err != nil {
			t.Fatal(err)
		}
		radius := k.length / 2
		var volume float64
		var closed Vec
		for i, x := range m.X {
			if d := x.Sub(k.shape.Center()).Sub(m.Normal[i].Scale(radius)); d.Norm() > rounding {
				t.Fatalf("%s: marker %d is %v off the surface along its normal", name, i, d)
			}
			if math.Abs(m.Normal[i].Norm()-1) > rounding {
				t.Fatalf("%s: normal %d has length %v", name, i, m.Normal[i].Norm())
			}
			volume += x.Dot(m.Normal[i]) * m.Area[i] / float64(k.shape.Dim())
			closed = closed.Add(m.Normal[i].Scale(m.Area[i]))
		}
		// ∮ n dA = 0 and ∮ x·n dA = d·V; the sphere's spiral integrates n only
		// to about one marker's area, and x·n has it times the centre.
		tolerance := rounding
		if name == "sphere" {
			tolerance = 2 * m.Area[0]
		}
		if closed.Norm() > tolerance || math.Abs(volume-k.enclosed) > 4*tolerance {
			t.Errorf("%s: ∮n dA = %v, ∮x·n dA/d = %v, want 0 and %v", name, closed, volume, k.enclosed)
		}
	}
}

func TestMarkersAreEven(t *testing.T) {
	nearest := func(m Markers) (lo, hi float64) {
		lo = math.Inf(1)
		for i, x := range m.X {
			r := math.Inf(1)
			for j, y := range m.X {
				if i != j {
					r = min(r, x.Sub(y).Norm())
				}
			}
			lo, hi = min(lo, r), max(hi, r)
		}
		return lo, hi
	}
	c, err := mustCircle(t, Vec{}, 40).Sample(1)
	if err != nil {
		t.Fatal(err)
	}
	chord := 40 * math.Sin(math.Pi/float64(c.Len()))
	if lo, hi := nearest(c); lo < chord-rounding || hi > chord+rounding {
		t.Errorf("circle: neighbours %v to %v apart, want %v", lo, hi, chord)
	}
	for _, d := range []float64{3, 10, 20} {
		s, err := mustSphere(t, Vec{}, d).Sample(1)
		if err != nil {
			t.Fatal(err)
		}
		// The densest packing has 1.075; a square grid 1; random points 0.
		side := math.Sqrt(s.Area[0])
		if lo, hi := nearest(s); lo < 0.8*side || hi > 1.075*side {
			t.Errorf("sphere D = %v: nearest neighbours %.3f to %.3f of √area apart, want 0.8 to 1.075", d, lo/side, hi/side)
		}
	}
}

func TestSamplesThatMakeNoBodyAreRefused(t *testing.T) {
	for name, k := range shapes(t) {
		for _, bad := range []struct {
			spacing float64
			say     string
		}{
			{0, "positive"}, {-1, "positive"}, {math.NaN(), "positive"}, {math.Inf(1), "positive"},
			{50, "at least 8 are needed: use a spacing of at most"},
			{1e-12, "are allowed: use a spacing of at least"},
		} {
			_, err := k.shape.Sample(bad.spacing)
			if err == nil || !strings.Contains(err.Error(), bad.say) || !strings.Contains(err.Error(), name) {
				t.Errorf("%s, spacing %v: error %v, want one that says %q", name, bad.spacing, err, bad.say)
			}
		}
		// The bound that the message proposes is itself accepted.
		limit := math.Pow(k.surface/MinMarkers, 1/float64(k.shape.Dim()-1))
		if m, err := k.shape.Sample(limit); err != nil || m.Len() != MinMarkers {
			t.Errorf("%s: spacing %v gives %d markers, %v; want %d", name, limit, m.Len(), err, MinMarkers)
		}
	}
}

func TestShapesThatAreNoneAreRefused(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	for _, d := range []float64{0, -1, nan, inf} {
		if _, err := NewCircle(Vec{}, d); err == nil {
			t.Errorf("circle of diameter %v is accepted", d)
		}
		if _, err := NewSphere(Vec{}, d); err == nil {
			t.Errorf("sphere of diameter %v is accepted", d)
		}
	}
	for _, c := range []Vec{{nan}, {0, inf}, {0, 0, nan}} {
		if _, err := NewCircle(c, 1); err == nil {
			t.Errorf("circle at %v is accepted", c)
		}
		if _, err := NewSphere(c, 1); err == nil {
			t.Errorf("sphere at %v is accepted", c)
		}
	}
	if _, err := NewCircle(Vec{0, 0, 1}, 1); err == nil {
		t.Error("circle off its plane is accepted")
	}
	for _, b := range [][2]Vec{{{0, 0, 0}, {0, 1, 1}}, {{0, 2, 0}, {1, 1, 1}}, {{0, 0, 2}, {1, 1, 1}}, {{nan}, {1, 1, 1}}, {{}, {1, inf, 1}}} {
		if _, err := NewBox(b[0], b[1]); err == nil {
			t.Errorf("box %v is accepted", b)
		}
	}
}

func TestScalingIsAChangeOfUnit(t *testing.T) {
	for name, k := range shapes(t) {
		d := Vec{1, 2, 0}
		s := k.shape.Translated(d).Scaled(10)
		if want := k.shape.Center().Add(d).Scale(10); s.Center().Sub(want).Norm() > rounding {
			t.Errorf("%s: centre %v, want %v", name, s.Center(), want)
		}
		power := float64(k.shape.Dim())
		if r := s.Enclosed() / k.shape.Enclosed() / math.Pow(10, power); math.Abs(r-1) > rounding {
			t.Errorf("%s: enclosed is %v of 10^%v times as much", name, r, power)
		}
		if r := s.Length() / k.shape.Length() / 10; math.Abs(r-1) > rounding {
			t.Errorf("%s: length is %v of 10 times as much", name, r)
		}
	}
}

func TestOutlineIsClosedAndOnTheSection(t *testing.T) {
	for name, k := range shapes(t) {
		p := k.shape.Outline(12)
		if len(p) != 13 || p[0] != p[12] {
			t.Fatalf("%s: outline of 12 segments has %d points from %v to %v", name, len(p), p[0], p[len(p)-1])
		}
		for _, x := range p {
			d := x.Sub(k.shape.Center())
			if d[2] != 0 || math.Abs(d.Norm()-k.length/2) > rounding {
				t.Errorf("%s: outline point %v is off the section", name, x)
			}
		}
	}
}

func TestBoxContainsItsCornersAndNothingBeyond(t *testing.T) {
	b, err := NewBox(Vec{1, 2, 3}, Vec{2, 4, 6})
	if err != nil {
		t.Fatal(err)
	}
	b = b.Translated(Vec{1, 0, 0}).Scaled(2)
	lo, hi := b.Bounds()
	if lo != (Vec{4, 4, 6}) || hi != (Vec{6, 8, 12}) {
		t.Errorf("bounds %v %v", lo, hi)
	}
	for p, want := range map[Vec]bool{lo: true, hi: true, {5, 5, 7}: true, {3.9, 5, 7}: false, {5, 8.1, 7}: false, {5, 5, 12.1}: false} {
		if b.Contains(p) != want {
			t.Errorf("contains %v: %v", p, !want)
		}
	}
	flat, err := NewBox(Vec{0, 0}, Vec{1, 1})
	if err != nil || !flat.Contains(Vec{0.5, 0.5}) {
		t.Errorf("a box in the plane: %v", err)
	}
}

func TestVectorAlgebra(t *testing.T) {
	a, b := Vec{1, 2, 3}, Vec{-2, 0.5, 4}
	c := a.Cross(b)
	if c.Dot(a) != 0 || c.Dot(b) != 0 { // exact: all products are binary fractions
		t.Errorf("a × b = %v is not normal to both", c)
	}
	// Lagrange: |a×b|² + (a·b)² = |a|²|b|².
	if l, r := c.Dot(c)+a.Dot(b)*a.Dot(b), a.Dot(a)*b.Dot(b); l != r {
		t.Errorf("|a×b|² + (a·b)² = %v, want %v", l, r)
	}
	if a.Add(b).Sub(b) != a || a.Scale(2) != a.Add(a) || (Vec{2, 3, 6}).Norm() != 7 {
		t.Error("sums, multiples or norms are wrong")
	}
}

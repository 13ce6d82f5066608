package geometry

import (
	"math"
	"strings"
	"testing"
)

func TestUnionsMeasureWhatThePartsShareOnce(t *testing.T) {
	is := must(t)
	circle := func(x float64) Shape { return mustCircle(t, Vec{x, 0}, 2) }
	sphere := func(x float64) Shape { return mustSphere(t, Vec{x, 0, 0}, 2) }
	// Two unit circles 1 apart share 2π/3 − √3/2, and lose 2π/3 of each arc;
	// two unit balls share π(4+1)(2−1)²/12, and lose a cap of height 1/2 each.
	lens := 2*math.Pi/3 - math.Sqrt(3)/2
	for _, c := range []struct {
		name              string
		shape             Shape
		enclosed, surface float64
		accuracy          float64
	}{
		{"circles apart", is(NewUnion(circle(0), circle(3))), 2 * math.Pi, 4 * math.Pi, 1e-12},
		{"circles", is(NewUnion(circle(0), circle(1))), 2*math.Pi - lens, 4*math.Pi - 4*math.Pi/3, 5e-4},
		{"spheres apart", is(NewUnion(sphere(0), sphere(3))), 8 * math.Pi / 3, 8 * math.Pi, 1e-12},
		{"spheres", is(NewUnion(sphere(0), sphere(1))), 8*math.Pi/3 - 5*math.Pi/12, 6 * math.Pi, 1e-3},
		{"a circle twice", is(NewUnion(circle(0), circle(0))), math.Pi, 2 * math.Pi, 5e-4},
		{"squares that touch", is(NewUnion(
			is(NewPolygon([]Vec{{0, 0}, {1, 0}, {1, 1}, {0, 1}})), is(NewPolygon([]Vec{{1, 0}, {2, 0}, {2, 1}, {1, 1}})))), 2, 6, 1e-3},
		{"cylinder with a splitter plate", is(NewUnion(circle(0), is(NewLine([]Vec{{0.5, 0}, {3, 0}})))), math.Pi, 2*math.Pi + 2, 1e-3},
	} {
		if math.Abs(c.shape.Enclosed()-c.enclosed) > c.accuracy*c.enclosed || math.Abs(c.shape.Surface()-c.surface) > c.accuracy*c.surface {
			t.Errorf("%s: encloses %v in %v, want %v in %v", c.name, c.shape.Enclosed(), c.shape.Surface(), c.enclosed, c.surface)
		}
		s := turned(c.shape)
		spacing := 0.13
		checkEven(t, c.name, s, sampled(t, s, spacing), spacing)
		if line := s.Outline(60); line[0] != line[len(line)-1] || len(line) < 60 {
			t.Errorf("%s: outline of %d points from %v to %v", c.name, len(line), line[0], line[len(line)-1])
		}
	}
}

// A rectangle in two overlapping halves has all that the rectangle has.
func TestUnionOfOverlappingPartsIsTheWhole(t *testing.T) {
	is := must(t)
	rectangle := func(from, to float64) Shape {
		return is(NewPolygon([]Vec{{from, 0}, {to, 0}, {to, 1}, {from, 1}}))
	}
	whole, u := turned(rectangle(0, 3)), turned(is(NewUnion(rectangle(0, 2), rectangle(1.2, 3))))
	if d := whole.Center().Sub(u.Center()).Norm(); d > 1e-3 {
		t.Errorf("centroid is %v off", d)
	}
	if r := u.Inertia()[2][2] / whole.Inertia()[2][2]; math.Abs(r-1) > 1e-3 {
		t.Errorf("inertia is %v of the whole's", r)
	}
	lo, hi := whole.Bounds()
	l, h := u.Bounds()
	if l.Sub(lo).Norm() > 1e-3 || h.Sub(hi).Norm() > 1e-3 || math.Abs(u.Frontal()-whole.Frontal()) > 1e-9 {
		t.Errorf("bounds %v %v, frontal %v, want %v %v, %v", l, h, u.Frontal(), lo, hi, whole.Frontal())
	}
	if u.Scaled(2).Enclosed() != 4*u.Enclosed() {
		t.Errorf("twice as large it encloses %v, not %v", u.Scaled(2).Enclosed(), 4*u.Enclosed())
	}
}

func TestFormsThatAreNoneAreRefused(t *testing.T) {
	nan := math.NaN()
	for _, c := range []struct {
		make func() (Shape, error)
		say  string
	}{
		{func() (Shape, error) { return NewUnion() }, "no parts"},
		{func() (Shape, error) { return NewUnion(mustCircle(t, Vec{}, 1), mustSphere(t, Vec{}, 1)) }, "same"},
		{func() (Shape, error) { return NewEllipse(Vec{}, [2]float64{1, 0}) }, "along y is 0"},
		{func() (Shape, error) { return NewEllipse(Vec{0, 0, 1}, [2]float64{1, 1}) }, "plane"},
		{func() (Shape, error) { return NewEllipsoid(Vec{nan}, [3]float64{1, 1, 1}) }, "finite"},
		{func() (Shape, error) { return NewEllipsoid(Vec{}, [3]float64{1, 1, -1}) }, "along z is -1"},
		{func() (Shape, error) { return NewPolygon([]Vec{{0, 0}, {1, 0}, {0, 0}}) }, "2 different points"},
		{func() (Shape, error) { return NewPolygon([]Vec{{0, 0}, {1, 1}, {1, 0}, {0, 1}}) }, "points 0 and 2 touch or cross"},
		{func() (Shape, error) { return NewPolygon([]Vec{{0, 0}, {2, 0}, {1, 0}, {1, 1}}) }, "touch or cross"},
		{func() (Shape, error) { return NewPolygon([]Vec{{0, 0}, {1, 0}, {1, 0}, {0, 1}}) }, "point 2 is"},
		{func() (Shape, error) { return NewPolygon([]Vec{{0, 0}, {1, 0}, {2, 0}}) }, "touch or cross"},
		{func() (Shape, error) { return NewPolygon([]Vec{{0, 0}, {1, nan}, {2, 0}}) }, "point 1"},
		{func() (Shape, error) { return NewLine([]Vec{{0, 0}}) }, "1 different points"},
		{func() (Shape, error) { return NewLine([]Vec{{0, 0}, {0, 0}}) }, "like the one before"},
		{func() (Shape, error) { return NewNACA("12", Vec{}, 1) }, "four"},
		{func() (Shape, error) { return NewNACA("001x", Vec{}, 1) }, "four"},
		{func() (Shape, error) { return NewNACA("0000", Vec{}, 1) }, "thickness 00"},
		{func() (Shape, error) { return NewNACA("2012", Vec{}, 1) }, "camber"},
		{func() (Shape, error) { return NewNACA("0012", Vec{}, nan) }, "chord"},
		{func() (Shape, error) { return NewCylinder(Vec{}, Vec{}, 1, 1, true) }, "direction"},
		{func() (Shape, error) { return NewCylinder(Vec{}, Vec{1}, 1, 0, true) }, "length is 0"},
		{func() (Shape, error) { return NewRedCell(Vec{}, -1) }, "diameter"},
	} {
		if s, err := c.make(); err == nil || !strings.Contains(err.Error(), c.say) {
			t.Errorf("%v, error %v; want one that says %q", s, err, c.say)
		}
	}
}

// NACA 2412: camber 2 % at 40 %, thickness 12 % at about 30 % of the chord.
func TestCamberedSectionHasItsCamber(t *testing.T) {
	s := must(t)(NewNACA("2412", Vec{5, 1}, 10))
	above, below := 0., 0.
	for y := 0.; y < 2; y += 1e-3 {
		if s.Contains(Vec{4, 1 + y}) { // at 40 % of the chord
			above = y
		}
		if s.Contains(Vec{4, 1 - y}) {
			below = y
		}
	}
	if camber := (above - below) / 2; math.Abs(camber-0.2) > 2e-3 {
		t.Errorf("camber at 40 %% is %v, want 0.2", camber)
	}
	// 5·0.12·(0.2969√0.4 − 0.126·0.4 − 0.3516·0.16 + 0.2843·0.064 − 0.1036·0.0256)
	if half := (above + below) / 2; math.Abs(half-0.5803) > 2e-3 {
		t.Errorf("half thickness at 40 %% is %v, want 0.5803", half)
	}
}

// A shadow of a red cell from the side is the rectangle of the rim's height with
// round ends; along its axis it is the disc.
func TestRedCellShadow(t *testing.T) {
	s := must(t)(NewRedCell(Vec{1, 2, 3}, 7.82))
	disc := s.Rotated(Rotation(Vec{0, 1, 0}, math.Pi/2)).Frontal()
	if want := math.Pi * 7.82 * 7.82 / 4; math.Abs(disc-want) > 1e-3*want {
		t.Errorf("along the axis %v, want %v", disc, want)
	}
	lo, hi := s.Bounds()
	box := (hi[1] - lo[1]) * (hi[2] - lo[2])
	if side := s.Frontal(); side > box || side < 0.85*box || hi[2]-lo[2] < 2.3 || hi[2]-lo[2] > 2.6 {
		t.Errorf("from the side %v in a box of %v, %v high", side, box, hi[2]-lo[2])
	}
	if s.Center() != (Vec{1, 2, 3}) {
		t.Errorf("centre %v", s.Center())
	}
}

func TestRotationsTurnAndKeepLengths(t *testing.T) {
	z := Rotation(Vec{0, 0, 2}, math.Pi/2).Apply(Vec{1, 0, 0})
	if z.Sub(Vec{0, 1, 0}).Norm() > 1e-15 {
		t.Errorf("x turned by 90° about z is %v, want y", z)
	}
	r := Rotation(Vec{1, -2, 0.5}, 1.3)
	one := r.Mul(r.Transpose())
	for a := range 3 {
		for b := range 3 {
			if math.Abs(one[a][b]-Identity()[a][b]) > 1e-15 {
				t.Errorf("R Rᵀ is %v", one)
			}
		}
	}
	// The axis stays, and angles about one axis add.
	if d := r.Apply(Vec{1, -2, 0.5}).Sub(Vec{1, -2, 0.5}).Norm(); d > 1e-15 {
		t.Errorf("the axis moved by %v", d)
	}
	v := Vec{0.3, 0.7, -2}
	if d := r.Apply(r.Apply(v)).Sub(Rotation(Vec{1, -2, 0.5}, 2.6).Apply(v)).Norm(); d > 1e-14 {
		t.Errorf("two turns are %v off their sum", d)
	}
	if Rotation(Vec{}, 1) != Identity() {
		t.Error("an axis of length zero turns")
	}
}

package geometry

import (
	"math"
	"testing"
)

func TestRectangles(t *testing.T) {
	s, err := NewRectangle(Vec{1, 2, 3}, [2]float64{4, 2})
	if err != nil {
		t.Fatal(err)
	}
	if !s.Open() || s.Dim() != 3 || s.Enclosed() != 0 || s.Contains(Vec{1, 2, 3}) || s.Length() != 4 || s.Frontal() != 8 || s.Surface() != 8 || s.Reach() != math.Sqrt(5) {
		t.Errorf("open %v, in %d dimensions, length %g, areas %g and %g, reach %g", s.Open(), s.Dim(), s.Length(), s.Frontal(), s.Surface(), s.Reach())
	}
	if lo, hi := s.Bounds(); lo != (Vec{-1, 1, 3}) || hi != (Vec{3, 3, 3}) {
		t.Errorf("bounds %v %v", lo, hi)
	}
	if line := s.Outline(8); len(line) != 5 || line[0] != line[4] || line[2] != (Vec{3, 3, 3}) {
		t.Errorf("in its plane it is %v", line)
	}
	m, err := s.Sample(0.5)
	if err != nil || m.Len() != 32 || m.Area[7] != 0.25 || m.Normal[7] != (Vec{0, 0, 1}) || m.X[0].Sub(Vec{-0.75, 1.25, 3}).Norm() > 1e-12 {
		t.Errorf("%d markers, %v: %v", m.Len(), m.X, err)
	}
	// Turned about x it stands across the plane of outlines, in which it is a line.
	up := s.Rotated(Rotation(Vec{1}, math.Pi/2)).Scaled(2)
	line := up.Outline(8)
	if n := len(line); line[0] != line[n-1] || line[0].Sub(line[1]).Norm() < 8-1e-12 || up.Frontal() != 32 {
		t.Errorf("upright it is %v, of area %g", line, up.Frontal())
	}
	for _, sides := range [][2]float64{{0, 1}, {1, -1}, {1, math.NaN()}, {math.Inf(1), 1}} {
		if _, err := NewRectangle(Vec{}, sides); err == nil {
			t.Errorf("a rectangle of %v is made", sides)
		}
	}
	if _, err := NewRectangle(Vec{math.NaN()}, [2]float64{1, 1}); err == nil {
		t.Error("a rectangle nowhere is made")
	}
}

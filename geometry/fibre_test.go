package geometry

import (
	"math"
	"testing"
)

func TestFibres(t *testing.T) {
	s, err := NewFibre([]Vec{{1, 1, 1}, {4, 1, 1}, {4, 5, 1}})
	if err != nil {
		t.Fatal(err)
	}
	if !s.Open() || s.Dim() != 3 || s.Enclosed() != 0 || s.Contains(Vec{4, 1, 1}) || s.Length() != 5 || s.Frontal() != 25 || s.Surface() != 49 {
		t.Errorf("open %v, in %d dimensions, length %g, area %g and %g", s.Open(), s.Dim(), s.Length(), s.Frontal(), s.Surface())
	}
	if d := s.Center().Sub(Vec{(7.5 + 16) / 7, (3 + 12.) / 7, 1}).Norm(); d > 1e-14 {
		t.Errorf("the centre is %g off", d)
	}
	twice := s.Scaled(2).Rotated(Rotation(Vec{1}, math.Pi/2)).Translated(Vec{0, 0, 1})
	line := twice.Outline(1)
	length := line[1].Sub(line[0]).Norm() + line[2].Sub(line[1]).Norm()
	if math.Abs(length-14) > 1e-12 || math.Abs(line[2][2]-line[1][2]-8) > 1e-12 {
		t.Errorf("scaled and turned it runs along %v", line)
	}
	m, err := s.Sample(0.5)
	if err != nil || m.Len() != 14 || m.X[6].Sub(Vec{4, 1.25, 1}).Norm() > 1e-12 || m.Area[3] != 0.5 || m.Normal[0] != (Vec{}) {
		t.Errorf("%d markers, %v: %v", m.Len(), m.X, err)
	}
	if lo, hi := s.Bounds(); lo.Sub(Vec{1, 1, 1}).Norm() > 1e-12 || hi.Sub(Vec{4, 5, 1}).Norm() > 1e-12 {
		t.Errorf("bounds %v %v", lo, hi)
	}
	for _, points := range [][]Vec{{{1}}, {{1}, {1}}, {{1}, {2, math.NaN()}}, {{1}, {math.Inf(1)}}} {
		if _, err := NewFibre(points); err == nil {
			t.Errorf("a fibre through %v is made", points)
		}
	}
}

package geometry

import (
	"errors"
	"math"
	"testing"
)

// tube is a round one along x, of so many sides, with its ends closed or open; its radius may differ from end to end.
func tube(t *testing.T, x0, x1, r0, r1 float64, sides int, closed, inwards bool) Shape {
	t.Helper()
	const rows = 6
	var points []Vec
	var triangles [][3]int
	at := func(i, j int) int { return i*sides + j%sides }
	for i := range rows + 1 {
		f := float64(i) / rows
		for j := range sides {
			sin, cos := math.Sincos(2 * math.Pi * (float64(j) + 0.5*float64(i%2)) / float64(sides))
			r := r0 + f*(r1-r0)
			points = append(points, Vec{x0 + f*(x1-x0), 7 + r*cos, 7 + r*sin})
		}
	}
	for i := range rows {
		for j := range sides {
			triangles = append(triangles, [3]int{at(i, j), at(i, j+1), at(i+1, j)}, [3]int{at(i, j+1), at(i+1, j+1), at(i+1, j)})
		}
	}
	if closed {
		points = append(points, Vec{x0, 7, 7}, Vec{x1, 7, 7})
		for j := range sides {
			triangles = append(triangles, [3]int{at(0, j+1), at(0, j), len(points) - 2}, [3]int{at(rows, j), at(rows, j+1), len(points) - 1})
		}
	}
	if inwards {
		for k, c := range triangles {
			triangles[k] = [3]int{c[0], c[2], c[1]}
		}
	}
	m, _, err := NewMesh(points, triangles)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

var (
	passageLo, passageHi = Vec{-0.5, -0.5, -0.5}, Vec{11.5, 14.5, 14.5}
	along                = [3]Ends{GoesOn, NoEnds, NoEnds}
)

// A tube is cut open where it leaves the box, whatever its ends and the side that its triangles face: it has an inside from face to face, and its markers are as even
// across the faces as elsewhere.
func TestPassagesAreCutOpen(t *testing.T) {
	const sides, radius, spacing = 40, 5., 1.
	area := sides / 2 * radius * radius * math.Sin(2*math.Pi/sides)
	for name, c := range map[string]struct {
		of   Shape
		ends [3]Ends
	}{
		"longer and closed":    {tube(t, -4, 13.2, radius, radius, sides, true, false), along},
		"longer and open":      {tube(t, -4, 13.2, radius, radius, sides, false, true), along},
		"as long, to rounding": {tube(t, -0.5+1e-7, 11.5-2e-7, radius, radius, sides, true, false), along},
		"a little short":       {tube(t, -0.2, 11.4, radius, radius, sides, false, false), along},
		"between walls":        {tube(t, -0.5, 14, radius, radius, sides, true, false), [3]Ends{EndsBoth, NoEnds, NoEnds}},
	} {
		s, err := Passage(c.of, passageLo, passageHi, c.ends, 0.5)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if lo, hi := s.Bounds(); lo[0] != -0.5 || hi[0] != 11.5 || !s.Open() {
			t.Errorf("%s: it goes from %v to %v", name, lo, hi)
		}
		inside := Capped(s)
		for x := range 12 {
			for k, r := range []float64{0, 4.9, 5.1} {
				for _, v := range []Vec{{float64(x), 7 + r, 7}, {float64(x), 7, 7 - r}} {
					if inside.Contains(v) != (k < 2) {
						t.Errorf("%s: it is wrong of %v whether it is inside", name, v)
					}
				}
			}
		}
		if got := s.Frontal(); math.Abs(got/area-1) > 4e-3 { // rings are turned against each other: their shadow is rounder than each
			t.Errorf("%s: its section is %v, want %v", name, got, area)
		}
		m, err := s.Sample(spacing)
		if err != nil {
			t.Fatal(err)
		}
		sum, nearest := 0., math.Inf(1)
		ends, all := 0., 0. // markers less than 1.5 from the ends, and others
		for k, x := range m.X {
			sum += m.Area[k]
			if min(x[0]+0.5, 11.5-x[0]) < 1.5 {
				ends++
			} else {
				all++
			}
			if out := m.Normal[k].Dot(Vec{0, x[1] - 7, x[2] - 7}); out < 4 {
				t.Errorf("%s: the normal at %v is %v", name, x, m.Normal[k])
			}
			for _, shift := range []float64{-12, 0, 12} {
				for l, y := range m.X {
					if y[0] += shift; l != k || shift != 0 {
						nearest = min(nearest, y.Sub(x).Norm())
					}
				}
			}
			if c.ends[0] == EndsBoth && min(x[0]+0.5, 11.5-x[0]) < 0.3 {
				t.Errorf("%s: a marker at %v is on a wall", name, x)
			}
		}
		if math.Abs(sum/s.Surface()-1) > 1e-9 || nearest < 0.6 && c.ends[0] == GoesOn || math.Abs(ends/all*9/3-1) > 0.2 || math.Abs(float64(m.Len())/s.Surface()-1) > 0.05 {
			t.Errorf("%s: %d markers with a sum of %v, want %v; %v near the ends and %v elsewhere; the nearest are %v apart", name, m.Len(), sum, s.Surface(), ends, all, nearest)
		}
	}
}

// What is no passage is refused with the place.
func TestNoPassages(t *testing.T) {
	for name, c := range map[string]struct {
		of   Shape
		ends [3]Ends
		fits func(e *OpenRim) bool
	}{
		"too short": {tube(t, -0.5, 9, 5, 5, 12, false, false), along, func(e *OpenRim) bool { return e.At[0] == 9 && !e.Unmatched && !e.Crossed }},
		"a cone":    {tube(t, -4, 13, 4, 6, 12, false, false), along, func(e *OpenRim) bool { return e.Unmatched }},
		"wider":     {tube(t, -4, 13, 8, 8, 12, false, false), [3]Ends{GoesOn, EndsBoth, EndsBoth}, func(e *OpenRim) bool { return e.Crossed }},
	} {
		_, err := Passage(c.of, passageLo, passageHi, c.ends, 0.5)
		if e := (*OpenRim)(nil); !errors.As(err, &e) || !c.fits(e) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

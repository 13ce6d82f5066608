package geometry

import (
	"slices"
	"testing"
)

// cubeAt is a cube with its sides out, or in.
func cubeAt(lo Vec, size float64, inwards bool) (points []Vec, triangles [][3]int) {
	for k := range 8 {
		points = append(points, lo.Add(Vec{float64(k & 1), float64(k >> 1 & 1), float64(k >> 2)}.Scale(size)))
	}
	for _, q := range [][4]int{{0, 2, 3, 1}, {4, 5, 7, 6}, {0, 1, 5, 4}, {2, 6, 7, 3}, {0, 4, 6, 2}, {1, 3, 7, 5}} {
		if inwards {
			q[1], q[3] = q[3], q[1]
		}
		triangles = append(triangles, [3]int{q[0], q[1], q[2]}, [3]int{q[0], q[2], q[3]})
	}
	return points, triangles
}

// both are two surfaces in one.
func both(p []Vec, t [][3]int, q []Vec, u [][3]int) ([]Vec, [][3]int) {
	for _, x := range u {
		t = append(t, [3]int{x[0] + len(p), x[1] + len(p), x[2] + len(p)})
	}
	return append(p, q...), t
}

func TestShellsThatOverlapAreNamed(t *testing.T) {
	p, f := cubeAt(Vec{}, 1, false)
	for name, c := range map[string]struct {
		lo       Vec
		size     float64
		inwards  bool
		overlaps bool
		touches  bool
	}{
		"apart":     {Vec{2, 0, 0}, 1, false, false, false},
		"crossing":  {Vec{0.25, 0.25, 0.25}, 1, false, true, false},
		"within":    {Vec{0.25, 0.25, 0.25}, 0.5, false, true, false},
		"a cavity":  {Vec{0.25, 0.25, 0.25}, 0.5, true, false, false},
		"a corner":  {Vec{0.9, 0.9, 0.9}, 1, false, true, false},
		"far apart": {Vec{-90, 0, 0}, 2, false, false, false},
		"touching":  {Vec{1, 0.25, 0.125}, 0.5, false, false, true},
	} {
		q, g := cubeAt(c.lo, c.size, c.inwards)
		points, triangles := both(p, f, q, g)
		_, r, err := NewMesh(points, triangles)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if (r.Overlap != nil) != c.overlaps || (r.Touch != nil) != c.touches || r.Shells != 2 {
			t.Errorf("%s: %d shells, overlap at %v, touching at %v", name, r.Shells, r.Overlap, r.Touch)
		}
	}
	q, g := cubeAt(Vec{1, 0, 0}, 1, false) // four corners in common
	points, triangles := both(p, f, q, g)
	if _, r, err := NewMesh(points, triangles); err != nil || r.Shells != 1 || r.Overlap != nil || r.Touch == nil || r.Touch[0] != 1 {
		t.Errorf("back to back: %+v, %v", r, err)
	}
	if _, r, err := NewMesh(p, f); err != nil || r.Shells != 1 || r.Overlap != nil {
		t.Errorf("one cube: %+v, %v", r, err)
	}
}

func TestTrianglesThatStandTwiceAreLeftOut(t *testing.T) {
	p, f := cubeAt(Vec{}, 1, false)
	once, want, err := NewMesh(p, f)
	if err != nil {
		t.Fatal(err)
	}
	m, r, err := NewMesh(p, append(slices.Clone(f), [3]int{f[3][1], f[3][2], f[3][0]}, f[5], f[5]))
	if err != nil {
		t.Fatal(err)
	}
	if want.Triangles, want.Doubles = 15, 3; r != want || !r.Watertight {
		t.Errorf("the report is %+v, want %+v", r, want)
	}
	_, triangles, _ := Triangles(m)
	if _, alone, _ := Triangles(once); !slices.Equal(triangles, alone) {
		t.Errorf("the triangles are %v, want %v", triangles, alone)
	}
}

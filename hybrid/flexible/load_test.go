package flexible

import (
	"math"
	"slices"
	"testing"

	"lbmib/geometry"
	"lbmib/ib/elastic/ring"
	"lbmib/internal/parallel"
)

// TestOutermostPointsAreThoseOfBothEnds: of a symmetric mesh as many, mirrored, and none nearer to the middle than another.
func TestOutermostPointsAreThoseOfBothEnds(t *testing.T) {
	at := geometry.Vec{20, 30, 40}
	c := cell(t, membrane(t, 4), at, upright)
	for axis := range 3 {
		for _, part := range []float64{1e-9, 0.05, 0.2, 1} {
			upper, lower := c.Outermost(axis, true, part), c.Outermost(axis, false, part)
			if len(upper) != len(lower) || float64(len(upper)) < math.Round(part*92) || len(upper) < 1 {
				t.Fatalf("axis %d: a part of %g are %d vertices above and %d below, of 92", axis, part, len(upper), len(lower))
			}
			least := math.Inf(1)
			for _, v := range upper {
				least = math.Min(least, c.Points()[v][axis]-at[axis])
			}
			for v, x := range c.Points() {
				for end, of := range [][]int{upper, lower} {
					height := x[axis] - at[axis]
					if end == 1 {
						height = -height
					}
					if out := height > least-level; out != slices.Contains(of, v) {
						t.Fatalf("axis %d, part %g, end %d: vertex %d is %g out and in: %t, the last of them %g", axis, part, end, v, height, !out, least)
					}
				}
			}
		}
	}
}

// TestLoadsAreAddedToTheForcesOfMembranes: of surfaces and rings, on their points alone, in steps of a cosine, on any number of workers.
func TestLoadsAreAddedToTheForcesOfMembranes(t *testing.T) {
	var outline []geometry.Vec
	for k := range 20 {
		s, c := math.Sincos(2 * math.Pi * float64(k) / 20)
		outline = append(outline, geometry.Vec{3 * c, 3 * s})
	}
	r, err := ring.New(outline, ring.Material{Law: "hooke", Shear: 1})
	if err != nil {
		t.Fatal(err)
	}
	made := func() []*Cell {
		c, err := NewRing("ring", r, geometry.Vec{9, 9}, upright)
		if err != nil {
			t.Fatal(err)
		}
		return []*Cell{cell(t, membrane(t, 4), geometry.Vec{9, 9, 9}, geometry.Mat{{1.2}, {0, 1}, {0, 0, 1}}), c}
	}
	plain, loaded := made(), made()
	const steps = 10.
	for _, c := range loaded {
		c.Loads = []Load{{Points: []int{3, 5}, Each: geometry.Vec{1, 2}, Ramp: steps}, {Points: []int{5}, Each: geometry.Vec{0, 0.5}}}
	}
	pool := parallel.NewPool(2)
	defer pool.Close()
	bare, with := NewSystem(plain, parallel.Loops{}), NewSystem(loaded, parallel.Loops{Pool: pool})
	for step, share := range map[int64]float64{0: 0, 5: 0.5, 9: (1 + math.Cos(math.Pi/steps)) / 2, 10: 1, 1000: 1} {
		if _, err := bare.Forces(step); err != nil {
			t.Fatal(err)
		}
		if _, err := with.Forces(step); err != nil {
			t.Fatal(err)
		}
		for i, c := range loaded {
			for k, f := range c.Force() {
				want := plain[i].Force()[k]
				if k == 3 || k == 5 {
					want = want.Add(geometry.Vec{share, 2 * share})
				}
				if k == 5 {
					want = want.Add(geometry.Vec{0, 0.5})
				}
				if f.Sub(want).Norm() > 1e-14 {
					t.Fatalf("step %d, cell %d, point %d: force %v, want %v", step, i, k, f, want)
				}
			}
		}
	}
}

package geometry

import (
	"math"
	"testing"
)

// tubeCorners is a tube along x, 2 long and of radius 1/2, whose seam is closed by the sine of
// 2π, which is not 0; with caps it is a drum.
func tubeCorners(caps bool) (corners []Vec) {
	const n = 24
	at := func(x float64, k int) Vec {
		s, c := math.Sincos(2 * math.Pi * float64(k) / n)
		return Vec{x, c / 2, s / 2}
	}
	for k := range n {
		a, b, c, d := at(0, k), at(2, k), at(2, k+1), at(0, k+1)
		corners = append(corners, a, b, c, a, c, d)
		if caps {
			corners = append(corners, Vec{0, 0, 0}, a, d, Vec{2, 0, 0}, c, b)
		}
	}
	return corners
}

func TestASeamThatDiffersByRoundingIsClosed(t *testing.T) {
	m, report, err := readSTL(stlText(tubeCorners(true)))
	if err != nil || !report.Watertight || report.OpenEdges != 0 || math.Abs(report.Volume-24*2*math.Sin(2*math.Pi/24)/8) > 1e-12 {
		t.Fatalf("%v, %+v", err, report)
	}
	if f := m.Frontal(); math.Abs(f-24*math.Sin(2*math.Pi/24)/8) > 1e-3 {
		t.Errorf("the shadow of the drum is %g", f)
	}
	// A gap that is one stays open: 1e-6 of the size.
	gap := tubeCorners(true)
	for k := range gap[:3] {
		gap[k][0] += 2e-6
	}
	if _, report, err := readSTL(stlText(gap)); err != nil || report.Watertight {
		t.Errorf("with a facet that is shifted: %v, %+v", err, report)
	}
}

func TestAFacetThinnerThanTheWeldingIsLeftOut(t *testing.T) {
	corners := boxCorners(Vec{0, 0, 0}, Vec{1, 1, 1})
	// The edge from a to b of the first facet, and a point beside a: a sliver on each side of it.
	a, b := corners[0], corners[1]
	c := a.Add(b.Sub(a).Cross(corners[2].Sub(a)).Scale(3e-9))
	points, triangles, _ := weld(append(corners, a, b, c, b, a, c))
	if len(points) != 8 || len(triangles) != 12 {
		t.Errorf("%d points and %d triangles, want those of the box", len(points), len(triangles))
	}
}

func TestAShapeThatAFlowDoesNotSeeHasTheAreaAroundIt(t *testing.T) {
	tube, _, err := readSTL(stlText(tubeCorners(false)))
	if err != nil {
		t.Fatal(err)
	}
	box := 1 * math.Cos(0) // 24 corners: ±1/2 along y and z
	if f := tube.Frontal(); math.Abs(f-box) > 1e-12 {
		t.Errorf("an open tube along x from a file has the frontal area %g, want that of the box around it, %g", f, box)
	}
	turned := tube.Rotated(Mat{{0, -1, 0}, {1, 0, 0}, {0, 0, 1}})
	if f := turned.Frontal(); math.Abs(f-2) > 1e-2 {
		t.Errorf("across the flow it has %g, want 2", f)
	}
}

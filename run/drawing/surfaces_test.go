package drawing

import (
	"math"
	"os"
	"path/filepath"
	"testing"

	"lbmib/io/vtkhdf"
)

// bodies are an octahedron of half diagonal 1 about (x, 0, 0) and a square sheet across x at 0.5 from the centre.
func bodies(x float64) *Elastics {
	return &Elastics{
		Points: [][3]float64{{x + 1}, {x - 1}, {x, 1}, {x, -1}, {x, 0, 1}, {x, 0, -1},
			{x + 0.5, -1, -1}, {x + 0.5, 1, -1}, {x + 0.5, -1, 1}, {x + 0.5, 1, 1}},
		Triangles: [][3]int{{0, 2, 4}, {2, 1, 4}, {1, 3, 4}, {3, 0, 4}, {2, 0, 5}, {1, 2, 5}, {3, 1, 5}, {0, 3, 5}, {6, 7, 9}, {6, 9, 8}},
		Arrays: []vtkhdf.Array{
			{Name: "body", Components: 1, Data: []float32{0, 0, 0, 0, 0, 0, 1, 1, 1, 1}},
			{Name: "tension", Components: 1, Data: make([]float32, 10)}},
	}
}

func TestSectionsOfSurfacesAreClosedLinesAndOpenOnesThereAndBack(t *testing.T) {
	const height = 0.25
	lines := bodies(0).Sections(Box{Low: [3]float64{-2, -2, -2}, High: [3]float64{2, 2, 2}}, height)
	if len(lines) != 2 {
		t.Fatalf("there are %d lines, want those of an octahedron and a sheet", len(lines))
	}
	for _, x := range lines[0] { // |x| + |y| + |z| = 1
		if r := math.Abs(x[0]) + math.Abs(x[1]) + height; math.Abs(r-1) > 1e-12 {
			t.Errorf("the octahedron's section has the point %v", x)
		}
	}
	if len(lines[0]) != 4 {
		t.Errorf("the octahedron's section has %d corners, want 4", len(lines[0]))
	}
	sheet := lines[1]
	if first, last := sheet[0], sheet[len(sheet)-1]; first != last || len(sheet) != 5 {
		t.Errorf("the sheet's section is %v, want three points there and back", sheet)
	}
}

func TestBodiesBeyondPeriodicFacesAreDrawnWhereTheyComeIn(t *testing.T) {
	box := Box{Low: [3]float64{0, -2, -2}, High: [3]float64{4, 2, 2}, Periodic: [3]bool{true, false, false}}
	lines := bodies(3.75).Sections(box, 0.25) // the octahedron reaches over the face at 4, the sheet is beyond it
	if len(lines) != 3 {
		t.Errorf("there are %d lines, want the octahedron twice and the sheet once", len(lines))
	}
	path := filepath.Join(t.TempDir(), SurfacesPicture)
	if drawn, err := bodies(400.75).Scene(path, "far away", box, nil, 0); err != nil || !drawn {
		t.Fatalf("drawn %v: %v", drawn, err)
	}
	if _, err := os.Stat(path); err != nil {
		t.Error(err)
	}
	if drawn, err := new(Elastics).Scene(path, "nothing", box, nil, 0); err != nil || drawn {
		t.Errorf("without bodies drawn is %v: %v", drawn, err)
	}
}

package run

import (
	"math"
	"os"
	"path/filepath"
	"testing"

	"lbmib/io/hdf5"
	"lbmib/io/vtkhdf"
	"lbmib/run/setup/setuptest"
)

// sheetCase is a flag in a fluid at rest in a box, which falls about its hinge.
const sheetCase = `[reference]
resolution = 8
velocity = 0.05
reynolds = 20
[domain]
lattice = "D3Q19"
size = [3.0, 2.0, 2.0]
gravity = [0.2, 0.0, -1.0]
initial = { type = "rest" }
[domain.boundary]
left = { type = "no-slip" }
right = { type = "no-slip" }
bottom = { type = "no-slip" }
top = { type = "no-slip" }
front = { type = "no-slip" }
back = { type = "no-slip" }
[[body]]
name = "flag"
shape = { type = "rectangle", center = [1.2, 1.0, 1.0], length = 1.2, width = 0.8 }
motion = { type = "elastic", law = "plate", mass = 2.0, stretching = 20.0, bending = 0.01, hold = { left = "hinged" } }
[run]
time = 1.0
[output]
forces = { every = 0.1 }
sheets = { every = 0.1 }
fields = { every = 1.0 }
`

// A sheet is where its shape is, its edges are held where they are drawn, and its nodes are the markers.
func TestASheetStandsWhereItsShapeIs(t *testing.T) {
	p := setuptest.Problem(t, sheetCase, "body.0.shape.angle=90", "body.0.shape.axis=[1,0,0]")
	b := p.Bodies[0]
	lo, hi := b.Shape.Bounds()
	for k, x := range b.Markers.X {
		for a := range x {
			if x[a] < lo[a]-1e-9 || x[a] > hi[a]+1e-9 {
				t.Fatalf("marker %d at %v is outside the shape, %v to %v", k, x, lo, hi)
			}
		}
	}
	if n := b.Markers.Len(); n != 9*6 { // 9.6 and 6.4 nodes, 1.2 apart
		t.Errorf("%d markers, want 54", n)
	}
	area := 0.
	for _, w := range b.Markers.Area {
		area += w
	}
	if math.Abs(area-9.6*6.4) > 1e-9 {
		t.Errorf("markers stand for %g nodes², want %g", area, 9.6*6.4)
	}
}

// What a sheet does is written, drawn and told; with the fluid it falls by less than without.
func TestARunWithASheet(t *testing.T) {
	if testing.Short() {
		t.Skip("physics of code that other tests take through the race detector")
	}
	whole := t.TempDir()
	s, err := Run(t.Context(), setuptest.Load(t, sheetCase), Options{Out: whole})
	if err != nil {
		t.Fatal(err)
	}
	flag, known := s.Sheets["flag"]
	if z := float64(flag.Tip[2]); !known || !(z < 0.98 && z > 0.25) { // freely it falls by ¾ g t² at first
		t.Errorf("the flag's tip is at %v", flag.Tip)
	}
	table := filepath.Join(whole, "sheets.csv")
	for _, c := range []struct {
		column string
		want   float64
	}{{"left_bottom_x", 0.6}, {"left_bottom_y", 0.6}, {"left_top_y", 1.4}, {"left_top_z", 1}} {
		for _, x := range columnOf(t, table, c.column) {
			if math.Abs(x-c.want) > 1e-12 {
				t.Errorf("%s is %g, but the edge is held at %g", c.column, x, c.want)
			}
		}
	}
	if _, err := os.Stat(filepath.Join(whole, "plots", "sheets.png")); err != nil {
		t.Error(err)
	}
	entries, err := vtkhdf.ReadSeries(filepath.Join(whole, "cells.vtkhdf.series"))
	if err != nil || len(entries) != 1 {
		t.Fatalf("%v: %v", entries, err)
	}
	f, err := hdf5.Open(filepath.Join(whole, entries[0].Name))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if err := hdf5.ReadDataset(f, "VTKHDF/Points", make([]float64, 3*54)); err != nil {
		t.Error(err)
	}
}

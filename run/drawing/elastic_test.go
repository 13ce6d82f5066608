package drawing

import (
	"math"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"lbmib/io/table"
)

// No line joins two cells that were in the fluid one after the other under one name: cell-1 leaves after t = 2, another enters before t = 4 and a third follows that one
// between two rows; cell-2 enters late and stays; cell-3 is away at t = 2 and comes again with the number that it had.
func TestALineEndsWithItsCell(t *testing.T) {
	const rows = `t,step,body,x,deformation,number
0,0,cell-1,0.1,0,0
0,0,cell-3,0.1,0,0
1,1,cell-1,0.5,1,0
1,1,cell-3,0.2,1,0
2,2,cell-1,0.9,2,0
2,2,cell-2,0.1,7,1
3,3,cell-2,0.2,8,1
3,3,cell-3,0.3,3,0
4,4,cell-1,0.2,10,2
4,4,cell-2,0.3,9,1
4,4,cell-3,0.4,4,0
5,5,cell-1,0.1,20,3
5,5,cell-2,0.4,9,1
5,5,cell-3,0.5,5,0
`
	path := filepath.Join(t.TempDir(), "cells.csv")
	if err := os.WriteFile(path, []byte(rows), 0o666); err != nil {
		t.Fatal(err)
	}
	cells, err := table.Read(path)
	if err != nil {
		t.Fatal(err)
	}
	e := &ElasticTables[0]
	all, err := e.histories(cells)
	if err != nil || len(all) != 2 {
		t.Fatalf("%d panels (%v), want those of deformation and x", len(all), err)
	}
	gap := math.NaN()
	want := map[string][2][]float64{
		"cell-1": {{0, 1, 2, 3, 4, 4.5, 5}, {0, 1, 2, gap, 10, gap, 20}},
		"cell-2": {{2, 3, 4, 5}, {7, 8, 9, 9}},
		"cell-3": {{0, 1, 2, 3, 4, 5}, {0, 1, gap, 3, 4, 5}},
	}
	same := func(a, b float64) bool { return a == b || math.IsNaN(a) && math.IsNaN(b) }
	for _, l := range all[0].Lines {
		if w := want[l.Name]; !slices.EqualFunc(l.X, w[0], same) || !slices.EqualFunc(l.Y, w[1], same) {
			t.Errorf("%s is drawn at %v as %v, want %v and %v", l.Name, l.X, l.Y, w[0], w[1])
		}
	}
	if l := all[1].Lines[0]; len(l.X) != 7 || !math.IsNaN(l.Y[3]) || l.Y[4] != 0.2 {
		t.Errorf("x of %s is drawn as %v", l.Name, l.Y)
	}
	if drawn, err := e.Draw(cells, filepath.Join(t.TempDir(), e.Picture), "cells"); !drawn || err != nil {
		t.Errorf("no picture: %v", err)
	}
}

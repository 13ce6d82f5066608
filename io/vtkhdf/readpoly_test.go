package vtkhdf

import (
	"errors"
	"io/fs"
	"path/filepath"
	"reflect"
	"testing"
)

func TestSurfacesAndLinesAreReadBack(t *testing.T) {
	path := filepath.Join(t.TempDir(), "poly.vtkhdf")
	for what, p := range map[string]*Poly{
		"both":    {Points: [][3]float64{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1.25}}, Triangles: [][3]int{{0, 1, 2}, {3, 2, 1}}, Lines: [][]int{{0, 3}, {1, 2, 3, 1}}},
		"lines":   {Points: [][3]float64{{0, 0, 0}, {1, 0, 0}}, Lines: [][]int{{1, 0}}},
		"nothing": {},
	} {
		body := make([]float32, len(p.Points))
		for i := range body {
			body[i] = float32(i) / 2
		}
		p.Arrays = []Array{{Name: "body", Components: 1, Data: body}}
		if err := WritePoly(path, p); err != nil {
			t.Fatal(err)
		}
		if got, err := ReadPoly(path, "body"); err != nil || !reflect.DeepEqual(got, p) {
			t.Errorf("%s: read %+v (%v), want %+v", what, got, err, p)
		}
	}
	if _, err := ReadPoly(path, "tension"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("an array that is not there: %v", err)
	}
	if _, err := ReadPoly(path + ".none"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a file that is not there: %v", err)
	}
}

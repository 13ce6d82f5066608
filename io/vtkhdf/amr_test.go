package vtkhdf

import (
	"errors"
	"io/fs"
	"math"
	"path/filepath"
	"strings"
	"testing"

	"lbmib/io/hdf5"
)

// ramp is linear in space, with arrays of one and three components.
func ramp(a *AMR) *AMR {
	for k := range a.Boxes {
		b := &a.Boxes[k]
		h := a.Spacing / float64(int(1)<<b.Level)
		n := b.cells()
		var s, v []float32
		for i := range n[0] * n[1] * n[2] {
			p := [3]int{i % n[0], i / n[0] % n[1], i / (n[0] * n[1])}
			x := [3]float64{}
			for axis := range x {
				if axis < 2 || !a.Planar {
					x[axis] = (float64(b.Lo[axis]+p[axis]) + 0.5) * h
				}
			}
			s = append(s, float32(x[0]+10*x[1]-3*x[2]))
			v = append(v, float32(x[0]), float32(2*x[1]), float32(x[2]-x[0]))
		}
		b.Arrays = []Array{{"s", 1, s}, {"v", 3, v}}
	}
	return a
}

// nestedGrids are three levels with two boxes on the finest, in the plane and in space.
func nestedGrids(planar bool) *AMR {
	a := &AMR{Origin: [3]float64{1, 2, 0}, Spacing: 0.5, Planar: planar, Boxes: []AMRBox{
		{0, [3]int{}, [3]int{16, 12, 8}, nil}, {1, [3]int{4, 4, 4}, [3]int{16, 16, 12}, nil},
		{2, [3]int{12, 12, 12}, [3]int{20, 28, 20}, nil}, {2, [3]int{24, 12, 12}, [3]int{28, 28, 20}, nil}}}
	for k := range a.Boxes {
		if planar {
			a.Boxes[k].Lo[2], a.Boxes[k].Hi[2] = 0, 1
		}
	}
	return ramp(a)
}

// What is linear on nested grids is the same when it is resampled on the finest.
func TestNestedGridsAreResampled(t *testing.T) {
	for planar, size := range map[bool][3]int{true: {64, 48, 1}, false: {64, 48, 32}} {
		path := filepath.Join(t.TempDir(), "a.vtkhdf")
		if err := WriteAMR(path, nestedGrids(planar)); err != nil {
			t.Fatal(err)
		}
		if got, err := FieldSize(path, "v", planar); err != nil || got != size {
			t.Errorf("size %v, %v, want %v", got, err, size)
		}
		one := ramp(&AMR{Spacing: 0.125, Planar: planar, Boxes: []AMRBox{{Hi: size}}})
		for i, components := range []int{1, 3} {
			name := []string{"s", "v"}[i]
			if err := CheckField(path, name, size, components); err != nil {
				t.Error(err)
			}
			got, err := ReadField(path, name, size, components)
			if err != nil {
				t.Fatal(err)
			}
			for k, want := range one.Boxes[0].Arrays[i].Data.([]float32) {
				if math.Abs(float64(got[k]-want)) > 1e-5 { // of values to 70, in single precision
					t.Fatalf("planar %t: %s is %v at %d, want %v", planar, name, got[k], k, want)
				}
			}
		}
		for says, check := range map[string]func() error{
			"the domain has [32 24 1]":              func() error { return CheckField(path, "s", [3]int{32, 24, 1}, 1) },
			`array "s" of level 0 has the shape`:    func() error { return CheckField(path, "s", size, 3) },
			"among output.fields.quantities":        func() error { return CheckField(path, "w", size, 1) },
			"take a file of the same domain and re": func() error { return CheckField(path, "s", [3]int{size[0], size[1], size[2] + 4}, 1) },
		} {
			if err := check(); err == nil || !strings.Contains(err.Error(), says) || !strings.Contains(err.Error(), path) {
				t.Errorf("planar %t: %q is not in %v", planar, says, err)
			}
		}
		if err := CheckField(path, "w", size, 1); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("a missing array: %v", err)
		}
	}
}

func TestNestedGridsThatCannotBeAreRefused(t *testing.T) {
	if err := hdf5.Load(); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "a.vtkhdf")
	for says, change := range map[string]func(a *AMR){
		"box 1 is of level 2 after one of level 0":    func(a *AMR) { a.Boxes[1].Level = 2 },
		"box 2 is of level 0 after one of level 1":    func(a *AMR) { a.Boxes[2].Level = 0 },
		"box 1, cells [4 16 0] … [16 16 1], is impos": func(a *AMR) { a.Boxes[1].Lo[1] = 16 },
		"box 3 has other arrays than box 0":           func(a *AMR) { a.Boxes[3].Arrays = a.Boxes[3].Arrays[:1] },
		`array "s" has 128 numbers`:                   func(a *AMR) { a.Boxes[2].Hi[0]++ },
		"spacing 0 is impossible":                     func(a *AMR) { a.Spacing = 0 },
		"origin NaN along y":                          func(a *AMR) { a.Origin[1] = math.NaN() },
		"there is no box":                             func(a *AMR) { a.Boxes = nil },
	} {
		a := nestedGrids(true)
		change(a)
		if err := WriteAMR(path, a); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%q is not in %v", says, err)
		}
	}
	if found, _ := filepath.Glob(path + "*"); found != nil {
		t.Errorf("what is refused leaves %v", found)
	}
}

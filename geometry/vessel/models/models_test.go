package models

import (
	"bytes"
	"encoding/binary"
	"math"
	"os"
	"testing"

	"lbmib/geometry"
	"lbmib/geometry/vessel"
)

func must(t *testing.T) func(m *Model, err error) *Model {
	return func(m *Model, err error) *Model {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return m
	}
}

// Every model is a vessel between its ports, whole on a lattice of twenty nodes a diameter.
func TestModelsAreVessels(t *testing.T) {
	for name, c := range map[string]struct {
		model           *Model
		ports           int
		least, thickest float64
	}{
		"tube":     {Tube(geometry.Vec{0.6, 0, 0.8}, 5, 48), 2, 1, 1},
		"bend":     {Bend(2, 48), 2, 1, 1},
		"stenosis": {must(t)(Stenosis()), 3, 0.339, 1},
		"coronary": {must(t)(Coronary()), 5, 0.486, 1},
	} {
		t.Run(name, func(t *testing.T) {
			v, err := vessel.New(c.model.Points, c.model.Triangles, c.model.Ports, 0.05)
			if err != nil {
				t.Fatal(err)
			}
			lo, hi := v.Bounds()
			var size [3]int
			for a := range 3 {
				size[a] = int((hi[a]-lo[a])/0.05) + 6
			}
			f, err := v.Fill(lo.Sub(geometry.Vec{0.12, 0.12, 0.12}), size)
			if err != nil {
				t.Fatal(err)
			}
			least, most := v.Thickness()
			t.Logf("%d triangles, volume %.4g, %d nodes, thickness %.3g to %.3g", len(c.model.Triangles), v.Volume(), f.Nodes, least, most)
			if f.Pockets != 0 || v.Cracks != 0 || len(v.Sections) != c.ports {
				t.Errorf("%d pockets, %d cracks, %d ports", f.Pockets, v.Cracks, len(v.Sections))
			}
			if math.Abs(float64(f.Nodes)*0.05*0.05*0.05/v.Volume()-1) > 0.02 {
				t.Errorf("%d nodes make the volume %.4g, it is %.4g", f.Nodes, float64(f.Nodes)*0.05*0.05*0.05, v.Volume())
			}
			if math.Abs(least/c.least-1) > 0.1 || math.Abs(most/c.thickest-1) > 0.1 {
				t.Errorf("thickness %.3g to %.3g, want %.3g to %.3g to a tenth, which coarse triangles lack", least, most, c.least, c.thickest)
			}
		})
	}
}

// The files beside the cases are what the rules make.
func TestFilesAreThoseOfTheModels(t *testing.T) {
	for name, of := range Cases {
		m := must(t)(of())
		var made bytes.Buffer
		if err := geometry.WriteSTL(&made, "", m.Points, m.Triangles); err != nil {
			t.Fatal(err)
		}
		file, err := os.ReadFile("../../../cases/" + name + ".stl")
		if err != nil {
			t.Fatal(err)
		}
		if len(file) > 300_000 {
			t.Errorf("%s has %d bytes", name, len(file))
		}
		got, want := corners(t, made.Bytes()), corners(t, file)
		if len(got) != len(want) {
			t.Errorf("%s: %d triangles, the file has %d: go generate ./geometry/vessel/make", name, len(got), len(want))
			continue
		}
		for k := range got {
			for i := range got[k] {
				if got[k][i].Sub(want[k][i]).Norm() > 1e-5 { // what other orders of rounding leave
					t.Fatalf("%s: triangle %d is %v, in the file %v: go generate ./geometry/vessel/make", name, k, got[k], want[k])
				}
			}
		}
	}
}

// corners are those of a binary file's triangles.
func corners(t *testing.T, data []byte) (all [][3]geometry.Vec) {
	t.Helper()
	for at := 84; at < len(data); at += 50 {
		var c [3]geometry.Vec
		for i := range 9 {
			c[i/3][i%3] = float64(math.Float32frombits(binary.LittleEndian.Uint32(data[at+12+4*i:])))
		}
		all = append(all, c)
	}
	return all
}

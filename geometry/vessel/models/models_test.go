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
		"bend":     {Arc(2, math.Pi/2, 2, 2, 48), 2, 1, 1},
		"fork":     {must(t)(Fork(2, 0.8, 12, 0.1)), 3, 0.697, 1},
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

// Links are cut where a search through all triangles finds it: the first triangle that the way from the node meets.
func TestLinksAgreeWithASearch(t *testing.T) {
	m := must(t)(Coronary())
	const spacing = 0.11
	v, err := vessel.New(m.Points, m.Triangles, m.Ports, spacing)
	if err != nil {
		t.Fatal(err)
	}
	lo, hi := v.Bounds()
	var size [3]int
	for a := range 3 {
		size[a] = int((hi[a]-lo[a])/spacing) + 6
	}
	origin := lo.Sub(geometry.Vec{2.2 * spacing, 2.3 * spacing, 2.4 * spacing})
	f, err := v.Fill(origin, size)
	if err != nil {
		t.Fatal(err)
	}
	var directions [][3]int
	for i := range 27 {
		if c := [3]int{i%3 - 1, i/3%3 - 1, i/9 - 1}; c[0]*c[0]+c[1]*c[1]+c[2]*c[2] <= 2 {
			directions = append(directions, c)
		}
	}
	links := f.Links(directions)
	points, triangles := v.Wall()
	looked, worst := 0, 0.
	for k := 0; k < len(links.Cut); k += 17 {
		cut := links.Cut[k]
		if cut.Port >= 0 {
			continue
		}
		c := directions[cut.I]
		n := [3]int64{cut.Node % int64(size[0]), cut.Node / int64(size[0]) % int64(size[1]), cut.Node / int64(size[0]) / int64(size[1])}
		var p, d geometry.Vec
		for a := range 3 {
			p[a], d[a] = origin[a]+spacing*float64(n[a]), -spacing*float64(c[a])
		}
		first := 2.
		for _, tri := range triangles {
			if s, hit := meets(p, d, points[tri[0]], points[tri[1]], points[tri[2]]); hit && s < first {
				first = s
			}
		}
		if looked++; first > 1 && cut.Q == 1 { // to a node that was left out
			continue
		}
		worst = max(worst, math.Abs(first-float64(cut.Q)))
		if math.Abs(first-float64(cut.Q)) > 1e-5 {
			t.Fatalf("link %+v along %v: a search finds the wall at %v", cut, c, first)
		}
	}
	t.Logf("%d of %d links, largest difference %.2g; %d nodes left out, %d links guessed", looked, len(links.Cut), worst, links.Thin, links.Guessed)
}

// meets is where the way p + s d meets a triangle (Möller & Trumbore), to rounding beyond its sides.
func meets(p, d, a, b, c geometry.Vec) (s float64, hit bool) {
	e, f := b.Sub(a), c.Sub(a)
	h := d.Cross(f)
	det := e.Dot(h)
	if det == 0 {
		return 0, false
	}
	o := p.Sub(a)
	q := o.Cross(e)
	u, w := o.Dot(h)/det, d.Dot(q)/det
	s = f.Dot(q) / det
	const slack = 1e-9
	return s, u >= -slack && w >= -slack && u+w <= 1+slack && s > 0
}

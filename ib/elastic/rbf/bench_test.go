package rbf

import (
	"fmt"
	"testing"

	"lbmib/geometry"
)

// Time per cell of forces, eight cells together, on one core.
func BenchmarkForces(b *testing.B) {
	for _, c := range []struct {
		kind          string
		data, samples int
	}{{"sphere", 625, 880}, {"red cell", 864, 8832}} {
		for _, law := range []struct {
			name     string
			material Material
		}{
			{"strain", Material{Shear: 1, Area: 100}},
			{"bending", Material{Shear: 1, Area: 100, Bending: 1, CurvedReference: true}},
			{"viscosity", Material{Shear: 1, Area: 100, Bending: 1, CurvedReference: true, ShearViscosity: 1, AreaViscosity: 1}},
		} {
			for _, cells := range []int{1, 8} {
				b.Run(fmt.Sprintf("%s/%s/%d", c.kind, law.name, cells), func(b *testing.B) {
					s := surface(b, c.kind, c.data, c.samples)
					m, err := NewMembrane(s, law.material)
					if err != nil {
						b.Fatal(err)
					}
					x, u := make([]geometry.Vec, cells*c.data), make([]geometry.Vec, cells*c.data)
					y, f := make([]geometry.Vec, cells*c.samples), make([]geometry.Vec, cells*c.samples)
					for i := range cells {
						s.Place(x[i*c.data:(i+1)*c.data], geometry.Vec{}, geometry.Identity())
					}
					for i, p := range x {
						x[i], u[i] = bent(p.Scale(0.1)), flow(p)
					}
					scratch := m.NewScratch(cells)
					for b.Loop() {
						m.Forces(scratch, x, u, y, f)
					}
					b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(b.N*cells), "µs/cell")
				})
			}
		}
	}
}

package elastic

import (
	"fmt"
	"testing"
)

// One block of red cells of 642 vertices, of eight and of one; the number reported is for one cell.
func BenchmarkForces(b *testing.B) {
	for _, c := range []struct {
		name string
		m    Material
	}{
		{"skalak", Material{Shear: 1, Area: 10}},
		{"skalak+juelicher+penalties", Material{Shear: 1, Area: 10, Bending: 0.01, AreaPenalty: 1, VolumePenalty: 1}},
		{"skalak+juelicher+penalties+viscosity", Material{Shear: 1, Area: 10, Bending: 0.01, AreaPenalty: 1, VolumePenalty: 1, ShearViscosity: 1}},
		{"neo-hookean+dihedral+penalties", Material{Shear: 1, Law: "neo-hookean", Bending: 0.01, BendingModel: "dihedral", AreaPenalty: 1, VolumePenalty: 1}},
		{"skalak+cotangent+penalties", Material{Shear: 1, Area: 10, Bending: 0.01, BendingModel: "cotangent", AreaPenalty: 1, VolumePenalty: 1}},
	} {
		for _, kernel := range KernelNames() {
			for _, used := range []int{Lanes, 1} {
				b.Run(fmt.Sprintf("%s/%s/%d", c.name, kernel, used), func(b *testing.B) {
					m := withKernel(b, newMembrane(b, redCell(8), c.m), kernel)
					s, x, f := m.NewScratch(), m.mesh.block(), make([]float64, m.mesh.BlockLen())
					b.ReportAllocs()
					for b.Loop() {
						m.Forces(s, x, x, f, used)
					}
					b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(b.N)/float64(used), "µs/cell")
				})
			}
		}
	}
}

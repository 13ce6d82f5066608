package elastic

import "testing"

// One block of eight red cells of 642 vertices; the number reported is for one cell.
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
		b.Run(c.name, func(b *testing.B) {
			m := newMembrane(b, redCell(8), c.m)
			s, x, f := m.NewScratch(), m.mesh.block(), make([]float64, m.mesh.BlockLen())
			b.ReportAllocs()
			for b.Loop() {
				m.Forces(s, x, x, f)
			}
			b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(b.N)/Lanes, "µs/cell")
		})
	}
}

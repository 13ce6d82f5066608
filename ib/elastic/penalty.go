package elastic

// penalties stores the isotropic tension and the pressure of the energies
// ½ k_A (A−A0)²/A0 and ½ k_V (V−V0)²/V0 of the whole surface: ∂E/∂A = k_A (A−A0)/A0,
// and −∂E/∂V ∂V/∂X_i = −k_V (V−V0)/V0 Σ N/6 over the triangles of vertex i.
func (m *Membrane) penalties(s *Scratch) {
	b := &s.block
	for l := range Lanes {
		b.Around[l] = m.material.AreaPenalty * (b.Area[l] - m.area) / m.area
		b.Across[l] = -m.material.VolumePenalty * (b.Volume[l] - m.volume) / (6 * m.volume)
		b.Thrice[l] = 3 * b.Across[l]
	}
}

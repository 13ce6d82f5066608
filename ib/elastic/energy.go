package elastic

// Energy is the elastic energy of a cell by part, in the unit of Material.Bending.
type Energy struct {
	Membrane float64 // of the law, over the surface free of stress
	Bending  float64
	Area     float64 // ½ k_A (A−A0)²/A0
	Volume   float64 // ½ k_V (V−V0)²/V0
}

// Total is the sum of all parts.
func (e Energy) Total() float64 { return e.Membrane + e.Bending + e.Area + e.Volume }

// Energies are those of the cells of a block at x.
func (m *Membrane) Energies(s *Scratch, x []float64) (e [Lanes]Energy) {
	m.mesh.mustBlock(x)
	s.block.Used = Lanes
	m.surface(s, x)
	for l := range Lanes {
		a, v := s.block.Area[l]-m.area, s.block.Volume[l]-m.volume
		e[l].Area = 0.5 * m.material.AreaPenalty * a * a / m.area
		e[l].Volume = 0.5 * m.material.VolumePenalty * v * v / m.volume
	}
	c := &s.chunk
	for c.first = 0; c.first < len(m.triangles); c.first += chunkTriangles {
		m.gather(s, x)
		m.law.Energy(flat(&c.w1), flat(&c.i1), flat(&c.i2))
		for t := range min(chunkTriangles, len(m.mesh.triangles)-c.first) {
			for l := range Lanes {
				e[l].Membrane += c.w1[t][l] * m.triangles[c.first+t].Twice / 2
			}
		}
	}
	if m.bending != nil {
		for l, b := range m.bending.energy(m, s, x) {
			e[l].Bending = b
		}
	}
	return e
}

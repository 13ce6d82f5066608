package elastic

import "math"

// dihedral is the bending energy of springs at the edges (Kantor & Nelson, Phys. Rev. A
// 36 (1987) 4020):
//
//	E = k Σ_e (1 − cos(θ_e − θ0_e)),   k = 2κ/√3
//
// θ0 is the mesh's own angle (CurvedReference) or H0 l/√3, an angle of even triangles of
// that edge on a sphere of curvature H0. On even triangles E tends to
// (κ/2)∮(2H)² dA − (4κ/3)∮K dA (Seung & Nelson, Phys. Rev. A 38 (1988) 1005): 8πκ/3 of a
// sphere. Cheap and robust, but without a limit on other triangles: k depends on mesh
// and shape, no refinement makes local forces right, and meshes do not agree
// (Guckenberger et al., Comput. Phys. Commun. 207 (2016) 1; Bian, Litvinov &
// Koumoutsakos, Comput. Methods Appl. Mech. Eng. 359 (2020) 112758). For comparison with
// papers that use it.
type dihedral struct {
	k        float64
	sin, cos []float64 // of θ0
}

func newDihedral(m *Membrane) bending {
	d := &dihedral{k: 2 / math.Sqrt(3) * m.material.Bending}
	s, x := m.NewScratch(), m.mesh.block()
	m.surface(s, x)
	var theta, length, inverse lanes
	for e := range m.hinges {
		m.hinges[e].bend(s, x, &theta, &length, &inverse)
		free := m.material.Curvature * length[0] / math.Sqrt(3)
		if m.material.CurvedReference {
			free = theta[0]
		}
		sin, cos := math.Sincos(free)
		d.sin, d.cos = append(d.sin, sin), append(d.cos, cos)
	}
	return d
}

// prepare keeps ∂E/∂θ/l = k sin(θ−θ0)/l of every edge.
func (d *dihedral) prepare(m *Membrane, s *Scratch, x, _ []float64) {
	var theta, length, inverse lanes
	for e := range m.hinges {
		m.hinges[e].bend(s, x, &theta, &length, &inverse)
		at := row(s.edge, int32(Lanes*e))
		for l := range Lanes {
			sin, cos := math.Sincos(theta[l])
			at[l] = d.k * (sin*d.cos[e] - cos*d.sin[e]) * inverse[l]
		}
	}
}

func (d *dihedral) room(*Membrane) int { return 0 }

func (d *dihedral) add(m *Membrane, s *Scratch) {
	c := &s.chunk
	sides := (*[chunkTriangles][3]int32)(m.sides[c.first:])
	for t := range chunkTriangles {
		e := &sides[t]
		c0, c1, c2 := row(s.edge, Lanes*e[0]), row(s.edge, Lanes*e[1]), row(s.edge, Lanes*e[2])
		i := row(s.inverse, int32(Lanes*(c.first+t)))
		for l := range Lanes {
			b1, b2 := flex(c.g11[t][l], c.g12[t][l], c.g22[t][l], i[l], c0[l], c1[l], c2[l])
			c.b1[t][l] += b1
			c.b2[t][l] += b2
		}
	}
}

func (d *dihedral) energy(m *Membrane, s *Scratch, x []float64) (sum lanes) {
	var theta, length, inverse lanes
	for e := range m.hinges {
		m.hinges[e].bend(s, x, &theta, &length, &inverse)
		for l := range Lanes {
			sin, cos := math.Sincos(theta[l])
			// 1 − cos would lose half the digits of small angles.
			half := sin*d.cos[e] - cos*d.sin[e]
			if turn := cos*d.cos[e] + sin*d.sin[e]; turn > 0 {
				sum[l] += d.k * half * half / (1 + turn)
			} else {
				sum[l] += d.k * (1 - turn)
			}
		}
	}
	return sum
}

package elastic

import (
	"math"

	"lbmib/ib/elastic/internal/simd"
	"lbmib/ib/elastic/internal/simd/layout"
)

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
type dihedral struct{ k float64 } // sines and cosines of θ0 are the hinges'

func newDihedral(m *Membrane) bending {
	d := dihedral{2 / math.Sqrt(3) * m.material.Bending}
	s, x := m.NewScratch(), m.mesh.block()
	m.surface(s, x)
	var t turn
	for e := range m.hinges {
		h := &m.hinges[e]
		s.turn(h, x, &t)
		h.Sin, h.Cos = math.Sincos(m.material.Curvature * t.length[0] / math.Sqrt(3))
		if m.material.CurvedReference {
			h.Sin, h.Cos = t.sin[0], t.cos[0]
		}
	}
	return d
}

// prepare keeps ∂E/∂θ/l = k sin(θ−θ0)/l of every edge.
func (d dihedral) prepare(m *Membrane, s *Scratch, x, _ []float64) {
	if m.kernels != nil {
		s.block.Count = len(m.hinges)
		m.kernels.DihedralEdges(&s.block)
		return
	}
	var t turn
	for e := range m.hinges {
		h := &m.hinges[e]
		s.turn(h, x, &t)
		at := row(s.edge, int32(Lanes*e))
		for l := range Lanes {
			at[l] = d.k * (t.sin[l]*h.Cos - t.cos[l]*h.Sin) * t.inverse[l]
		}
	}
}

func (d dihedral) room(*Membrane) int { return 0 }

func (d dihedral) fused() (simd.Bending, float64) { return simd.Dihedral, d.k }

func (d dihedral) add(m *Membrane, s *Scratch) {
	c := &s.chunk
	triangles := (*[chunkTriangles]layout.Triangle)(m.triangles[c.first:])
	for t := range chunkTriangles {
		e := &triangles[t].Side
		c0, c1, c2 := row(s.edge, e[0]), row(s.edge, e[1]), row(s.edge, e[2])
		i := row(s.facet, int32(facetLen*(c.first+t)+3*Lanes))
		for l := range Lanes {
			b1, b2 := flex(c.g11[t][l], c.g12[t][l], c.g22[t][l], i[l], c0[l], c1[l], c2[l])
			c.b1[t][l] += b1
			c.b2[t][l] += b2
		}
	}
}

func (d dihedral) energy(m *Membrane, s *Scratch, x []float64) (sum lanes) {
	var t turn
	for e := range m.hinges {
		h := &m.hinges[e]
		s.turn(h, x, &t)
		for l := range Lanes {
			// 1 − cos would lose half the digits of small angles.
			sin, cos := t.sin[l]*h.Cos-t.cos[l]*h.Sin, t.cos[l]*h.Cos+t.sin[l]*h.Sin
			if cos > 0 {
				sum[l] += d.k * sin * sin / (1 + cos)
			} else {
				sum[l] += d.k * (1 - cos)
			}
		}
	}
	return sum
}

package elastic

import (
	"lbmib/ib/elastic/internal/simd"
	"lbmib/ib/elastic/internal/simd/layout"
)

// juelicher is the bending energy of Jülicher, J. Phys. II 6 (1996) 1797:
//
//	H_i = Σ l_e θ_e/(4 A_i) over the edges at vertex i,   E = 2κ Σ_i (H_i − H0)² A_i
//
// with l_e an edge's length, θ_e the angle between the normals of its triangles and A_i
// a third of the area of the triangles around i. Its gradient is exact:
//
//	δE = Σ_e (c_a + c_b)(l_e δθ_e + θ_e δl_e) + Σ_i α_i δA_i
//	c_i = ∂E/∂(Σ lθ) = κ (H_i − H0),   α_i = ∂E/∂A_i = −2κ (H_i² − H0²)
//
// Energy, and what a smooth motion of the surface feels, converge with second order; the
// force on a single vertex does not, as with all known models: at vertices of five
// triangles it is off by O(1/h), against its neighbours', elsewhere by about a tenth
// (TestBendingOfASpheroid). It is the best of the usual ones on irregular meshes and for
// strong deformation (Guckenberger et al., Comput. Phys. Commun. 207 (2016) 1; Bian,
// Litvinov & Koumoutsakos, Comput. Methods Appl. Mech. Eng. 359 (2020) 112758).
type juelicher struct {
	kappa float64
	h0    []float64 // of vertices
}

func newJuelicher(m *Membrane) bending {
	b := &juelicher{m.material.Bending, make([]float64, len(m.mesh.points))}
	for v := range b.h0 {
		b.h0[v] = m.material.Curvature
	}
	if m.material.CurvedReference {
		s, x := m.NewScratch(), m.mesh.block()
		m.surface(s, x)
		b.edges(m, s, x)
		for v := range b.h0 {
			b.h0[v] = meanCurvature(s.vertex[vertexLen*v], s.vertex[vertexLen*v+Lanes])
		}
	}
	return b
}

func meanCurvature(area, sum float64) float64 { return 0.25 * sum / area }

// edges sums l θ at vertices and keeps θ/(2l).
func (b *juelicher) edges(m *Membrane, s *Scratch, x []float64) {
	if m.kernels != nil {
		s.block.Count = len(m.hinges)
		m.kernels.JuelicherEdges(&s.block)
		return
	}
	var t turn
	var theta lanes
	for e := range m.hinges {
		h := &m.hinges[e]
		s.turn(h, x, &t)
		t.angle(&theta)
		at, ma, mb := row(s.edge, int32(Lanes*e)), row(s.vertex, h.A+Lanes), row(s.vertex, h.B+Lanes)
		for l := range Lanes {
			at[l] = 0.5 * theta[l] * t.inverse[l]
			ma[l] += t.length[l] * theta[l]
			mb[l] += t.length[l] * theta[l]
		}
	}
}

// prepare leaves at every vertex α/3, then c.
func (b *juelicher) prepare(m *Membrane, s *Scratch, x, _ []float64) {
	b.edges(m, s, x)
	if m.kernels != nil {
		s.block.H0, s.block.Count = &b.h0[0], len(b.h0)
		m.kernels.JuelicherVertices(&s.block)
		return
	}
	for v, h0 := range b.h0 {
		area, sum := row(s.vertex, int32(vertexLen*v)), row(s.vertex, int32(vertexLen*v+Lanes))
		for l := range Lanes {
			h := meanCurvature(area[l], sum[l])
			area[l] = -2. / 3 * b.kappa * (h - h0) * (h + h0)
			sum[l] = b.kappa * (h - h0)
		}
	}
}

func (b *juelicher) room(*Membrane) int { return 0 }

func (b *juelicher) fused() (simd.Bending, float64) { return simd.Juelicher, b.kappa }

func (b *juelicher) add(m *Membrane, s *Scratch) {
	c := &s.chunk
	triangles := (*[chunkTriangles]layout.Triangle)(m.triangles[c.first:])
	for t := range chunkTriangles {
		o, e := &triangles[t].Corner, &triangles[t].Side
		v0, v1, v2 := vertexRows(s, o[0]), vertexRows(s, o[1]), vertexRows(s, o[2])
		y0, y1, y2 := row(s.edge, e[0]), row(s.edge, e[1]), row(s.edge, e[2])
		i := row(s.facet, int32(facetLen*(c.first+t)+3*Lanes))
		for l := range Lanes {
			k0, k1, k2 := v0[Lanes+l], v1[Lanes+l], v2[Lanes+l]
			c0, c1, c2 := k1+k2, k2+k0, k0+k1
			b1, b2 := flex(c.g11[t][l], c.g12[t][l], c.g22[t][l], i[l], c0, c1, c2)
			c.b1[t][l] += b1
			c.b2[t][l] += b2
			// Half of θ δl = θ/(2l) δl² of every side is this triangle's.
			r0, r1, r2 := c0*y0[l], c1*y1[l], c2*y2[l]
			c.s11[t][l] += r2 + r0
			c.s12[t][l] -= r0
			c.s22[t][l] += r1 + r0
			c.tension[t][l] += v0[l] + v1[l] + v2[l]
		}
	}
}

// vertexRows are the two numbers of all lanes of the vertex that begins at k in a block.
func vertexRows(s *Scratch, k int32) *[2 * Lanes]float64 {
	return (*[2 * Lanes]float64)(s.vertex[k:])
}

func (b *juelicher) energy(m *Membrane, s *Scratch, x []float64) (e lanes) {
	b.edges(m, s, x)
	for v, h0 := range b.h0 {
		for l := range Lanes {
			area := s.vertex[vertexLen*v+l]
			h := meanCurvature(area, s.vertex[vertexLen*v+Lanes+l])
			e[l] += 2 * b.kappa * (h - h0) * (h - h0) * area
		}
	}
	return e
}

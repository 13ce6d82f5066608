package elastic

import "lbmib/ib/elastic/internal/simd/layout"

// viscous adds the tension 2 μ_s (D − ½ tr D 1) + μ_d tr D 1 of a membrane of Kelvin and
// Voigt, D the surface's rate of strain: with d_ij = ½ dg_ij/dt its contravariant part
// is D^ij = g^ik d_kl g^lj, and s = A times the tension, A the area as deformed. It is
// −∂Φ/∂U of Φ = ½ Σ A (2 μ_s |dev D|² + μ_d (tr D)²), half the power that is lost.
func (m *Membrane) viscous(s *Scratch, u []float64) {
	c := &s.chunk
	triangles := (*[chunkTriangles]layout.Triangle)(m.triangles[c.first:])
	shear, area := m.material.ShearViscosity, m.material.AreaViscosity
	for t := range chunkTriangles {
		o := &triangles[t].Corner
		u0, u1, u2 := corner(u, o[0]), corner(u, o[1]), corner(u, o[2])
		i := row(s.facet, int32(facetLen*(c.first+t)+3*Lanes))
		for l := range Lanes {
			ax, ay, az := u1[l]-u0[l], u1[Lanes+l]-u0[Lanes+l], u1[2*Lanes+l]-u0[2*Lanes+l]
			bx, by, bz := u2[l]-u0[l], u2[Lanes+l]-u0[Lanes+l], u2[2*Lanes+l]-u0[2*Lanes+l]
			e1x, e1y, e1z := c.e1[0][t][l], c.e1[1][t][l], c.e1[2][t][l]
			e2x, e2y, e2z := c.e2[0][t][l], c.e2[1][t][l], c.e2[2][t][l]
			d11 := e1x*ax + e1y*ay + e1z*az
			d12 := 0.5 * (e1x*bx + e1y*by + e1z*bz + e2x*ax + e2y*ay + e2z*az)
			d22 := e2x*bx + e2y*by + e2z*bz
			// g⁻¹ = adj g/|N|², A = |N|/2.
			over := i[l] * i[l]
			h11, h12, h22 := over*c.g22[t][l], -over*c.g12[t][l], over*c.g11[t][l]
			trace := h11*d11 + 2*h12*d12 + h22*d22
			m11, m12 := h11*d11+h12*d12, h11*d12+h12*d22 // g⁻¹ d
			m21, m22 := h12*d11+h22*d12, h12*d12+h22*d22
			factor := shear / i[l] // 2 μ_s A
			c.s11[t][l] += factor * (m11*h11 + m12*h12)
			c.s12[t][l] += factor * (m11*h12 + m12*h22)
			c.s22[t][l] += factor * (m21*h12 + m22*h22)
			c.tension[t][l] += (area - shear) * trace
		}
	}
}

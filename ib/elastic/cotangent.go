package elastic

import "lbmib/ib/elastic/internal/simd"

// cotangent is the bending energy of Gompper & Kroll, J. Phys. I France 6 (1996) 1305,
// from the cotangent discretisation of the Laplacian of the positions:
//
//	K_i = Σ_j ½ (cot α + cot β)(x_i − x_j),  σ_i = Σ_j ⅛ (cot α + cot β)|x_i − x_j|²
//	E = (κ/2) Σ_i |K_i|²/σ_i
//
// α and β are the angles opposite the edge i–j, σ_i is the area of vertex i's Voronoi
// cell. Its gradient is exact. Energy and forces are good on even triangles; σ loses its
// meaning, and may pass through 0, where triangles are obtuse, and then the model
// becomes unstable (Guckenberger et al., Comput. Phys. Commun. 207 (2016) 1). It knows no
// spontaneous curvature: |K| has no sign.
type cotangent struct{ kappa float64 }

func newCotangent(m *Membrane) bending { return cotangent{m.material.Bending} }

// room is K of vertices, then p = κK/σ. The sum in Scratch.vertex is σ, then q = −κ|K|²/(2σ²).
func (cotangent) room(m *Membrane) int { return vertexLen * len(m.mesh.points) }

func (c cotangent) fused() (simd.Bending, float64) { return simd.NoBending, c.kappa }

func (cotangent) add(*Membrane, *Scratch) {}

// wedge is a triangle in a lane: its sides from the first corner, metric and cotangents.
type wedge struct {
	e1, e2        [3]float64
	g11, g12, g22 float64
	over          float64 // 1/|N|
	cot           [3]float64
}

func newWedge(p0, p1, p2 *[vertexLen]float64, over float64, l int) (w wedge) {
	for a := range 3 {
		w.e1[a], w.e2[a] = p1[a*Lanes+l]-p0[a*Lanes+l], p2[a*Lanes+l]-p0[a*Lanes+l]
		w.g11 += w.e1[a] * w.e1[a]
		w.g12 += w.e1[a] * w.e2[a]
		w.g22 += w.e2[a] * w.e2[a]
	}
	w.over = over
	w.cot = [3]float64{w.g12 * over, (w.g11 - w.g12) * over, (w.g22 - w.g12) * over}
	return w
}

// curvature stores K and σ.
func (cotangent) curvature(m *Membrane, s *Scratch, x []float64) {
	clear(s.own)
	if m.kernels != nil {
		s.block.Count = len(m.mesh.triangles)
		m.kernels.CotangentCurvature(&s.block)
		return
	}
	for k, t := range m.triangles[:len(m.mesh.triangles)] {
		o := &t.Corner
		p0, p1, p2 := corner(x, o[0]), corner(x, o[1]), corner(x, o[2])
		k0, k1, k2 := corner(s.own, o[0]), corner(s.own, o[1]), corner(s.own, o[2])
		v0, v1, v2 := vertexRows(s, o[0]), vertexRows(s, o[1]), vertexRows(s, o[2])
		for l := range Lanes {
			w := newWedge(p0, p1, p2, s.facet[facetLen*k+3*Lanes+l], l)
			for a := range 3 {
				q0, q1, q2 := 0.5*w.cot[0]*(w.e1[a]-w.e2[a]), 0.5*w.cot[1]*w.e2[a], 0.5*w.cot[2]*w.e1[a]
				k0[a*Lanes+l] -= q1 + q2
				k1[a*Lanes+l] += q0 + q2
				k2[a*Lanes+l] += q1 - q0
			}
			r0, r1, r2 := 0.125*w.cot[0]*(w.g11-2*w.g12+w.g22), 0.125*w.cot[1]*w.g22, 0.125*w.cot[2]*w.g11
			v0[Lanes+l] += r1 + r2
			v1[Lanes+l] += r0 + r2
			v2[Lanes+l] += r0 + r1
		}
	}
}

// prepare adds all forces: δE = Σ_i p_i·δK_i + q_i δσ_i, triangle by triangle.
func (b cotangent) prepare(m *Membrane, s *Scratch, x, f []float64) {
	b.curvature(m, s, x)
	if m.kernels != nil {
		s.block.Count = len(m.mesh.points)
		m.kernels.CotangentVertices(&s.block)
		s.block.Count = len(m.mesh.triangles)
		m.kernels.CotangentForces(&s.block)
		return
	}
	for v := range m.mesh.points {
		k, sigma := corner(s.own, int32(vertexLen*v)), row(s.vertex, int32(vertexLen*v+Lanes))
		for l := range Lanes {
			x, y, z := k[l], k[Lanes+l], k[2*Lanes+l]
			p := b.kappa / sigma[l]
			k[l], k[Lanes+l], k[2*Lanes+l] = p*x, p*y, p*z
			sigma[l] = -0.5 * p / sigma[l] * (x*x + y*y + z*z)
		}
	}
	for k, t := range m.triangles[:len(m.mesh.triangles)] {
		o := &t.Corner
		p0, p1, p2 := corner(x, o[0]), corner(x, o[1]), corner(x, o[2])
		f0, f1, f2 := corner(f, o[0]), corner(f, o[1]), corner(f, o[2])
		k0, k1, k2 := corner(s.own, o[0]), corner(s.own, o[1]), corner(s.own, o[2])
		v0, v1, v2 := vertexRows(s, o[0]), vertexRows(s, o[1]), vertexRows(s, o[2])
		for l := range Lanes {
			w := newWedge(p0, p1, p2, s.facet[facetLen*k+3*Lanes+l], l)
			g1, g2 := w.gradient(k0, k1, k2, v0[Lanes+l], v1[Lanes+l], v2[Lanes+l], l)
			for a := range 3 {
				f0[a*Lanes+l] += g1[a] + g2[a]
				f1[a*Lanes+l] -= g1[a]
				f2[a*Lanes+l] -= g2[a]
			}
		}
	}
}

// gradient is that of Σ_k cot_k A_k, A_k = ½ (p_i−p_j)·(x_i−x_j) + ⅛ |x_i−x_j|² (q_i+q_j),
// with respect to e1 and e2 at given p and q.
func (w *wedge) gradient(k0, k1, k2 *[vertexLen]float64, q0, q1, q2 float64, l int) (g1, g2 [3]float64) {
	a0 := 0.125 * (w.g11 - 2*w.g12 + w.g22) * (q1 + q2)
	a1, a2 := 0.125*w.g22*(q0+q2), 0.125*w.g11*(q0+q1)
	for a := range 3 {
		p0, p1, p2 := 0.5*k0[a*Lanes+l], 0.5*k1[a*Lanes+l], 0.5*k2[a*Lanes+l]
		a0 += (p1 - p2) * (w.e1[a] - w.e2[a])
		a1 -= (p0 - p2) * w.e2[a]
		a2 -= (p0 - p1) * w.e1[a]
		g1[a] = w.cot[0]*(p1-p2) - w.cot[2]*(p0-p1)
		g2[a] = -w.cot[0]*(p1-p2) - w.cot[1]*(p0-p2)
	}
	l0, l1, l2 := 0.125*w.cot[0]*(q1+q2), 0.125*w.cot[1]*(q0+q2), 0.125*w.cot[2]*(q0+q1)
	all := (w.cot[0]*a0 + w.cot[1]*a1 + w.cot[2]*a2) * w.over * w.over
	s11 := 2*(a1*w.over+l0+l2) - all*w.g22
	s22 := 2*(a2*w.over+l0+l1) - all*w.g11
	s12 := (a0-a1-a2)*w.over - 2*l0 + all*w.g12
	for a := range 3 {
		g1[a] += s11*w.e1[a] + s12*w.e2[a]
		g2[a] += s12*w.e1[a] + s22*w.e2[a]
	}
	return g1, g2
}

func (b cotangent) energy(m *Membrane, s *Scratch, x []float64) (e lanes) {
	b.curvature(m, s, x)
	for v := range m.mesh.points {
		k, sigma := corner(s.own, int32(vertexLen*v)), row(s.vertex, int32(vertexLen*v+Lanes))
		for l := range Lanes {
			e[l] += 0.5 * b.kappa * (k[l]*k[l] + k[Lanes+l]*k[Lanes+l] + k[2*Lanes+l]*k[2*Lanes+l]) / sigma[l]
		}
	}
	return e
}

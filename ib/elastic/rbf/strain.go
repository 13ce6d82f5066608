package rbf

// strain is the membrane's elastic force per area of the unit sphere. The energy
// ∫ W √G dω gives the density τ^ij = 2√G ∂W/∂g_ij = 2√G (W1 G^ij + W2 adj(g)^ij/det G)
// and the force ∇_j(τ^ij X_i), with ∇ that of the sphere.
func (m *Membrane) strain(r *reference, p *point, w *metric) vec {
	over := 1 / (r.area * r.area)
	adj := w.g.adj()
	w1, w11, w2, w22 := m.law.derivatives(r.inverse.dot(w.g)-2, w.q*over-1)
	both := r.inverse.times(w1).plus(w2*over, adj)
	var t [2]sym
	for k, dg := range w.along {
		di1 := r.inverse.dot(dg) + r.along[k].dot(w.g)
		di2 := over * (adj.dot(dg) - 2*w.q*r.growth[k])
		t[k] = r.inverse.times(w11*di1).plus(w1, r.along[k])
		t[k] = t[k].plus(over*(w22*di2-2*w2*r.growth[k]), adj).plus(w2*over, dg.adj()).plus(r.growth[k], both)
	}
	return p.divergence(both, t[0], t[1]).times(2 * r.area)
}

// energy is that of the law per area of the unit sphere.
func (m *Membrane) energy(r *reference, w *metric) float64 {
	return m.law.energy(r.inverse.dot(w.g)-2, w.q/(r.area*r.area)-1) * r.area
}

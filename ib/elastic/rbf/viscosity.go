package rbf

import "math"

// rate is D_ij, the surface's rate of strain ½ dg_ij/dt where it moves with the jet v,
// and its derivatives.
func (p *point) rate(v *point) (d sym, along [2]sym) {
	d = sym{p.x1.dot(v.x1), 0.5 * (p.x1.dot(v.x2) + p.x2.dot(v.x1)), p.x2.dot(v.x2)}
	// X_ij·U_k + U_ij·X_k
	c1 := sym{p.x11.dot(v.x1) + v.x11.dot(p.x1), p.x12.dot(v.x1) + v.x12.dot(p.x1), p.x22.dot(v.x1) + v.x22.dot(p.x1)}
	c2 := sym{p.x11.dot(v.x2) + v.x11.dot(p.x2), p.x12.dot(v.x2) + v.x12.dot(p.x2), p.x22.dot(v.x2) + v.x22.dot(p.x2)}
	along[0] = sym{c1.a, 0.5 * (c2.a + c1.b), c2.b}
	along[1] = sym{c1.b, 0.5 * (c2.b + c1.c), c2.c}
	return d, along
}

// drag is the viscous force per area of the unit sphere, of the tension
// 2 μ_s (D − ½ tr D 1) + μ_d tr D 1: with a = adj g and q = det g the density is
// τ = q^(−3/2) N, N = 2 μ_s a D a + (μ_d − μ_s)(a:D) a.
func (m *Membrane) drag(p *point, w *metric, v *point) vec {
	shear, area := 2*m.material.ShearViscosity, m.material.AreaViscosity-m.material.ShearViscosity
	d, along := p.rate(v)
	a := w.g.adj()
	trace := a.dot(d)
	n := d.between(a, a).times(shear).plus(area*trace, a)
	var t [2]sym
	for k := range t {
		da := w.along[k].adj()
		t[k] = along[k].between(a, a).times(shear).plus(2*shear, d.between(a, da))
		t[k] = t[k].plus(area*(da.dot(d)+a.dot(along[k])), a).plus(area*trace, da)
		t[k] = t[k].plus(-1.5*a.dot(w.along[k])/w.q, n)
	}
	return p.divergence(n, t[0], t[1]).times(1 / (w.q * math.Sqrt(w.q)))
}

// loss is the power lost per area of the unit sphere: √q (2 μ_s |dev D|² + μ_d (tr D)²).
func (m *Membrane) loss(p *point, w *metric, v *point) float64 {
	d, _ := p.rate(v)
	a := w.g.adj().times(1 / w.q)
	trace := a.dot(d)
	square := d.between(a, a).dot(d)
	return math.Sqrt(w.q) * (2*m.material.ShearViscosity*(square-trace*trace/2) + m.material.AreaViscosity*trace*trace)
}

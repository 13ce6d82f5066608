package rbf

import (
	"math"

	"lbmib/ib/elastic/rbf/internal/simd"
)

// flex is the bending force per area of the unit sphere. With D = H − H0 the energy
// 2κ∮D² dA of Canham and Helfrich gives, per area and along the outward normal,
//
//	2κ [Δ D + 2 D (2H² − K) − 2 H D²]
//
// (Zhong-can & Helfrich, Phys. Rev. A 39 (1989) 5280, for uniform H0) and, where H0 moves
// with the surface and varies on it, −4κ D ∇H0 along it. H, K and H0 are those in the
// site; the derivatives of D are those of an interpolant through its values at the data
// sites, function 3 of the block.
func (m *Membrane) flex(r *reference, p *point, w *metric, b *simd.Block, row int) vec {
	mean, gauss := p.curvatures(w)
	d := mean - r.h0
	d1, d2 := b[1][3][row], b[2][3][row]
	adj := w.g.adj().times(1 / w.q) // g^ij
	v1, v2 := adj.a*d1+adj.b*d2, adj.b*d1+adj.c*d2
	second := sym{b[3][3][row], b[4][3][row], b[5][3][row]}
	laplace := adj.dot(second.plus(-v1, w.c1).plus(-v2, w.c2))
	kappa := m.material.Bending
	f := w.n.times(2 * kappa * (laplace + 2*d*(2*mean*mean-gauss) - 2*mean*d*d))
	if m.material.CurvedReference {
		slide := -4 * kappa * d * math.Sqrt(w.q)
		f = f.plus(slide*(adj.a*r.dh0[0]+adj.b*r.dh0[1]), p.x1)
		f = f.plus(slide*(adj.b*r.dh0[0]+adj.c*r.dh0[1]), p.x2)
	}
	return f
}

// bend makes H − H0 at the data sites function 3 of a loaded cell.
func (m *Membrane) bend(s *Scratch, c int) {
	j := m.surface.toData
	for p := range j.panels {
		j.apply(p, s.cells[c].x, 3, &s.x)
		for g := range j.from.mirrors.order() {
			for row := range min(rows, len(j.to.base)-p*rows) {
				at := pointAt(&s.x[g], row)
				w := at.metric(handed(g))
				mean, _ := at.curvatures(&w)
				number := j.to.number[g][p*rows+row]
				s.excess[number] = mean - m.curvature[number]
			}
		}
	}
	m.surface.data.transform(s.cells[c].x, 3, s.excess)
}

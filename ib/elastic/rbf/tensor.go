package rbf

import (
	"math"

	"lbmib/geometry"
	"lbmib/ib/elastic/rbf/internal/simd"
)

// sym is a symmetric tensor of the surface by its components 11, 12, 22.
type sym [3]float64

// adj is the adjugate: det(a) a⁻¹.
func (a sym) adj() sym { return sym{a[2], -a[1], a[0]} }

// det is the determinant.
func (a sym) det() float64 { return a[0]*a[2] - a[1]*a[1] }

// dot is a_ij b_ij.
func (a sym) dot(b sym) float64 { return a[0]*b[0] + 2*a[1]*b[1] + a[2]*b[2] }

// plus is a + s b.
func (a sym) plus(s float64, b sym) sym { return sym{a[0] + s*b[0], a[1] + s*b[1], a[2] + s*b[2]} }

// times is s a.
func (a sym) times(s float64) sym { return sym{s * a[0], s * a[1], s * a[2]} }

// between is b a b, or, symmetrised, half of b a c + c a b.
func (a sym) between(b, c sym) sym {
	// b a, not symmetric
	m11, m12 := b[0]*a[0]+b[1]*a[1], b[0]*a[1]+b[1]*a[2]
	m21, m22 := b[1]*a[0]+b[2]*a[1], b[1]*a[1]+b[2]*a[2]
	return sym{m11*c[0] + m12*c[1], 0.5 * (m11*c[1] + m12*c[2] + m21*c[0] + m22*c[1]), m21*c[1] + m22*c[2]}
}

// point is the jet of positions in a site.
type point struct{ x, x1, x2, x11, x12, x22 geometry.Vec }

// pointAt takes the first three functions of a block in a row.
func pointAt(b *simd.Block, row int) (p point) {
	for a := range 3 {
		p.x[a], p.x1[a], p.x2[a] = b[0][a][row], b[1][a][row], b[2][a][row]
		p.x11[a], p.x12[a], p.x22[a] = b[3][a][row], b[4][a][row], b[5][a][row]
	}
	return p
}

// metric is what a point's jet tells of the surface there. Indices are those of the
// sphere's orthonormal frame, derivatives the covariant ones of the sphere.
type metric struct {
	g      sym          // g_ij = X_i·X_j
	q      float64      // det g: √q is the area per area of the unit sphere
	along  [2]sym       // g_ij,k
	c1, c2 sym          // X_ij·X_1, X_ij·X_2: Christoffel's symbols against the sphere's
	n      geometry.Vec // √q times the outward unit normal
}

func (p *point) metric(handed float64) (m metric) {
	m.g = sym{p.x1.Dot(p.x1), p.x1.Dot(p.x2), p.x2.Dot(p.x2)}
	m.c1 = sym{p.x11.Dot(p.x1), p.x12.Dot(p.x1), p.x22.Dot(p.x1)}
	m.c2 = sym{p.x11.Dot(p.x2), p.x12.Dot(p.x2), p.x22.Dot(p.x2)}
	m.along[0] = sym{2 * m.c1[0], m.c2[0] + m.c1[1], 2 * m.c2[1]}
	m.along[1] = sym{2 * m.c1[1], m.c2[1] + m.c1[2], 2 * m.c2[2]}
	m.q = m.g.det()
	m.n = p.x1.Cross(p.x2).Scale(handed)
	return m
}

// curvatures are the mean curvature H, positive where a sphere's is, and Gauss's K.
func (p *point) curvatures(m *metric) (mean, gauss float64) {
	b := sym{p.x11.Dot(m.n), p.x12.Dot(m.n), p.x22.Dot(m.n)} // √q times the second fundamental form
	return -0.5 * m.g.adj().dot(b) / (m.q * math.Sqrt(m.q)), b.det() / (m.q * m.q)
}

// divergence is ∇_j(τ^ij X_i) of a density τ with derivatives t1 = ∇_1 τ, t2 = ∇_2 τ.
func (p *point) divergence(tau, t1, t2 sym) (f geometry.Vec) {
	a, b := t1[0]+t2[1], t1[1]+t2[2]
	for i := range f {
		f[i] = a*p.x1[i] + b*p.x2[i] + tau[0]*p.x11[i] + 2*tau[1]*p.x12[i] + tau[2]*p.x22[i]
	}
	return f
}

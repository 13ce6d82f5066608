package rbf

import (
	"math"

	"lbmib/geometry"
	"lbmib/ib/elastic/rbf/internal/simd"
)

// sym is a symmetric tensor of the surface by its components 11, 12, 22. It and vec are
// structs, not arrays, because the compiler keeps small structs in registers.
type sym struct{ a, b, c float64 }

// adj is the adjugate: det(s) s⁻¹.
func (s sym) adj() sym { return sym{s.c, -s.b, s.a} }

// det is the determinant.
func (s sym) det() float64 { return s.a*s.c - s.b*s.b }

// dot is s_ij t_ij.
func (s sym) dot(t sym) float64 { return s.a*t.a + 2*s.b*t.b + s.c*t.c }

// plus is s + f t.
func (s sym) plus(f float64, t sym) sym { return sym{s.a + f*t.a, s.b + f*t.b, s.c + f*t.c} }

// times is f s.
func (s sym) times(f float64) sym { return sym{f * s.a, f * s.b, f * s.c} }

// between is t s t for u = t, and ½(t s u + u s t) in general.
func (s sym) between(t, u sym) sym {
	m11, m12 := t.a*s.a+t.b*s.b, t.a*s.b+t.b*s.c // t s, not symmetric
	m21, m22 := t.b*s.a+t.c*s.b, t.b*s.b+t.c*s.c
	return sym{m11*u.a + m12*u.b, 0.5 * (m11*u.b + m12*u.c + m21*u.a + m22*u.b), m21*u.b + m22*u.c}
}

// vec is a vector in space.
type vec struct{ x, y, z float64 }

func (v vec) dot(w vec) float64         { return v.x*w.x + v.y*w.y + v.z*w.z }
func (v vec) times(f float64) vec       { return vec{f * v.x, f * v.y, f * v.z} }
func (v vec) plus(f float64, w vec) vec { return vec{v.x + f*w.x, v.y + f*w.y, v.z + f*w.z} }
func (v vec) cross(w vec) vec           { return vec{v.y*w.z - v.z*w.y, v.z*w.x - v.x*w.z, v.x*w.y - v.y*w.x} }
func (v vec) geometry() geometry.Vec    { return geometry.Vec{v.x, v.y, v.z} }

// point is the jet of positions in a site.
type point struct{ x, x1, x2, x11, x12, x22 vec }

// pointAt takes the first three functions of a block in a row.
func pointAt(b *simd.Block, row int) point {
	row &= rows - 1 // so that the compiler knows
	at := func(o int) vec { return vec{b[o][0][row], b[o][1][row], b[o][2][row]} }
	return point{at(0), at(1), at(2), at(3), at(4), at(5)}
}

// metric is what a point's jet tells of the surface there. Indices are those of the
// sphere's orthonormal frame, derivatives the covariant ones of the sphere.
type metric struct {
	g      sym     // g_ij = X_i·X_j
	q      float64 // det g: √q is the area per area of the unit sphere
	along  [2]sym  // g_ij,k
	c1, c2 sym     // X_ij·X_1, X_ij·X_2: Christoffel's symbols against the sphere's
	n      vec     // √q times the outward unit normal
}

func (p *point) metric(handed float64) (m metric) {
	m.g = sym{p.x1.dot(p.x1), p.x1.dot(p.x2), p.x2.dot(p.x2)}
	m.c1 = sym{p.x11.dot(p.x1), p.x12.dot(p.x1), p.x22.dot(p.x1)}
	m.c2 = sym{p.x11.dot(p.x2), p.x12.dot(p.x2), p.x22.dot(p.x2)}
	m.along[0] = sym{2 * m.c1.a, m.c2.a + m.c1.b, 2 * m.c2.b}
	m.along[1] = sym{2 * m.c1.b, m.c2.b + m.c1.c, 2 * m.c2.c}
	m.q = m.g.det()
	m.n = p.x1.cross(p.x2).times(handed)
	return m
}

// curvatures are the mean curvature H, positive where a sphere's is, and Gauss's K.
func (p *point) curvatures(m *metric) (mean, gauss float64) {
	b := sym{p.x11.dot(m.n), p.x12.dot(m.n), p.x22.dot(m.n)} // √q times the second fundamental form
	return -0.5 * m.g.adj().dot(b) / (m.q * math.Sqrt(m.q)), b.det() / (m.q * m.q)
}

// divergence is ∇_j(τ^ij X_i) of a density τ with derivatives t1 = ∇_1 τ, t2 = ∇_2 τ.
func (p *point) divergence(tau, t1, t2 sym) vec {
	f := p.x11.times(tau.a).plus(2*tau.b, p.x12).plus(tau.c, p.x22)
	return f.plus(t1.a+t2.b, p.x1).plus(t1.b+t2.c, p.x2)
}

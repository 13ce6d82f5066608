package rbf

import (
	"lbmib/geometry"
	"lbmib/ib/elastic/rbf/internal/simd"
)

// jet is a function's value and its tangential derivatives at a point of the unit
// sphere: along geodesics through the point with the unit tangents e1 and e2,
// s, ∂1 s, ∂2 s, ∂1∂1 s, ∂1∂2 s, ∂2∂2 s. The second ones are the covariant ones of
// the sphere, e_i·∇∇s·e_j − δ_ij p·∇s of any continuation into space.
type jet [operators]float64

// operators is how many numbers a jet has.
const operators = simd.Operators

// frame is a point of the unit sphere with tangents: e1 × e2 = p.
type frame struct{ p, e1, e2 geometry.Vec }

func newFrame(p geometry.Vec) frame {
	axis := geometry.Vec{}
	least := 0
	for a := range p {
		if p[a]*p[a] < p[least]*p[least] {
			least = a
		}
	}
	axis[least] = 1
	e1 := axis.Cross(p)
	e1 = e1.Scale(1 / e1.Norm())
	return frame{p, e1, p.Cross(e1)}
}

// kernel is the jet of |p − q|⁷ as a function of p. With r = |p − q|:
// ∂i = −7 r⁵ e_i·q, ∂i∂j = 35 r³ (e_i·q)(e_j·q) + δ_ij 7 r⁵ (1 − r²/2).
func (f frame) kernel(q geometry.Vec) jet {
	d := f.p.Sub(q)
	s := d.Dot(d)
	r := d.Norm()
	r3 := r * s
	r5 := r3 * s
	a, b := f.e1.Dot(q), f.e2.Dot(q)
	both := 7 * r5 * (1 - s/2)
	return jet{r5 * s, -7 * r5 * a, -7 * r5 * b, 35*r3*a*a + both, 35 * r3 * a * b, 35*r3*b*b + both}
}

// monomial is c x^n[0] y^n[1] z^n[2].
type monomial struct {
	c float64
	n [3]int
}

// harmonic is a solid spherical harmonic, a polynomial.
type harmonic []monomial

// harmonics are those of degree 0 to 3: |p − q|⁷ is conditionally positive definite of
// order 4, so that an interpolant is unique with them. Mirrors keep or turn their signs.
var harmonics = []harmonic{
	{{1, [3]int{0, 0, 0}}},
	{{1, [3]int{1, 0, 0}}},
	{{1, [3]int{0, 1, 0}}},
	{{1, [3]int{0, 0, 1}}},
	{{1, [3]int{1, 1, 0}}},
	{{1, [3]int{0, 1, 1}}},
	{{1, [3]int{1, 0, 1}}},
	{{1, [3]int{2, 0, 0}}, {-1, [3]int{0, 2, 0}}},
	{{2, [3]int{0, 0, 2}}, {-1, [3]int{2, 0, 0}}, {-1, [3]int{0, 2, 0}}},
	{{1, [3]int{1, 1, 1}}},
	{{1, [3]int{2, 0, 1}}, {-1, [3]int{0, 2, 1}}},
	{{3, [3]int{2, 1, 0}}, {-1, [3]int{0, 3, 0}}},
	{{3, [3]int{1, 2, 0}}, {-1, [3]int{3, 0, 0}}},
	{{2, [3]int{0, 0, 3}}, {-3, [3]int{2, 0, 1}}, {-3, [3]int{0, 2, 1}}},
	{{4, [3]int{1, 0, 2}}, {-1, [3]int{3, 0, 0}}, {-1, [3]int{1, 2, 0}}},
	{{4, [3]int{0, 1, 2}}, {-1, [3]int{0, 3, 0}}, {-1, [3]int{2, 1, 0}}},
}

// parity is the character of a harmonic: h(g p) = χ(g) h(p).
func (h harmonic) parity() (c int) {
	for a, n := range h[0].n {
		c |= n % 2 << a
	}
	return c
}

// along is the derivative of a polynomial along axis a.
func (h harmonic) along(a int) (d harmonic) {
	for _, m := range h {
		if m.n[a] > 0 {
			m.c *= float64(m.n[a])
			m.n[a]--
			d = append(d, m)
		}
	}
	return d
}

func (h harmonic) value(p geometry.Vec) (sum float64) {
	for _, m := range h {
		v := m.c
		for a, n := range m.n {
			for range n {
				v *= p[a]
			}
		}
		sum += v
	}
	return sum
}

// jet is the harmonic's at a frame.
func (h harmonic) jet(f frame) jet {
	var gradient geometry.Vec
	var second geometry.Mat
	for a := range 3 {
		d := h.along(a)
		gradient[a] = d.value(f.p)
		for b := range 3 {
			second[a][b] = d.along(b).value(f.p)
		}
	}
	radial := f.p.Dot(gradient)
	s1, s2 := second.Apply(f.e1), second.Apply(f.e2)
	return jet{
		h.value(f.p), f.e1.Dot(gradient), f.e2.Dot(gradient),
		f.e1.Dot(s1) - radial, f.e1.Dot(s2), f.e2.Dot(s2) - radial,
	}
}

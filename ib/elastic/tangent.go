package elastic

import (
	"math"

	"lbmib/ib/elastic/internal/simd/layout"
)

// Tangent is K⁺, the stiffness −∂F/∂X of the strain law and the penalties of the cells of a block where they are, without what would make it indefinite: implicit steps solve with it. With
// dg what displacements d of the vertices make of a triangle's metric g, s = 2 ∂E/∂g, and e its sides, the second variation of its energy is
//
//	½ ds:dg + s:(d ⊗ d),   ½ ds:dg = A0 [W11 dI1² + W22 dI2² + 2 W2 det dg/det G]
//
// The first is the sum of squares with factors that may be negative, as 4 det dg/det g is (tr g⁻¹dg)² less the square of the shear: those are left out as far as the sum would be negative. Of s, which is
// tension and compression along the triangle, the compression is left out: it makes membranes buckle, in the time that the fluid lets them. Bending and viscosity have no part in it, nor has what the
// pressure and the tension of the penalties change by as the surface turns and strains.
type Tangent struct {
	membrane     *Membrane
	rows         []float64 // of triangle k from layout.TangentLen·k: P, Q, s11, s12, s22; see layout
	area, volume []float64 // ∂A/∂X, ∂V/∂X at vertices; nil where the penalty is none
}

// NewTangent is room for one of a block.
func (m *Membrane) NewTangent() *Tangent {
	t := &Tangent{membrane: m, rows: make([]float64, layout.TangentLen*len(m.mesh.triangles))}
	if m.material.AreaPenalty > 0 {
		t.area = make([]float64, m.mesh.BlockLen())
	}
	if m.material.VolumePenalty > 0 {
		t.volume = make([]float64, m.mesh.BlockLen())
	}
	return t
}

// Linearise finds K⁺ of the first used cells of a block at x. Blocks are as Forces has them.
func (t *Tangent) Linearise(s *Scratch, x []float64, used int) {
	m := t.membrane
	m.mesh.mustBlock(x)
	s.block.Used = used
	m.surface(s, x)
	m.penalties(s)
	law := m.law.(rational).coefficients()
	c := &s.chunk
	for c.first = 0; c.first < len(m.mesh.triangles); c.first += chunkTriangles {
		m.gather(s, x)
		m.law.Derivatives(flat(&c.w1), flat(&c.w2), flat(&c.i1), flat(&c.i2))
		m.stress(s)
		for k := range min(chunkTriangles, len(m.mesh.triangles)-c.first) {
			of, n := &m.triangles[c.first+k], s.facetAt(int32(facetLen*(c.first+k)))
			to := t.rows[layout.TangentLen*(c.first+k):][:layout.TangentLen]
			for l := range used {
				w2, j := c.w2[k][l], c.i2[k][l]+1 // J²
				w22 := law[3] - 2*law[4]/(j*j*j)
				swell, shear := w22+w2/(2*j), max(0, -w2*j/2) // of dI2², and of the square of the shear
				if swell < 0 && law[1] > 0 {                  // what W11 dI1², I1 + 2 = λ1² + λ2², leaves positive beside them
					mean := c.i1[k][l]/2 + 1
					half := max(0, mean*mean-j)
					swell = max(swell, -law[1]*mean*mean*shear/(j*j*max(law[1]*half+shear, math.SmallestNonzeroFloat64)))
				} else {
					swell = max(swell, 0)
				}
				to[l] = of.Twice * of.Inverse * of.Inverse * (swell + shear/(j*j))
				to[Lanes+l] = -2 * of.Twice * of.Inverse * shear / j

				h := 0.5 * c.tension[k][l] * n[3*Lanes+l]
				a, b, d := c.s11[k][l]+h*c.g22[k][l], c.s12[k][l]-h*c.g12[k][l], c.s22[k][l]+h*c.g11[k][l]
				to[2*Lanes+l], to[3*Lanes+l], to[4*Lanes+l] = tensile(a, b, d)
			}
		}
	}
	if t.volume != nil {
		clear(t.volume)
		m.addNormals(s, t.volume)
		for k := range t.volume {
			t.volume[k] *= 1. / 6
		}
	}
	if t.area != nil {
		t.findAreaGradient(s, x, used)
	}
}

// tensile is the symmetric matrix (a b; b d) without its negative eigenvalues.
func tensile(a, b, d float64) (aa, bb, dd float64) {
	mean, half := (a+d)/2, (a-d)/2
	r := math.Sqrt(half*half + b*b)
	switch lo, hi := mean-r, mean+r; {
	case lo >= 0:
		return a, b, d
	case !(hi > 0):
		return 0, 0, 0
	default:
		share := hi / (2 * r)
		return share * (a - lo), share * b, share * (d - lo)
	}
}

// findAreaGradient finds ∂A/∂X at vertices of the first used cells of a block: of a triangle (adj g) e/(2|N|).
func (t *Tangent) findAreaGradient(s *Scratch, x []float64, used int) {
	m, to := t.membrane, t.area
	clear(to)
	for k := range m.mesh.triangles {
		o, n := &m.triangles[k].Corner, s.facetAt(int32(facetLen*k))
		p0, p1, p2 := corner(x, o[0]), corner(x, o[1]), corner(x, o[2])
		t0, t1, t2 := corner(to, o[0]), corner(to, o[1]), corner(to, o[2])
		for l := range used {
			var e1, e2 [3]float64
			g11, g12, g22 := 0., 0., 0.
			for a := range e1 {
				e1[a], e2[a] = p1[a*Lanes+l]-p0[a*Lanes+l], p2[a*Lanes+l]-p0[a*Lanes+l]
				g11, g12, g22 = g11+e1[a]*e1[a], g12+e1[a]*e2[a], g22+e2[a]*e2[a]
			}
			h := 0.5 * n[3*Lanes+l]
			for a := range e1 {
				first, second := h*(g22*e1[a]-g12*e2[a]), h*(g11*e2[a]-g12*e1[a])
				t0[a*Lanes+l] -= first + second
				t1[a*Lanes+l] += first
				t2[a*Lanes+l] += second
			}
		}
	}
}

// Multiply stores in w what K⁺ makes of the displacements v of the first used cells of the block at x that Linearise was given, with its scratch or another.
func (t *Tangent) Multiply(s *Scratch, x, v, w []float64, used int) {
	m := t.membrane
	m.mesh.mustBlock(v)
	m.mesh.mustBlock(w)
	m.bind(s)
	clear(w)
	if m.kernels != nil {
		b := &s.block
		b.X, b.U, b.F, b.Tangent, b.Used, b.Count = &x[0], &v[0], &w[0], &t.rows[0], used, len(m.mesh.triangles)
		m.kernels.Stiffness(b)
	} else {
		t.multiplyInGo(x, v, w, used)
	}
	addRankOne(w, v, t.area, m.material.AreaPenalty/m.area, used)
	addRankOne(w, v, t.volume, m.material.VolumePenalty/m.volume, used)
}

// addRankOne adds k g (g·v) to w, in each lane.
func addRankOne(w, v, g []float64, k float64, used int) {
	if g == nil {
		return
	}
	var along lanes
	for i := 0; i < len(g); i += Lanes {
		for l := range used {
			along[l] += g[i+l] * v[i+l]
		}
	}
	for i := 0; i < len(g); i += Lanes {
		for l := range used {
			w[i+l] += k * along[l] * g[i+l]
		}
	}
}

func (t *Tangent) multiplyInGo(x, v, w []float64, used int) {
	m := t.membrane
	w11 := m.law.(rational).coefficients()[1]
	for k := range m.mesh.triangles {
		of := &m.triangles[k]
		o, row := &of.Corner, t.rows[layout.TangentLen*k:][:layout.TangentLen]
		p0, p1, p2 := corner(x, o[0]), corner(x, o[1]), corner(x, o[2])
		v0, v1, v2 := corner(v, o[0]), corner(v, o[1]), corner(v, o[2])
		f0, f1, f2 := corner(w, o[0]), corner(w, o[1]), corner(w, o[2])
		for l := range used {
			var e1, e2, d1, d2 [3]float64
			var g11, g12, g22, h11, h12, h22 float64
			for a := range e1 {
				i := a*Lanes + l
				e1[a], e2[a], d1[a], d2[a] = p1[i]-p0[i], p2[i]-p0[i], v1[i]-v0[i], v2[i]-v0[i]
				g11, g12, g22 = g11+e1[a]*e1[a], g12+e1[a]*e2[a], g22+e2[a]*e2[a]
				h11, h12, h22 = h11+2*e1[a]*d1[a], h12+e1[a]*d2[a]+e2[a]*d1[a], h22+2*e2[a]*d2[a]
			}
			first := of.Twice * w11 * (of.A11*h11 + 2*of.A12*h12 + of.A22*h22)
			second := row[l] * (g22*h11 - 2*g12*h12 + g11*h22)
			q, s11, s12, s22 := row[Lanes+l], row[2*Lanes+l], row[3*Lanes+l], row[4*Lanes+l]
			t11 := first*of.A11 + second*g22 + q*h22
			t12 := first*of.A12 - second*g12 - q*h12
			t22 := first*of.A22 + second*g11 + q*h11
			for a := range e1 {
				i := a*Lanes + l
				b, c := t11*e1[a]+t12*e2[a]+s11*d1[a]+s12*d2[a], t12*e1[a]+t22*e2[a]+s12*d1[a]+s22*d2[a]
				f0[i] -= b + c
				f1[i] += b
				f2[i] += c
			}
		}
	}
}

// ExplicitStiffness is the part of Stiffness plus Damping that Tangent has not: that of bending, and the viscosity.
func (m *Membrane) ExplicitStiffness() float64 {
	if m.bending == nil {
		return m.Damping()
	}
	const little = 1e-9
	bent := *m
	bent.material.Law, bent.material.Area, bent.material.Poisson = "skalak", 0, 0
	bent.material.Shear *= little
	bent.material.AreaPenalty, bent.material.VolumePenalty, bent.material.ShearViscosity, bent.material.AreaViscosity = 0, 0, 0, 0
	bent.law, _ = newSkalak(bent.material)
	return bent.Stiffness() + m.Damping()
}

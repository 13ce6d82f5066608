package plate

import "lbmib/geometry"

// The blocks of a row: of a node with itself and with its neighbours of higher numbers. With those two
// nodes further along s₁ and s₂ it has multiples of the unit matrix.
const (
	self      = iota // (0, 0)
	east             // (+1, 0)
	northwest        // (−1, +1)
	north            // (0, +1)
	northeast        // (+1, +1)
	far              // (+2, 0) and (0, +2)
)

// block is a matrix of three rows.
type block [9]float64

// addUnit adds a multiple of the unit matrix.
func (b *block) addUnit(v float64) {
	b[0] += v
	b[4] += v
	b[8] += v
}

// addProduct adds v a bᵀ.
func (m *block) addProduct(v float64, a, b *geometry.Vec) {
	x, y, z := v*a[0], v*a[1], v*a[2]
	m[0] += x * b[0]
	m[1] += x * b[1]
	m[2] += x * b[2]
	m[3] += y * b[0]
	m[4] += y * b[1]
	m[5] += y * b[2]
	m[6] += z * b[0]
	m[7] += z * b[1]
	m[8] += z * b[2]
}

// row is what a symmetric matrix has for a node: the lower triangle is that of the rows before.
type row struct {
	near [far]block
	far  [2]float64
}

// system is the matrix βM + A + Δt C + Δt τ K of the velocities.
type system struct {
	grid
	rows []row
}

// beyond is how many elements vectors have beyond the last node: blocks with nodes that there are not are 0.
func (g *grid) beyond() int { return 2*g.n[0] + 1 }

// assemble fills in the matrix.
func (s *system) assemble(q *equations) {
	stiff := q.dt * q.tau
	for k := range s.rows {
		r, b := &s.rows[k], &q.bending.k[k]
		*r = row{near: [far]block{self: q.inertia[k]}, far: [2]float64{stiff * b[far], stiff * b[far+1]}}
		for n := range r.near {
			r.near[n].addUnit(stiff * b[n])
		}
	}
	for k := range q.edges {
		e := &q.edges[k]
		across := q.dt * e.across
		along := q.dt*e.along - across
		var m block
		m.addProduct(along, &e.t, &e.t)
		m.addUnit(across)
		a, b, ab := &s.rows[e.a].near[self], &s.rows[e.b].near[self], &s.rows[e.a].near[e.block]
		for n, v := range m {
			a[n] += v
			b[n] += v
			ab[n] -= v
		}
	}
	s.addCells(q)
}

// addCells adds what the cells resist to shear.
func (s *system) addCells(q *equations) {
	if q.shear == 0 {
		return
	}
	stiff := q.dt * q.tau * s.h[0] * s.h[1]
	fp, fq := 0.5/s.h[0], 0.5/s.h[1]
	// Signs of the corners in p and q, where corners are, and the blocks that they have with those after them.
	signs := [4][2]float64{{-fp, -fq}, {fp, -fq}, {-fp, fq}, {fp, fq}}
	blocks := [4][4]int{{self, east, north, northeast}, {0, self, northwest, north}, {0, 0, self, east}, {0, 0, 0, self}}
	for k := range q.sheared {
		cell, first := &q.sheared[k], s.corner(k)
		corners := [4]int{first, first + 1, first + s.n[0], first + s.n[0] + 1}
		var gradient [4]geometry.Vec // of γ
		for c, sign := range signs {
			gradient[c] = cell.q.Scale(sign[0]).Add(cell.p.Scale(sign[1]))
		}
		for c, sign := range signs {
			for d := c; d < 4; d++ {
				b := &s.rows[corners[c]].near[blocks[c][d]]
				b.addProduct(stiff*q.shear, &gradient[c], &gradient[d])
				b.addUnit(stiff * cell.hold * (sign[0]*signs[d][0] + sign[1]*signs[d][1]))
			}
		}
	}
}

// multiply stores the product with x, which has elements beyond the last node as y has.
func (s *system) multiply(y, x []geometry.Vec) {
	clear(y)
	up := s.n[0]
	for k := range s.rows {
		r := &s.rows[k]
		v, w := x[k:k+2*up+1:k+2*up+1], y[k:k+2*up+1:k+2*up+1]
		x0, x1, x2 := v[0][0], v[0][1], v[0][2]
		b := &r.near[self]
		y0 := w[0][0] + b[0]*x0 + b[1]*x1 + b[2]*x2
		y1 := w[0][1] + b[3]*x0 + b[4]*x1 + b[5]*x2
		y2 := w[0][2] + b[6]*x0 + b[7]*x1 + b[8]*x2
		for n, o := range [far]int{0, 1, up - 1, up, up + 1} {
			if n == self {
				continue
			}
			b, v, w := &r.near[n], &v[o], &w[o]
			y0 += b[0]*v[0] + b[1]*v[1] + b[2]*v[2]
			y1 += b[3]*v[0] + b[4]*v[1] + b[5]*v[2]
			y2 += b[6]*v[0] + b[7]*v[1] + b[8]*v[2]
			w[0] += b[0]*x0 + b[3]*x1 + b[6]*x2
			w[1] += b[1]*x0 + b[4]*x1 + b[7]*x2
			w[2] += b[2]*x0 + b[5]*x1 + b[8]*x2
		}
		f, g := r.far[0], r.far[1]
		p, q := &v[2], &v[2*up]
		w[0] = geometry.Vec{y0 + f*p[0] + g*q[0], y1 + f*p[1] + g*q[1], y2 + f*p[2] + g*q[2]}
		p, q = &w[2], &w[2*up]
		p[0], p[1], p[2] = p[0]+f*x0, p[1]+f*x1, p[2]+f*x2
		q[0], q[1], q[2] = q[0]+g*x0, q[1]+g*x1, q[2]+g*x2
	}
}

package plate

import (
	"math"

	"lbmib/geometry"
)

// edge is a spring between two nodes that are beside each other along s₁ or s₂.
type edge struct {
	a, b  int
	block int     // which of a row: east or north
	rest  float64 // length where it is not strained
	width float64 // of the sheet that it stands for

	pull    float64      // T̂, not negative
	t       geometry.Vec // its direction at X*
	length  float64      // there
	tension float64      // T′ where U′ = U, force per length
	along   float64      // width·dT′/d(t·ΔU′)
	across  float64      // width·τT̂/|ΔX|: what turns with ΔU′ across t
}

// newEdges are those along s₁ and those along s₂, in the order of the nodes where they begin.
func (g *grid) newEdges() (edges []edge) {
	for k := range g.n[0] * g.n[1] {
		i, j := g.at(k)
		if i+1 < g.n[0] {
			edges = append(edges, edge{a: k, b: k + 1, block: east, rest: g.h[0], width: g.width(1, j)})
		}
		if j+1 < g.n[1] {
			edges = append(edges, edge{a: k, b: k + g.n[0], block: north, rest: g.h[1], width: g.width(0, i)})
		}
	}
	return edges
}

// strain is |ΔX|/l − 1 where nodes are at x.
func (e *edge) strain(x []geometry.Vec) float64 { return x[e.b].Sub(x[e.a]).Norm()/e.rest - 1 }

// quad is a cell as it lies: the means p of ∂X/∂s₁ and q of ∂X/∂s₂.
type quad struct{ p, q geometry.Vec }

// cellAt is cell k where nodes are at x.
func (g *grid) cellAt(k int, x []geometry.Vec) quad {
	c := g.corner(k)
	a, b, d, e := &x[c], &x[c+1], &x[c+g.n[0]], &x[c+g.n[0]+1]
	f, h := 0.5/g.h[0], 0.5/g.h[1]
	var m quad
	for v := range 3 {
		m.p[v] = f * ((b[v] - a[v]) + (e[v] - d[v]))
		m.q[v] = h * ((d[v] - a[v]) + (e[v] - b[v]))
	}
	return m
}

// sheared is γ = p·q, the cosine of the angle between the sides of a cell that keeps their lengths.
func (m quad) sheared() float64 { return m.p.Dot(m.q) }

// membraneEnergy is ½ k_s Σ (|ΔX|/l − 1)² l w + ½ k_γ Σ γ² h₁h₂ at x.
func (m *material) membraneEnergy(x []geometry.Vec) (sum float64) {
	for k := range m.edges {
		e := &m.edges[k]
		strain := e.strain(x)
		sum += m.stretching / 2 * strain * strain * e.rest * e.width
	}
	if m.shear > 0 {
		for k := range m.cells() {
			cell := m.cellAt(k, x)
			gamma := cell.sheared()
			sum += m.shear / 2 * gamma * gamma * m.h[0] * m.h[1]
		}
	}
	return sum
}

// addMembraneForces adds −∂E/∂X of membraneEnergy at x to f. The force of an edge of no length has
// no direction and is left out.
func (m *material) addMembraneForces(f, x []geometry.Vec) {
	for k := range m.edges {
		e := &m.edges[k]
		d := x[e.b].Sub(x[e.a])
		if length := d.Norm(); length > 0 {
			pull := d.Scale(e.width * m.stretching * (length/e.rest - 1) / length)
			f[e.a], f[e.b] = f[e.a].Add(pull), f[e.b].Sub(pull)
		}
	}
	if m.shear == 0 {
		return
	}
	for k := range m.cells() {
		c := m.cellAt(k, x)
		m.pushCorners(f, k, c.q.Scale(m.shear*c.sheared()), c.p.Scale(m.shear*c.sheared()))
	}
}

// pushCorners adds to f the forces −h₁h₂(sp·∂p/∂X + sq·∂q/∂X) on the corners of cell k.
func (g *grid) pushCorners(f []geometry.Vec, k int, sp, sq geometry.Vec) {
	c := g.corner(k)
	sp, sq = sp.Scale(g.h[1]/2), sq.Scale(g.h[0]/2)
	sum, difference := sp.Add(sq), sp.Sub(sq)
	o := c + g.n[0]
	f[c], f[o+1] = f[c].Add(sum), f[o+1].Sub(sum)
	f[c+1], f[o] = f[c+1].Sub(difference), f[o].Add(difference)
}

// lineariseEdges finds the edges' forces as functions of U′, at X*, and adds those of U′ = U to the forces:
//
//	T′ t′ = T′ t + T̂ (1 − ttᵀ)(ΔX′ − ΔX*)/|ΔX*|
//	T′    = k_s [|ΔX*|/l − 1 + t·(ΔX′ − ΔX*)/l] + η_s t·ΔU′/l,   X′ = X̃ + τU′
//
// T̂ is the tension that acted in the last step, or the largest so far where this one is solved again, and
// 0 for what pushes, so that the stiffness is positive semi-definite.
func (q *equations) lineariseEdges() {
	for k := range q.edges {
		e := &q.edges[k]
		a, b := &q.at[e.a], &q.at[e.b]
		dx, dy, dz := b[0]-a[0], b[1]-a[1], b[2]-a[2]
		length := math.Sqrt(dx*dx + dy*dy + dz*dz)
		tx, ty, tz := dx/length, dy/length, dz/length
		e.t, e.length = geometry.Vec{tx, ty, tz}, length
		e.along = e.width * (q.stretching*q.tau + q.stretchingDamping) / e.rest
		turn := e.pull / length
		e.across = e.width * q.tau * turn

		a, b = &q.from[e.a], &q.from[e.b]
		dx, dy, dz = b[0]-a[0]-dx, b[1]-a[1]-dy, b[2]-a[2]-dz
		stretch := tx*dx + ty*dy + tz*dz
		u, v := &q.u[e.a], &q.u[e.b]
		rate := tx*(v[0]-u[0]) + ty*(v[1]-u[1]) + tz*(v[2]-u[2])
		e.tension = (q.stretching*(length-e.rest+stretch) + q.stretchingDamping*rate) / e.rest
		along, across := e.width*(e.tension-turn*stretch), e.width*turn
		px, py, pz := along*tx+across*dx, along*ty+across*dy, along*tz+across*dz
		f, g := &q.force[e.a], &q.force[e.b]
		f[0], f[1], f[2] = f[0]+px, f[1]+py, f[2]+pz
		g[0], g[1], g[2] = g[0]-px, g[1]-py, g[2]-pz
	}
}

// tensionOf is T′ where velocities change by v.
func (e *edge) tensionOf(v []geometry.Vec) float64 {
	return e.tension + e.along/e.width*e.t.Dot(v[e.b].Sub(v[e.a]))
}

// cell is the shear between four nodes in a step.
type cell struct {
	quad           // at X*
	hold   float64 // |Ŝ|
	stress float64 // S′ where U′ = U
}

// lineariseCells does what lineariseEdges does for the shear:
//
//	S′ = k_γ [γ* + q·(p′ − p*) + p·(q′ − q*)],   force −h₁h₂ [S′ ∂γ*/∂X + |Ŝ| ∂(|p′ − p*|² + |q′ − q*|²)/∂X /2]
//
// What S itself turns, S (p′ − p*)·(q′ − q*), can have either sign and is left to the next X*; the second term is
// at least as large and keeps the step stable. It is of second order in Δt.
func (q *equations) lineariseCells() {
	if q.shear == 0 {
		return
	}
	for k := range q.sheared {
		c := &q.sheared[k]
		c.quad = q.cellAt(k, q.at)
		from := q.cellAt(k, q.from)
		dp, dq := from.p.Sub(c.p), from.q.Sub(c.q)
		c.stress = q.shear * (c.quad.sheared() + c.q.Dot(dp) + c.p.Dot(dq))
		q.pushCorners(q.force, k, c.q.Scale(c.stress).Add(dp.Scale(c.hold)), c.p.Scale(c.stress).Add(dq.Scale(c.hold)))
	}
}

// stressOf is S′ of cell k where velocities change by v.
func (q *equations) stressOf(k int, v []geometry.Vec) float64 {
	if q.shear == 0 {
		return 0
	}
	c, rate := &q.sheared[k], q.cellAt(k, v)
	return c.stress + q.shear*q.tau*(c.q.Dot(rate.p)+c.p.Dot(rate.q))
}

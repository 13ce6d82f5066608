package beam

// system is the matrix βM + A + Δt C + Δt τ K of the velocities, in 2D or 3D.
type system interface {
	assemble(q *equations)
	add(r, c int, v float64) // to an element and its mirror image
	row(r int) [2*reach + 1]float64
	hold(r int, value float64, b []float64)
	solve(b []float64) (bad int)
	again(b []float64) // with the factors that solve has left
}

// newSystem is that of n nodes with so many unknowns each, and room for its right-hand side.
func newSystem(unknowns, n int) (system, []float64) {
	rhs := make([]float64, (n+3)*unknowns)
	switch unknowns {
	case 2:
		return make(planar, len(rhs)), rhs
	case 3:
		return make(spatial, len(rhs)), rhs
	}
	return spinningSystem{make(spun, len(rhs)), make(spatial, 3*(n+3))}, rhs
}

func (m planar) add(r, c int, v float64)                 { m[min(r, c)][max(c-r, r-c)] += v }
func (m planar) row(r int) [2*reach + 1]float64          { return rowOf(m, r) }
func (m planar) hold(r int, value float64, b []float64)  { holdRow(m, r, value, b) }
func (m spatial) add(r, c int, v float64)                { m[min(r, c)][max(c-r, r-c)] += v }
func (m spatial) row(r int) [2*reach + 1]float64         { return rowOf(m, r) }
func (m spatial) hold(r int, value float64, b []float64) { holdRow(m, r, value, b) }
func (m spun) add(r, c int, v float64)                   { m[min(r, c)][max(c-r, r-c)] += v }
func (m spun) row(r int) [2*reach + 1]float64            { return rowOf(m, r) }
func (m spun) hold(r int, value float64, b []float64)    { holdRow(m, r, value, b) }

// assemble fills in the matrix but for bending damping. Segments couple
// the nodes beside them by along·ttᵀ + across·(1 − ttᵀ), bending couples node i with i + d by
// s_d + t_d J.
func (m planar) assemble(q *equations) {
	clear(m)
	k := q.dt * q.tau // of the stiffness
	n := len(q.inertia)
	var xx, xy, yy float64 // of the segment before the node
	for i, inertia := range q.inertia {
		s, t := &q.bending.s[i], &q.bending.t[i]
		c := m[2*i : 2*i+2 : 2*i+2]
		d := inertia + k*s[0]
		c[0][0], c[0][1], c[1][0] = d+xx, xy, d+yy
		if i == n-1 {
			break
		}
		g := &q.segments[i]
		across := q.dt * g.across
		along := q.dt*g.along - across
		xx, xy, yy = along*g.t[0]*g.t[0]+across, along*g.t[0]*g.t[1], along*g.t[1]*g.t[1]+across
		c[0][0] += xx
		c[0][1] += xy
		c[1][0] += yy
		s1, t1, s2, t2 := k*s[1], k*t[1], k*s[2], k*t[2]
		c[0][2], c[0][3], c[0][4], c[0][5] = s1-xx, t1-xy, s2, t2
		c[1][1], c[1][2], c[1][3], c[1][4] = -t1-xy, s1-yy, -t2, s2
	}
}

// assemble is that of planar; bending has no J here.
func (m spatial) assemble(q *equations) {
	clear(m)
	k := q.dt * q.tau // of the stiffness
	n := len(q.inertia)
	var xx, xy, xz, yy, yz, zz float64 // of the segment before the node
	for i, inertia := range q.inertia {
		s := &q.bending.s[i]
		c := m[3*i : 3*i+3 : 3*i+3]
		d := inertia + k*s[0]
		c[0][0], c[0][1], c[0][2] = d+xx, xy, xz
		c[1][0], c[1][1], c[2][0] = d+yy, yz, d+zz
		if i == n-1 {
			break
		}
		g := &q.segments[i]
		across := q.dt * g.across
		along := q.dt*g.along - across
		x, y, z := along*g.t[0], along*g.t[1], along*g.t[2]
		xx, xy, xz = x*g.t[0]+across, x*g.t[1], x*g.t[2]
		yy, yz, zz = y*g.t[1]+across, y*g.t[2], z*g.t[2]+across
		c[0][0] += xx
		c[0][1] += xy
		c[0][2] += xz
		c[1][0] += yy
		c[1][1] += yz
		c[2][0] += zz
		s1, s2 := k*s[1], k*s[2]
		c[0][3], c[0][4], c[0][5], c[0][6] = s1-xx, -xy, -xz, s2
		c[1][2], c[1][3], c[1][4] = -xy, s1-yy, -yz
		c[1][6], c[2][6] = s2, s2
		c[2][1], c[2][2], c[2][3] = -xz, -yz, s1-zz
	}
}

// spinningSystem is that of a line whose segments spin, beside the part that is the same without.
type spinningSystem struct {
	spun
	still spatial
}

// assemble is that of spatial; of spins bending damping has all.
func (m spinningSystem) assemble(q *equations) {
	m.still.assemble(q)
	clear(m.spun)
	place := func(r int) int { return r/3*(spinning+1) + r%3 }
	for p := range 3 * len(q.inertia) {
		at := place(p)
		for k, v := range m.still[p] {
			if v != 0 {
				m.spun[at][place(p+k)-at] = v
			}
		}
	}
}

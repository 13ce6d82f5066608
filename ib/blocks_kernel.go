package ib

// push is Algorithm 1 for a domain copy: every cell, a work item, pushes its particle
// onto the nodes of its support, all cells of a swarm at once onto the same shift κ.
// Only the weights along axes that change are multiplied anew.
func (c *domainCopy[T]) push(g *tiling[T]) {
	s, planes := c.f.support, c.planes()
	for _, m := range c.swarms { // χ: the cells lo ≤ x < lo + n of row r
		r, lo, n, first := m.row, m.lo, m.n, g.firstRow(m.row)
		wx, wy, v := c.shifts(0, r, lo), c.shifts(1, r, lo), c.part[:n]
		for l := range planes { // κ along z
			for j := range s { // κ along y
				w := c.across(wy[j*blockLanes:], r, l, lo, n)
				at := (first+l*g.height+j)*g.pitch + lo // M: the nodes χ + κ
				for slot := range g.components {        // each particle property
					multiply(v, w, c.strength[slot*blockCells+r*blockLanes+lo:])
					to := c.mesh[slot*g.size+at:]
					for i := range s { // κ along x
						addProducts(to[i:][:n], wx[i*blockLanes:], v)
					}
				}
			}
		}
	}
}

// pull is Algorithm 3 for a domain copy: every cell pulls the nodes of the support of
// its particle, all cells of a swarm at once those of the same shift κ.
func (c *domainCopy[T]) pull(g *tiling[T]) {
	s, planes := c.f.support, c.planes()
	for slot := range g.components {
		c.dummies(slot)
	}
	for _, m := range c.swarms {
		r, lo, n, first := m.row, m.lo, m.n, g.firstRow(m.row)
		wx, wy, v := c.shifts(0, r, lo), c.shifts(1, r, lo), c.part[:n]
		for l := range planes {
			for j := range s {
				w := c.across(wy[j*blockLanes:], r, l, lo, n)
				at := (first+l*g.height+j)*g.pitch + lo
				for slot := range g.components {
					from := c.mesh[slot*g.size+at:]
					multiply(v, wx, from)
					for i := 1; i < s; i++ {
						addProducts(v, wx[i*blockLanes:], from[i:])
					}
					addProducts(c.strength[slot*blockCells+r*blockLanes+lo:][:n], w, v)
				}
			}
		}
	}
}

// planes is the number of shifts along z.
func (c *domainCopy[T]) planes() int {
	if c.f.dim == 2 {
		return 1
	}
	return c.f.support
}

// shifts are the weights along an axis from cell lo of a row on.
func (c *domainCopy[T]) shifts(axis, row, lo int) []T {
	return c.weight[axis][row*c.f.support*blockLanes+lo:]
}

// across is the weights across x of n cells: wy in 2D, in 3D times those of plane l.
func (c *domainCopy[T]) across(wy []T, row, l, lo, n int) []T {
	if c.f.dim == 2 {
		return wy
	}
	multiply(c.wyz[:n], wy, c.weight[2][(row*c.f.support+l)*blockLanes+lo:])
	return c.wyz[:n]
}

// multiply sets to to the products of a and b. What this and addProducts are given is
// the worker's own: to have the race detector watch each place of it makes tests take
// ten times as long.
//
//go:norace
func multiply[T Float](to, a, b []T) {
	a, b = a[:len(to)], b[:len(to)]
	for i := range to {
		to[i] = a[i] * b[i]
	}
}

// addProducts adds the products of a and b to sum. The conversion keeps the compiler
// from fusing product and sum: results do not depend on the processor.
//
//go:norace
func addProducts[T Float](sum, a, b []T) {
	a, b = a[:len(sum)], b[:len(sum)]
	for i := range sum {
		sum[i] += T(a[i] * b[i])
	}
}

// addNodes adds a to sum.
func addNodes[T Float](sum, a []T) {
	a = a[:len(sum)]
	for i := range sum {
		sum[i] += a[i]
	}
}

package main

// finishFrame stores the populations of recursive collision: those of the stress p, whose
// parts rest and even do not depend on the direction, and what belongs to the frame of the
// fluid, j being the momentum after the force. Plane by plane, so that little has to be kept
// until the velocities along the axes take what the planes leave.
func (c *moments) finishFrame(p *[3][3]*value, j []*value, inverse, rest, even *value) {
	dim := c.lattice.dim
	evenFace := c.mul(even, c.constant("face"))
	var x, odd [3]*value // of the velocities along the axes
	for a := range dim {
		x[a] = c.fma(p[a][a], c.constant("face3"), evenFace)
		odd[a] = c.mul(j[a], c.constant("momentumFace"))
	}
	if c.half {
		inverse = c.mul(inverse, c.constant("unscale"))
	}
	for i, pair := range c.lattice.pairs {
		if _, ok := face(pair.c); ok {
			continue
		}
		a, b := axes(pair.c)
		if pair.c[b] < 0 {
			continue // with the one before
		}
		aab, abb, four := c.ofFrame(p, j, inverse, a, b)
		rest = c.fma(c.mul(four, c.constant("two")), c.constant("twelve"), rest)
		x[a], odd[a] = c.fnma(four, c.constant("twelve"), x[a]), c.fnma(abb, c.constant("twelve"), odd[a])
		x[b], odd[b] = c.fnma(four, c.constant("twelve"), x[b]), c.fnma(aab, c.constant("twelve"), odd[b])
		plane := c.fma(c.add(p[a][a], p[b][b]), c.constant("three"), c.fma(four, c.constant("six"), even))
		up := c.fma(c.add(abb, aab), c.constant("six"), c.mul(c.add(j[a], j[b]), c.constant("momentum")))
		down := c.fma(c.sub(abb, aab), c.constant("six"), c.mul(c.sub(j[a], j[b]), c.constant("momentum")))
		c.storePair(i, c.fma(p[a][b], c.constant("six"), plane), up)
		c.storePair(i+1, c.fnma(p[a][b], c.constant("six"), plane), down)
	}
	for a := range dim {
		c.storePair(a, x[a], odd[a])
	}
	c.storeAll(0, restOnly, rest)
}

// storePair stores a pair with these even and odd parts.
func (c *moments) storePair(k int, even, odd *value) {
	c.storeAll(plus(k), k, c.add(even, odd), c.sub(even, odd))
}

// ofFrame is what recursive collision has in a plane beyond the stress, in units of p: the
// third moments t_aab and t_abb, and what the fourth has beyond those of the stress. inverse
// makes velocities of momenta.
func (c *moments) ofFrame(p *[3][3]*value, j []*value, inverse *value, a, b int) (aab, abb, four *value) {
	ua, ub := c.mul(j[a], inverse), c.mul(j[b], inverse)
	q := c.mul(c.mul(j[a], ub), c.constant("stress"))
	cross := c.mul(c.sub(p[a][b], q), c.constant("two"))
	aab = c.fma(ua, cross, c.mul(ub, p[a][a]))
	abb = c.fma(ub, cross, c.mul(ua, p[b][b]))
	four = c.fma(ub, aab, c.mul(ua, c.fnma(q, ub, abb)))
	return aab, abb, four
}

package main

// moments writes the loop body of the kernels that go by the stress, cf. package
// simd. Units are those of collision; p is the stress after collision times
// 3/2 of the smallest weight, so that a population is w (mass r − tr p + 3 c·p·c + …).
type moments struct {
	results
	lattice *lattice
	ghosts  bool // even moments beyond the stress relax like it, not at rate 1
	odd     bool // odd parts relax at another rate than 1
	eddies  bool // rates belong to each node, by the stress that arrives
	law     bool // of these: by a table
	local   bool // or by a field of relaxation times
	frame   bool // moments beyond the stress belong to the frame of the fluid
	keep    bool // pairs stay in registers between the two passes
	field   bool // a force density of each node acts, too, and moments are stored
}

// sums are the moments of what arrives.
type sums struct {
	rest    *value
	r       *value       // ρ − 1
	j       []*value     // momentum
	n       [3][3]*value // Σ c c g less r/3 on the diagonal, upper half
	s, d    []*value     // sum and difference of each pair
	rho     *value
	inverse *value // 1/ρ
}

// rates are what a node keeps of stress and odd parts; constants where they are
// the same everywhere.
type rates struct{ keep, odd *value }

func (c *moments) collide() {
	m := c.sums()
	j, dim := m.j, c.lattice.dim
	var u []*value
	var k rates
	var p [3][3]*value
	var f []*value // force density
	if c.field {
		f = c.forceField(dim)
		c.storeMoments(m.rho, c.middleOf(m, f), m.inverse)
	}
	switch {
	case c.local:
		u = c.times(j, m.inverse)
		k = c.rates(c.program.field(fieldTau))
	case c.eddies:
		u = c.times(j, m.inverse)
		for a := range dim {
			for b := a; b < dim; b++ {
				p[a][b] = c.fnma(j[a], u[b], m.n[a][b])
			}
		}
		k = c.eddy(c.squared(&p), m.inverse)
	default:
		k.odd = c.constant("oddKeep")
	}
	c.stress(m, &p, u, k, f)
	force := make([]*value, dim) // momentum after the force
	for a := range dim {
		force[a] = c.fma(m.rho, c.constant("push"+axisName(a)), j[a])
	}
	c.addForce(force, f, "pushField")
	if c.odd {
		for a := range dim {
			force[a] = c.fnma(k.odd, j[a], force[a])
		}
	}
	c.finish(m, &p, force, k)
}

// middleOf is the momentum with half of the force.
func (c *moments) middleOf(m *sums, f []*value) []*value {
	j := make([]*value, len(f))
	for a := range j {
		j[a] = c.fma(m.rho, c.constant("accel"+axisName(a)), m.j[a])
	}
	c.addForce(j, f, "middleField")
	return j
}

// sums reads all populations once.
func (c *moments) sums() *sums {
	pairs, dim := len(c.lattice.pairs), c.lattice.dim
	m := &sums{j: make([]*value, dim), s: make([]*value, pairs), d: make([]*value, pairs)}
	m.rest = c.load(0)
	chain := [2]*value{m.rest, nil}
	for k, pair := range c.lattice.pairs {
		m.s[k], m.d[k] = c.pair(k)
		c.accumulate(&chain[(k+1)%2], m.s[k], 1)
		for a := range dim {
			c.accumulate(&m.j[a], m.d[k], pair.c[a])
			for b := a; b < dim; b++ {
				c.accumulate(&m.n[a][b], m.s[k], pair.c[a]*pair.c[b])
			}
		}
	}
	m.r = c.add(chain[0], chain[1])
	m.rho = c.densityOf(m.r)
	m.inverse = c.div(c.constant("one"), m.rho)
	for a := range dim {
		m.n[a][a] = c.fnma(m.r, c.constant("third"), m.n[a][a])
	}
	return m
}

// pair loads the sum and the difference of a pair.
func (c *moments) pair(k int) (s, d *value) {
	a, b := c.load(plus(k)), c.load(minus(k))
	return c.add(a, b), c.sub(a, b)
}

// accumulate adds sign·v to a sum; the first term of every sum is positive.
func (p *program) accumulate(sum **value, v *value, sign int) {
	switch {
	case sign == 0:
	case *sum == nil:
		*sum = v
	case sign > 0:
		*sum = p.add(*sum, v)
	default:
		*sum = p.sub(*sum, v)
	}
}

// times is v·x, in the units of velocities if v has those of the storage.
func (c *moments) times(v []*value, x *value) []*value {
	if c.half {
		x = c.mul(x, c.constant("unscale"))
	}
	u := make([]*value, len(v))
	for a := range v {
		u[a] = c.mul(v[a], x)
	}
	return u
}

// squared is p:p.
func (c *moments) squared(p *[3][3]*value) *value {
	var diagonal, beside *value
	add := func(sum **value, v *value) {
		if *sum == nil {
			*sum = c.mul(v, v)
		} else {
			*sum = c.fma(v, v, *sum)
		}
	}
	for a := range c.lattice.dim {
		add(&diagonal, p[a][a])
		for b := a + 1; b < c.lattice.dim; b++ {
			add(&beside, p[a][b])
		}
	}
	return c.fma(beside, c.constant("two"), diagonal)
}

// eddy is what a node keeps that has an eddy viscosity, τ = τ₀/2 + √(τ₀² + k √(Π:Π)/ρ)/2, or that of a law, whose table has τ by Π:Π/ρ².
func (c *moments) eddy(square, inverse *value) (k rates) {
	if c.law {
		z := c.mul(square, c.mul(c.mul(inverse, inverse), c.constant("tableUnit")))
		return c.rates(c.table(c.min(c.max(z, c.constant("tableLow")), c.constant("tableHigh"))))
	}
	x := c.mul(c.sqrt(square), inverse)
	return c.rates(c.fma(c.sqrt(c.fma(x, c.constant("eddy"), c.constant("tauSquare"))), c.constant("middle"), c.constant("tauHalf")))
}

// rates are what a node of a relaxation time keeps; both share a division.
func (c *moments) rates(tau *value) (k rates) {
	if !c.odd {
		k.keep = c.sub(c.constant("one"), c.div(c.constant("one"), tau))
		return k
	}
	above := c.fma(tau, c.constant("oddB"), c.constant("oddA"))
	below := c.fma(tau, c.constant("oddN"), c.constant("oddM"))
	shared := c.div(c.constant("one"), c.mul(tau, below))
	k.keep = c.fnma(shared, below, c.constant("one"))
	k.odd = c.mul(c.mul(above, tau), shared)
	return k
}

// stress is p: of what is kept of Π, of j j/ρ, and of the force. Where even moments
// beyond the stress are kept, what these keep of the stress is left out.
func (c *moments) stress(m *sums, p *[3][3]*value, u []*value, k rates, f []*value) {
	dim := c.lattice.dim
	var w []*value
	var keep *value
	switch {
	case !c.eddies && !c.local:
		w = c.scaled(m.j, c.mul(m.inverse, c.constant("square")))
		keep = c.constant("keepStress")
	case c.local && !c.ghosts:
		w = c.scaled(u, c.mul(c.sub(c.constant("one"), k.keep), c.constant("stress")))
		keep = c.mul(k.keep, c.constant("stress"))
	case c.ghosts:
		relax := c.sub(c.constant("one"), k.keep)
		w = c.scaled(u, c.mul(relax, c.constant("stress")))
	default:
		w = c.scaled(u, c.constant("stress"))
		keep = c.mul(k.keep, c.constant("stress"))
	}
	v := c.withinForce(m, k, f)
	perMass := c.scaled(f, m.inverse)
	source := func(name, field string, a int) *value { // of a + F/ρ
		x := c.constant(name + axisName(a))
		if f == nil {
			return x
		}
		return c.fma(perMass[a], c.constant(field), x)
	}
	for a := range dim {
		for b := a; b < dim; b++ {
			switch {
			case keep == nil:
				p[a][b] = c.mul(m.j[a], w[b])
			case c.eddies:
				p[a][b] = c.fma(m.j[a], w[b], c.mul(p[a][b], keep))
			default:
				p[a][b] = c.fma(m.j[a], w[b], c.mul(m.n[a][b], keep))
			}
			if a == b {
				p[a][a] = c.fma(v[a], source("source2", "sourceField2", a), p[a][a])
				continue
			}
			p[a][b] = c.fma(v[a], source("source", "sourceField", b), p[a][b])
			p[a][b] = c.fma(v[b], source("source", "sourceField", a), p[a][b])
		}
	}
}

// withinForce is v of the part of the stress that a force ρ a + F adds, v a + a v: the momentum that arrives and
// 1/2 − ω⁺/8 of the force.
func (c *moments) withinForce(m *sums, k rates, f []*value) []*value {
	v := make([]*value, c.lattice.dim)
	if c.local {
		part := c.fma(k.keep, c.constant("eighth"), c.constant("threeEighths"))
		for a := range v {
			force := c.fma(f[a], c.constant("pushField"), c.mul(m.rho, c.constant("push"+axisName(a))))
			v[a] = c.fma(force, part, m.j[a])
		}
		return v
	}
	for a := range v {
		v[a] = c.fma(m.rho, c.constant("half"+axisName(a)), m.j[a])
	}
	c.addForce(v, f, "halfField")
	return v
}

func (c *moments) scaled(v []*value, by *value) []*value {
	w := make([]*value, len(v))
	for a := range v {
		w[a] = c.mul(v[a], by)
	}
	return w
}

// finish stores rest, then pair by pair, both loaded before stored.
func (c *moments) finish(m *sums, p *[3][3]*value, force []*value, k rates) {
	trace := p[0][0]
	for a := 1; a < c.lattice.dim; a++ {
		trace = c.add(trace, p[a][a])
	}
	rest, even := c.mul(m.r, c.constant("massRest")), c.fms(m.r, c.constant("mass"), trace)
	if c.ghosts {
		rest = c.fma(k.keep, c.sub(m.rest, rest), rest)
		even = c.fnma(k.keep, c.mul(m.r, c.constant("mass")), even)
		k.keep = c.mul(k.keep, c.constant("middle"))
	}
	if (c.eddies || c.local) && c.odd {
		k.odd = c.mul(k.odd, c.constant("middle"))
	} else {
		k.odd = c.constant("oddHalf")
	}
	rest = c.fnma(trace, c.constant("rest"), rest)
	if c.frame {
		c.finishFrame(p, force, m.inverse, rest, even)
		return
	}
	c.storeAll(0, restOnly, rest)
	evenFace := c.mul(even, c.constant("face"))
	var plane *value // even part of the two pairs of a plane less p between its axes
	for i, pair := range c.lattice.pairs {
		along, momentum := c.dot(force, pair.c), c.constant("momentum")
		var x *value
		if a, ok := face(pair.c); ok {
			x, momentum = c.fma(p[a][a], c.constant("face3"), evenFace), c.constant("momentumFace")
		} else if a, b := axes(pair.c); pair.c[b] > 0 {
			plane = c.fma(c.add(p[a][a], p[b][b]), c.constant("three"), even)
			x = c.fma(p[a][b], c.constant("six"), plane)
		} else {
			x = c.fnma(p[a][b], c.constant("six"), plane)
		}
		if !c.keep && (c.ghosts || c.odd) {
			m.s[i], m.d[i] = c.pair(i)
		}
		if c.ghosts {
			x = c.fma(m.s[i], k.keep, x)
		}
		first, second := x, x
		if c.odd {
			first, second = c.fma(m.d[i], k.odd, x), c.fnma(m.d[i], k.odd, x)
		}
		c.storeAll(plus(i), i, c.fma(along, momentum, first), c.fnma(along, momentum, second))
	}
}

// axes are those of a velocity to the neighbour across an edge.
func axes(dir [3]int) (a, b int) {
	a, b = 0, 2
	if dir[0] == 0 {
		a = 1
	}
	if dir[2] == 0 {
		b = 1
	}
	return a, b
}

package main

// collision writes one kernel's loop body. Populations and momenta are in units
// of the storage (2^15 for half precision), weights in units of 1/36; constants
// has the factors that this takes.
type collision struct {
	*program
	lattice *lattice
	trt     bool // two rates and a force
	scaled  bool // storage has a unit
	keep    bool // populations stay in registers between the two passes
}

// node is one vector of nodes between the two passes.
type node struct {
	part           int
	g              []*value // populations as loaded by the first pass
	r              *value   // ρ − 1
	j              []*value // momentum; with half the force for TRT
	square         []*value // BGK: j_a²; TRT: j_a v_a/3
	v, s           []*value // TRT: of the even and of the odd part, see begin
	t              *value   // the part of the rest population that is quadratic
	even, evenFace *value   // the part of all that does not depend on direction
	h, hFace       *value   // BGK: 9/2 ω w/ρ
}

// body is the loop body for one cache line, made of parts vectors. With grouped,
// whole lines of each population are stored at once, as streaming stores need.
func (c *collision) body(parts int, grouped bool) {
	if !grouped {
		for part := range parts {
			c.finish(c.begin(part))
		}
		return
	}
	nodes := make([]*node, parts)
	for part := range nodes {
		nodes[part] = c.begin(part)
	}
	c.finish(nodes...)
}

// finish is the second pass: rest, then pair by pair, both loaded before stored.
func (c *collision) finish(nodes ...*node) {
	first, second := make([]*value, len(nodes)), make([]*value, len(nodes))
	for i, n := range nodes {
		first[i] = c.restPopulation(n)
	}
	c.storeAll(0, nodes, first)
	for k := range c.lattice.pairs {
		for i, n := range nodes {
			first[i], second[i] = c.pair(n, k)
		}
		c.storeAll(plus(k), nodes, first)
		c.storeAll(minus(k), nodes, second)
	}
}

func (c *collision) storeAll(pop int, nodes []*node, v []*value) {
	for i, n := range nodes {
		c.store(pop, n.part, v[i])
	}
}

// begin is the first pass: moments, and what all directions share.
func (c *collision) begin(part int) *node {
	n := &node{part: part, j: make([]*value, c.lattice.dim), square: make([]*value, c.lattice.dim)}
	c.moments(n)
	var rho *value
	if c.scaled {
		rho = c.fma(n.r, c.constant("unscale"), c.constant("one"))
	} else {
		rho = c.add(n.r, c.constant("one"))
	}
	inv := c.div(c.constant("one"), rho)
	if c.trt {
		c.shareTRT(n, rho, inv)
	} else {
		c.shareBGK(n, inv)
	}
	n.even = c.fms(n.r, c.constant("mass"), n.t)
	n.evenFace = c.mul(n.even, c.constant("face"))
	return n
}

// moments sums r = Σ g_i in two chains, for latency, and j = Σ c_i g_i.
func (c *collision) moments(n *node) {
	n.g = make([]*value, c.lattice.q())
	n.g[0] = c.load(0, n.part)
	chain := [2]*value{n.g[0], nil}
	for k, p := range c.lattice.pairs {
		a, b := c.load(plus(k), n.part), c.load(minus(k), n.part)
		n.g[plus(k)], n.g[minus(k)] = a, b
		s, d := c.add(a, b), c.sub(a, b)
		if i := (k + 1) % 2; chain[i] == nil {
			chain[i] = s
		} else {
			chain[i] = c.add(chain[i], s)
		}
		for axis := range n.j {
			switch {
			case p.c[axis] == 0:
			case n.j[axis] == nil:
				n.j[axis] = d
			case p.c[axis] > 0:
				n.j[axis] = c.add(n.j[axis], d)
			default:
				n.j[axis] = c.sub(n.j[axis], d)
			}
		}
	}
	n.r = c.add(chain[0], chain[1])
}

// shareBGK: f_i^eq ω is even + h (c_i·j)² + momentum·c_i·j, h = 9/2 ω w/ρ.
func (c *collision) shareBGK(n *node, inv *value) {
	third := c.mul(inv, c.constant("square"))
	for axis, j := range n.j {
		n.square[axis] = c.mul(j, j)
	}
	n.t = c.mul(third, c.total(n.square))
	n.h = c.mul(third, c.constant("three"))
	n.hFace = c.mul(n.h, c.constant("face"))
}

// shareTRT: the even part is even + (c_i·J)(c_i·v), v = 9/2 ω⁺ w u + 9 s⁺ w a, the
// odd part c_i·s, s = 3 w (ω⁻ j + (ω⁻/2 + s⁻) ρ a).
func (c *collision) shareTRT(n *node, rho, inv *value) {
	n.v, n.s = make([]*value, len(n.j)), make([]*value, len(n.j))
	for axis, j := range n.j {
		a := string("XYZ"[axis])
		n.j[axis] = c.fma(rho, c.constant("half"+a), j)
		n.s[axis] = c.fma(rho, c.constant("push"+a), c.mul(j, c.constant("momentum")))
		third := c.fma(c.mul(n.j[axis], inv), c.constant("square"), c.constant("source"+a))
		n.square[axis] = c.mul(n.j[axis], third)
		n.v[axis] = c.mul(third, c.constant("three"))
	}
	n.t = c.total(n.square)
}

func (c *collision) total(v []*value) *value {
	s := v[0]
	for _, x := range v[1:] {
		s = c.add(s, x)
	}
	return s
}

// population is one that arrived, from its register or again from memory.
func (c *collision) population(n *node, i int) *value {
	if c.keep {
		return n.g[i]
	}
	return c.load(i, n.part)
}

func (c *collision) restPopulation(n *node) *value {
	x := c.mul(n.r, c.constant("massRest"))
	x = c.fnma(n.t, c.constant("rest"), x)
	return c.fma(c.population(n, 0), c.constant("keep"), x)
}

// pair relaxes a velocity and its opposite.
func (c *collision) pair(n *node, k int) (p, m *value) {
	if c.trt {
		p, m = c.pairTRT(n, k)
		a, b := c.population(n, plus(k)), c.population(n, minus(k))
		same, cross := c.constant("same"), c.constant("cross")
		p, m = c.fma(b, cross, p), c.fma(a, cross, m)
		return c.fma(a, same, p), c.fma(b, same, m)
	}
	p, m = c.pairBGK(n, k)
	keep := c.constant("keep")
	return c.fma(c.population(n, plus(k)), keep, p), c.fma(c.population(n, minus(k)), keep, m)
}

// pairBGK is ω f^eq of a pair.
func (c *collision) pairBGK(n *node, k int) (p, m *value) {
	dir := c.lattice.pairs[k].c
	if axis, ok := face(dir); ok {
		e := c.fma(n.square[axis], n.hFace, n.evenFace)
		momentum := c.constant("momentumFace")
		return c.fma(n.j[axis], momentum, e), c.fnma(n.j[axis], momentum, e)
	}
	j := c.along(n.j, dir)
	e := c.fma(c.mul(j, j), n.h, n.even)
	momentum := c.constant("momentum")
	return c.fma(j, momentum, e), c.fnma(j, momentum, e)
}

// pairTRT is ω⁺ f^eq+ ± ω⁻ f^eq− of a pair, with the force.
func (c *collision) pairTRT(n *node, k int) (p, m *value) {
	dir := c.lattice.pairs[k].c
	if axis, ok := face(dir); ok {
		e := c.fma(n.square[axis], c.constant("face3"), n.evenFace)
		return c.fma(n.s[axis], c.constant("face"), e), c.fnma(n.s[axis], c.constant("face"), e)
	}
	e := c.fma(c.along(n.j, dir), c.along(n.v, dir), n.even)
	s := c.along(n.s, dir)
	return c.add(e, s), c.sub(e, s)
}

// along is c·v.
func (c *collision) along(v []*value, dir [3]int) *value {
	var s *value
	for axis, x := range v {
		switch {
		case dir[axis] == 0:
		case s == nil: // the first component of every velocity is positive
			s = x
		case dir[axis] > 0:
			s = c.add(s, x)
		default:
			s = c.sub(s, x)
		}
	}
	return s
}

// face tells the axis of a velocity to a face neighbour.
func face(dir [3]int) (axis int, ok bool) {
	count := 0
	for a, c := range dir {
		if c != 0 {
			axis, count = a, count+1
		}
	}
	return axis, count == 1
}

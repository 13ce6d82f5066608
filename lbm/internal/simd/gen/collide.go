package main

import "slices"

// collision writes one kernel's loop body. Populations and momenta are in units
// of the storage (2^15 for half precision), weights in units of 1/36; constants
// has the factors that this takes. Results in half precision are dithered.
type collision struct {
	results
	lattice *lattice
	trt     bool // two rates and a force
	keep    bool // populations stay in registers between the two passes
	field   bool // a force density of each node acts, too, and moments are stored: where it is 0 results are the bits of those without
}

// node is one vector of nodes between the two passes.
type node struct {
	g              []*value // populations as loaded by the first pass
	y              []*value // what they give that does not wait for 1/ρ; nil: not yet
	r              *value   // ρ − 1
	j              []*value // momentum; with half the force for TRT
	along          []*value // c_i·j of the pairs that are no faces
	square         []*value // BGK: j_a²; TRT: j_a v_a/3
	v, s           []*value // of the even and of the odd part, see shareTRT and shareBGK
	f              []*value // force density
	t              *value   // the part of the rest population that is quadratic
	even, evenFace *value   // the part of all that does not depend on direction
	h, hFace       *value   // BGK: 9/2 ω w/ρ
}

// collide is the whole of it.
func (c *collision) collide() { c.finish(c.begin()) }

// finish is the second pass: rest, then pair by pair, both loaded before stored.
func (c *collision) finish(n *node) {
	c.linear(n, restOnly)
	c.storeAll(0, restOnly, c.fnma(n.t, c.constant("rest"), n.y[0]))
	for k := range c.lattice.pairs {
		c.linear(n, k)
		even := c.evenPart(n, k)
		first, second := c.add(n.y[plus(k)], even), c.add(n.y[minus(k)], even)
		c.storeAll(plus(k), k, first, second)
	}
}

// begin is the first pass: moments, and what all directions share. The division
// takes as long as dozens of other operations, and what waits for it fills the
// processor's queues: so all that need not wait comes right behind it, as far as
// registers can hold it.
func (c *collision) begin() *node {
	q, pairs := c.lattice.q(), len(c.lattice.pairs)
	n := &node{
		g: make([]*value, q), y: make([]*value, q), along: make([]*value, pairs),
		j: make([]*value, c.lattice.dim), square: make([]*value, c.lattice.dim),
	}
	c.density(n)
	rho := c.densityOf(n.r)
	inv := c.div(c.constant("one"), rho)
	if c.keep {
		c.momentum(n)
	}
	if c.trt {
		c.shareTRT(n, rho, inv)
	} else {
		c.shareBGK(n, rho, inv)
	}
	n.even = c.fms(n.r, c.constant("mass"), n.t)
	n.evenFace = c.mul(n.even, c.constant("face"))
	return n
}

// density sums r = Σ g_i in two chains, for latency; and, if populations do not
// stay in registers, the momentum too.
func (c *collision) density(n *node) {
	n.g[0] = c.load(0)
	chain := [2]*value{n.g[0], nil}
	for k := range c.lattice.pairs {
		n.g[plus(k)], n.g[minus(k)] = c.load(plus(k)), c.load(minus(k))
		s := c.add(n.g[plus(k)], n.g[minus(k)])
		if !c.keep {
			c.addMomentum(n, k)
		}
		if i := (k + 1) % 2; chain[i] == nil {
			chain[i] = s
		} else {
			chain[i] = c.add(chain[i], s)
		}
	}
	n.r = c.add(chain[0], chain[1])
}

// momentum sums j = Σ c_i g_i.
func (c *collision) momentum(n *node) {
	for k := range c.lattice.pairs {
		c.addMomentum(n, k)
	}
}

func (c *collision) addMomentum(n *node, k int) {
	d := c.sub(n.g[plus(k)], n.g[minus(k)])
	for axis, direction := range c.lattice.pairs[k].c[:len(n.j)] {
		switch {
		case direction == 0:
		case n.j[axis] == nil:
			n.j[axis] = d
		case direction > 0:
			n.j[axis] = c.add(n.j[axis], d)
		default:
			n.j[axis] = c.sub(n.j[axis], d)
		}
	}
}

// shareBGK: the even part of ω f^eq is even + h (c_i·j)², h = 9/2 ω w/ρ. With a force F of the node that of relaxation and source is even + h (c_i·J)(c_i·v),
// J = j + F/2, v = J + 2s/ω F, and the odd part 3 w ω c_i·s, s = j + (½ + s/ω) F, s being Guo's 1 − ω/2.
func (c *collision) shareBGK(n *node, rho, inv *value) {
	n.s, n.v = n.j, n.j
	if c.field {
		n.f = c.forceField(len(n.j))
		n.s = slices.Clone(n.j)
		c.addForce(n.s, n.f, "pushField")
	}
	if c.keep {
		c.linearAll(n)
	}
	if c.field {
		c.addForce(n.j, n.f, "halfField")
		c.storeMoments(rho, n.j, inv)
		n.v = slices.Clone(n.j)
		c.addForce(n.v, n.f, "sourceField")
	}
	for axis, j := range n.j {
		n.square[axis] = c.mul(j, n.v[axis])
	}
	third := c.mul(inv, c.constant("square"))
	n.t = c.mul(third, c.total(n.square))
	n.h = c.mul(third, c.constant("three"))
	n.hFace = c.mul(n.h, c.constant("face"))
}

// shareTRT: the even part of relaxation and source is even + (c_i·J)(c_i·v),
// v = 9/2 ω⁺ w u + 9 s⁺ w a, the odd part c_i·s, s = 3 w (ω⁻ j + (ω⁻/2 + s⁻) ρ a).
func (c *collision) shareTRT(n *node, rho, inv *value) {
	n.v, n.s = make([]*value, len(n.j)), make([]*value, len(n.j))
	for axis, j := range n.j {
		n.s[axis] = c.fma(rho, c.constant("push"+axisName(axis)), c.mul(j, c.constant("momentum")))
	}
	if c.field {
		n.f = c.forceField(len(n.j))
		c.addForce(n.s, n.f, "pushField")
	}
	if c.keep {
		c.linearAll(n)
	}
	for axis, j := range n.j {
		n.j[axis] = c.fma(rho, c.constant("half"+axisName(axis)), j)
	}
	if c.field {
		c.addForce(n.j, n.f, "halfField")
		c.storeMoments(rho, n.j, inv)
	}
	for axis, j := range n.j {
		var third *value
		if c.field {
			source := c.fma(c.mul(n.f[axis], inv), c.constant("sourceField"), c.constant("source"+axisName(axis)))
			third = c.fma(c.mul(j, inv), c.constant("square"), source)
		} else {
			third = c.fma(c.mul(j, inv), c.constant("square"), c.constant("source"+axisName(axis)))
		}
		n.square[axis] = c.mul(j, third)
		n.v[axis] = c.mul(third, c.constant("three"))
	}
	n.t = c.total(n.square)
}

func axisName(axis int) string { return string("XYZ"[axis]) }

func (c *collision) total(v []*value) *value {
	s := v[0]
	for _, x := range v[1:] {
		s = c.add(s, x)
	}
	return s
}

// restOnly stands for the rest population where pairs are counted.
const restOnly = -1

// linearAll makes y of all populations.
func (c *collision) linearAll(n *node) {
	for k := restOnly; k < len(c.lattice.pairs); k++ {
		c.linear(n, k)
	}
}

// linear makes y of pair k, or of the rest population, unless it is there:
// what is left of the populations, and the odd part of relaxation and source.
func (c *collision) linear(n *node, k int) {
	if n.y[plus(k)] != nil {
		return
	}
	if k == restOnly {
		n.y[0] = c.fma(c.population(n, 0), c.constant("keep"), c.mul(n.r, c.constant("massRest")))
		return
	}
	odd := c.oddPart(n, k)
	a, b := c.population(n, plus(k)), c.population(n, minus(k))
	if c.trt {
		same, cross := c.constant("same"), c.constant("cross")
		n.y[plus(k)] = c.fma(b, cross, c.fma(a, same, odd))
		n.y[minus(k)] = c.fma(a, cross, c.fms(b, same, odd))
		return
	}
	keep := c.constant("keep")
	n.y[plus(k)], n.y[minus(k)] = c.fma(a, keep, odd), c.fms(b, keep, odd)
}

// population is one that arrived, from its register or again from memory.
func (c *collision) population(n *node, i int) *value {
	if c.keep {
		return n.g[i]
	}
	return c.load(i)
}

// oddPart is that of relaxation and source of a pair.
func (c *collision) oddPart(n *node, k int) *value {
	dir := c.lattice.pairs[k].c
	axis, isFace := face(dir)
	switch {
	case c.trt && isFace:
		return c.mul(n.s[axis], c.constant("face"))
	case c.trt:
		return c.dot(n.s, dir)
	case isFace:
		return c.mul(n.s[axis], c.constant("momentumFace"))
	}
	n.along[k] = c.dot(n.s, dir)
	return c.mul(n.along[k], c.constant("momentum"))
}

// evenPart is that of relaxation and source of a pair.
func (c *collision) evenPart(n *node, k int) *value {
	dir := c.lattice.pairs[k].c
	axis, isFace := face(dir)
	switch {
	case c.trt && isFace:
		return c.fma(n.square[axis], c.constant("face3"), n.evenFace)
	case c.trt:
		return c.fma(c.dot(n.j, dir), c.dot(n.v, dir), n.even)
	case isFace:
		return c.fma(n.square[axis], n.hFace, n.evenFace)
	case c.field:
		return c.fma(c.mul(c.dot(n.j, dir), c.dot(n.v, dir)), n.h, n.even)
	}
	return c.fma(c.mul(n.along[k], n.along[k]), n.h, n.even)
}

// dot is c·v.
func (p *program) dot(v []*value, dir [3]int) *value {
	var s *value
	for axis, x := range v {
		switch {
		case dir[axis] == 0:
		case s == nil: // the first component of every velocity is positive
			s = x
		case dir[axis] > 0:
			s = p.add(s, x)
		default:
			s = p.sub(s, x)
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

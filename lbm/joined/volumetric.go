package joined

import (
	"slices"

	"lbmib/lbm"
)

// What populations become between levels, as sums of those that are read: see seamCompiler and docs/method.md.

// covered tells whether a coarse cell is covered by a box of the fine level.
func (c *seamCompiler[T]) covered(cell [3]int) bool {
	for a := range c.box.dim {
		cell[a] *= 2
	}
	for _, o := range c.others {
		if o.contains(cell) {
			return true
		}
	}
	return false
}

// origin is where a population comes from.
func (c *seamCompiler[T]) origin(cfg *lbm.Config, p [3]int, i int) origin {
	o := originOf(cfg, p, i)
	c.walls = c.walls || o.face >= 0
	return o
}

// entersBox tells whether population i of ghost g is streamed into the box.
func (c *seamCompiler[T]) entersBox(g [3]int, i int) bool {
	next, _ := c.ahead(g, i)
	return c.box.contains(next)
}

// ahead is where population i of node p is a step later, and as which: off mirrors, or behind another face.
func (c *seamCompiler[T]) ahead(p [3]int, i int) ([3]int, int) {
	p = c.box.wrapped(p)
	v := c.cfg.Lattice.C[i]
	for a := range c.box.dim {
		p[a] += v[a]
		side := 2 * a
		if p[a] >= c.box.size[a] {
			side++
		}
		if (p[a] < 0 || p[a] >= c.box.size[a]) && c.cfg.Faces[side].Kind.IsMirror() {
			p[a] = min(max(p[a], 0), c.box.size[a]-1)
			v[a] = -v[a]
		}
	}
	return p, direction(c.cfg.Lattice, v)
}

// enteringLate is population i of ghost g half a coarse step after t, which flies into the box then. What has come back from a
// wall meanwhile has the slopes that it enters with; by so much more than was sent has the ghost's cell lost, on all of its nodes.
func (c *seamCompiler[T]) enteringLate(g [3]int, i int) (sum, excess []term) {
	sum = c.halfway(g, i)
	o := c.origin(c.cfg, c.box.wrapped(g), i)
	if o.face < 0 || c.uniform {
		return sum, nil
	}
	cell := c.box.coarse(o.node)
	excess = plus(c.across(cell, i, g), c.along(cell, i), 0.75)
	excess = plus(excess, c.across(cell, o.dir, g), -1)
	return plus(sum, excess, 1), excess
}

// before is population i of a fine node after the collision at time t: of the box, or exploded.
func (c *seamCompiler[T]) before(p [3]int, i int) []term {
	p = c.box.wrapped(p)
	if c.box.contains(p) {
		return []term{{source{ofFine, c.box.node(p), i}, 1}}
	}
	return c.exploded(c.box.coarse(p), i, p)
}

// exploded is population i of a coarse cell in one of its fine nodes p, at time t.
func (c *seamCompiler[T]) exploded(cell [3]int, i int, p [3]int) []term {
	sum := []term{{source{ofCoarse, c.above.node(cell), i}, 1}}
	if c.uniform {
		return sum
	}
	sum = plus(sum, c.across(cell, i, p), 1)
	return plus(sum, c.along(cell, i), -c.earliness(i, p)/4)
}

// earliness is 1 for what flies into the box in the first fine step, −1 for what does so in the second and 0 for the rest.
func (c *seamCompiler[T]) earliness(i int, p [3]int) float64 {
	next, as := c.ahead(p, i)
	if c.box.contains(next) {
		return 1
	}
	if next, _ = c.ahead(next, as); c.box.contains(next) {
		return -1
	}
	return 0
}

// along is the slope of population i of a coarse cell along its velocity, per coarse step.
func (c *seamCompiler[T]) along(cell [3]int, i int) (sum []term) {
	for a := range c.box.dim {
		sum = plus(sum, c.slope(cell, a, i), float64(c.cfg.Lattice.C[i][a]))
	}
	return sum
}

// across is by how much a population of a coarse cell is larger in its fine node p, by the slopes that population i has.
func (c *seamCompiler[T]) across(cell [3]int, i int, p [3]int) (sum []term) {
	for a := range c.box.dim {
		offset := 0.25 // of the node from the centre of the cell, in cells
		if p[a]%2 == 0 {
			offset = -0.25
		}
		sum = plus(sum, c.slope(cell, a, i), offset)
	}
	return sum
}

// eachIn calls do for every fine node in a coarse cell and returns their number.
func (c *seamCompiler[T]) eachIn(cell [3]int, do func(p [3]int)) (n int) {
	lo, hi := cell, cell
	for a := range 3 {
		hi[a]++
		if a < c.box.dim {
			lo[a], hi[a] = 2*lo[a], 2*hi[a]
		}
	}
	each(lo, hi, func(p [3]int) { n++; do(p) })
	return n
}

// slope is that of population i along axis a in a coarse cell, per cell.
func (c *seamCompiler[T]) slope(cell [3]int, a, i int) []term {
	at := func(by int) (t term, ok bool) {
		p := cell
		p[a] += by
		p = c.above.wrapped(p)
		if !c.above.contains(p) || c.covered(p) {
			return t, false
		}
		return term{source{ofCoarse, c.above.node(p), i}, 1}, true
	}
	here, _ := at(0)
	low, below := at(-1)
	high, above := at(1)
	minus := func(t term, by float64) term { t.weight = by; return t }
	switch {
	case below && above:
		return []term{minus(low, -0.5), minus(high, 0.5)}
	case below:
		return []term{minus(low, -1), here}
	case above:
		return []term{high, minus(here, -1)}
	}
	return nil
}

// halfway is population i of a fine node half a coarse step after t, after the collision if the node is in the box.
func (c *seamCompiler[T]) halfway(p [3]int, i int) []term {
	p = c.box.wrapped(p)
	if c.box.contains(p) {
		return []term{{source{ofFineNext, c.box.node(p), i}, 1}}
	}
	return c.from(p, i, inFirst, c.before)
}

// from is what arrives along i at fine node p in one of the steps, by what populations are before it.
func (c *seamCompiler[T]) from(p [3]int, i, step int, populations func(p [3]int, i int) []term) []term {
	o := c.origin(c.cfg, p, i)
	sum := plus(nil, populations(o.node, o.dir), 1)
	if o.gain != 0 {
		sum = plus(sum, []term{{source{ofFace, int32(6*step + o.face), 0}, 1}}, o.gain)
	}
	return sum
}

// early is by how much more than is there population i of coarse cell x loses to the box where not as much of it flies there in the first fine
// step as in the second.
func (c *seamCompiler[T]) early(x [3]int, i int) []term {
	if c.uniform {
		return nil
	}
	mean := 0.
	n := c.eachIn(x, func(p [3]int) { mean += c.earliness(i, p) })
	return plus(nil, c.along(x, i), -mean/float64(4*n))
}

// touches tells whether any of what flies along i to the fine nodes of coarse cell x in two fine steps has been in the box.
func (c *seamCompiler[T]) touches(x [3]int, i int) (any bool) {
	c.eachIn(x, func(p [3]int) {
		dir := i
		for range 2 {
			o := c.origin(c.cfg, c.box.wrapped(p), dir)
			p, dir = o.node, o.dir
			any = any || c.box.contains(p)
		}
	})
	return any
}

// arriving is the mean over the fine nodes of coarse cell x of what flies to them along i in two fine steps; touched tells
// whether any of it has been in the box. What has left that in the first step has flown too long for its
// stress, as what has left it in the second too short, and what comes back from a wall has the slopes that it arrives with; by what that
// is more than what was sent, excess, the cell gains mass.
func (c *seamCompiler[T]) arriving(x [3]int, i int) (sum, excess []term, touched bool) {
	o := c.origin(c.coarser, x, i)
	if !c.touches(x, i) { // mostly
		return nil, nil, false
	}
	n := 1 << c.box.dim
	c.eachIn(x, func(p [3]int) {
		terms := c.from(p, i, inSecond, c.halfway)
		var more []term
		switch {
		case slices.ContainsFunc(terms, func(t term) bool { return t.kind == ofFine }):
			touched = true
			more = plus(nil, c.along(x, i), 0.25)
		case slices.ContainsFunc(terms, func(t term) bool { return t.kind == ofFineNext }):
			touched = true
			more = plus(nil, c.along(x, i), -0.25)
		case o.face >= 0: // where a coarse step brings it
			terms = []term{{source{ofCoarse, c.above.node(o.node), o.dir}, 1}, {source{ofFace, int32(6*inCoarse + o.face), 0}, o.gain}}
			if !c.uniform {
				terms = plus(terms, c.across(o.node, o.dir, p), 1)
				more = plus(plus(nil, c.across(x, i, p), 1), c.across(o.node, o.dir, p), -1)
			}
		}
		if c.uniform {
			more = nil
		}
		sum = plus(plus(sum, terms, 1/float64(n)), more, 1/float64(n))
		excess = plus(excess, more, 1/float64(n))
	})
	return sum, excess, touched
}

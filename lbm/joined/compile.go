package joined

import (
	"slices"

	"lbmib/lbm"
)

// seamCompiler finds what a seam between levels does. A coarse cell explodes into fine nodes with the slopes of its populations (Chen,
// Filippova, Hoch, Molvig, Shock, Teixeira & Zhang, Physica A 362 (2006) 158), without which errors are of first
// order. Slopes are taken towards coarse cells alone, on one side where the box or a wall is on the other. What flies in the first half of a coarse step
// has not yet the non-equilibrium part that it should arrive with, and what flies in the second has too much, as much as a quarter of a coarse step
// makes of it; populations are taken from so much farther ahead or behind, and need not be rescaled. docs/method.md has the equations.
type seamCompiler[T lbm.Float] struct {
	cfg     *lbm.Config // of the fine level's whole domain,
	coarser *lbm.Config // and of the level above
	box     *grid
	above   *grid
	covered func(p [3]int) bool // of coarse cells: by any box of the fine level
	single  bool                // both parts take single populations
	uniform bool                // explosions know no slopes: for tests
	excess  map[[3]int][]term   // of mass that coarse cells send or get, which their populations at rest make up for
	reads   [ofFace]*reading[T]
}

// compileSeam makes the seam between a box and the grid above it.
func compileSeam[T lbm.Float](c *seamCompiler[T], fine, coarse lbm.Exchanger[T]) *levelSeam[T] {
	q := c.cfg.Lattice.Q
	c.excess = map[[3]int][]term{}
	for k := range c.reads {
		c.reads[k] = newReading(fine, q)
	}
	c.reads[ofCoarse] = newReading(coarse, q)
	_, one := fine.(lbm.Keeper[T])
	_, other := coarse.(lbm.Keeper[T])
	c.single = one && other
	var explode, stream sums
	c.box.eachGhost(func(g [3]int) {
		node := c.box.node(g)
		now, later := make([][]term, q), make([][]term, q)
		for i := range q {
			enters := c.entersBox(g, i)
			if enters || !c.single {
				now[i] = c.before(g, i)
				later[i] = now[i]
			}
			if enters {
				later[i] = c.enteringLate(g, i)
			}
		}
		explode.add(node, now)
		stream.add(node, later)
	})
	coalesce := c.arrivals()
	s := &levelSeam[T]{coarse: c.reads[ofCoarse], fine: c.reads[ofFine], next: c.reads[ofFineNext]}
	c.note(&explode, &stream, coalesce)
	place := c.closeReadings(s)
	s.explode, s.stream, s.coalesce = writingOf(fine, &explode, q, place), writingOf(fine, &stream, q, place), writingOf(coarse, coalesce, q, place)
	return s
}

// note has all that terms ask for be read.
func (c *seamCompiler[T]) note(all ...*sums) {
	for _, s := range all {
		for _, node := range s.terms {
			for i := range node {
				node[i] = withoutNothing(node[i])
				for _, t := range node[i] {
					if t.kind != ofFace {
						c.reads[t.kind].index(t.dir, t.node)
					}
				}
			}
		}
	}
}

// closeReadings lays the values out in one piece of memory, and says where in it a source is.
func (c *seamCompiler[T]) closeReadings(s *levelSeam[T]) (place func(source) int32) {
	var start [ofFace][]int // of each direction
	var at [ofFace][]map[int32]int32
	total := 0
	for k, r := range c.reads {
		at[k] = r.each
		for _, n := range r.lengths() {
			start[k] = append(start[k], total)
			total += n
		}
	}
	s.values = make([]T, total+6*drivenSteps)
	s.faces = s.values[total:]
	for k, r := range c.reads {
		r.close(s.values[start[k][0]:])
	}
	return func(o source) int32 {
		if o.kind == ofFace {
			return int32(total) + o.node
		}
		return int32(start[o.kind][o.dir]) + at[o.kind][o.dir][o.node]
	}
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
// wall meanwhile has the slopes that it enters with.
func (c *seamCompiler[T]) enteringLate(g [3]int, i int) []term {
	sum := c.halfway(g, i)
	o := originOf(c.cfg, c.box.wrapped(g), i)
	if o.face < 0 || c.uniform {
		return sum
	}
	cell := c.box.coarse(o.node)
	more := plus(c.across(cell, i, g), c.along(cell, i), 0.75)
	more = plus(more, c.across(cell, o.dir, g), -1)
	c.excess[cell] = plus(c.excess[cell], more, 1/float64(int(1)<<c.box.dim))
	return plus(sum, more, 1)
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
	o := originOf(c.cfg, p, i)
	sum := plus(nil, populations(o.node, o.dir), 1)
	if o.gain != 0 {
		sum = plus(sum, []term{{source{ofFace, int32(6*step + o.face), 0}, 1}}, o.gain)
	}
	return sum
}

// arrivals are what comes to coarse cells beside the box in their next step, where any of it has been in the box: by where it
// is pulled from.
func (c *seamCompiler[T]) arrivals() (all *sums) {
	all = &sums{}
	index := map[int32]int{}
	set := func(node int32, i int, terms []term) {
		k, ok := index[node]
		if !ok {
			k = len(all.nodes)
			index[node] = k
			as := make([][]term, c.cfg.Lattice.Q)
			for j := range as {
				if !c.single { // what it is
					as[j] = []term{{source{ofCoarse, node, j}, 1}}
				}
			}
			all.add(node, as)
		}
		all.terms[k][i] = terms
	}
	c.eachBeside(func(x [3]int) {
		excess := c.excess[x]
		for i := 1; i < c.cfg.Lattice.Q; i++ {
			excess = plus(excess, c.early(x, i), 1)
			terms, more, touched := c.arriving(x, i)
			if !touched {
				continue
			}
			excess = plus(excess, more, 1)
			o := originOf(c.coarser, x, i)
			if o.gain != 0 { // which the coarse level adds by itself
				terms = plus(terms, []term{{source{ofFace, int32(6*inCoarse + o.face), 0}, 1}}, -o.gain)
			}
			set(c.above.node(o.node), o.dir, terms)
		}
		if excess = withoutNothing(excess); len(excess) > 0 {
			rest := source{ofCoarse, c.above.node(x), 0}
			set(rest.node, 0, plus([]term{{rest, 1}}, excess, -1))
		}
	})
	return all
}

// eachBeside calls do for every coarse cell beside the box.
func (c *seamCompiler[T]) eachBeside(do func(x [3]int)) {
	low, high := c.box.coarse(c.box.lo), c.box.hi
	for a := range c.box.dim {
		low[a], high[a] = low[a]-1, floorHalf(high[a])+1
	}
	seen := map[[3]int]bool{}
	each(low, high, func(x [3]int) {
		x = c.above.wrapped(x)
		if c.above.contains(x) && !c.covered(x) && !seen[x] {
			seen[x] = true
			do(x)
		}
	})
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

// arriving is the mean over the fine nodes of coarse cell x of what flies to them along i in two fine steps; touched tells
// whether any of it has been in the box. What has left that in the first step has flown too long for its
// stress, as what has left it in the second too short, and what comes back from a wall has the slopes that it arrives with; by what that
// is more than what was sent, excess, the cell gains mass.
func (c *seamCompiler[T]) arriving(x [3]int, i int) (sum, excess []term, touched bool) {
	o := originOf(c.coarser, x, i)
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

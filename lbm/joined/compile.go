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
	others  []*grid // boxes of the fine level, this one included
	kernel  string  // of sums, see lbm.NewCombinations
	single  bool    // both parts take single populations
	uniform bool    // explosions know no slopes: for tests
	walls   bool    // a wall was met since this was last set to false
}

// seamRules are what a seam does: rules for ghosts before each of two fine steps, and for coarse nodes.
type seamRules struct{ explode, stream, coalesce []rule }

// each calls do for the three lists, of two sets of rules alike.
func (s *seamRules) each(with *seamRules, do func(to *[]rule, from []rule)) {
	do(&s.explode, with.explode)
	do(&s.stream, with.stream)
	do(&s.coalesce, with.coalesce)
}

// compileSeam makes the seam between a box and the grid above it.
func compileSeam[T lbm.Float](c *seamCompiler[T], fine, coarse lbm.Exchanger[T]) *levelSeam[T] {
	_, one := fine.(lbm.Keeper[T])
	_, other := coarse.(lbm.Keeper[T])
	c.single = one && other
	rules := c.rules()
	if !c.single {
		rules = c.wholeNodes(rules)
	}
	return c.seam(rules, fine, coarse)
}

// seam has rules carried out by parts.
func (c *seamCompiler[T]) seam(rules *seamRules, fine, coarse lbm.Exchanger[T]) *levelSeam[T] {
	q := c.cfg.Lattice.Q
	var from [ofFace]*listing // what is read, of each kind
	for k := range from {
		from[k] = newListing(q, !c.single)
	}
	list := func(rules []rule) *listing { // of what is written; all that rules ask for is read
		to := newListing(q, !c.single)
		for _, r := range rules {
			to.add(r.dir, r.node, r.step, r.n)
			for _, t := range r.terms {
				if t.kind != ofFace {
					from[t.kind].add(t.dir, t.node, r.steps[t.kind], r.n)
				}
			}
		}
		to.close()
		return to
	}
	explode, stream, coalesce := list(rules.explode), list(rules.stream), list(rules.coalesce)
	total := 6 * drivenSteps
	for _, l := range from {
		l.close()
		for _, n := range l.length {
			total += n
		}
	}
	s := &levelSeam[T]{values: make([]T, total)}
	rest := s.values
	s.coarse, rest = newReading(coarse, from[ofCoarse], rest)
	s.fine, rest = newReading(fine, from[ofFine], rest)
	s.next, s.faces = newReading(fine, from[ofFineNext], rest)
	reads := [ofFace]*reading[T]{s.coarse, s.fine, s.next}
	source := func(t term, step int32, n int) []T {
		if t.kind == ofFace {
			return s.faces[t.node : t.node+1]
		}
		at := from[t.kind].at(t.dir, t.node, step)
		return reads[t.kind].f[t.dir][at : at+n]
	}
	kernel := c.kernel
	s.explode = newWriting(fine, kernel, rules.explode, explode, source)
	s.stream = newWriting(fine, kernel, rules.stream, stream, source)
	s.coalesce = newWriting(coarse, kernel, rules.coalesce, coalesce, source)
	return s
}

// rules are found along lines of coarse cells beside the box: at one cell for all that are alike.
func (c *seamCompiler[T]) rules() *seamRules {
	all, along := &seamRules{}, &seamRules{}
	c.box.eachLine(c.others, c.above, func(l line) {
		if l.first {
			all.add(along)
			along = &seamRules{}
		}
		if l.alike {
			c.walls = false
			if rules := c.cell(l.cell, l.axis, l.n); !c.walls {
				along.grow(rules, all)
				return
			}
		}
		for range l.n { // what a wall does may vary along it
			along.grow(c.cell(l.cell, l.axis, 1), all)
			l.cell[l.axis]++
		}
	})
	all.add(along)
	return all
}

// add adds rules.
func (s *seamRules) add(more *seamRules) {
	s.each(more, func(to *[]rule, from []rule) { *to = append(*to, from...) })
}

// grow has rules hold for one cell more. If they do not, they go to done, and those of that cell take their place.
func (s *seamRules) grow(cell, done *seamRules) {
	same := true
	s.each(cell, func(to *[]rule, from []rule) { same = same && len(*to) == len(from) })
	if !same {
		done.add(s)
		*s = *cell
		return
	}
	finish := func(to *[]rule, from []rule, done *[]rule) {
		for k := range from {
			if !(*to)[k].extend(&from[k]) {
				*done = append(*done, (*to)[k])
				(*to)[k] = from[k]
			}
		}
	}
	finish(&s.explode, cell.explode, &done.explode)
	finish(&s.stream, cell.stream, &done.stream)
	finish(&s.coalesce, cell.coalesce, &done.coalesce)
}

// cell are the rules of n coarse cells alike from one on, along an axis: of the ghosts in them, and of what arrives there.
func (c *seamCompiler[T]) cell(x [3]int, axis, n int) *seamRules {
	s := &seamRules{}
	rule := func(dir int, node int32, fine bool, terms []term) rule {
		r := rule{dir: dir, n: n, node: node, terms: withoutNothing(terms)}
		r.steps[ofCoarse] = c.above.stride(axis)
		r.steps[ofFine] = 2 * c.box.stride(axis)
		r.steps[ofFineNext] = r.steps[ofFine]
		r.step = r.steps[ofCoarse]
		if fine {
			r.step = r.steps[ofFine]
		}
		return r
	}
	var excess []term // of mass that the cell sends or gets, which its population at rest makes up for
	c.eachIn(x, func(p [3]int) {
		if !c.box.isGhost(p) {
			return
		}
		node := c.box.node(p)
		for i := range c.cfg.Lattice.Q {
			if c.entersBox(p, i) {
				s.explode = append(s.explode, rule(i, node, true, c.before(p, i)))
				late, more := c.enteringLate(p, i)
				s.stream = append(s.stream, rule(i, node, true, late))
				excess = plus(excess, more, 1/float64(int(1)<<c.box.dim))
			}
		}
	})
	x = c.above.wrapped(x)
	for i := 1; i < c.cfg.Lattice.Q; i++ {
		excess = plus(excess, c.early(x, i), 1)
		terms, more, touched := c.arriving(x, i)
		if !touched {
			continue
		}
		excess = plus(excess, more, 1)
		o := c.origin(c.coarser, x, i)
		if o.gain != 0 { // which the coarse level adds by itself
			terms = plus(terms, []term{{source{ofFace, int32(6*inCoarse + o.face), 0}, 1}}, -o.gain)
		}
		s.coalesce = append(s.coalesce, rule(o.dir, c.above.node(o.node), false, terms))
	}
	if excess = withoutNothing(excess); len(excess) > 0 {
		rest := source{ofCoarse, c.above.node(x), 0}
		s.coalesce = append(s.coalesce, rule(0, rest.node, false, plus([]term{{rest, 1}}, excess, -1)))
	}
	return s
}

// wholeNodes are rules for all populations of the nodes that rules have: those that had none stay what they are in coarse nodes, and
// are nothing in ghosts, from where they do not come into the box.
func (c *seamCompiler[T]) wholeNodes(of *seamRules) *seamRules {
	whole := func(rules []rule, otherwise func(node int32, dir int) []term) []rule {
		all := singles(rules)
		has := map[source]bool{}
		var nodes []int32
		for _, r := range all {
			has[source{dir: r.dir, node: r.node}] = true
			nodes = append(nodes, r.node)
		}
		slices.Sort(nodes)
		for _, node := range slices.Compact(nodes) {
			for i := range c.cfg.Lattice.Q {
				if !has[source{dir: i, node: node}] {
					all = append(all, rule{dir: i, n: 1, node: node, terms: otherwise(node, i)})
				}
			}
		}
		for k := range all { // one list of nodes
			all[k].step, all[k].steps = 1, [kinds]int32{1, 1, 1}
		}
		return all
	}
	nothing := func(int32, int) []term { return nil }
	return &seamRules{
		explode:  whole(of.explode, nothing),
		stream:   whole(of.stream, nothing),
		coalesce: whole(of.coalesce, func(node int32, i int) []term { return []term{{source{ofCoarse, node, i}, 1}} }),
	}
}

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

// arriving is the mean over the fine nodes of coarse cell x of what flies to them along i in two fine steps; touched tells
// whether any of it has been in the box. What has left that in the first step has flown too long for its
// stress, as what has left it in the second too short, and what comes back from a wall has the slopes that it arrives with; by what that
// is more than what was sent, excess, the cell gains mass.
func (c *seamCompiler[T]) arriving(x [3]int, i int) (sum, excess []term, touched bool) {
	o := c.origin(c.coarser, x, i)
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

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
	box     *grid       // undivided, as the one above is
	above   *grid
	others  []*grid // boxes of the fine level, this one included
	fine    []*grid // parts of the box,
	coarse  []*grid // and of the one above
	single  bool    // all of them take single populations
	uniform bool    // explosions know no slopes: for tests
	walls   bool    // a wall was met since this was last set to false
}

// rules are found along lines of coarse cells beside the box.
func (c *seamCompiler[T]) rules() *seamRules {
	all := &seamRules{}
	c.box.eachLine(c.others, c.above, func(l line) {
		c.walls = false
		rules := c.line(l)
		all.add(rules)
		for k := 1; k <= l.copies; k++ {
			if c.walls { // what a wall does may vary along it
				all.add(c.line(l.moved(k)))
			} else {
				all.add(rules.moved(int32(k)*c.above.stride(l.across), int32(2*k)*c.box.stride(l.across)))
			}
		}
	})
	return all
}

// line are the rules of a line, found at one cell for all that are alike.
func (c *seamCompiler[T]) line(l line) *seamRules {
	all, along, walls := &seamRules{}, &seamRules{}, c.walls
	for _, p := range l.pieces {
		if p.alike {
			c.walls = false
			rules := c.cell(p.cell, l.axis, p.n)
			walls = walls || c.walls
			if !c.walls {
				along.grow(rules, all)
				continue
			}
		}
		for range p.n {
			along.grow(c.cell(p.cell, l.axis, 1), all)
			p.cell[l.axis]++
		}
	}
	c.walls = c.walls || walls
	all.add(along)
	return all
}

// cell are the rules of n coarse cells alike from one on, along an axis: of the ghosts in them, and of what arrives there.
func (c *seamCompiler[T]) cell(x [3]int, axis, n int) *seamRules {
	s := &seamRules{}
	rule := func(dir int, node int32, fine bool, terms []term) rule {
		r := rule{dir: dir, n: n, axis: axis, node: node, terms: withoutNothing(terms)}
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
			all[k].axis, all[k].step, all[k].steps = -1, 1, [kinds]int32{1, 1, 1}
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

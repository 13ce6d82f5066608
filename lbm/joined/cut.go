package joined

import "slices"

// What the seam of an undivided box does, done by its parts and those of the box above, which different ranks may have.

// partRule is what a rule is for as many of its nodes as all that it speaks of lies in the same parts: nodes are those of parts.
type partRule struct {
	rule
	into  *grid
	from  []*grid // of each term; nil: a face
	of    *rule
	first int // node of that
}

// stepIn is from a node of a rule to the next in a part, in numbers of its nodes.
func (r *rule) stepIn(g *grid, k kind) int32 {
	switch {
	case r.axis < 0:
		return 1
	case k == ofCoarse:
		return g.stride(r.axis)
	}
	return 2 * g.stride(r.axis)
}

// cut calls do for what a rule is for parts. into is where its nodes lie: ofCoarse or ofFine.
func (c *seamCompiler[T]) cut(r *rule, into kind, do func(p partRule)) {
	if len(c.fine) == 1 && len(c.coarse) == 1 {
		p := partRule{rule: *r, of: r, into: c.partsOf(into)[0], from: make([]*grid, len(r.terms))}
		for j, t := range r.terms {
			if t.kind != ofFace {
				p.from[j] = c.partsOf(t.kind)[0]
			}
		}
		do(p)
		return
	}
	for k := 0; k < r.n; {
		p := partRule{rule: *r, of: r, first: k, from: make([]*grid, len(r.terms))}
		p.n, p.terms = r.n-k, slices.Clone(r.terms)
		for j := range p.terms {
			t := &p.terms[j]
			if t.kind == ofFace {
				continue
			}
			at := c.wholeOf(t.kind).placeOf(t.node + int32(k)*r.steps[t.kind])
			p.from[j] = c.partWith(t.kind, at)
			p.n = min(p.n, r.left(p.from[j], t.kind, at))
			t.node = p.from[j].node(at)
		}
		c.aim(&p, into, c.wholeOf(into).placeOf(r.node+int32(k)*r.step), do)
		k += p.n
	}
}

// aim calls do for what a cut rule is for the parts that what it puts at a place belongs to, and shortens it to where that ends.
func (c *seamCompiler[T]) aim(p *partRule, into kind, at [3]int, do func(p partRule)) {
	to := func(g *grid) {
		p.into, p.node, p.step = g, g.node(at), p.stepIn(g, into)
		do(*p)
	}
	switch {
	case into == ofCoarse:
		g := c.partWith(into, at)
		p.n = min(p.n, p.left(g, into, at))
		to(g)
	case c.single: // into which it flies
		next, _ := c.ahead(at, p.dir)
		by := next
		for a, x := range c.box.wrapped(at) {
			by[a] -= x
		}
		next = c.box.wrapped(next)
		g := c.partWith(into, next)
		if left := p.left(g, into, next); by == c.cfg.Lattice.C[p.dir] {
			p.n = min(p.n, left)
		} else { // off a mirror, which others beside it are not
			p.n = 1
		}
		to(g)
	default: // all that it is a ghost of
		p.n = 1
		for _, g := range c.fine {
			if _, is := g.near(at); is {
				to(g)
			}
		}
	}
}

// left is for how many nodes a rule stays in a part from a place on.
func (r *rule) left(g *grid, k kind, at [3]int) int {
	switch {
	case r.axis < 0:
		return 1
	case k == ofCoarse:
		return g.hi[r.axis] - at[r.axis]
	}
	return (g.hi[r.axis] - at[r.axis] + 1) / 2
}

// wholeOf is the undivided box that what a rule speaks of lies in, and partsOf are its parts.
func (c *seamCompiler[T]) wholeOf(k kind) *grid {
	if k == ofCoarse {
		return c.above
	}
	return c.box
}

func (c *seamCompiler[T]) partsOf(k kind) []*grid {
	if k == ofCoarse {
		return c.coarse
	}
	return c.fine
}

// partWith is the one that has a place.
func (c *seamCompiler[T]) partWith(k kind, p [3]int) *grid {
	parts := c.partsOf(k)
	return parts[slices.IndexFunc(parts, func(g *grid) bool { return g.contains(p) })]
}

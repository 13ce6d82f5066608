package ib

// stretch is n nodes in a row that an extended block has from at on, and a field of
// the site from node on.
type stretch struct{ at, node, n int }

// touch finds the nodes of the extended block that the particles of a block touch, one
// range of each row, and where they are on the mesh.
func (c *domainCopy[T]) touch(g *tiling[T], b *filled) {
	clear(c.reach)
	s, planes := c.f.support, c.planes()
	for _, m := range c.swarms {
		for l := range planes {
			rows := c.reach[g.firstRow(m.row)+l*g.height:][:s]
			for j := range rows {
				rows[j].include(m.lo, m.lo+m.n+s-1)
			}
		}
	}
	c.meet(g, b)
}

// firstRow is the number of the first row of the extended block that a row of cells
// reaches.
func (g *tiling[T]) firstRow(r int) int { return r/g.shape[1]*g.height + r%g.shape[1] }

// meet finds the nodes of the mesh that stand for those of the extended block. There
// are none beyond a bounded axis. A periodic axis is at least as long as a support, so
// that none is gone round twice.
func (c *domainCopy[T]) meet(g *tiling[T], b *filled) {
	c.stretch = c.stretch[:0]
	var first [3]int // node that the block begins with
	for a := range c.f.dim {
		first[a] = int(b.at[a])*g.shape[a] - g.low[a]
	}
	size := g.site.grid.Size[0]
	for i, row := range c.reach {
		if row.empty() {
			continue
		}
		place, ok := g.begins(first[1]+i%g.height, first[2]+i/g.height)
		if !ok {
			continue
		}
		at, lo, hi := i*g.pitch-first[0], first[0]+row.lo, first[0]+row.hi
		if g.site.grid.Periodic[0] && hi > size {
			begin := max(lo, size)
			c.stretch = append(c.stretch, stretch{at + begin, place + begin - size, hi - begin})
		}
		lo, hi = max(lo, 0), min(hi, size)
		if lo < hi {
			c.stretch = append(c.stretch, stretch{at + lo, place + lo, hi - lo})
		}
	}
}

// begins is where row y of plane z begins in a field; false if there is none.
func (g *tiling[T]) begins(y, z int) (int, bool) {
	size, periodic := &g.site.grid.Size, &g.site.grid.Periodic
	if !periodic[1] && (y < 0 || y >= size[1]) || g.f.dim == 3 && !periodic[2] && (z < 0 || z >= size[2]) {
		return 0, false
	}
	return g.site.row[0][y] + g.site.row[1][z], true
}

// extended is the extended block of a component.
func (c *domainCopy[T]) extended(g *tiling[T], slot int) []T {
	return c.mesh[slot*g.size:][:g.size]
}

// clear makes the extended block zero (Algorithm 2, line 7).
func (c *domainCopy[T]) clear(g *tiling[T]) { clear(c.mesh[:len(g.components)*g.size]) }

// replicate copies nodes to the extended block (Algorithm 4, line 6). Those that are
// not on the mesh are zero.
func (c *domainCopy[T]) replicate(g *tiling[T], field [][]T) {
	c.clear(g)
	for slot, component := range g.components {
		to, from := c.extended(g, slot), field[component]
		for _, s := range c.stretch {
			copy(to[s.at:][:s.n], from[s.node:])
		}
	}
}

// stitch adds the extended block to the mesh (Algorithm 2, line 9).
func (c *domainCopy[T]) stitch(g *tiling[T], field [][]T) {
	for slot, component := range g.components {
		from, to := c.extended(g, slot), field[component]
		for _, s := range c.stretch {
			addNodes(to[s.node:][:s.n], from[s.at:])
		}
	}
}

package ib

import "lbmib/ib/internal/simd"

// domainCopy is what a worker has of the block that it works on: one particle or
// dummy in each cell, and the extended block. Particle data lie as in the paper's
// Fig. 2, each dimension and each property in a segment of its own, with the places
// of a row of cells next to each other: those of a shift κ along an axis at
// (row·support + κ)·blockLanes.
type domainCopy[T Float] struct {
	f        *frame[T]
	runs     []cellRun        // cells whose particles are not all done
	began    bool             // the first copy is made
	weight   [3][]T           // along an axis, of the particle of each cell
	strength []T              // of the particle of each cell, for every component
	row      [blockRows]lanes // its cells from the first to the last that has a particle

	mesh    []T       // extended block, for every component
	reach   []lanes   // the nodes of its rows that the block's particles touch
	stretch []stretch // the same as far as they are on the mesh

	ask    simd.Axis[T]
	first  []int32
	placed []T
	wyz    [blockLanes]T
	part   [blockLanes]T
}

// cellRun is a cell and its particles from the copy at hand on, in sorted order.
type cellRun struct {
	at, end int32
	cell    uint16
}

// lanes is a range lo ≤ i < hi along x, of cells of a row or nodes.
type lanes struct{ lo, hi int32 }

func (s lanes) empty() bool { return s.lo == s.hi }

// include widens s to contain lo ≤ i < hi.
func (s *lanes) include(lo, hi int32) {
	if s.empty() {
		*s = lanes{lo, hi}
		return
	}
	s.lo, s.hi = min(s.lo, lo), max(s.hi, hi)
}

func newDomainCopy[T Float](f *frame[T]) *domainCopy[T] {
	c := &domainCopy[T]{
		f: f, runs: make([]cellRun, 0, blockCells),
		first: make([]int32, batchSize), placed: make([]T, batchSize*f.stride),
	}
	for a := range f.dim {
		c.weight[a] = make([]T, blockCells*f.support)
	}
	rows := 1
	for a := 1; a < f.dim; a++ {
		rows *= blockShape[f.dim][a] + f.support - 1
	}
	c.reach = make([]lanes, rows)
	c.stretch = make([]stretch, 0, 2*rows)
	c.grow(1)
	return c
}

// grow makes room for a number of components.
func (c *domainCopy[T]) grow(components int) {
	if components*blockCells <= len(c.strength) {
		return
	}
	c.strength = make([]T, components*blockCells)
	c.mesh = make([]T, components*len(c.reach)*(blockLanes+c.f.support-1))
}

// open turns to a block: the cells that hold particles, and the nodes that those touch.
func (c *domainCopy[T]) open(g *tiling[T], b *filled) {
	c.runs, c.began = c.runs[:0], false
	last := -1
	for i := b.lo; i < b.hi; i++ {
		if cell := g.within[i]; int(cell) != last {
			last = int(cell)
			c.runs = append(c.runs, cellRun{i, b.hi, cell})
			if n := len(c.runs); n > 1 {
				c.runs[n-2].end = i
			}
		}
	}
	c.span()
	c.touch(g, b)
}

// next turns to the next domain copy, false if no particle is left for it.
func (c *domainCopy[T]) next() bool {
	if !c.began {
		c.began = true
		return true
	}
	rest := c.runs[:0]
	for _, r := range c.runs {
		if r.at++; r.at < r.end {
			rest = append(rest, r)
		}
	}
	c.runs = rest
	c.span()
	return len(rest) > 0
}

// span finds which cells of each row have particles, from the first to the last.
func (c *domainCopy[T]) span() {
	clear(c.row[:])
	for _, r := range c.runs {
		lane := int32(r.cell) % blockLanes
		c.row[r.cell/blockLanes%blockRows].include(lane, lane+1)
	}
}

// place computes the weights of the particles of the copy (Algorithm 2 or 4, line 5,
// and the factors of W in line 3(c)iii.A of Algorithm 1 or 3): once per axis.
func (c *domainCopy[T]) place(g *tiling[T], local *[3][]float64) {
	for runs := c.runs; len(runs) > 0; {
		some := runs[:min(batchSize, len(runs))]
		runs = runs[len(some):]
		for a := range c.f.dim {
			x := local[a][:batchSize]
			for i := range some {
				x[i] = g.x[a][some[i].at]
			}
			c.weigh(g, a, some, x)
		}
	}
}

// weigh lays out the weights along an axis of particles at x.
func (c *domainCopy[T]) weigh(g *tiling[T], axis int, runs []cellRun, x []float64) {
	s, stride, t := c.f.support, c.f.stride, &g.track[axis]
	c.ask = simd.Axis[T]{N: len(runs), X: x, Shift: t.shift, Last: t.size - s, First: c.first, Weight: c.placed}
	if t.periodic {
		c.ask.Period = t.size
	}
	c.f.loops.Weights(&c.ask)
	if c.ask.Outside != 0 && !t.periodic {
		c.forget(len(runs), s, t.size)
	}
	for i := range runs {
		cell := int(runs[i].cell)
		to := c.weight[axis][cell/blockLanes*s*blockLanes+cell%blockLanes:]
		for k, w := range c.placed[i*stride:][:s] {
			to[k*blockLanes] = w
		}
	}
}

// forget takes the weights of particles whose whole support is beyond a bounded axis:
// they are in the outermost cells, for want of one of their own.
func (c *domainCopy[T]) forget(n, support, size int) {
	for i, first := range c.first[:n] {
		if int(first) <= -support || int(first) >= size {
			clear(c.placed[i*c.f.stride:][:support])
		}
	}
}

// load brings strengths into the copy, times h^-d (Algorithm 2, line 6); dummies
// have none.
func (c *domainCopy[T]) load(g *tiling[T], values [][]T) {
	index := g.sorter.index()
	for slot, component := range g.components {
		strength, from := c.segment(slot), values[component]
		c.dummies(slot)
		for i := range c.runs {
			strength[c.runs[i].cell%blockCells] = c.f.scale * from[index[c.runs[i].at]]
		}
	}
}

// dummies fills the rows of the copy with particles of zero strength.
func (c *domainCopy[T]) dummies(slot int) {
	strength := c.segment(slot)
	for r, row := range c.row {
		clear(strength[r*blockLanes:][row.lo:row.hi])
	}
}

// segment is the strengths of particles for the component in a slot.
func (c *domainCopy[T]) segment(slot int) *[blockCells]T {
	return (*[blockCells]T)(c.strength[slot*blockCells:])
}

// collect stores the strengths of particles, those of dummies are purged (Algorithm 4,
// line 8).
func (c *domainCopy[T]) collect(g *tiling[T], values [][]T) {
	index := g.sorter.index()
	for slot, component := range g.components {
		strength, to := c.segment(slot), values[component]
		for i := range c.runs {
			to[index[c.runs[i].at]] = strength[c.runs[i].cell%blockCells]
		}
	}
}

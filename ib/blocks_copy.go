package ib

import "lbmib/ib/internal/simd"

// domainCopy is what a worker has of the block that it works on: one particle or
// dummy in each cell, and the extended block. Particle data lie as in the paper's
// Fig. 2, each dimension and each property in a segment of its own, with the places
// of a row of cells next to each other: those of a shift κ along an axis at
// (row·support + κ)·blockLanes.
type domainCopy[T Float] struct {
	f        *frame[T]
	runs     []cellRun // cells whose particles are not all done
	began    bool      // the first copy is made
	weight   [3][]T    // along an axis, of the particle of each cell
	strength []T       // of the particle of each cell, for every component
	swarms   []swarm   // the cells to work on

	mesh    []T       // extended block, for every component
	reach   []reached // the nodes of its rows that the block's particles touch
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

// swarm is the cells from lane lo on of a row that keep in step: particles, and the
// dummies between them.
type swarm struct{ row, lo, n int }

// bridge is how many cells without particles, one after the other, are done as dummies
// for the sake of a longer loop: about as many as it costs to begin another.
const bridge = 4

// reached is a range lo ≤ i < hi of nodes along x.
type reached struct{ lo, hi int }

func (s reached) empty() bool { return s.lo == s.hi }

// include widens s to contain lo ≤ i < hi.
func (s *reached) include(lo, hi int) {
	if s.empty() {
		*s = reached{lo, hi}
		return
	}
	s.lo, s.hi = min(s.lo, lo), max(s.hi, hi)
}

func newDomainCopy[T Float](f *frame[T]) *domainCopy[T] {
	c := &domainCopy[T]{
		f: f, runs: make([]cellRun, 0, blockCells), swarms: make([]swarm, 0, blockCells),
		first: make([]int32, batchSize), placed: make([]T, batchSize*f.stride),
	}
	for a := range f.dim {
		c.weight[a] = make([]T, blockCells*f.support)
	}
	rows := 1
	for a := 1; a < f.dim; a++ {
		rows *= blockShape[f.dim][a] + f.support - 1
	}
	c.reach = make([]reached, rows)
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
	c.gather()
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
	c.gather()
	return len(rest) > 0
}

// gather finds the swarms among the cells that have particles.
func (c *domainCopy[T]) gather() {
	c.swarms = c.swarms[:0]
	var last *swarm
	for _, r := range c.runs {
		row, lane := int(r.cell)/blockLanes, int(r.cell)%blockLanes
		if last != nil && row == last.row && lane <= last.lo+last.n+bridge {
			last.n = lane + 1 - last.lo
			continue
		}
		c.swarms = append(c.swarms, swarm{row, lane, 1})
		last = &c.swarms[len(c.swarms)-1]
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

// dummies fills the copy with particles of zero strength.
func (c *domainCopy[T]) dummies(slot int) {
	strength := c.segment(slot)
	for _, m := range c.swarms {
		clear(strength[m.row*blockLanes+m.lo:][:m.n])
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

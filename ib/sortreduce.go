package ib

// sortReduce is Algorithm 4 of Kassen, Shankar & Fogelson; shiftReduce is what they print.
// What became of its lines:
//
//	 3–7   order.set: keys κ of cells, and points sorted by them
//	 9     SHIFT: all shifts of a point together, so that its weights are computed once
//	       per axis and the fields are gone through once
//	12–18  V: the loops over rows (package simd), for 64 points at a time
//	 8, 19 segmented reduce: a sum over the points of a cell. They follow each other, and
//	       the rows that they add to stay in the first cache: the sum is made there. Made
//	       in a place of its own it took half as long again with 16 points in a cell,
//	       and has nothing to do with few.
//	20–26  ℓ_m ← ℓ_m + V: every node has one owner
//
// In the paper nodes have one writer because a cell has only one node for a shift, and
// all wait for each other at the end of every shift. Here a worker owns planes of nodes,
// or rows of them, and takes from every point those shifts that land there, so that none
// waits. Which worker owns a node has no influence on the result: it receives its terms
// in the order of the points, and results are the same bits for any number of workers.
//
// Where nodes have owners cells need not be unique in the order: one order, by the
// cells of the first component's grid, serves all components of a staggered field.
type sortReduce[T Float] struct {
	sorted[T]
	lines, planes int            // lines of cells along x per plane, and planes
	width         uint64         // of the keys of a line
	nodes         int            // the fewest planes of nodes of a site
	shares        int            // into which nodes are dealt out
	byPlane       bool           // in whole planes, otherwise in rows
	own           [][][]planesAt // of every worker and site, where byPlane
	in, out       [][]T          // while spreading; the closure is made once
	phase         func(worker int)
	slabs         slabs
	zero          bool // while spreading to zeros
}

func newSortReduce[T Float](f *frame[T]) (*sortReduce[T], error) {
	o, err := rowOrder(f, &f.sites[0])
	if err != nil {
		return nil, err
	}
	t := &sortReduce[T]{sorted: newSorted(f, o)}
	t.lines, _ = f.cells(&f.sites[0], 1)
	t.planes, _ = f.cells(&f.sites[0], 2)
	stride, _, _ := f.strides(&f.sites[0])
	t.width = stride[1]
	t.nodes = f.sites[0].grid.Size[2]
	for i := range f.sites {
		t.nodes = min(t.nodes, f.sites[i].grid.Size[2])
	}
	for range f.workers {
		own := make([][]planesAt, len(f.sites))
		for i := range own {
			own[i] = make([]planesAt, 0, f.sites[i].grid.Size[2])
		}
		t.own = append(t.own, own)
	}
	t.phase = t.spreadShare
	return t, nil
}

func (t *sortReduce[T]) SpreadToZeros(field, values [][]T) {
	t.zero = true
	defer func() { t.zero = false }() // also of a call that does not fit
	t.Spread(field, values)
}

func (t *sortReduce[T]) Spread(field, values [][]T) {
	t.mustMatch(field, values, t.n)
	t.out, t.in, t.shares = field, values, len(t.workers)
	if t.alone(t.n) { // dealing out costs: supports that reach two shares are computed twice
		t.shares, t.byPlane = 1, false
		t.slabs.begin(t.fitsSlab(len(field)))
		t.phase(0)
	} else {
		t.byPlane = t.dim == 3 && t.cell(2, t.x[2][t.n-1])-t.cell(2, t.x[2][0]) >= t.shares
		t.slabs.begin(t.byPlane && t.fitsSlab(len(field)))
		t.run(t.n, t.phase)
	}
	t.endSlabs(&t.slabs, t.n)
	t.out, t.in = nil, nil
}

// spreadShare spreads to the rows of a worker.
func (t *sortReduce[T]) spreadShare(w int) {
	if t.n == 0 {
		return
	}
	b := &t.workers[w].batch
	from, to := t.border(w), t.border(w+1)
	if t.byPlane {
		for i := range t.own[w] {
			s := &t.sites[i]
			t.own[w][i] = t.ownPlanes(t.own[w][i], s, t.row(s, from)/s.grid.Size[1], t.row(s, to)/s.grid.Size[1])
		}
	}
	p := &t.workers[w].slab
	if t.slabs.use {
		p.begin(t.frame, t.out, true, t.zero)
		defer p.end()
	}
	for _, r := range t.reach(from, to) {
		for lo := r[0]; lo < r[1]; {
			hi := min((lo/batchSize+1)*batchSize, r[1])
			b.place(&t.x, lo, hi)
			if t.slabs.use {
				p.take(t.sorter.index(), lo, hi, t.in)
				expect(t.sorter.index(), hi, min(hi+batchSize, r[1]), t.in)
				p.spread(b, t.owned(w))
			} else {
				t.spreadBatch(w, lo, hi, from, to)
			}
			lo = hi
		}
	}
}

// owned is the planes that a worker owns of a field on one grid; nil: all.
func (t *sortReduce[T]) owned(w int) []planesAt {
	if !t.byPlane {
		return nil
	}
	return t.own[w][0]
}

// spreadBatch spreads from a batch of points to the rows between two lines of cells.
func (t *sortReduce[T]) spreadBatch(w, lo, hi, from, to int) {
	me := &t.workers[w]
	b, within := &me.batch, t.within(lo, hi, from, to)
	for c, field := range t.out {
		s := t.site(c)
		b.take(t.sorter.index(), lo, hi, t.in[c]) // V ← L_p
		if within {
			b.add(s, field)
			continue
		}
		whole := b.rest[s.track[0]].n == 0
		for i := 0; b.aimPiece(s, field, i); i++ {
			t.write(w, c, from, to, whole && c > 0 && s == t.site(c-1)) // what the component before had
		}
	}
}

// write adds what b.at of a worker spreads to the nodes of a component's field that it
// owns.
func (t *sortReduce[T]) write(w, c, from, to int, again bool) {
	b, s := &t.workers[w].batch, t.site(c)
	if t.byPlane {
		t.writePlanes(b, s, &b.cut, t.own[w][t.siteIndex(c)], again)
	} else {
		t.writeSome(b, s, &b.cut, t.row(s, from), t.row(s, to), again)
	}
}

// cut is what a worker has of the supports of a batch: where it owns planes, those of
// every point before the end of the grid and those that are wrapped behind it; where it
// owns rows, the points that have some.
type cut struct {
	before, behind planes
	wraps          bool // behind has some
	mixed          bool // that others have before: a plane must get both in the order of the points
	rows           []piece
}

// planes are some of every support of a batch: from ≤ l < to.
type planes struct{ from, to [batchSize]int32 }

// piece is some points of a batch, one after the other.
type piece struct {
	from, to int
	inside   bool // all their rows are the worker's; otherwise it is one point
}

// writeSome adds what b.at spreads to the rows lo ≤ row < hi of its field.
func (t *sortReduce[T]) writeSome(b *batch[T], s *site, c *cut, lo, hi int, again bool) {
	if !again {
		t.cutRows(c, b, s, lo, hi)
	}
	for _, p := range c.rows {
		b.sub(p.from, p.to)
		if p.inside {
			t.loops.Spread(&b.part)
			continue
		}
		// All rows are computed on their own, and those that are the worker's are added:
		// loops round each product before they add it, so that this is the same.
		b.compute()
		b.writeRows(s, p.from, lo, hi)
	}
}

// writePlanes adds what b.at spreads to the planes of its field that the worker owns.
func (t *sortReduce[T]) writePlanes(b *batch[T], s *site, c *cut, own []planesAt, again bool) {
	if !again {
		t.cutPlanes(c, b, s, own)
	}
	if !c.mixed {
		t.spreadPlanes(b, &c.before, 0, b.at.N)
		if c.wraps {
			t.spreadPlanes(b, &c.behind, 0, b.at.N)
		}
		return
	}
	for k := 0; k < b.at.N; {
		end := k + 1
		for end < b.at.N && c.behind.from[end] >= c.behind.to[end] {
			end++
		}
		t.spreadPlanes(b, &c.behind, k, k+1)
		t.spreadPlanes(b, &c.before, k, end)
		k = end
	}
}

// cutPlanes finds the planes that the worker has of the points of b.at.
func (t *sortReduce[T]) cutPlanes(c *cut, b *batch[T], s *site, own []planesAt) {
	n := b.at.N
	lowest, highest := int32(s.grid.Size[2]), int32(-1)
	before, behind := &c.before, &c.behind
	for k, z := range b.at.First[2][:n] {
		r := &own[z]
		before.from[k], before.to[k] = r.before[0], r.before[1]
		behind.from[k], behind.to[k] = r.behind[0], r.behind[1]
		lowest, highest = min(lowest, r.lowest), max(highest, r.highest)
	}
	c.wraps, c.mixed = highest >= 0, highest >= lowest
}

// spreadPlanes spreads some planes of points from ≤ k < to of b.at.
func (t *sortReduce[T]) spreadPlanes(b *batch[T], p *planes, from, to int) {
	b.sub(from, to)
	b.part.From, b.part.To = p.from[from:], p.to[from:]
	t.loops.Spread(&b.part)
}

// cutRows finds the points that b.at has with rows among lo ≤ row < hi.
func (t *sortReduce[T]) cutRows(c *cut, b *batch[T], s *site, lo, hi int) {
	c.rows = c.rows[:0]
	for k := range b.at.N {
		switch last := len(c.rows) - 1; {
		case !t.inside(b, s, k, lo, hi):
			if t.touches(b, s, k, lo, hi) {
				c.rows = append(c.rows, piece{k, k + 1, false})
			}
		case last >= 0 && c.rows[last].inside && c.rows[last].to == k:
			c.rows[last].to++
		default:
			c.rows = append(c.rows, piece{k, k + 1, true})
		}
	}
}

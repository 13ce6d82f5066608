package ib

// sortReduce is Algorithm 4 of Kassen, Shankar & Fogelson: points are sorted by
// cell, what points in the same cell spread to a shift of it is summed (segmented
// reduce), and each sum is added to its own node.
//
// The loops over shifts and cells are exchanged. A worker owns rows of nodes along
// x, and takes from every cell all shifts that land on them at once. No two workers
// write to the same node and none waits. One order, by the cells of the first
// component's grid, serves all components of a staggered field: where nodes have an
// owner, cells need not be unique in it.
//
// Every node receives its terms in an order that the points alone decide, so results
// are the same bits for any number of workers.
type sortReduce[T Float] struct {
	sorted[T]
	lines, planes int   // lines of cells along x per plane, and planes
	shares        int   // into which the rows are dealt out
	byPlane       bool  // and whether by whole planes
	in, out       [][]T // while spreading; the closure is made once
	phase         func(worker int)
}

func newSortReduce[T Float](f *frame[T]) (*sortReduce[T], error) {
	o, err := rowOrder(f, &f.sites[0])
	if err != nil {
		return nil, err
	}
	t := &sortReduce[T]{sorted: newSorted(f, o)}
	t.lines, _ = f.cells(&f.sites[0], 1)
	t.planes, _ = f.cells(&f.sites[0], 2)
	t.phase = t.spreadShare
	return t, nil
}

func (t *sortReduce[T]) Spread(field, values [][]T) {
	t.mustMatch(field, values, t.n)
	t.out, t.in, t.shares = field, values, len(t.workers)
	if t.alone(t.n) { // dealing out costs: supports that reach two shares are computed twice
		t.shares = 1
		t.phase(0)
	} else {
		t.byPlane = t.dim == 3 && t.cell(2, t.x[2][t.n-1])-t.cell(2, t.x[2][0]) >= t.shares
		t.run(t.n, t.phase)
	}
	t.out, t.in = nil, nil
}

// spreadShare spreads to the rows of a worker.
func (t *sortReduce[T]) spreadShare(w int) {
	if t.n == 0 {
		return
	}
	b := &t.workers[w].batch
	from, to := t.border(w), t.border(w+1)
	for _, r := range t.reach(from, to) {
		for lo := r[0]; lo < r[1]; {
			hi := min((lo/batchSize+1)*batchSize, r[1]) // where cells are cut must not depend on the worker
			t.place(b, &t.x, lo, hi)
			for c := range t.out {
				s := t.site(c)
				first, end := t.row(s, from), t.row(s, to)
				again := c > 0 && s == t.site(c-1)           // the same pieces
				t.take(b, t.sorter.index(), lo, hi, t.in[c]) // V ← L_p
				t.aim(b, s, t.out[c])
				t.reduceAndWrite(b, s, &b.mains, first, end, again)
				if t.addRests(b, s, t.out[c]) {
					t.reduceAndWrite(b, s, &b.rests, first, end, again)
				}
			}
			lo = hi
		}
	}
}

// piece is some points of a batch, one after the other.
type piece struct {
	from, to int
	cell     bool   // they share a cell, some of whose rows are the worker's
	plane    [2]int // otherwise these planes of their supports are, plane[0] ≤ l < plane[1]
}

// reduceFrom is the number of points in a cell from which it pays to sum what they
// spread before it is written.
const reduceFrom = 4

// reduceAndWrite adds what b.at spreads to the rows lo ≤ row < hi of its field. What
// points in the same cell spread is summed (line 19) and the sum is written (20–26).
// Few points in a cell are written one by one, and where whole planes of their
// supports are the worker's these go straight to the field: loops round each product
// before they add it, so that this makes no difference.
func (t *sortReduce[T]) reduceAndWrite(b *batch[T], s *site, pieces *[]piece, lo, hi int, again bool) {
	if !again {
		*pieces = t.cut((*pieces)[:0], b, s, lo, hi)
	}
	for i := range *pieces {
		p := &(*pieces)[i]
		t.sub(b, p.from, p.to)
		if !p.cell {
			b.part.From, b.part.To = p.plane[0], p.plane[1]
			t.loops.Spread(&b.part)
			continue
		}
		t.reduce(b)
		t.write(b, s, p.from, lo, hi)
	}
}

// cut divides the points that b.at has into pieces, and leaves out those that have
// no row among lo ≤ row < hi.
func (t *sortReduce[T]) cut(pieces []piece, b *batch[T], s *site, lo, hi int) []piece {
	whole := [2]int{0, t.support}
	for k := 0; k < b.at.N; {
		end := k + 1
		for end < b.at.N && t.sameCell(b, k, end) {
			end++
		}
		switch {
		case end-k >= reduceFrom:
			if t.touches(b, s, k, lo, hi) {
				pieces = append(pieces, piece{from: k, to: end, cell: true})
			}
		case t.shares == 1:
			pieces = extend(pieces, k, end, whole)
		case t.byPlane:
			before, behind := t.planesOf(s, int(b.at.First[2][k]), lo/s.grid.Size[1], hi/s.grid.Size[1])
			pieces = extend(extend(pieces, k, end, before), k, end, behind)
		case t.inside(b, s, k, lo, hi):
			pieces = extend(pieces, k, end, whole)
		case t.touches(b, s, k, lo, hi):
			for i := k; i < end; i++ {
				pieces = append(pieces, piece{from: i, to: i + 1, cell: true})
			}
		}
		k = end
	}
	return pieces
}

// extend adds planes of points k ≤ i < end to the pieces, to the last one if they
// continue it.
func extend(pieces []piece, k, end int, planes [2]int) []piece {
	if planes[0] >= planes[1] {
		return pieces
	}
	if n := len(pieces) - 1; n >= 0 && pieces[n].to == k && pieces[n].plane == planes && !pieces[n].cell {
		pieces[n].to = end
		return pieces
	}
	return append(pieces, piece{from: k, to: end, plane: planes})
}

// planesOf are the planes of a support that begins at z which are among lo ≤ plane
// < hi: those before the end of the grid, and those that are wrapped behind it.
func (t *sortReduce[T]) planesOf(s *site, z, lo, hi int) (before, behind [2]int) {
	size := s.grid.Size[2]
	before = [2]int{max(0, lo-z), min(t.support, hi-z, size-z)}
	behind = [2]int{max(size-z, lo+size-z), min(t.support, hi+size-z)}
	return before, behind
}

// sameCell tells whether the supports of two points have the same nodes.
func (t *sortReduce[T]) sameCell(b *batch[T], k, l int) bool {
	f := &b.at.First
	return f[0][k] == f[0][l] && f[1][k] == f[1][l] && (t.dim == 2 || f[2][k] == f[2][l])
}

// span is the first and last number of the rows of point k; whole is false if they
// wrap in between.
func (t *sortReduce[T]) span(b *batch[T], s *site, k int) (first, last int, whole bool) {
	size, over := &s.grid.Size, t.support-1
	y := int(b.at.First[1][k])
	if t.dim == 2 {
		return y, y + over, y+over < size[1]
	}
	z := int(b.at.First[2][k])
	return z*size[1] + y, (z+over)*size[1] + y + over, y+over < size[1] && z+over < size[2]
}

// inside tells whether all rows of point k are among lo ≤ row < hi.
func (t *sortReduce[T]) inside(b *batch[T], s *site, k, lo, hi int) bool {
	first, last, whole := t.span(b, s, k)
	return whole && first >= lo && last < hi
}

// touches tells whether rows of point k may be among lo ≤ row < hi.
func (t *sortReduce[T]) touches(b *batch[T], s *site, k, lo, hi int) bool {
	first, last, whole := t.span(b, s, k)
	return !whole || first < hi && last >= lo
}

// rows is the number of rows along x.
func (s *site) rows() int { return s.grid.Size[1] * s.grid.Size[2] }

// border is the line of cells at which the rows of worker w begin: about as many
// points reach each worker's.
func (t *sortReduce[T]) border(w int) int {
	if w == 0 {
		return 0
	}
	all := t.lines * t.planes
	if w == t.shares {
		return all
	}
	i, half := t.n*w/t.shares, t.support/2
	line := 0
	if t.dim == 3 {
		line = t.lines * (t.cell(2, t.x[2][i]) + half)
	}
	if !t.byPlane {
		line += t.cell(1, t.x[1][i]) + half
	}
	return min(line, all)
}

// row is the number of the first row of a site at or behind a line of cells.
func (t *sortReduce[T]) row(s *site, line int) int {
	y, z := line%t.lines-t.low[1], line/t.lines-t.low[2]
	switch {
	case z < 0:
		return 0
	case line == t.lines*t.planes, z >= s.grid.Size[2]: // a component may have one more plane
		return s.rows()
	}
	return z*s.grid.Size[1] + min(max(y, 0), s.grid.Size[1])
}

// reach is the ranges of sorted points whose supports may have nodes on the rows
// between two lines of cells, ascending.
func (t *sortReduce[T]) reach(from, to int) (ranges [3][2]int) {
	// The outermost axis is counted in steps of so many lines. A cell reaches over
	// a support; those of other components begin one node before or behind.
	outer, step, count := 2, t.lines, t.planes
	if t.dim == 2 {
		outer, step, count = 1, 1, t.lines
	}
	low, high := from/step-t.support, (to+step-1)/step+1 // outer cells low ≤ cell ≤ high
	all := [3][2]int{{0, 0}, {max(low, 0), min(high+1, count)}, {count, count}}
	if t.track[outer].periodic {
		all[0][1] = max(0, high+1-count)
		all[2][0] = count + min(low, 0)
	}
	n := 0
	for _, r := range all {
		lo, hi := t.at(max(r[0], 0)*step), t.at(min(r[1], count)*step)
		switch {
		case lo >= hi:
		case n > 0 && lo <= ranges[n-1][1]:
			ranges[n-1][1] = max(hi, ranges[n-1][1])
		default:
			ranges[n] = [2]int{lo, hi}
			n++
		}
	}
	return ranges
}

// at is the first sorted point at or behind a line of cells.
func (t *sortReduce[T]) at(line int) int {
	return t.sorter.find(uint64(line) * uint64(t.count[0]))
}

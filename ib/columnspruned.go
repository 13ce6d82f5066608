package ib

import (
	"lbmib/geometry"
	"lbmib/internal/parallel"
)

// pruned is columnwise force spreading with pruning: A. Kassen, V. Shankar & A. L.
// Fogelson, "A fine-grained parallel implementation of the immersed boundary
// method" (note), Algorithm 2, where compact leaves the unique entries. The linked
// lists of McQueen & Peskin are replaced by points sorted by sort index σ: sweep
// after sweep, and in a sweep column after column. Only columns that hold points are
// visited.
//
// With cells for columns it is the finest partition, see newCells.
//
// The sites of a staggered field have their own σ and order. A sweep does that of
// all of them at once: their fields have no node in common.
//
// A node receives the terms of a sweep from one column, in the order of its points,
// so that results are the same bits for any number of workers.
type pruned[T Float] struct {
	*located[T]
	parts   []prunedPart[T]
	rows    *order[T] // of all points as cells of the first part are in memory
	inRows  bool      // rows is sorted
	sweeps  int       // the most of a part
	sweep   int       // at hand
	in, out [][]T     // while there is work; the closures are made once
	phase   struct{ find, findRows, read, spread func(worker int) }
}

// prunedPart is the components on one site.
type prunedPart[T Float] struct {
	*sweeps[T]
	sorter
	start []int // of every sweep in the order, and the number of points
}

// newColumnsPruned visits columns along x, where nodes follow each other in memory:
// there are about s^(d−1) sets of columns that are s apart.
func newColumnsPruned[T Float](f *frame[T]) (*pruned[T], error) { return newPruned(f, 1) }

// newPruned visits columns (from = 1) or cells (from = 0).
func newPruned[T Float](f *frame[T], from int) (*pruned[T], error) {
	rows, err := rowOrder(f, &f.sites[0])
	if err != nil {
		return nil, err
	}
	t := &pruned[T]{located: newLocated(f), rows: rows}
	for i := range f.sites {
		s := newSweeps(f, i, from)
		t.parts = append(t.parts, prunedPart[T]{sweeps: s, sorter: s.keys.sorter, start: make([]int, s.count+1)})
		t.sweeps = max(t.sweeps, s.count)
	}
	t.phase.find, t.phase.findRows = t.findShare, func(w int) { t.find(w, rows, 0, rows.sorter) }
	t.phase.read, t.phase.spread = t.readShare, t.spreadShare
	return t, nil
}

// SetPoints sorts (Algorithm 2: sort_j ← σ(X_j), sort-by-key, and the end of every
// sweep by binary search).
func (t *pruned[T]) SetPoints(x []geometry.Vec) error {
	if err := t.located.SetPoints(x); err != nil {
		return err
	}
	t.inRows = false
	for i := range t.parts {
		t.parts[i].keys.resize(t.n)
	}
	t.run(t.n, t.phase.find)
	for i := range t.parts {
		p := &t.parts[i]
		p.sort()
		for s := range p.start {
			p.start[s] = p.find(uint64(s) * p.span)
		}
	}
	return nil
}

// findShare finds the sort indices of a share of the points.
func (t *pruned[T]) findShare(w int) {
	for i := range t.parts {
		t.find(w, t.parts[i].keys, t.parts[i].from, t.parts[i].sorter)
	}
}

// Interpolate is the note's Algorithm 1 on points in the order of memory. The order of
// sweeps leads through the whole field once for each of them. So this is one more sort
// where fields are read, and none where they are not.
func (t *pruned[T]) Interpolate(values, field [][]T) {
	t.mustMatch(field, values, t.n)
	if !t.inRows {
		t.rows.resize(t.n)
		t.run(t.n, t.phase.findRows)
		t.rows.sorter.sort()
		t.inRows = true
	}
	t.out, t.in = values, field
	t.run(t.n, t.phase.read)
	t.out, t.in = nil, nil
}

func (t *pruned[T]) readShare(w int) {
	index := t.rows.sorter.index()
	for lo, hi := parallel.Share(t.n, w, len(t.workers)); lo < hi; lo += batchSize {
		t.interpolateTo(w, index[lo:min(lo+batchSize, hi)], t.out, t.in)
	}
}

func (t *pruned[T]) Spread(field, values [][]T) {
	t.mustMatch(field, values, t.n)
	t.out, t.in = field, values
	for t.sweep = range t.sweeps { // for s = 1, …, m
		points := 0
		for i := range t.parts {
			start, end := t.between(&t.parts[i])
			points += end - start
		}
		if points > 0 {
			t.run(points, t.phase.spread) // for all p in compact(sort, start, end) parallel
		}
	}
	t.out, t.in = nil, nil
}

// between is where the sweep at hand starts and ends in the order of a part.
func (t *pruned[T]) between(p *prunedPart[T]) (start, end int) {
	if t.n == 0 || t.sweep >= p.count {
		return 0, 0
	}
	return p.start[t.sweep], p.start[t.sweep+1]
}

// spreadShare spreads from a worker's columns of the sweep (Algorithm 2: while
// sort_head = p). Supports of many points are computed together; where a column is
// cut for that must not depend on the worker.
func (t *pruned[T]) spreadShare(w int) {
	for i := range t.parts {
		p := &t.parts[i]
		index := p.index()
		for lo, hi := t.head(p, w, w), t.head(p, w, w+1); lo < hi; {
			end := min((lo/batchSize+1)*batchSize, hi)
			p.spread(w, t.located, index[lo:end], t.out, t.in)
			lo = end
		}
	}
}

// head is where the columns of worker w begin in the sweep: with the one in which its
// equal share of the points begins. me is who asks.
func (t *pruned[T]) head(p *prunedPart[T], me, w int) int {
	start, end := t.between(p)
	lo, _ := parallel.Share(end-start, w, len(t.workers))
	if lo == 0 || lo == end-start {
		return start + lo
	}
	key := t.workers[me].keys[:1]
	key[0] = 0
	for a := p.from; a < t.dim; a++ {
		p.keys.addKeys(key, a, t.x[a][p.index()[start+lo]:])
	}
	return p.find(key[0])
}

package ib

import (
	"math"

	"lbmib/geometry"
	"lbmib/internal/parallel"
)

// parallelThreshold is the number of points below which waking the workers
// costs more than they save; the caller then does all shares itself.
const parallelThreshold = 512

// sortReduce sorts the points by the grid cell that their support begins in.
// Interpolation goes through the sorted points in parallel (Algorithm 3 of
// Kassen, Barrett, Shankar & Fogelson). Spreading is their Algorithm 4: for
// every shift of the support, values of points in the same cell are summed (a
// segmented sum) and each sum is added to its own node. The loops over shifts
// and nodes are exchanged: shifts along x go together, as one row, and a worker
// owns whole rows of nodes, each of which takes all its shifts in y and z while
// it is in cache. No two workers write to the same row and none waits.
//
// Every node receives its terms in an order that the sorted points alone
// decide, so results are the same bits for any number of workers.
type sortReduce[T Float] struct {
	stencils[T]
	pool    *parallel.Pool
	workers []worker[T]

	radix  radix
	keys   []uint32 // cell of each point, in the order given
	sorted []keyed  // the points by cell
	cell   []uint32 // the cells that have points, ascending
	first  []int32  // place among the sorted points where each cell begins, and the end
	lines  lines    // the rows of cells along x
	shares []int    // row of nodes where each worker's share begins, and the end
	values []T      // values to spread, in sorted order, components together

	// What the workers are doing now; the closures are made once.
	x       []geometry.Vec
	in, out [][]T
	phase   struct{ key, place, gather, add, read func(worker int) }
}

// worker is what a worker of the pool has to itself.
type worker[T Float] struct {
	rows    rows[T]
	sum     [MaxSupport]T
	invalid int      // first of its points that is not in the grid
	moved   bool     // whether one of its points has changed its cell
	_       [64]byte // keeps neighbours off its cache lines
}

func newSortReduce[T Float](g Grid, d Delta[T], pool *parallel.Pool) *sortReduce[T] {
	workers := 1
	if pool != nil {
		workers = pool.Workers()
	}
	t := &sortReduce[T]{
		stencils: newStencils(g, d),
		pool:     pool,
		workers:  make([]worker[T], workers),
		shares:   make([]int, workers+1),
	}
	t.lines = newLines(g, t.support)
	t.phase.key, t.phase.place = t.keyShare, t.placeShare
	t.phase.gather, t.phase.add, t.phase.read = t.gatherShare, t.addShare, t.readShare
	return t
}

// run does a phase on all workers.
func (t *sortReduce[T]) run(phase func(worker int)) {
	if t.pool != nil && t.n >= parallelThreshold {
		t.pool.Run(phase)
		return
	}
	for w := range t.workers {
		phase(w)
	}
}

// share is a worker's share of the points.
func (t *sortReduce[T]) share(w int) (lo, hi int) { return parallel.Share(t.n, w, len(t.workers)) }

func (t *sortReduce[T]) SetPoints(x []geometry.Vec) error {
	before := t.n
	t.resize(len(x))
	t.keys = grow(t.keys, t.n)
	t.x = x
	defer func() { t.x = nil }()

	t.run(t.phase.key)
	invalid, moved := math.MaxInt, t.n != before
	for w := range t.workers {
		invalid = min(invalid, t.workers[w].invalid)
		moved = moved || t.workers[w].moved
	}
	if invalid < t.n {
		t.resize(0)
		t.keys = t.keys[:0]
		t.sort()
		return t.grid.pointError(t.delta, invalid, x[invalid])
	}
	if moved {
		t.sort()
	}
	t.run(t.phase.place)
	return nil
}

// keyShare finds the cells of a share of the points.
func (t *sortReduce[T]) keyShare(w int) {
	me := &t.workers[w]
	me.invalid, me.moved = math.MaxInt, false
	lo, hi := t.share(w)
	for k := lo; k < hi; k++ {
		cell, ok := t.grid.cell(t.delta, t.x[k])
		if !ok {
			me.invalid = k
			return
		}
		if key := uint32(cell); key != t.keys[k] {
			t.keys[k], me.moved = key, true
		}
	}
}

// sort orders the points by cell, lists the cells and deals out rows of nodes.
func (t *sortReduce[T]) sort() {
	t.sorted = grow(t.sorted, t.n)
	for k, key := range t.keys {
		t.sorted[k] = keyed{key, int32(k)}
	}
	t.radix.sort(t.sorted, t.grid.Nodes())

	t.cell, t.first = t.cell[:0], t.first[:0]
	for i, p := range t.sorted {
		if i == 0 || p.key != t.sorted[i-1].key {
			t.cell, t.first = append(t.cell, p.key), append(t.first, int32(i))
		}
	}
	t.first = append(t.first, int32(t.n))

	width := t.grid.Size[0]
	t.lines.build(t.cell, width)
	for w := range t.workers { // about as many points reach every share
		t.shares[w] = 0
		if lo, _ := t.share(w); w > 0 && t.n > 0 {
			t.shares[w] = t.lines.middle(t.sorted[lo].key, width)
		}
	}
	t.shares[len(t.workers)] = t.lines.rows()
}

// placeShare computes weights, in sorted order.
func (t *sortReduce[T]) placeShare(w int) {
	r := &t.workers[w].rows
	lo, hi := t.share(w)
	for i := lo; i < hi; i++ {
		t.place(i, t.x[t.sorted[i].index], r)
	}
}

func (t *sortReduce[T]) Interpolate(values, field [][]T) {
	mustMatch(field, values, t.grid.Nodes(), t.n)
	t.out, t.in = values, field
	t.run(t.phase.read)
	t.out, t.in = nil, nil
}

// readShare interpolates to a share of the sorted points.
func (t *sortReduce[T]) readShare(w int) {
	r := &t.workers[w].rows
	lo, hi := t.share(w)
	for i := lo; i < hi; i++ {
		t.rows(i, r)
		first, weights := t.row(i)
		k := t.sorted[i].index
		for c, f := range t.in {
			t.out[c][k] = t.interpolate(f, r, first, weights)
		}
	}
}

func (t *sortReduce[T]) Spread(field, values [][]T) {
	mustMatch(field, values, t.grid.Nodes(), t.n)
	t.values = grow(t.values, len(values)*t.n)
	t.out, t.in = field, values
	t.run(t.phase.gather)
	t.run(t.phase.add)
	t.out, t.in = nil, nil
}

// gatherShare brings a share of the values into sorted order.
func (t *sortReduce[T]) gatherShare(w int) {
	n := len(t.in)
	lo, hi := t.share(w)
	for c, v := range t.in {
		for i := lo; i < hi; i++ {
			t.values[i*n+c] = v[t.sorted[i].index]
		}
	}
}

// addShare spreads to a share of the rows of nodes: for each shift in y and z a
// row takes what the line of cells that far below it spreads.
func (t *sortReduce[T]) addShare(w int) {
	for row := t.shares[w]; row < t.shares[w+1]; row++ {
		y, z := t.lines.node(row)
		offset := t.wrapped[2][z] + t.wrapped[1][y]
		for shiftZ := t.support[2] - 1; shiftZ >= 0; shiftZ-- {
			for shiftY := t.support[1] - 1; shiftY >= 0; shiftY-- {
				begin, end := t.lines.cells(y-shiftY, z-shiftZ)
				for cell := begin; cell < end; cell++ {
					t.addCell(w, cell, offset, shiftY, shiftZ)
				}
			}
		}
	}
}

// addCell adds the values of a cell's points to the row at offset.
func (t *sortReduce[T]) addCell(w, cell, offset, shiftY, shiftZ int) {
	begin, end := int(t.first[cell]), int(t.first[cell+1])
	ny, nz, n := t.support[1], t.support[2], len(t.out)
	x, weight := t.row(begin)
	if end == begin+1 { // most cells have one point, which needs no sum
		factor := t.weight[2][begin*nz+shiftZ] * t.weight[1][begin*ny+shiftY]
		t.spread(t.out, t.values[begin*n:end*n], offset, x, weight, factor)
		return
	}
	sum := t.workers[w].sum[:len(weight)]
	for c, field := range t.out {
		clear(sum)
		for k := begin; k < end; k++ {
			_, weight = t.row(k)
			addScaled(sum, weight, t.weight[2][k*nz+shiftZ]*t.weight[1][k*ny+shiftY]*t.values[k*n+c])
		}
		t.addRow(field, offset, x, sum, 1)
	}
}

package ib

import (
	"math"
	"sort"

	"lbmib/geometry"
	"lbmib/internal/parallel"
)

// parallelThreshold is the number of points below which waking the workers
// costs more than they save; the caller then does all shares itself.
const parallelThreshold = 512

// sortReduce sorts the points by the grid cell that their support begins in.
// Interpolation goes through the sorted points in parallel (Algorithm 3 of
// Kassen, Barrett, Shankar & Fogelson). Spreading is their Algorithm 4: for one
// shift of the support after the other, values of points in the same cell are
// summed (a segmented sum) and each sum is added to its own node. Shifts along x
// are taken together, as one row: workers own whole rows of cells, so that for
// a given shift in y and z no two write to the same row of nodes.
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
	cells  []int32  // place among the sorted points where each cell begins, and the end
	lines  []int32  // place among the cells where each row of cells begins, and the end
	values []T      // values to spread, in sorted order, one component after the other

	// What the workers are doing now; the closures are made once.
	x              []geometry.Vec
	in, out        [][]T
	shiftY, shiftZ int
	phase          struct{ key, place, gather, add, read func(worker int) }
}

// worker is what a worker of the pool has to itself.
type worker[T Float] struct {
	rows    rows[T]
	sum     [MaxSupport]T
	invalid int  // first of its points that is not in the grid
	moved   bool // whether one of its points has changed its cell
	lines   [2]int
	_       [64]byte // keeps neighbours off its cache lines
}

func newSortReduce[T Float](g Grid, d Delta[T], pool *parallel.Pool) *sortReduce[T] {
	workers := 1
	if pool != nil {
		workers = pool.Workers()
	}
	t := &sortReduce[T]{stencils: newStencils(g, d), pool: pool, workers: make([]worker[T], workers)}
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
	lo, hi := parallel.Share(t.n, w, len(t.workers))
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

// sort orders the points by cell and finds where cells and rows of cells begin.
func (t *sortReduce[T]) sort() {
	t.sorted = grow(t.sorted, t.n)
	for k, key := range t.keys {
		t.sorted[k] = keyed{key, int32(k)}
	}
	t.radix.sort(t.sorted, t.grid.Nodes())

	t.cells = grow(t.cells, t.n+1)[:0]
	t.lines = grow(t.lines, t.n+1)[:0]
	width := uint32(t.grid.Size[0])
	for i, p := range t.sorted {
		if i > 0 && p.key == t.sorted[i-1].key {
			continue
		}
		if i == 0 || p.key/width != t.sorted[i-1].key/width {
			t.lines = append(t.lines, int32(len(t.cells)))
		}
		t.cells = append(t.cells, int32(i))
	}
	t.lines = append(t.lines, int32(len(t.cells)))
	t.cells = append(t.cells, int32(t.n))
	t.shareLines()
}

// shareLines gives every worker whole rows of cells with about as many points.
func (t *sortReduce[T]) shareLines() {
	count := len(t.lines) - 1
	begin := func(line int) int { return int(t.cells[t.lines[line]]) }
	next := 0
	for w := range t.workers {
		_, target := parallel.Share(t.n, w, len(t.workers))
		end := next + sort.Search(count-next, func(i int) bool { return begin(next+i) >= target })
		if w == len(t.workers)-1 {
			end = count
		}
		t.workers[w].lines = [2]int{next, end}
		next = end
	}
}

// placeShare computes weights, in sorted order.
func (t *sortReduce[T]) placeShare(w int) {
	lo, hi := parallel.Share(t.n, w, len(t.workers))
	for i := lo; i < hi; i++ {
		t.place(i, t.x[t.sorted[i].index])
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
	lo, hi := parallel.Share(t.n, w, len(t.workers))
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
	for t.shiftZ = 0; t.shiftZ < t.support[2]; t.shiftZ++ {
		for t.shiftY = 0; t.shiftY < t.support[1]; t.shiftY++ {
			t.run(t.phase.add)
		}
	}
	t.out, t.in = nil, nil
}

// gatherShare brings a share of the values into sorted order.
func (t *sortReduce[T]) gatherShare(w int) {
	lo, hi := parallel.Share(t.n, w, len(t.workers))
	for c, v := range t.in {
		to := t.values[c*t.n:][lo:hi]
		for i, p := range t.sorted[lo:hi] {
			to[i] = v[p.index]
		}
	}
}

// addShare spreads, for one shift in y and z, from a worker's rows of cells.
func (t *sortReduce[T]) addShare(w int) {
	me := &t.workers[w]
	if me.lines[0] == me.lines[1] {
		return
	}
	cells := t.cells[t.lines[me.lines[0]] : t.lines[me.lines[1]]+1]
	for i, end := range cells[1:] {
		begin := int(cells[i])
		y, z := int(t.first[1][begin])+t.shiftY, int(t.first[2][begin])+t.shiftZ
		offset := t.wrapped[2][z] + t.wrapped[1][y]
		for c, field := range t.out {
			t.addCell(me, field, t.values[c*t.n:(c+1)*t.n], offset, begin, int(end))
		}
	}
}

// addCell sums over the points begin … end−1 of a cell and adds to a row.
func (t *sortReduce[T]) addCell(me *worker[T], field, values []T, offset, begin, end int) {
	first, w := t.row(begin)
	if end == begin+1 {
		t.spreadRow(field, offset, first, w, t.factor(begin)*values[begin])
		return
	}
	sum := me.sum[:len(w)]
	clear(sum)
	for k := begin; k < end; k++ {
		_, w = t.row(k)
		addScaled(sum, w, t.factor(k)*values[k])
	}
	t.spreadRow(field, offset, first, sum, 1)
}

// factor is the weight of point k along y and z at the present shift.
func (t *sortReduce[T]) factor(k int) T {
	return t.weight[2][k*t.support[2]+t.shiftZ] * t.weight[1][k*t.support[1]+t.shiftY]
}

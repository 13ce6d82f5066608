package ib

import (
	"fmt"
	"math/bits"

	"lbmib/geometry"
	"lbmib/ib/internal/mapped"
	"lbmib/ib/internal/simd"
	"lbmib/internal/hugepage"
	"lbmib/internal/parallel"
)

// buffered is Algorithm 5 of Kassen, Shankar & Fogelson, and Algorithm 6 where the
// buffer lives for one call; lines below are those of Algorithm 5. Points are sorted
// by cell. A sweep takes s_z of the s^d shifts: it weighs the values of all points
// for them, sums what points in the same cell have (segmented reduce), and adds the
// sums to s_z output vectors ℓ_k, the buffer: no vector gets two values for a node in
// a sweep, so that all cells can be done at once. In the end ℓ ← ℓ + Σ_k ℓ_k.
//
// The vectors serve one component after the other. Cells must be unique in an order,
// so that every distinct grid of a staggered field has one of its own.
//
// A batch of points that begins inside a cell leaves its part of that cell to the end
// of the sweep. Batches are cut at fixed places; results are the same bits for any
// number of workers.
type buffered[T Float] struct {
	sorted[T]                   // by the cells of site 0
	orders    []*order[T]       // by the cells of every site
	heads     [][]uint64        // of every site and batch: a bit for each point that is the first of its cell
	vectors   []vectors         // as the nodes of every site lie in the buffer
	size      int               // of the buffer
	buffer    []T               // Algorithm 5: kept, zero between calls
	mapping   *mapped.Memory[T] // Algorithm 6: nil in Algorithm 5

	partial []T   // of every batch: row by row, its part of the cell that began before it
	target  []int // where it belongs
	scratch []sweepScratch[T]

	at    sweep[T]
	phase struct{ sweep, sum func(worker int) } // closures are made once
}

// sweep is what is being spread.
type sweep[T Float] struct {
	*vectors
	order         *order[T]
	site          *site
	heads         []uint64
	field, values []T
	buffer        []T
	first         int  // row of shifts
	again         bool // the buffer is needed again
}

// sweepScratch is what a worker has for a batch and a row of shifts.
type sweepScratch[T Float] struct {
	planeValue [batchSize]T   // of points, weighed along z
	value      [batchSize]T   // and y
	plane      [batchSize]int // where the planes of their cells lie in the buffer; negative: nowhere
	target     [batchSize]int // and their rows
	zero       [batchSize]int
	sum        [MaxSupport]T
	_          [64]byte // keeps neighbours off its cache lines
}

func newBuffered[T Float](f *frame[T], onTheFly bool) (*buffered[T], error) {
	t := &buffered[T]{heads: make([][]uint64, len(f.sites)), scratch: make([]sweepScratch[T], len(f.workers))}
	for i := range f.sites {
		s := &f.sites[i]
		o, err := rowOrder(f, s)
		if err != nil {
			return nil, err
		}
		v, err := newVectors(f, s)
		if err != nil {
			return nil, err
		}
		t.orders, t.vectors = append(t.orders, o), append(t.vectors, v)
		t.size = max(t.size, v.line*s.rows())
	}
	t.sorted = newSorted(f, t.orders[0])
	t.phase.sweep, t.phase.sum = t.sweepShare, t.sumShare
	if onTheFly {
		t.mapping = new(mapped.Memory[T])
	} else {
		t.buffer = hugepage.Make[T](t.size)
	}
	return t, nil
}

// SetPoints sorts the points by the cells of every site (lines 4–9). On the fly it
// also tries whether the system has the memory for a buffer, since Spread has no
// error to return.
func (t *buffered[T]) SetPoints(x []geometry.Vec) error {
	if t.mapping != nil && len(x) > 0 {
		if err := t.mapping.Make(t.size); err != nil {
			_ = t.set(nil)
			return t.unmapped(err)
		}
		t.mapping.Free()
	}
	for i, o := range t.orders {
		if err := o.set(x); err != nil { // the first order refuses what any refuses
			return err
		}
		t.heads[i] = heads(t.heads[i], o)
	}
	batches := len(t.heads[0])
	t.partial = grow(t.partial, batches*t.vectors[0].count)
	t.target = grow(t.target, batches*t.vectors[0].rows)
	return nil
}

// heads marks the first point of every cell, 64 points to a word (line 9).
func heads[T Float](marks []uint64, o *order[T]) []uint64 {
	marks = grow(marks, (o.n+batchSize-1)/batchSize)
	clear(marks)
	for _, i := range o.sorter.groups() {
		if int(i) < o.n {
			marks[i/batchSize] |= 1 << (i % batchSize)
		}
	}
	return marks
}

func (t *buffered[T]) unmapped(err error) error {
	return fmt.Errorf("ib: strategy buffered-otf has a buffer of its own for every call: %w: end other programs, or use sort-reduce, which needs none", err)
}

func (t *buffered[T]) Spread(field, values [][]T) {
	t.mustMatch(field, values, t.n)
	if t.n == 0 {
		return
	}
	buffer := t.buffer
	if t.mapping != nil { // Algorithm 6
		if err := t.mapping.Make(t.size); err != nil { // lines 4–6: ℓ_k ← 0
			panic(t.unmapped(err).Error())
		}
		defer t.mapping.Free() // line 9
		buffer = t.mapping.Slice()
	}
	for c := range field {
		i := t.siteIndex(c)
		t.at = sweep[T]{&t.vectors[i], t.orders[i], &t.sites[i], t.heads[i], field[c], values[c], buffer,
			0, t.mapping == nil || c+1 < len(field)}
		t.spread()
	}
	t.at = sweep[T]{}
}

// spread spreads one component.
func (t *buffered[T]) spread() {
	for t.at.first = 0; t.at.first < t.at.shifts; t.at.first += t.at.rows { // line 10: loop over shifts
		t.run(t.n, t.phase.sweep)
		t.addPartial()
	}
	t.run(len(t.at.field), t.phase.sum) // line 37
}

// sweepShare does a sweep for the batches of a worker.
func (t *buffered[T]) sweepShare(w int) {
	b, me, at := &t.workers[w].batch, &t.scratch[w], &t.at
	from, to := parallel.Share(len(at.heads), w, len(t.workers))
	for i := from; i < to; i++ { // line 12: loop over points
		lo, hi := i*batchSize, min((i+1)*batchSize, t.n)
		t.locate(b, lo, hi)
		b.take(at.order.sorter.index(), lo, hi, at.values) // lines 14 and 21: L(X_p)
		for r := range min(at.rows, at.shifts-at.first) {  // line 17: loop over the shifts of a sweep
			t.weigh(b, me, r)
			t.reduceRow(b, me, i, r)
		}
	}
}

// locate finds the cells of sorted points and their weights along each axis (lines
// 15, 16 and 20). Unlike batch.place it leaves supports that reach beyond the ends of
// an axis as they are: vectors have room for them, and tables know no such rows.
func (t *buffered[T]) locate(b *batch[T], lo, hi int) {
	b.n = hi - lo
	for a := range t.dim {
		x, i := t.at.order.x[a], t.at.site.track[a]
		on, s := &t.tracks[a][i], &b.axis[a][i]
		b.ask = simd.Axis[T]{N: b.n, X: x[lo:hi], Shift: on.shift, Last: on.size - t.support, First: s.first, Weight: s.weight}
		if on.periodic {
			b.ask.Period = on.size
		}
		t.loops.Weights(&b.ask)
		if b.ask.Outside == 0 || on.periodic {
			continue
		}
		for k, first := range s.first[:b.n] { // beyond the last cells there is none
			if cell := min(max(first, int32(-t.at.low[a])), int32(on.size-1)); cell != first {
				shift(s.weight[k*t.stride:][:t.support], int(cell-first))
				s.first[k] = cell
			}
		}
	}
}

// weigh weighs the values of points for row r of the sweep's, but for the weights
// along x (line 20), and finds the places of the rows of their cells (line 31).
func (t *buffered[T]) weigh(b *batch[T], me *sweepScratch[T], r int) {
	at, n := &t.at, b.n
	j, l := (at.first+r)%t.support, (at.first+r)/t.support // line 18: SHIFT
	if r == 0 || j == 0 {
		t.weighPlane(b, me, l)
	}
	y, low, vector := &b.axis[1][at.site.track[1]], int32(at.low[1]), r*t.support*at.pitch
	row, first, weight, stride := at.place[1][j:], y.first[:n], y.weight[j:], t.stride
	value, target, plane := me.value[:n], me.target[:n], me.plane[:n]
	for k, v := range me.planeValue[:n] {
		value[k] = v * weight[k*stride]
		target[k] = vector + plane[k] + row[first[k]+low]
	}
}

// weighPlane is the part of weigh that the rows of plane l share.
func (t *buffered[T]) weighPlane(b *batch[T], me *sweepScratch[T], l int) {
	at, n := &t.at, b.n
	x, cell, low := b.axis[0][at.site.track[0]].first[:n], at.place[0], int32(at.low[0])
	value, target := me.planeValue[:n], me.plane[:n]
	if t.dim == 2 {
		copy(value, b.values[:n])
		for k, first := range x {
			target[k] = cell[first+low]
		}
		return
	}
	z, lowZ := &b.axis[2][at.site.track[2]], int32(at.low[2])
	plane, first, weight, stride := at.place[2][l:], z.first[:n], z.weight[l:], t.stride
	for k, v := range b.values[:n] {
		value[k] = v * weight[k*stride]
		target[k] = cell[x[k]+low] + plane[first[k]+lowZ]
	}
}

// reduceRow adds row r of what the cells of a batch have to the row's vectors. What
// points in the same cell have is summed before.
func (t *buffered[T]) reduceRow(b *batch[T], me *sweepScratch[T], batch, r int) {
	s, n, heads := t.support, b.n, t.at.heads[batch]
	weight := b.axis[0][t.at.site.track[0]].weight
	own := min(bits.TrailingZeros64(heads), n) // points from here on are in cells that no other batch writes
	me.sum[0] = fetch(t.at.buffer, me.target[own:n], s)
	alone := heads & (heads>>1 | 1<<(n-1)) // points
	for k := 0; k < n; {
		if next := k + bits.TrailingZeros64(^(alone >> k)); next > k { // some that are alone
			addRows(t.at.buffer, me.target[k:next], weight[k*t.stride:], me.value[k:next], s, t.stride) // lines 21 and 33
			k = next
			continue
		}
		first, next := k, min(k+1+bits.TrailingZeros64(heads>>(k+1)), n)
		sum := me.sum[:s]
		clear(sum)
		addRows(sum, me.zero[k:next], weight[k*t.stride:], me.value[k:next], s, t.stride) // lines 21 and 24
		k = next
		m, i := me.target[first], batch*t.at.rows+r
		switch {
		case heads>>first&1 == 0: // began before
			t.target[i] = m
			copy(t.partial[i*s:][:s], sum)
		case m >= 0: // line 32: m ≠ ∅
			addTo(t.at.buffer[m:], sum) // line 33
		}
	}
}

// addPartial adds what batches have left of cells that began before them.
func (t *buffered[T]) addPartial() {
	s := t.support
	for batch, heads := range t.at.heads {
		if heads&1 != 0 {
			continue
		}
		for r := range min(t.at.rows, t.at.shifts-t.at.first) {
			i := batch*t.at.rows + r
			if m := t.target[i]; m >= 0 {
				addTo(t.at.buffer[m:], t.partial[i*s:][:s])
			}
		}
	}
}

// sumShare adds the vectors to the rows of a worker.
func (t *buffered[T]) sumShare(w int) {
	lo, hi := parallel.Share(t.at.site.rows(), w, len(t.workers))
	n := t.at.site.grid.Size[0]
	for row := lo; row < hi; row++ {
		line := t.at.buffer[row*t.at.line:][:t.at.line]
		sumVectors(t.at.vectors, t.at.field[row*n:][:n], line)
		if t.at.again {
			clear(line)
		}
	}
}

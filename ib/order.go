package ib

import (
	"fmt"
	"math"
	"math/bits"

	"lbmib/geometry"
	"lbmib/ib/internal/simd"
	"lbmib/internal/parallel"
)

// order is points sorted by the cell of a site that they are in. Cells are named
// by the first node of the supports of points in them, so that there are cells
// below node 0 of a bounded axis. Their keys κ are sums of what each axis gives,
// which the strategy chooses; different cells have different keys unless they share
// no node with the grid.
type order[T Float] struct {
	f      *frame[T]
	n      int
	x      [3][]float64 // coordinates, in sorted order
	table  [3][]uint64  // what first nodes −tableMargin … give
	count  [3]int       // cells
	low    [3]int       // those of them before node 0
	track  [3]track
	half   float64 // cells lie around nodes where supports are odd
	sorter sorter

	in    []geometry.Vec // while points are set; the closures are made once
	phase struct{ key, follow, gather func(worker int) }
}

// tableMargin is how far beyond the ends of an axis a support may begin.
const tableMargin = beyond + MaxSupport

// cells is the number of cells along an axis of a site, and that of those before
// node 0.
func (f *frame[T]) cells(s *site, axis int) (n, low int) {
	switch {
	case axis >= f.dim:
		return 1, 0
	case s.grid.Periodic[axis]:
		return s.grid.Size[axis], 0
	}
	return s.grid.Size[axis] + f.support - 1, f.support - 1
}

// newOrder makes an order by keys below limit: the sums of what give tells of every
// cell of an axis, counted from 0.
func newOrder[T Float](f *frame[T], s *site, limit uint64, give func(axis, cell int) uint64) *order[T] {
	o := &order[T]{f: f, half: float64(f.support%2) / 2}
	for a := range f.dim {
		o.count[a], o.low[a] = f.cells(s, a)
		o.track[a] = f.tracks[a][s.track[a]]
		o.table[a] = make([]uint64, o.track[a].size+2*tableMargin)
		for i := range o.table[a] {
			o.table[a][i] = give(a, o.number(a, i-tableMargin))
		}
	}
	o.phase.key, o.phase.follow, o.phase.gather = o.keyShare, o.followShare, o.gatherShare
	o.sorter = newSorter(limit, len(f.workers), func(phase func(int)) { f.run(o.n, phase) })
	return o
}

// apart is how many cells along x lie between cells that follow each other in an
// order: at least as many as a support has nodes.
const apart = 8

// rowOrder is the order of lines of cells in memory; along a line it takes every
// eighth cell, and then those between. A processor that reads part of what it has just
// written, and part of what it has not, must wait until all is in its cache: so it
// should not come to neighbours one after the other.
func rowOrder[T Float](f *frame[T], s *site) (*order[T], error) {
	stride, limit, err := f.strides(s)
	if err != nil {
		return nil, err
	}
	n, _ := f.cells(s, 0)
	rounds := (n + apart - 1) / apart
	return newOrder(f, s, limit, func(axis, cell int) uint64 {
		if axis == 0 {
			cell = cell%apart*rounds + cell/apart
		}
		return stride[axis] * uint64(cell)
	}), nil
}

// strides are those of the keys of cells along each axis, with as many cells along x
// as make whole rounds of rowOrder, and the bound of keys. Grids whose cells have no
// key of 63 bits are refused.
func (f *frame[T]) strides(s *site) (stride [3]uint64, cells uint64, err error) {
	cells = 1
	for a := range 3 {
		stride[a] = cells
		n, _ := f.cells(s, a)
		if a == 0 {
			n = (n + apart - 1) / apart * apart
		}
		hi, lo := bits.Mul64(cells, uint64(n))
		if hi > 0 || lo > math.MaxInt64 {
			return stride, 0, fmt.Errorf("ib: grid of %d × %d × %d nodes: keys of its cells do not fit 63 bits: choose a smaller resolution or domain",
				s.grid.Size[0], s.grid.Size[1], s.grid.Size[2])
		}
		cells = lo
	}
	return stride, cells, nil
}

// set sorts points x.
func (o *order[T]) set(x []geometry.Vec) error {
	f := o.f
	if err := tooMany(len(x)); err != nil {
		_ = o.set(nil)
		return err
	}
	o.n, o.in = len(x), x
	defer func() { o.in = nil }()
	follow := o.sorter.resize(o.n)
	f.resize(&o.x, o.n)
	if follow { // the order will be nearly the same
		f.run(o.n, o.phase.follow)
		follow = f.invalid() >= o.n
	}
	if !follow {
		f.run(o.n, o.phase.key)
		if k := f.invalid(); k < o.n {
			o.n = 0
			o.sorter.resize(0)
			o.sorter.sort()
			return f.grid.positionError(k, x[k])
		}
	}
	if o.sorter.sort() || !follow {
		f.run(o.n, o.phase.gather)
	}
	return nil
}

// invalid is the first point that has no position, after a phase that looked.
func (f *frame[T]) invalid() int {
	k := math.MaxInt
	for w := range f.workers {
		k = min(k, f.workers[w].invalid)
	}
	return k
}

// keyShare finds the keys of a share of the points (Algorithm 4, lines 3–6).
func (o *order[T]) keyShare(w int) {
	me := &o.f.workers[w]
	me.invalid = math.MaxInt
	lo, hi := parallel.Share(o.n, w, len(o.f.workers))
	for ; lo < hi; lo += batchSize {
		n := min(batchSize, hi-lo)
		if i := o.f.local(&me.local, 0, o.in[lo:lo+n], nil); i >= 0 {
			me.invalid = lo + i
			return
		}
		o.keys(&me.keys, &me.local, 0, n)
		o.sorter.put(w, lo, me.keys[:n])
	}
}

// followShare goes through a share of the points in the order that they had before,
// finds their coordinates and keys, and notes those that have moved to another cell.
func (o *order[T]) followShare(w int) {
	me, index := &o.f.workers[w], o.sorter.index()
	me.invalid = math.MaxInt
	lo, hi := parallel.Share(o.n, w, len(o.f.workers))
	for ; lo < hi; lo += batchSize {
		n := min(batchSize, hi-lo)
		simd.Prefetch(o.in, index[lo+n:min(lo+2*n, hi)])
		if o.f.local(&o.x, lo, o.in, index[lo:lo+n]) >= 0 {
			me.invalid = 0 // all keys are found anew, and with them the first such point
			return
		}
		o.keys(&me.keys, &o.x, lo, n)
		o.sorter.follow(w, lo, me.keys[:n])
	}
}

// keys are those of n points of x from the lo-th on.
func (o *order[T]) keys(keys *[batchSize]uint64, x *[3][]float64, lo, n int) {
	clear(keys[:n])
	for a := range o.f.dim {
		o.addKeys(keys[:n], a, x[a][lo:])
	}
}

// addKeys adds what an axis gives.
func (o *order[T]) addKeys(keys []uint64, axis int, x []float64) {
	table, shift, half := o.table[axis], o.track[axis].shift, o.half
	before := tableMargin - (o.f.support-1)/2
	x = x[:len(keys)]
	for i := range keys {
		keys[i] += table[floor(x[i]-shift+half)+before]
	}
}

// floor is the integer at or below v.
func floor(v float64) int {
	i := int(v)
	if float64(i) > v {
		i--
	}
	return i
}

// cell is the number of the cell along an axis, counted from 0, at a coordinate.
func (o *order[T]) cell(axis int, x float64) int {
	return o.number(axis, floor(x-o.track[axis].shift+o.half)-(o.f.support-1)/2)
}

// number is the number of the cell that is named by a first node, wrapped; beyond
// the ends of a bounded axis it is that of the last cell.
func (o *order[T]) number(axis, first int) int {
	if t := &o.track[axis]; t.periodic {
		return (first%t.size + t.size) % t.size
	}
	return min(max(first+o.low[axis], 0), o.count[axis]-1)
}

// gatherShare brings coordinates into sorted order.
func (o *order[T]) gatherShare(w int) {
	lo, hi := parallel.Share(o.n, w, len(o.f.workers))
	index := o.sorter.index()
	for ; lo < hi; lo += batchSize {
		n := min(batchSize, hi-lo)
		simd.Prefetch(o.in, index[lo+n:min(lo+2*n, hi)])
		o.f.local(&o.x, lo, o.in, index[lo:lo+n])
	}
}

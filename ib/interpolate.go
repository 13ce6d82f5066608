package ib

import (
	"lbmib/geometry"
	"lbmib/internal/parallel"
)

// interpolate is Algorithm 3 of Kassen, Shankar & Fogelson for the points
// lo ≤ i < hi of x: point i has its value at index[i], or at i where index is nil.
func (b *batch[T]) interpolate(x *[3][]float64, index []int32, lo, hi int, values, field [][]T) {
	for ; lo < hi; lo += batchSize {
		end := min(lo+batchSize, hi)
		b.place(x, lo, end)
		for c := range field {
			b.read(b.f.site(c), field[c])
			b.give(index, lo, end, values[c])
		}
	}
}

// interpolation is Algorithm 3 on all workers: every one takes a share of the
// points, and no two write to the same place.
type interpolation[T Float] struct {
	f       *frame[T]
	n       int
	x       *[3][]float64
	index   []int32
	in, out [][]T // while it runs; the closure is made once
	phase   func(worker int)
	slabs   slabs // of points in the order of planes
}

func newInterpolation[T Float](f *frame[T]) interpolation[T] {
	return interpolation[T]{f: f}
}

// run interpolates to n points x; see batch.interpolate for index.
func (t *interpolation[T]) run(n int, x *[3][]float64, index []int32, values, field [][]T) {
	if t.phase == nil {
		t.phase = t.share
	}
	t.n, t.x, t.index, t.out, t.in = n, x, index, values, field
	t.f.run(n, t.phase)
	t.x, t.index, t.out, t.in = nil, nil, nil, nil
}

func (t *interpolation[T]) share(w int) {
	lo, hi := parallel.Share(t.n, w, len(t.f.workers))
	if t.slabs.use {
		t.f.workers[w].interpolateSorted(t.x, t.index, lo, hi, t.out, t.in)
		return
	}
	t.f.workers[w].interpolate(t.x, t.index, lo, hi, t.out, t.in)
}

// interpolateSorted is batch.interpolate through a slab.
func (me *worker[T]) interpolateSorted(x *[3][]float64, index []int32, lo, hi int, values, field [][]T) {
	p := &me.slab
	p.begin(me.f, field, false, false)
	for ; lo < hi; lo += batchSize {
		end := min(lo+batchSize, hi)
		me.place(x, lo, end)
		expect(index, lo, end, values)
		p.interpolate(&me.batch)
		p.give(index, lo, end, values)
	}
	p.end()
}

// sorted are points in the order of cells, with interpolation to them.
type sorted[T Float] struct {
	*frame[T]
	*order[T]
	read interpolation[T]
}

func newSorted[T Float](f *frame[T], o *order[T]) sorted[T] {
	return sorted[T]{frame: f, order: o, read: newInterpolation(f)}
}

func (t *sorted[T]) SetPoints(x []geometry.Vec) error { return t.set(x) }

func (t *sorted[T]) Interpolate(values, field [][]T) {
	t.mustMatch(field, values, t.n)
	slabs := &t.read.slabs
	slabs.begin(t.fitsSlab(len(field)))
	t.read.run(t.n, &t.x, t.sorter.index(), values, field)
	t.endSlabs(slabs, t.n)
}

package ib

import (
	"math"

	"lbmib/geometry"
	"lbmib/internal/parallel"
)

// located are points in the order given, by their coordinates in nodes.
type located[T Float] struct {
	*frame[T]
	n     int
	x     [3][]float64
	in    []geometry.Vec // while points are set; the closure is made once
	phase func(worker int)
}

func newLocated[T Float](f *frame[T]) *located[T] {
	t := &located[T]{frame: f}
	t.phase = t.share
	return t
}

// SetPoints keeps the coordinates of points x.
func (t *located[T]) SetPoints(x []geometry.Vec) error {
	if err := tooMany(len(x)); err != nil {
		t.n = 0
		return err
	}
	t.n = len(x)
	t.resize(&t.x, t.n)
	t.in = x
	t.run(t.n, t.phase)
	t.in = nil
	if k := t.invalid(); k < t.n {
		t.n = 0
		return t.grid.positionError(k, x[k])
	}
	return nil
}

func (t *located[T]) share(w int) {
	me := &t.workers[w]
	me.invalid = math.MaxInt
	lo, hi := parallel.Share(t.n, w, len(t.workers))
	if i := t.local(&t.x, lo, t.in[lo:hi], nil); i >= 0 {
		me.invalid = lo + i
	}
}

// find tells a sorter, or lists, the keys of a worker's share of the points, as the axes
// from a certain one on give them.
func (t *located[T]) find(w int, keys *order[T], from int, to interface {
	put(worker, k int, keys []uint64)
}) {
	some := &t.workers[w].keys
	for lo, hi := parallel.Share(t.n, w, len(t.workers)); lo < hi; lo += batchSize {
		end := min(lo+batchSize, hi)
		clear(some[:])
		for a := from; a < t.dim; a++ {
			keys.addKeys(some[:end-lo], a, t.x[a][lo:end])
		}
		to.put(w, lo, some[:end-lo])
	}
}

// batch brings the supports of some points, no more than a batch, into that of a
// worker: those of a frame, which has the workers of t or others.
func (t *located[T]) batch(w int, f *frame[T], points []int32) *batch[T] {
	x, b := &t.workers[w].local, &f.workers[w].batch
	for a := range t.dim {
		from, to := t.x[a], x[a][:len(points)]
		for i, k := range points {
			to[i] = from[k]
		}
	}
	b.place(x, 0, len(points))
	return b
}

// interpolateTo interpolates to some points, no more than a batch.
func (t *located[T]) interpolateTo(w int, points []int32, values, field [][]T) {
	b := t.batch(w, t.frame, points)
	for c := range field {
		b.read(t.site(c), field[c])
		b.give(points, 0, len(points), values[c])
	}
}

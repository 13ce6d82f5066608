package ib

import (
	"lbmib/geometry"
	"lbmib/ib/internal/simd"
	"lbmib/internal/parallel"
)

// shiftReduce is Algorithm 4 of Kassen, Shankar & Fogelson as it is printed: for each
// shift σ_j all points are weighed, the values of points in the same cell are summed
// (segmented reduce), and every inhabited cell adds its sum to one node, which no other
// cell has for that shift. All workers meet three times per shift; sortReduce, the
// strategy to use, has none of that, see there, and takes a twentieth of the time (65536 points
// on 64³ nodes, cosine4, one or two workers). Both are here so that a reader of the paper
// finds what it says, and its cost.
//
// Weights are kept per axis and point instead of being found anew for every shift (line
// 16): δ_h is their product. A segment is summed by one worker in the order of its
// points: results are the same bits for any number of workers.
type shiftReduce[T Float] struct {
	sorted[T]                // by the cells of site 0
	orders    []*order[T]    // by the cells of every site, whose cells are unique in it
	points    []shiftSite[T] // their points
	value     []T            // V of sorted points, and their sums: of every inhabited cell
	sum       []T
	at        shiftStep[T]
	phase     struct{ weigh, reduce, write func(worker int) } // made once
}

// shiftSite is what is known of the points of a site, in sorted order.
type shiftSite[T Float] struct {
	low    [3]int     // cells before node 0
	place  [3][]int   // # as a sum: what node i − low of an axis gives; negative where there is none
	first  [3][]int32 // of the support of every point
	weight [3][]T     // stride of every point
	heads  []int32    // the first point of every inhabited cell, and the number of points
}

// shiftStep is what is being spread.
type shiftStep[T Float] struct {
	*shiftSite[T]
	order         *order[T]
	field, values []T
	shift         [3]int // σ, from the first node of supports
}

func newShiftReduce[T Float](f *frame[T]) (*shiftReduce[T], error) {
	t := &shiftReduce[T]{}
	for i := range f.sites {
		s := &f.sites[i]
		o, err := rowOrder(f, s)
		if err != nil {
			return nil, err
		}
		var of shiftSite[T]
		stride := 1
		for a := range f.dim {
			var cells int
			cells, of.low[a] = f.cells(s, a)
			for i := range cells + f.support - 1 {
				of.place[a] = append(of.place[a], new(vectors).row(s, a, i-of.low[a], stride))
			}
			stride *= s.grid.Size[a]
		}
		t.orders, t.points = append(t.orders, o), append(t.points, of)
	}
	t.sorted = newSorted(f, t.orders[0])
	t.phase.weigh, t.phase.reduce, t.phase.write = t.weighShare, t.reduceShare, t.writeShare
	return t, nil
}

// SetPoints sorts the points by the cells of every site (lines 3–7), and finds their weights.
func (t *shiftReduce[T]) SetPoints(x []geometry.Vec) error {
	for i, o := range t.orders {
		if err := o.set(x); err != nil { // the first order refuses what any refuses
			return err
		}
		t.locate(&t.points[i], &t.sites[i], o)
		t.points[i].heads = o.sorter.groups() // line 8: q is one less
	}
	t.value, t.sum = grow(t.value, t.n), grow(t.sum, t.n)
	return nil
}

// locate finds the cells of sorted points and their weights along each axis.
func (t *shiftReduce[T]) locate(of *shiftSite[T], s *site, o *order[T]) {
	ask := &t.workers[0].batch.ask
	for a := range t.dim {
		room := simd.Room(o.n)
		of.first[a], of.weight[a] = grow(of.first[a], room), grow(of.weight[a], room*t.stride)
		on := &t.tracks[a][s.track[a]]
		*ask = simd.Axis[T]{N: o.n, X: o.x[a], Shift: on.shift, Last: on.size - t.support, First: of.first[a], Weight: of.weight[a]}
		if on.periodic {
			ask.Period = on.size
		}
		t.loops.Weights(ask)
		if ask.Outside == 0 || on.periodic {
			continue
		}
		for k, first := range of.first[a][:o.n] { // beyond the last cells there is none
			if cell := min(max(first, int32(-of.low[a])), int32(on.size-1)); cell != first {
				shift(of.weight[a][k*t.stride:][:t.support], int(cell-first))
				of.first[a][k] = cell
			}
		}
	}
}

func (t *shiftReduce[T]) Spread(field, values [][]T) {
	t.mustMatch(field, values, t.n)
	if t.n == 0 {
		return
	}
	for c := range field {
		i := t.siteIndex(c)
		t.at = shiftStep[T]{shiftSite: &t.points[i], order: t.orders[i], field: field[c], values: values[c]}
		t.spread()
	}
	t.at = shiftStep[T]{}
}

// spread spreads one component: lines 9–27.
func (t *shiftReduce[T]) spread() {
	at, s := &t.at, t.support
	shifts := s * s
	if t.dim == 3 {
		shifts *= s
	}
	for j := range shifts { // line 9: loop over shifts
		at.shift = [3]int{j % s, j / s % s, j / (s * s)} // line 11: Algorithm 1
		t.run(t.n, t.phase.weigh)
		t.run(t.n, t.phase.reduce)
		t.run(t.n, t.phase.write)
	}
}

// weighShare is lines 12–18 for a share of the points: V_i ← w L_p.
func (t *shiftReduce[T]) weighShare(w int) {
	at, index := &t.at, t.at.order.sorter.index()
	lo, hi := parallel.Share(t.n, w, len(t.workers))
	for i := lo; i < hi; i++ {
		v := t.scale * at.values[index[i]] // line 13: p ← P_i
		for a := range t.dim {
			v *= at.weight[a][i*t.stride+at.shift[a]]
		}
		t.value[i] = v
	}
}

// reduceShare is line 19 for a share of the cells.
func (t *shiftReduce[T]) reduceShare(w int) {
	heads := t.at.heads
	lo, hi := parallel.Share(len(heads)-1, w, len(t.workers))
	for q := lo; q < hi; q++ {
		sum := T(0)
		for _, v := range t.value[heads[q]:heads[q+1]] {
			sum += v
		}
		t.sum[q] = sum
	}
}

// writeShare is lines 20–26 for a share of the inhabited cells: ℓ_m ← ℓ_m + V_i.
func (t *shiftReduce[T]) writeShare(w int) {
	at, heads := &t.at, t.at.heads
	lo, hi := parallel.Share(len(heads)-1, w, len(t.workers))
	for q := lo; q < hi; q++ {
		m := 0 // line 22: # of the cell's node at the shift
		for a := range t.dim {
			m += at.place[a][int(at.first[a][heads[q]])+at.low[a]+at.shift[a]]
		}
		if m >= 0 { // line 23: m ≠ ∅
			at.field[m] += t.sum[q]
		}
	}
}

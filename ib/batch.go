package ib

import "lbmib/ib/internal/simd"

// batchSize is the number of points whose weights are computed at a time: they
// stay in the first cache.
const batchSize = 64

// batch is the supports of some points. Where the support of a point leaves its
// grid, what is left of it is moved inside, with weights of zero in the places
// that are not its own: loops over supports need not ask. On a periodic x axis the
// part that is left out is among the rests, at the other end of the row.
type batch[T Float] struct {
	f    *frame[T]
	n    int
	axis [3][]supports[T] // of every track
	rest []rests[T]       // of every track along x

	values [batchSize]T // of one component of the points
	block  block[T]
	cut    cut // the parts of supports that a worker has

	ask  simd.Axis[T]
	at   simd.Batch[T] // what the loops work on
	part simd.Batch[T] // some of its points
	zero [batchSize]int32
	all  [batchSize]int32 // the planes of a support
}

// supports are the supports of a batch along an axis.
type supports[T Float] struct {
	first  []int32
	weight []T
}

// rests are the parts of supports at the beginning of rows of which the others lie
// at the end: their first node along x is 0. The axes across are copies.
type rests[T Float] struct {
	n      int
	point  [batchSize]int32 // in the batch, ascending
	weight []T
	across [2]supports[T]
	values [batchSize]T
}

func newBatch[T Float](f *frame[T]) batch[T] {
	b := batch[T]{f: f, block: newBlock(f)}
	b.cut.rows = make([]piece, 0, batchSize)
	for i := range b.all {
		b.all[i] = int32(f.support)
	}
	room := func() supports[T] {
		return supports[T]{make([]int32, batchSize), make([]T, batchSize*f.stride)}
	}
	for a := range f.dim {
		for range f.tracks[a] {
			b.axis[a] = append(b.axis[a], room())
		}
	}
	for range f.tracks[0] {
		b.rest = append(b.rest, rests[T]{weight: make([]T, batchSize*f.stride), across: [2]supports[T]{room(), room()}})
	}
	return b
}

// place computes the supports of the points lo ≤ i < hi of x, at most batchSize.
func (b *batch[T]) place(x *[3][]float64, lo, hi int) {
	f := b.f
	b.n = hi - lo
	for i := range b.rest {
		b.rest[i].n = 0
	}
	for a := range f.dim {
		for i := range f.tracks[a] {
			t, s := &f.tracks[a][i], &b.axis[a][i]
			b.ask = simd.Axis[T]{N: b.n, X: x[a][lo:cap(x[a])], Shift: t.shift, Last: t.size - f.support, First: s.first, Weight: s.weight}
			if t.periodic {
				b.ask.Period = t.size
			}
			f.loops.Weights(&b.ask)
			switch {
			case b.ask.Outside == 0:
			case !t.periodic:
				b.moveInside(s, t.size)
			case a == 0: // tables of rows wrap the others
				b.wrap(s, &b.rest[i], t.size)
			}
		}
	}
}

// moveInside moves supports that leave a bounded axis inside, and their weights with them.
func (b *batch[T]) moveInside(s *supports[T], size int) {
	f := b.f
	last := int32(size - f.support)
	for k, first := range s.first[:b.n] {
		if first < 0 || first > last {
			s.first[k] = min(max(first, 0), last)
			shift(s.weight[k*f.stride:][:f.support], int(s.first[k]-first))
		}
	}
}

// wrap takes the parts of supports behind the end of periodic rows out.
func (b *batch[T]) wrap(s *supports[T], r *rests[T], size int) {
	f := b.f
	last := int32(size - f.support)
	for k, first := range s.first[:b.n] {
		if first <= last {
			continue
		}
		all, rest := s.weight[k*f.stride:][:f.stride], r.weight[r.n*f.stride:][:f.stride]
		copy(rest, all)
		shift(rest[:f.support], size-int(first))
		shift(all[:f.support], int(last-first))
		s.first[k] = last
		r.point[r.n] = int32(k)
		r.n++
	}
}

// shift moves weights so that place i holds what was at i + by, if anything.
func shift[T Float](w []T, by int) {
	var old [MaxSupport]T
	copy(old[:], w)
	for i := range w {
		w[i] = 0
		if from := i + by; from >= 0 && from < len(w) {
			w[i] = old[from]
		}
	}
}

// aim directs the loops at a field of a site and all supports of a batch.
func (b *batch[T]) aim(s *site, field []T) {
	b.at.N, b.at.Field, b.at.Values, b.at.Row = b.n, field, b.values[:], s.row
	b.at.From, b.at.To = b.zero[:], b.all[:]
	for a := range b.f.dim {
		on := &b.axis[a][s.track[a]]
		b.at.First[a], b.at.Weight[a] = on.first, on.weight
	}
}

// aimRests directs the loops at the rests of the supports; nil if there are none.
func (b *batch[T]) aimRests(s *site, field []T) *rests[T] {
	f := b.f
	r := &b.rest[s.track[0]]
	if r.n == 0 {
		return nil
	}
	b.at.N, b.at.Field, b.at.Values, b.at.Row = r.n, field, r.values[:], s.row
	b.at.From, b.at.To = b.zero[:], b.all[:]
	b.at.First[0], b.at.Weight[0] = b.zero[:], r.weight
	for a := 1; a < f.dim; a++ {
		on, to := &b.axis[a][s.track[a]], &r.across[a-1]
		for i, k := range r.point[:r.n] {
			to.first[i] = on.first[k]
			copy(to.weight[i*f.stride:][:f.stride], on.weight[int(k)*f.stride:])
		}
		b.at.First[a], b.at.Weight[a] = to.first, to.weight
	}
	return r
}

// read interpolates a field of a site to the points of a batch: b.values.
func (b *batch[T]) read(s *site, field []T) {
	b.aim(s, field)
	b.f.loops.Interpolate(&b.at)
	if r := b.aimRests(s, field); r != nil {
		b.f.loops.Interpolate(&b.at)
		for i, k := range r.point[:r.n] {
			b.values[k] += r.values[i]
		}
	}
}

// add spreads b.values to a field of a site.
func (b *batch[T]) add(s *site, field []T) {
	for i := 0; b.aimPiece(s, field, i); i++ {
		b.f.loops.Spread(&b.at)
	}
}

// aimPiece directs the loops at the i-th piece of a batch that is spread, and tells whether there is one: supports up to one that goes on at the beginning of a
// row, the rest of that, those that follow. Nodes thus receive points in their order, wherever batches are cut.
func (b *batch[T]) aimPiece(s *site, field []T, i int) bool {
	r := &b.rest[s.track[0]]
	if i > 2*r.n {
		return false
	}
	b.aim(s, field)
	if r.n == 0 {
		return true
	}
	if i%2 == 1 {
		b.aimRest(r, i/2)
		return true
	}
	from, to := 0, b.n
	if i > 0 {
		from = int(r.point[i/2-1]) + 1
	}
	if i < 2*r.n {
		to = int(r.point[i/2]) + 1
	}
	b.skip(from)
	b.at.N = to - from
	return true
}

// aimRest directs loops that are aimed at all supports of a batch at the rest of one.
func (b *batch[T]) aimRest(r *rests[T], i int) {
	b.skip(int(r.point[i]))
	b.at.N, b.at.First[0], b.at.Weight[0] = 1, b.zero[:], r.weight[i*b.f.stride:]
}

// skip leaves the first points out.
func (b *batch[T]) skip(points int) {
	b.at.Values = b.at.Values[points:]
	for a := range b.f.dim {
		b.at.First[a], b.at.Weight[a] = b.at.First[a][points:], b.at.Weight[a][points*b.f.stride:]
	}
}

// take brings the values of the points lo ≤ i < hi into b.values, times h^-d. The
// value of point i is at index[i], or at i where index is nil.
func (b *batch[T]) take(index []int32, lo, hi int, values []T) {
	scale := b.f.scale
	if index == nil {
		for i, v := range values[lo:hi] {
			b.values[i] = scale * v
		}
		return
	}
	for i, k := range index[lo:hi] {
		b.values[i] = scale * values[k]
	}
}

// give stores b.values as those of the points lo ≤ i < hi.
func (b *batch[T]) give(index []int32, lo, hi int, values []T) {
	if index == nil {
		copy(values[lo:hi], b.values[:])
		return
	}
	for i, k := range index[lo:hi] {
		values[k] = b.values[i]
	}
}

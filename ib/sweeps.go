package ib

// sweeps are the sets of cells, or of columns of cells along x, of a site whose points
// can be spread at the same time: supports in different ones of a set have no node in
// common. They give the sort index σ of Kassen's note, which counts the sets one
// after the other.
type sweeps[T Float] struct {
	frame  *frame[T] // of the site alone
	site   int
	from   int    // the first axis: 0 for cells, 1 for columns
	count  int    // of sets: the product of the colours of the axes
	span   uint64 // of the sort indices of a set
	axes   [3]colouring
	stride [3]struct{ set, place uint64 }
	keys   *order[T] // of points: their cells along the axes, and what sorts them
}

// newSweeps makes the sets of cells (from = 0) or of columns (from = 1) of a site. An
// axis has at most 3/2 as many colours times places as nodes, so that sort indices fit
// 63 bits for every grid that passes its check.
func newSweeps[T Float](f *frame[T], site, from int) *sweeps[T] {
	t := &sweeps[T]{frame: f.only(site), site: site, from: from, count: 1, span: 1}
	for a := from; a < f.dim; a++ {
		c := f.colour(&f.sites[site], a)
		t.axes[a] = c
		t.stride[a].set, t.stride[a].place = uint64(t.count), t.span
		t.count *= c.colours
		t.span *= uint64(c.places)
	}
	t.keys = newOrder(f, &f.sites[site], t.limit(), t.key)
	return t
}

// limit bounds the sort indices.
func (t *sweeps[T]) limit() uint64 { return uint64(t.count) * t.span }

// key is what an axis adds to the sort index of a cell.
func (t *sweeps[T]) key(axis, cell int) uint64 {
	if axis < t.from || axis >= t.frame.dim {
		return 0
	}
	p, stride := t.axes[axis].cell[cell], t.stride[axis]
	return uint64(p.colour)*stride.set*t.span + uint64(p.place)*stride.place
}

// inMemory is the sort indices of all columns, in the order of memory.
func (t *sweeps[T]) inMemory() (keys []int32) {
	for z := range max(1, len(t.axes[2].cell)) {
		for y := range t.axes[1].cell {
			if !t.axes[1].again(y) && !t.axes[2].again(z) {
				keys = append(keys, int32(t.key(1, y)+t.key(2, z)))
			}
		}
	}
	return keys
}

// spread spreads from some points, no more than a batch, to the fields on the site.
func (t *sweeps[T]) spread(w int, p *located[T], points []int32, field, values [][]T) {
	b := p.batch(w, t.frame, points)
	for c := range field {
		if p.siteIndex(c) == t.site {
			b.take(points, 0, len(points), values[c]) // F_j A_j
			b.add(&t.frame.sites[0], field[c])        // f_ℓ ← f_ℓ + F_j A_j ν_k(X_j), ℓ = i(j, k), for k in K
		}
	}
}

// only is the frame for the components on one site: its batches have the weights of
// that site and of no other.
func (f *frame[T]) only(i int) *frame[T] {
	if len(f.sites) == 1 {
		return f
	}
	one, s := *f, f.sites[i]
	for a := range f.dim {
		one.tracks[a] = []track{f.tracks[a][s.track[a]]}
		s.track[a] = 0
	}
	one.sites, one.of = []site{s}, nil
	one.workers = make([]worker[T], len(f.workers))
	for w := range one.workers {
		one.workers[w].batch = newBatch(&one)
	}
	return &one
}

// resize makes room for the keys of n points.
func (o *order[T]) resize(n int) {
	o.n = n
	o.sorter.resize(n)
}

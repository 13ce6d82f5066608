package lbm

import (
	"unsafe"

	"lbmib/internal/hugepage"
	"lbmib/internal/parallel"
	"lbmib/lbm/internal/simd/dither"
)

// storage is where the populations of all nodes lie: in a box or by runs, in which layout, and, as the
// streaming scheme has it, at which node in which phase of its cycle.
type storage[T Float, S Stored] struct {
	cfg    Config
	layout Layout
	grid   padding // of a box
	sparse *sparse // of a storage by runs; nil: a box
	runs   []run
	slabs  []int // the first row of each worker, and the end
	shares []int // of a storage by runs: the first run of each worker, and the end
	scheme scheme
	pool   *parallel.Pool

	now, next []S // populations, ghosts included; the same lattice in place
	phase     int // of the scheme's cycle, of the next sweep
}

// newStorage makes room for the nodes of a configuration, touched first by the workers that
// will own the rows, so that memory lies near them.
func newStorage[T Float, S Stored](cfg Config, pool *parallel.Pool) (s storage[T, S], err error) {
	bytes := int(unsafe.Sizeof(*new(S)))
	s = storage[T, S]{cfg: cfg, pool: pool, grid: cfg.padding(bytes)}
	if s.cfg.Storage, err = cfg.StorageOf(); err != nil {
		return s, err
	}
	if s.cfg.Storage == "runs" {
		if s.sparse, s.runs, err = newSparse(&cfg); err != nil {
			return s, err
		}
		s.grid.nodes = s.sparse.nodes
	} else {
		s.runs = cfg.wholeRows(s.grid.index)
	}
	s.shareRows(pool.Workers())
	if s.layout, err = NewLayout(cfg.Layout, cfg.Lattice.Q, s.grid.nodes, cfg.Block, bytes); err != nil {
		return s, err
	}
	if s.sparse != nil {
		s.grid.shift = s.sparse.along
	}
	if s.scheme, err = newScheme(cfg.Streaming, &s.layout, cfg.Lattice, &s.grid.shift, bytes); err != nil {
		return s, err
	}
	s.cfg.Layout, s.cfg.Streaming = s.layout.Name, s.scheme.name
	return s, nil
}

// allocate makes the lattices.
func (s *storage[T, S]) allocate() {
	s.now = hugepage.Make[S](s.layout.Len())
	s.next = s.now
	if s.scheme.lattices == 2 {
		s.next = hugepage.Make[S](s.layout.Len())
	}
	s.eachRun(func(_ []S, _ int, r *run) {
		for i := range s.layout.Q {
			s.now[s.layout.Offset(i, r.start)] = 0
			s.next[s.layout.Offset(i, r.start)] = 0
		}
	})
}

// shareRows gives each worker rows that follow each other, with as many nodes of fluid as others have.
func (s *storage[T, S]) shareRows(workers int) {
	rows := s.cfg.rows()
	s.slabs = make([]int, workers+1)
	if s.sparse == nil {
		for w := range workers {
			_, s.slabs[w+1] = parallel.Share(rows, w, workers)
		}
		return
	}
	set, w := s.sparse.set, 1
	s.shares = make([]int, workers+1)
	for i, row := range set.Rows() {
		first, _ := set.RunsOf(i)
		for ; w < workers && set.Before(first)*int64(workers) >= set.Nodes()*int64(w); w++ {
			s.slabs[w], s.shares[w] = int(row.Y)+s.cfg.Size[1]*int(row.Z), first
		}
	}
	for ; w <= workers; w++ {
		s.slabs[w], s.shares[w] = rows, len(s.runs)
	}
}

// slab is the rows of a worker.
func (s *storage[T, S]) slab(worker int) (lo, hi int) { return s.slabs[worker], s.slabs[worker+1] }

// rowBytes is the memory of a row, of a storage by runs on average.
func (s *storage[T, S]) rowBytes() int {
	nodes := s.grid.stride[0]
	if s.sparse != nil {
		nodes = s.sparse.nodes/s.cfg.rows() + 1
	}
	return nodes * s.layout.Q * int(unsafe.Sizeof(*new(S)))
}

// runsOf are the numbers of the runs of a row, lo ≤ k < hi.
func (s *storage[T, S]) runsOf(row int) (lo, hi int) {
	if s.sparse == nil {
		return row, row + 1
	}
	return s.sparse.set.Row(row%s.cfg.Size[1], row/s.cfg.Size[1])
}

// share is the runs lo ≤ k < hi of a worker.
func (s *storage[T, S]) share(worker int) (lo, hi int) {
	if s.sparse == nil {
		return s.slab(worker)
	}
	return s.shares[worker], s.shares[worker+1]
}

// runAt is the run of fluid node p, and the node's place in it.
func (s *storage[T, S]) runAt(p [3]int) (run int, x int32) {
	if s.sparse == nil {
		return p[1] + s.cfg.Size[1]*p[2], int32(p[0])
	}
	n := s.sparse.index(p)
	run = int(s.sparse.of[n])
	return run, int32(n - s.runs[run].start)
}

// index is where node p lies, which may be a ghost; −1: nowhere, as inside walls of a storage by runs.
func (s *storage[T, S]) index(p [3]int) int {
	if s.sparse != nil {
		return s.sparse.index(p)
	}
	return s.grid.index(p)
}

// shift is how far a place is from padded node n, one of the fluid.
func (s *storage[T, S]) shift(p *place, n int) int {
	if s.sparse != nil {
		return int(s.sparse.shifts[s.sparse.of[n]][p.row]) + p.shift
	}
	return p.shift
}

// at is the offset of a place relative to padded node n.
func (s *storage[T, S]) at(p *place, n int) int { return s.layout.Offset(p.slot, n+s.shift(p, n)) }

// stored says where populations lie between steps.
func (s *storage[T, S]) stored() *[MaxQ]place { return &s.scheme.last(s.phase).write }

// base is where the links of a run count from.
func (s *storage[T, S]) base(run int) int { return s.layout.Offset(0, s.runs[run].start) }

// addresses is where the links of a phase read and write.
func (s *storage[T, S]) addresses(phase int) addresses {
	next, last := s.scheme.next(phase), s.scheme.last(phase)
	return addresses{
		post: func(i int, p [3]int) int { return s.at(&last.write[i], s.index(p)) },
		pull: func(i int, p [3]int) int { return s.at(&next.read[i], s.index(p)) },
		base: s.base,
	}
}

// eachRun calls do for every run, with room for its populations and the number of its first node.
func (s *storage[T, S]) eachRun(do func(buffer []S, node int, r *run)) {
	s.pool.Run(func(worker int) {
		buffer := make([]S, s.cfg.Size[0])
		lo, hi := s.share(worker)
		for k := lo; k < hi; k++ {
			r := &s.runs[k]
			do(buffer[:r.n], int(r.first), r)
		}
	})
}

// places finds the padded indices of nodes, most of which follow each other along x; −1 of those that are not of the fluid, in a
// storage by runs.
func (s *storage[T, S]) places(at []int, nodes []int32) {
	next, left, place := int32(-1), 0, 0
	for k, n := range nodes {
		if s.cfg.Inside != nil && (n != next || left == 0) {
			place, left = -1, 1
			if run := s.sparse.runAt(int(n)); run >= 0 {
				r := &s.runs[run]
				place, left = r.start+int(n-r.first), int(r.first+r.n-n)
			}
		} else if n != next || left == 0 {
			p := s.cfg.Position(int(n))
			if place, left = s.index(p), s.cfg.Size[0]-p[0]; s.sparse != nil {
				place, left = s.sparse.within(place, s.runs)
			}
		}
		at[k] = place
		next, left, place = n+1, left-1, place+1
	}
}

// read fetches a population of padded nodes; 0 of those that lie nowhere.
func (s *storage[T, S]) read(i int, nodes []int, to []T) {
	p := &s.stored()[i]
	to = to[:len(nodes)]
	switch {
	case s.sparse != nil:
		for k, n := range nodes {
			if to[k] = 0; n >= 0 {
				to[k] = decode[T](s.now[s.at(p, n)])
			}
		}
		return
	case s.layout.contiguous():
		from := s.now[s.at(p, 0):]
		for k, n := range nodes {
			to[k] = decode[T](from[n])
		}
		return
	}
	for k, n := range nodes {
		to[k] = decode[T](s.now[s.at(p, n)])
	}
}

// write puts a population of padded nodes, rounded with the noise of each.
func (s *storage[T, S]) write(i int, nodes []int, from []T, noise *[some]uint32) {
	p := &s.stored()[i]
	from = from[:len(nodes)]
	switch {
	case s.sparse != nil:
		for k, n := range nodes {
			if n >= 0 {
				s.now[s.at(p, n)] = dithered[S](from[k], noise[k], (i+1)/2)
			}
		}
		return
	case s.layout.contiguous():
		to := s.now[s.at(p, 0):]
		for k, n := range nodes {
			to[n] = dithered[S](from[k], noise[k], (i+1)/2)
		}
		return
	}
	for k, n := range nodes {
		s.now[s.at(p, n)] = dithered[S](from[k], noise[k], (i+1)/2)
	}
}

// readAlong fetches a population of nodes from a padded one on, at equal steps.
func (s *storage[T, S]) readAlong(i, from, step int, to []T) {
	p := &s.stored()[i]
	if !s.layout.contiguous() {
		for k := range to {
			to[k] = decode[T](s.now[s.at(p, from+k*step)])
		}
		return
	}
	f := s.now[s.at(p, from):]
	if step == 1 {
		for k, v := range f[:len(to)] {
			to[k] = decode[T](v)
		}
		return
	}
	for k := range to {
		to[k] = decode[T](f[k*step])
	}
}

// writeAlong puts a population of nodes from a padded one on, at equal steps. It is not for those that are rounded with noise.
func (s *storage[T, S]) writeAlong(i, to, step int, from []T) {
	p := &s.stored()[i]
	if !s.layout.contiguous() {
		for k, v := range from {
			s.now[s.at(p, to+k*step)] = S(v)
		}
		return
	}
	f := s.now[s.at(p, to):]
	if step == 1 {
		f = f[:len(from)]
		for k, v := range from {
			f[k] = S(v)
		}
		return
	}
	for k, v := range from {
		f[k*step] = S(v)
	}
}

// streams tells whether results are written around the cache.
func (s *storage[T, S]) streams() bool {
	if s.scheme.lattices == 1 || s.cfg.Stores == "cached" || s.sparse != nil {
		return false // in place, a line was read right before it is written; runs do not begin at lines
	}
	return s.cfg.Stores == "streaming" || 2*s.layout.Len()*int(unsafe.Sizeof(*new(S))) >= streamsFrom
}

// noiseOf finds the noise of nodes for a purpose in a step; of Half alone.
func noiseOf[S Stored](c *Config, p purpose, step int64, nodes []int32, to *[some]uint32) {
	if unsafe.Sizeof(*new(S)) != 2 { // known when compiled
		return
	}
	for k, n := range nodes {
		at := c.Position(int(n))
		to[k] = dither.Place(seedOf[S](p, step, at[1]+c.Size[1]*at[2]), at[0])
	}
}

package lbm

import (
	"unsafe"

	"lbmib/internal/hugepage"
	"lbmib/internal/parallel"
	"lbmib/lbm/internal/simd/dither"
)

// storage is where the populations of all nodes of a box lie: in which layout, and, as the
// streaming scheme has it, at which node in which phase of its cycle.
type storage[T Float, S Stored] struct {
	cfg    Config
	layout Layout
	grid   padding
	starts []int // padded index of each row's first node, rows numbered y first
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
	if s.layout, err = NewLayout(cfg.Layout, cfg.Lattice.Q, s.grid.nodes, cfg.Block, bytes); err != nil {
		return s, err
	}
	if s.scheme, err = newScheme(cfg.Streaming, &s.layout, &s.grid.shift, bytes); err != nil {
		return s, err
	}
	for row := range cfg.rows() {
		s.starts = append(s.starts, s.grid.index([3]int{0, row % cfg.Size[1], row / cfg.Size[1]}))
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
	s.eachRow(func(_ []S, _, n int) {
		for i := range s.layout.Q {
			s.now[s.layout.Offset(i, n)] = 0
			s.next[s.layout.Offset(i, n)] = 0
		}
	})
}

// at is the offset of a place relative to padded node n.
func (s *storage[T, S]) at(p *place, n int) int { return s.layout.Offset(p.slot, n+p.shift) }

// stored says where populations lie between steps.
func (s *storage[T, S]) stored() *[MaxQ]place { return &s.scheme.last(s.phase).write }

// row is the padded index of the first node of a row, base where the links of a row count from.
func (s *storage[T, S]) row(row int) int  { return s.starts[row] }
func (s *storage[T, S]) base(row int) int { return s.layout.Offset(0, s.row(row)) }

// addresses is where the links of a phase read and write.
func (s *storage[T, S]) addresses(phase int) addresses {
	next, last := s.scheme.next(phase), s.scheme.last(phase)
	return addresses{
		post: func(i int, p [3]int) int { return s.at(&last.write[i], s.grid.index(p)) },
		pull: func(i int, p [3]int) int { return s.at(&next.read[i], s.grid.index(p)) },
		base: s.base,
	}
}

// eachRow calls do for every row, with its number, its first padded node and room for its
// populations.
func (s *storage[T, S]) eachRow(do func(buffer []S, row, n int)) {
	s.pool.Run(func(worker int) {
		buffer := make([]S, s.cfg.Size[0])
		first, last := parallel.Share(s.cfg.rows(), worker, s.pool.Workers())
		for row := first; row < last; row++ {
			do(buffer, row, s.row(row))
		}
	})
}

// places finds the padded indices of nodes, most of which follow each other along x.
func (s *storage[T, S]) places(at []int, nodes []int32) {
	next, left, place := int32(-1), 0, 0
	for k, n := range nodes {
		if n != next || left == 0 {
			p := s.cfg.Position(int(n))
			place, left = s.grid.index(p), s.cfg.Size[0]-p[0]
		}
		at[k] = place
		next, left, place = n+1, left-1, place+1
	}
}

// read fetches a population of padded nodes.
func (s *storage[T, S]) read(i int, nodes []int, to []T) {
	p := &s.stored()[i]
	to = to[:len(nodes)]
	if s.layout.contiguous() {
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
	if s.layout.contiguous() {
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
	if s.scheme.lattices == 1 || s.cfg.Stores == "cached" {
		return false // in place, a line was read right before it is written
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

package lbm

import (
	"time"

	"lbmib/internal/parallel"
)

// CPU is a fluid on the host: two lattices, pull scheme, collision fused with
// streaming, one row per kernel call. Workers own fixed slabs of rows, so the
// bits of a result do not depend on their number.
type CPU[T Float] struct {
	cfg    Config
	layout Layout
	tables tables[T]
	rates  rates[T]
	kernel rowKernel[T]
	pool   *parallel.Pool

	now, next []T // populations, ghosts included
	links     links[T]
	scratch   []rowScratch[T] // per worker
	steps     int64
	boundary  time.Duration // spent so far
	bulk      time.Duration
	stride    [2]int    // padded nodes to the next y and z
	origin    int       // padded index of node 0
	shift     [MaxQ]int // padded distance to c_i

	fill, sweep         func(worker int) // phases of a step, made once
	readAll, correctAll func(worker int) // phases over list, made once
	list                nodeList[T]      // their arguments
}

// rowScratch holds what one worker needs to process a row.
type rowScratch[T Float] struct {
	src, dst rows[T]
	from, to []T // rows gathered from layouts that are not contiguous
}

// NewCPU makes a fluid at rest on the workers of pool. The pool stays the caller's.
func NewCPU[T Float](cfg Config, pool *parallel.Pool) (*CPU[T], error) {
	if err := cfg.Validate(); err != nil {
		return nil, err
	}
	f := &CPU[T]{cfg: cfg, tables: newTables[T](cfg.Lattice), rates: newRates[T](cfg.Collision, cfg.Force), pool: pool}
	f.kernel = newRowKernel(cfg.Lattice, &f.rates)
	px, py, pz := cfg.Size[0]+2, cfg.Size[1]+2, 1
	f.stride = [2]int{px, px * py}
	f.origin = 1 + px
	if cfg.Lattice.Dim == 3 {
		pz = cfg.Size[2] + 2
		f.origin += px * py
	}
	for i, c := range cfg.Lattice.C {
		f.shift[i] = c[0] + px*c[1] + px*py*c[2]
	}
	var err error
	if f.layout, err = NewLayout(cfg.Layout, cfg.Lattice.Q, px*py*pz); err != nil {
		return nil, err
	}
	f.cfg.Layout = f.layout.Name
	f.now, f.next = make([]T, f.layout.Len()), make([]T, f.layout.Len())
	f.links = compileLinks[T](&f.cfg, func(i int, p [3]int) int { return f.layout.Offset(i, f.padded(p)) })
	f.scratch = make([]rowScratch[T], pool.Workers())
	if !f.layout.contiguous() {
		for w := range f.scratch {
			f.scratch[w].allocate(cfg.Lattice.Q, cfg.Size[0])
		}
	}
	f.fill, f.sweep = f.fillShare, f.sweepShare
	f.readAll = func(worker int) { f.readNodes(worker, pool.Workers()) }
	f.correctAll = func(worker int) { f.correctNodes(worker, pool.Workers()) }
	f.firstTouch()
	f.resetOpenFaces()
	return f, nil
}

func (s *rowScratch[T]) allocate(q, n int) {
	s.from, s.to = make([]T, q*n), make([]T, q*n)
	for i := range q {
		s.src[i], s.dst[i] = s.from[i*n:(i+1)*n], s.to[i*n:(i+1)*n]
	}
}

// firstTouch lets every worker touch the rows that it will own, so that memory
// lies near it.
func (f *CPU[T]) firstTouch() {
	f.pool.Run(func(worker int) {
		lo, hi := parallel.Share(f.cfg.Size[1]*f.cfg.Size[2], worker, f.pool.Workers())
		for row := lo; row < hi; row++ {
			n := f.row(row)
			for i := range f.layout.Q {
				f.now[f.layout.Offset(i, n)] = 0
				f.next[f.layout.Offset(i, n)] = 0
			}
		}
	})
}

// padded is the index of node p in the arrays that include ghosts.
func (f *CPU[T]) padded(p [3]int) int {
	return f.origin + p[0] + f.stride[0]*p[1] + f.stride[1]*p[2]
}

// row is the padded index of the first node of a row, rows numbered y first.
func (f *CPU[T]) row(row int) int {
	return f.padded([3]int{0, row % f.cfg.Size[1], row / f.cfg.Size[1]})
}

// Config is the configuration, with defaults resolved.
func (f *CPU[T]) Config() *Config { return &f.cfg }

// Steps is the number of steps done.
func (f *CPU[T]) Steps() int64 { return f.steps }

// Step advances the fluid by one step: every node pulls and collides.
func (f *CPU[T]) Step() {
	start := time.Now()
	f.pool.Run(f.fill) // boundaries write what the kernel will pull
	filled := time.Now()
	f.pool.Run(f.sweep) // f(x) ← collide(f_i(x − c_i))
	f.now, f.next = f.next, f.now
	for _, o := range f.links.open {
		o.swap()
	}
	f.steps++
	f.boundary += filled.Sub(start)
	f.bulk += time.Since(filled)
}

// Times is what boundaries and the bulk of all steps so far have taken.
func (f *CPU[T]) Times() (boundary, bulk time.Duration) { return f.boundary, f.bulk }

// fillShare is worker's part of the boundary. Walls that move are felt at the
// middle of the step, when populations meet them.
func (f *CPU[T]) fillShare(worker int) {
	f.links.fill(f.now, float64(f.steps)+0.5, worker, f.pool.Workers())
	for _, o := range f.links.open {
		o.fill(&f.tables, &f.rates, f.now, worker, f.pool.Workers())
	}
}

func (f *CPU[T]) sweepShare(worker int) {
	for _, o := range f.links.open {
		o.advance(worker, f.pool.Workers())
	}
	s := &f.scratch[worker]
	lo, hi := parallel.Share(f.cfg.Size[1]*f.cfg.Size[2], worker, f.pool.Workers())
	for row := lo; row < hi; row++ {
		f.sweepRow(s, f.row(row))
	}
}

// sweepRow pulls and collides the row that starts at padded node n.
func (f *CPU[T]) sweepRow(s *rowScratch[T], n int) {
	nx := f.cfg.Size[0]
	if f.layout.contiguous() {
		for i := range f.layout.Q {
			from, to := i*f.layout.Nodes+n-f.shift[i], i*f.layout.Nodes+n
			s.src[i], s.dst[i] = f.now[from:from+nx:from+nx], f.next[to:to+nx:to+nx]
		}
		f.kernel(&s.dst, &s.src, &f.rates)
		return
	}
	for i := range f.layout.Q {
		gatherRow(&f.layout, s.src[i], f.now, i, n-f.shift[i])
	}
	f.kernel(&s.dst, &s.src, &f.rates)
	for i := range f.layout.Q {
		scatterRow(&f.layout, f.next, s.dst[i], i, n)
	}
}

package lbm

import (
	"fmt"
	"time"
	"unsafe"

	"lbmib/internal/hugepage"
	"lbmib/internal/parallel"
)

// CPU is a fluid on the host: collision fused with streaming, one row per kernel
// call, on one or two lattices. Arithmetic is in T, populations lie in memory as
// S. Workers own fixed slabs of rows, so the bits of a result do not depend on
// their number; nor do they on layout and streaming scheme, which only say where
// populations lie.
type CPU[T Float, S Stored] struct {
	cfg    Config
	layout Layout
	grid   padding
	starts []int // padded index of each row's first node
	scheme scheme
	tables tables[T]
	rates  rates[T] // of the step just made
	kernel rowKernel[T, S]
	pool   *parallel.Pool

	now, next []S // populations, ghosts included; the same lattice in place
	phase     int // of the scheme's cycle, of the next sweep
	links     []links[T]
	open      *openRows[T]
	drive     Drive
	amplitude [2][6]T // what drives the faces, in the last step of each phase
	accel     [2][3]T // the uniform body force per mass, likewise
	fusion    *fusion // nil: one step per sweep
	sweeper   []sweeper[T, S]
	steps     int64
	times     times

	prepare, sweep      func(worker int) // the parts of a step, made once
	early, both         func(worker int) // the same of fused steps
	readAll, correctAll func(worker int) // over list, made once
	list                nodeList[T]      // their arguments
	nodes, gathered     nodeKernels      // of lists: where populations lie, and of someNodes
	spans               nodeSpans        // the nodes that lists are about, for the first
	listed              listed           // and for the second
	scratch             []nodeScratch[T] // of every worker
}

// New makes the CPU fluid that a configuration asks for; see NewCPU.
func New[T Float](cfg Config, pool *parallel.Pool) (Fluid[T], error) {
	var one T
	switch {
	case cfg.Store == "":
		return NewCPU[T, T](cfg, pool)
	case cfg.Store == "f16" && unsafe.Sizeof(one) == 4:
		return NewCPU[T, Half](cfg, pool)
	}
	return nil, fmt.Errorf("lbm: populations of %d bytes cannot be stored as %q: half precision (f16) goes with arithmetic in single", unsafe.Sizeof(one), cfg.Store)
}

// NewCPU makes a fluid at rest on the workers of pool. The pool stays the
// caller's. What does not fit into memory is refused before it is allocated.
func NewCPU[T Float, S Stored](cfg Config, pool *parallel.Pool) (*CPU[T, S], error) {
	if err := cfg.Validate(); err != nil {
		return nil, err
	}
	var s S
	if err := cfg.fits(int(unsafe.Sizeof(s))); err != nil {
		return nil, err
	}
	f := &CPU[T, S]{cfg: cfg, pool: pool, grid: cfg.padding(int(unsafe.Sizeof(s)))}
	f.tables, f.rates = newTables[T](cfg.Lattice, cfg.Collision), newRates[T](cfg.Collision, cfg.ForceAt(0))
	var err error
	if f.layout, err = NewLayout(cfg.Layout, cfg.Lattice.Q, f.grid.nodes, cfg.Block, int(unsafe.Sizeof(s))); err != nil {
		return nil, err
	}
	if f.scheme, err = newScheme(cfg.Streaming, cfg.Lattice.Q, &f.grid.shift); err != nil {
		return nil, err
	}
	forced := cfg.Acceleration != nil || f.rates.accel != [3]T{}
	if f.kernel, err = newRowKernel[T, S](cfg.Kernel, cfg.Lattice, f.rates.operator(forced)); err != nil {
		return nil, err
	}
	f.nodes = newNodeKernels(f.kernel.name, cfg.Lattice, unsafe.Sizeof(s), f.rates.recursive)
	var v T
	f.gathered = newNodeKernels(f.kernel.name, cfg.Lattice, unsafe.Sizeof(v), f.rates.recursive)
	f.scratch = make([]nodeScratch[T], pool.Workers())
	for row := range cfg.rows() {
		f.starts = append(f.starts, f.grid.index([3]int{0, row % cfg.Size[1], row / cfg.Size[1]}))
	}
	f.cfg.Layout, f.cfg.Streaming, f.cfg.Kernel = f.layout.Name, f.scheme.name, f.kernel.name
	f.now = hugepage.Make[S](f.layout.Len())
	f.next = f.now
	if f.scheme.lattices == 2 {
		f.next = hugepage.Make[S](f.layout.Len())
	}
	f.firstTouch()
	f.compileLinks()
	if f.fusion, err = newFusion(&f.cfg, &f.grid, &f.scheme, int(unsafe.Sizeof(s)), pool.Workers(), f.links[0].earlyRows); err != nil {
		return nil, err
	}
	f.sweeper = make([]sweeper[T, S], pool.Workers())
	for w := range f.sweeper {
		f.sweeper[w].allocate(f)
	}
	f.prepare, f.sweep = f.prepareShare, f.sweepShare
	f.early, f.both = f.sweepEarly, f.sweepBoth
	f.readAll = func(worker int) { f.readNodes(worker, pool.Workers()) }
	f.correctAll = func(worker int) { f.correctNodes(worker, pool.Workers()) }
	f.resetOpenFaces()
	return f, nil
}

// compileLinks compiles the boundary once per phase of the scheme.
func (f *CPU[T, S]) compileLinks() {
	phases := make([]addresses, len(f.scheme.cycle))
	for phase := range phases {
		next, last := f.scheme.next(phase), f.scheme.last(phase)
		phases[phase] = addresses{
			post: func(i int, p [3]int) int { return f.at(&last.write[i], f.grid.index(p)) },
			pull: func(i int, p [3]int) int { return f.at(&next.read[i], f.grid.index(p)) },
			base: f.base,
		}
	}
	f.open = newOpenRows[T](&f.cfg)
	for phase := range phases {
		var post [MaxQ]int
		for i := range f.layout.Q {
			p := f.scheme.last(phase).write[i]
			post[i] = p.slot*f.layout.Nodes + p.shift
		}
		f.open.post = append(f.open.post, post)
	}
	f.drive = NewDrive(&f.cfg)
	for phase := range phases {
		f.links = append(f.links, compileLinks[T](&f.cfg, phases[phase], f.scheme.lattices == 1, f.open.where()))
	}
}

// at is the offset of a place relative to padded node n.
func (f *CPU[T, S]) at(p *place, n int) int { return f.layout.Offset(p.slot, n+p.shift) }

// stored says where populations lie between steps.
func (f *CPU[T, S]) stored() *[MaxQ]place { return &f.scheme.last(f.phase).write }

// firstTouch lets every worker touch the rows that it will own, so that memory
// lies near it.
func (f *CPU[T, S]) firstTouch() {
	f.pool.Run(func(worker int) {
		lo, hi := parallel.Share(f.cfg.rows(), worker, f.pool.Workers())
		for row := lo; row < hi; row++ {
			n := f.row(row)
			for i := range f.layout.Q {
				f.now[f.layout.Offset(i, n)] = 0
				f.next[f.layout.Offset(i, n)] = 0
			}
		}
	})
}

// row is the padded index of the first node of a row, rows numbered y first.
func (f *CPU[T, S]) row(row int) int { return f.starts[row] }

// base is where the links of a row count from.
func (f *CPU[T, S]) base(row int) int { return f.layout.Offset(0, f.row(row)) }

// Config is the configuration, with defaults resolved.
func (f *CPU[T, S]) Config() *Config { return &f.cfg }

// Steps is the number of steps done.
func (f *CPU[T, S]) Steps() int64 { return f.steps }

// Step advances the fluid by one step: every node pulls and collides.
func (f *CPU[T, S]) Step() {
	begin := time.Now()
	f.setAmplitudes()
	f.setAcceleration()
	f.prepareBoundaries() // what must be known before any row is swept
	prepared := time.Now()
	f.pool.Run(f.nextSweep()) // per row: boundaries, then f(x) ← collide(f_i(x − c_i))
	f.now, f.next = f.next, f.now
	f.rates.accel = f.accel[f.phase]
	f.phase = (f.phase + 1) % len(f.scheme.cycle)
	f.open.due = f.open.hasOutflow()
	f.steps++
	f.times.add(prepared.Sub(begin), time.Since(prepared))
}

func (f *CPU[T, S]) prepareBoundaries() {
	if f.open.stale.Load() {
		f.complete()
		f.captureOpenFaces()
	}
	if f.open.due || len(f.links[f.phase].early.to) > 0 {
		f.pool.Run(f.prepare)
	}
	f.open.due = false
}

// nextSweep is the sweep of this step: of all rows, or, where two steps share a
// sweep, of what may not wait and then of all that is outstanding.
func (f *CPU[T, S]) nextSweep() func(worker int) {
	u := f.fusion
	switch {
	case u == nil:
	case f.phase == 1:
		u.begin(f.steps)
		return f.early
	case u.pending:
		u.pending = false
		return f.both
	}
	return f.sweep
}

// setAmplitudes evaluates what drives the faces.
func (f *CPU[T, S]) setAmplitudes() {
	for i, a := range f.drive.At(f.steps) {
		f.amplitude[f.phase][i] = T(a)
	}
}

// setAcceleration evaluates the body force of the step to be made.
func (f *CPU[T, S]) setAcceleration() {
	f.accel[f.phase] = f.rates.accel
	if f.cfg.Acceleration != nil {
		f.accel[f.phase] = vector[T](f.cfg.Acceleration(float64(f.steps + 1)))
	}
}

func (f *CPU[T, S]) prepareShare(worker int) {
	fillEarly(&f.links[f.phase].early, f.now, worker, f.pool.Workers())
	if f.open.due {
		f.advanceOpenFaces(worker, f.pool.Workers())
	}
}

func (f *CPU[T, S]) sweepShare(worker int) {
	s, clock := &f.sweeper[worker], f.clock(worker)
	s.begin()
	lo, hi := parallel.Share(f.cfg.rows(), worker, f.pool.Workers())
	for row := lo; row < hi; row++ {
		f.sweepRow(s, 0, row, clock)
	}
	s.end()
}

// sweepRow writes what the boundary sends into a row and sweeps the row, in the
// step at hand or as many steps ago.
func (f *CPU[T, S]) sweepRow(s *sweeper[T, S], ago, row int, clock *times) {
	phase, step := (f.phase+ago)%len(f.scheme.cycle), f.steps-int64(ago) // back and forth is the same in a cycle of two
	var begin time.Time
	if clock != nil {
		begin = time.Now()
	}
	fillRow(&f.links[phase], &f.now[f.base(row)], &f.amplitude[phase], row, f.seed(forWalls, step, row))
	f.fillOpenRow(phase, row, step)
	if row+1 < f.cfg.rows() {
		prefetchRow(&f.links[phase], &f.now[f.base(row+1)], row+1)
	}
	if clock != nil {
		begin = clock.filled(begin)
	}
	s.rates.accel = f.accel[phase]
	if s.streaming {
		s.kept = f.open.ends(row, f.cfg.Size[0])
	}
	s.row(f, f.scheme.next(phase), f.row(row), f.cfg.Size[0], f.seed(forCollision, step, row))
	f.captureOpenRow(&s.rates, phase, row, step)
	if clock != nil {
		clock.swept(begin)
	}
}

// clock is what a worker times its rows with in this step, or nil.
func (f *CPU[T, S]) clock(worker int) *times {
	if worker == 0 && f.times.sampling(f.steps) {
		return &f.times
	}
	return nil
}

// Times is what boundaries and the bulk of all steps so far have taken.
func (f *CPU[T, S]) Times() (boundary, bulk time.Duration) { return f.times.split() }

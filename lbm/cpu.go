package lbm

import (
	"fmt"
	"time"
	"unsafe"

	"lbmib/internal/parallel"
	"lbmib/internal/precompiled"
)

// CPU is a fluid on the host: collision fused with streaming, one row per kernel
// call, on one or two lattices. Arithmetic is in T, populations lie in memory as
// S. Workers own fixed slabs of rows, so the bits of a result do not depend on
// their number; nor do they on layout and streaming scheme, which only say where
// populations lie.
//
// Of its methods Fluid has 13, and what a fluid may do besides (Exchanger, Keeper, NodeStepper, ports of a vessel) ten; the
// others are the parts of a step, which share its state.
type CPU[T Float, S Stored] struct {
	storage[T, S]
	times
	tables tables[T]
	rates  rates[T] // of the step just made
	kernel rowKernel[T, S]

	links     []links[T]
	turnsOf   [][MaxQ]turn    // of each phase, in a storage by runs
	cuts      *cutLinks[T, S] // nil: none
	open      *openRows[T, S]
	drive     Drive
	amplitude [2][6]T // what drives the faces, in the last step of each phase
	accel     [2][3]T // the uniform body force per mass, likewise
	fusion    *fusion // nil: one step per sweep
	fetches   bool    // rows ask for the links of the next
	sweeper   []sweeper[T, S]
	steps     int64

	prepare, sweep func(worker int) // the parts of a step, made once
	early, both    func(worker int) // the same of fused steps
	inner, rim     func(worker int) // and of those that await ghosts
	nodes          *nodeAccess[T]
	spans          *spans[T, S] // where lists of nodes are worked on by assembly; or else nil
	listed         listed[T, S] // and they are in the other case
	forced         forcedRows[T, S]
	exchange       exchange[T, S]
	awaiting       awaiting
}

// fluids make those of each precision, with all kernels: see package precompiled.
var fluids = []any{newFluid[float32], newFluid[float64]}

// New makes the CPU fluid that a configuration asks for; see NewCPU.
func New[T Float](cfg Config, pool *parallel.Pool) (Fluid[T], error) {
	return precompiled.Of[func(Config, *parallel.Pool) (Fluid[T], error)](fluids)(cfg, pool)
}

func newFluid[T Float](cfg Config, pool *parallel.Pool) (Fluid[T], error) {
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
	f := &CPU[T, S]{tables: newTables[T](cfg.Lattice, cfg.Collision), rates: newRates[T](cfg.Collision, cfg.ForceAt(0))}
	var err error
	if f.storage, err = newStorage[T, S](cfg, pool); err != nil {
		return nil, err
	}
	forced := cfg.Acceleration != nil || f.rates.accel != [3]T{}
	if f.kernel, err = newRowKernel[T, S](cfg.Kernel, cfg.Lattice, f.rates.operator(forced)); err != nil {
		return nil, err
	}
	f.cfg.Kernel = f.kernel.name
	f.forced = newForcedRows(&f.storage, &f.kernel, f.rates.operator(forced))
	f.listed.in, f.exchange.in = &f.storage, &f.storage
	f.exchange.all = func(worker int) { f.exchange.share(worker, pool.Workers()) }
	f.nodes = newNodeAccess(pool, f.kernel.name, cfg.Lattice, &f.tables, &f.rates)
	f.nodes.load, f.nodes.store = f.listed.load, f.listed.store
	f.spans = newSpans(&f.storage, f.nodes)
	f.allocate()
	f.fetches = f.layout.Len()*int(unsafe.Sizeof(s)) > fetchesFrom
	f.open, f.drive = newOpenRows(&f.storage, &f.tables), NewDrive(&f.cfg)
	for phase := range f.scheme.cycle {
		var b *rebounds
		if f.sparse != nil {
			b = &rebounds{set: f.sparse.set}
		}
		f.links = append(f.links, compileLinks[T](&f.cfg, f.runs, f.addresses(phase), f.scheme.lattices == 1, f.open.where(), b))
		f.links[phase].rebounds = f.links[0].rebounds // the same in all phases
	}
	f.setFaced()
	if f.sparse != nil {
		f.turnsOf = f.turns()
	}
	if len(cfg.Cuts) > 0 {
		f.cuts = compileCuts(&f.storage, &f.tables, f.turnsOf)
	}
	if f.fusion, err = newFusion(&f.cfg, f.slabs, f.rowBytes(), &f.scheme, int(unsafe.Sizeof(s)), f.links[0].earlyRows); err != nil {
		return nil, err
	}
	f.sweeper = make([]sweeper[T, S], pool.Workers())
	for w := range f.sweeper {
		f.sweeper[w].allocate(f)
	}
	f.prepare = func(worker int) {
		fillEarly(&f.links[f.phase].early, f.now, worker, pool.Workers())
		if f.open.due {
			f.open.advance(f.steps, &f.amplitude[f.phase], worker, pool.Workers())
		}
	}
	f.sweep = func(worker int) { f.sweepRows(worker, 0, func(int) bool { return true }) }
	f.awaiting = newAwaiting(&f.cfg)
	if f.sparse != nil { // whatever rows have none
		f.awaiting = awaitingRuns(&f.cfg, f.runs)
		f.sweep = func(worker int) { f.sweepSome(worker, f.awaiting.ghosts) }
	}
	f.early = func(worker int) { f.sweepRows(worker, 0, func(row int) bool { return f.fusion.done[row] }) }
	f.both = f.sweepBoth
	f.inner, f.rim = f.sweepInner, f.sweepRim
	f.reset()
	return f, nil
}

// Config is the configuration, with defaults resolved.
func (f *CPU[T, S]) Config() *Config { return &f.cfg }

// Steps is the number of steps done.
func (f *CPU[T, S]) Steps() int64 { return f.steps }

// Step advances the fluid by one step: every node pulls and collides.
func (f *CPU[T, S]) Step() {
	begin := time.Now()
	split := f.splits()
	if !split {
		f.arrive()
	}
	if f.cuts != nil {
		f.cuts.keepMoved(&f.rates)
		f.cuts.advance(f.steps)
	}
	f.setDrive()
	f.prepareBoundaries() // what must be known before any row is swept
	prepared := time.Now()
	if split {
		f.pool.Run(f.inner)
		f.arrive()
		f.pool.Run(f.rim)
	} else {
		f.pool.Run(f.nextSweep()) // per row: boundaries, then f(x) ← collide(f_i(x − c_i))
	}
	f.now, f.next = f.next, f.now
	f.rates.accel = f.accel[f.phase]
	f.phase = (f.phase + 1) % len(f.scheme.cycle)
	f.open.due = f.open.hasOutflow()
	f.steps++
	f.times.add(prepared.Sub(begin), time.Since(prepared))
}

// reset begins what boundaries keep anew, of the state at hand.
func (f *CPU[T, S]) reset() {
	f.open.reset(&f.rates, f.steps)
	if f.cuts != nil {
		f.cuts.reset()
		f.cuts.keepAll(&f.rates)
	}
}

// prefetchNext asks for what the boundary writes into a run, which is swept next.
func (f *CPU[T, S]) prefetchNext(l *links[T], phase, run int) {
	if l.rebounds != nil {
		f.prefetchRebounds(l.rebounds, &f.turnsOf[phase], run)
	}
	if f.runs[run].faced {
		prefetchRow(l, &f.now[f.base(run)], run)
	}
}

// setFaced notes which runs have something from faces, or hold their nodes.
func (f *CPU[T, S]) setFaced() {
	for k := range f.runs {
		r := &f.runs[k]
		r.faced = len(f.open.run(k)) > 0
		for p := range f.links {
			l := &f.links[p]
			for _, s := range [...]span{l.copies.rows[k], l.walls.rows[k], l.open.rows[k]} {
				r.faced = r.faced || s.lo < s.hi
			}
		}
	}
}

func (f *CPU[T, S]) prepareBoundaries() {
	if f.open.stale.Load() {
		f.complete()
		f.open.captureAll(&f.rates, f.steps)
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
		u.begin(f.steps, f.forcesRow)
		return f.early
	case u.pending:
		u.pending = false
		return f.both
	}
	return f.sweep
}

// setDrive evaluates what drives the faces, and the body force, of the step to be made.
func (f *CPU[T, S]) setDrive() {
	if f.cuts != nil {
		f.cuts.drive(f.steps)
	}
	for i, a := range f.drive.At(f.steps) {
		f.amplitude[f.phase][i] = T(a)
	}
	f.accel[f.phase] = f.rates.accel
	if f.cfg.Acceleration != nil {
		f.accel[f.phase] = vector[T](f.cfg.Acceleration(float64(f.steps + 1)))
	}
}

// sweepRows sweeps a worker's rows, those that are due, in the step at hand or as many steps
// ago.
func (f *CPU[T, S]) sweepRows(worker, ago int, due func(row int) bool) {
	s, clock := &f.sweeper[worker], f.times.of(worker, f.steps)
	if ago > 0 {
		clock = nil // one that has been sampled
	}
	s.begin()
	lo, hi := f.slab(worker)
	for row := lo; row < hi; row++ {
		if due(row) {
			f.sweepRow(s, ago, row, clock)
		}
	}
	s.end()
}

// sweepSome sweeps a worker's runs in the step at hand, those that are not left out; nil: all.
func (f *CPU[T, S]) sweepSome(worker int, out []bool) {
	s, clock := &f.sweeper[worker], f.times.of(worker, f.steps)
	s.begin()
	lo, hi := f.share(worker)
	for run := lo; run < hi; run++ {
		if out == nil || !out[run] {
			f.sweepRun(s, 0, run, clock)
		}
	}
	s.end()
}

// sweepRow sweeps the runs of a row, in the step at hand or as many steps ago.
func (f *CPU[T, S]) sweepRow(s *sweeper[T, S], ago, row int, clock *times) {
	if f.awaiting.ghosts != nil && f.awaiting.ghosts[row] {
		return
	}
	lo, hi := f.runsOf(row)
	for run := lo; run < hi; run++ {
		f.sweepRun(s, ago, run, clock)
	}
}

// sweepRun writes what the boundary sends into a run and sweeps the run, in the
// step at hand or as many steps ago.
func (f *CPU[T, S]) sweepRun(s *sweeper[T, S], ago, run int, clock *times) {
	r := &f.runs[run]
	row, phase, step := int(r.row), (f.phase+ago)%len(f.scheme.cycle), f.steps-int64(ago) // back and forth is the same in a cycle of two
	var begin time.Time
	if clock != nil {
		begin = time.Now()
	}
	links := &f.links[phase]
	if links.rebounds != nil {
		f.rebound(links.rebounds, &f.turnsOf[phase], run)
	}
	if r.faced {
		fillRow(links, &f.now[f.base(run)], &f.amplitude[phase], run, seedOf[S](forWalls, step, row))
		f.open.fill(&links.open, &f.amplitude[phase], run, step)
	}
	if f.cuts != nil {
		f.cuts.fill(phase, run, seedOf[S](forWalls, step, row))
	}
	if f.fetches && run+1 < len(f.runs) {
		f.prefetchNext(links, phase, run+1)
	}
	if clock != nil {
		begin = clock.filled(begin)
	}
	s.rates.accel = f.accel[phase]
	if f.sparse != nil {
		s.by = &f.sparse.shifts[run]
	}
	if s.streaming {
		s.kept = f.open.ends(row, f.cfg.Size[0])
	}
	if seed := seedOf[S](forCollision, step, row) + uint32(r.x); ago == 0 && f.forced.acts(run) {
		s.forcedRow(f, f.scheme.next(phase), run, seed)
	} else {
		s.row(f, f.scheme.next(phase), r.start, int(r.n), seed)
	}
	if f.cuts != nil {
		f.cuts.keep(&s.rates, f.next, (phase+1)%len(f.scheme.cycle), run)
	}
	if r.faced {
		f.open.captureRun(&s.rates, phase, run, step)
	}
	if clock != nil {
		clock.swept(begin)
	}
}

package lbm

import (
	"errors"
	"slices"
	"unsafe"

	"lbmib/internal/parallel"
)

// LocalBytes is the memory that a Local takes per node of the domain, whatever it covers.
const LocalBytes = 3 * (1./8 + 1./16)

// Local is a part of a fluid aside: populations of some nodes, on which it can be
// looked at and corrected as there, and from which it makes the next step on those
// that this is possible for. It has the arithmetic of the CPU's fluid with the same
// kernel, so that the results are the same bits, boundaries included.
//
//	l.Cover(nodes, slack)                    // when they have changed
//	l.Begin(fluid.Steps())
//	fluid.Fetch(l.Sources(), l.Populations())
//	l.Moments(…), l.Correct(…)               // of nodes
//	l.Step()
//	fluid.Put(l.Targets(), l.Results())      // of a fluid that has made its step, too
//
// The targets are all nodes that pull from the nodes covered, their neighbourhood. What is
// fetched is no more than the populations that targets pull, and, at boundaries, the others
// of the nodes covered.
//
// A Local allocates nothing unless lists grow. It is used by one goroutine at a time.
type Local[T Float] struct {
	cfg    *Config
	pool   *parallel.Pool
	kernel rowKernel[T, T]
	tables tables[T]
	rates  rates[T] // of the step that populations are of
	half   bool     // the fluid stores them as Half
	steps  int64

	links         *localCompiler[T]
	covered, near nodeSet // what may be corrected, and the targets
	listed        []int32 // the nodes covered
	arrivals      arrivals[T]
	lender        Lender[T] // of memory for populations; nil: it is the Local's own
	before, after []T       // what has been fetched, and populations of the targets after the step
	f, g          [][]T     // the same by direction
	amplitude     [6]T      // of the faces' velocities, in the next step

	nodes             []int32 // the last list of nodes
	asked             nodeSet // they
	ascending, order  []int32 // and in ascending order, and their numbers in the list
	places            []int32 // where their populations stand, by direction
	access            *nodeAccess[T]
	relaxing          localRelaxing[T]
	scratch           []localScratch[T] // of each worker
	step, leave, pull func(worker int)
}

// localBatch is how many nodes a kernel works on at a time, and the least share of a worker:
// whole vectors of any kernel.
const localBatch = 256

// localScratch is what a worker of a Local needs.
type localScratch[T Float] struct {
	rates    rates[T]
	src, dst rows[T]
	from, to [MaxQ]unsafe.Pointer
	relaxing relaxingScratch[T]
}

// NewLocal makes a Local for a fluid of the given configuration, that of
// Fluid.Config, on the workers of pool (nil: on the caller alone): none of them may be
// at the fluid's work while it is at its own. Where the fluid's kernel is none of the
// CPU's (KernelNames) the fastest of these is used.
func NewLocal[T Float](cfg *Config, pool *parallel.Pool) (*Local[T], error) {
	if len(cfg.Cuts) > 0 {
		return nil, errors.New("lbm: nodes aside know walls halfway between nodes alone, not where a surface cuts links: use the schedule serial")
	}
	l := &Local[T]{cfg: cfg, pool: pool, half: cfg.Store == "f16", tables: newTables[T](cfg.Lattice, cfg.Collision)}
	l.rates = newRates[T](cfg.Collision, cfg.ForceAt(0))
	forced := cfg.Acceleration != nil || l.rates.accel != [3]T{}
	name := cfg.Kernel
	if !slices.Contains(KernelNames, name) {
		name = "auto"
	}
	var err error
	if l.kernel, err = newRowKernel[T, T](name, cfg.Lattice, l.rates.operator(forced)); err != nil {
		return nil, err
	}
	l.access = newNodeAccess(pool, l.kernel.name, cfg.Lattice, &l.tables, &l.rates)
	l.access.load, l.access.store = l.load, l.store
	l.relaxing = newLocalRelaxing(l)
	l.links = newLocalCompiler[T](cfg)
	l.covered, l.near, l.asked = newNodeSet(cfg.Nodes()), newNodeSet(cfg.Nodes()), newNodeSet(cfg.Nodes())
	l.f, l.g = make([][]T, cfg.Lattice.Q), make([][]T, cfg.Lattice.Q)
	workers := 1
	if pool != nil {
		workers = pool.Workers()
	}
	l.scratch = make([]localScratch[T], workers)
	l.step = func(worker int) { l.stepTargets(worker, workers) }
	l.leave = func(worker int) {
		lo, hi := parallel.Share(len(l.listed), worker, workers)
		l.links.leave(&l.arrivals, l.listed, &l.near, lo, hi)
	}
	l.pull = func(worker int) {
		lo, hi := parallel.Share(len(l.arrivals.targets), worker, workers)
		l.links.pull(&l.arrivals, lo, hi)
	}
	return l, nil
}

// Cover makes the sets those of nodes that are to be corrected, and of what comes to
// be in their place as they move by up to slack nodes along velocities of the lattice.
// A target at an open face is an *OpenFaceError; nothing is covered then.
func (l *Local[T]) Cover(nodes []int32, slack int) error {
	l.covered.clear()
	l.nodes, l.places, l.relaxing.targets = l.nodes[:0], l.places[:0], l.relaxing.targets[:0]
	for _, n := range nodes {
		l.covered.add(n)
	}
	l.listed = l.covered.list(l.listed[:0])
	for range slack {
		l.links.neighbours(l.listed, &l.covered)
		l.listed = l.covered.list(l.listed[:0])
	}
	a := &l.arrivals
	l.near.clear()
	l.links.neighbours(l.listed, &l.near)
	a.targets = l.near.list(a.targets[:0])
	if err := l.locate(); err != nil {
		l.covered.clear()
		l.listed, a.targets, a.from = l.listed[:0], a.targets[:0], a.from[:0]
		return err
	}
	l.hold(&l.before, l.f, a.stride, a.columns)
	// Kernels write whole vectors.
	l.hold(&l.after, l.g, apart(len(a.targets)+localBatch, int(unsafe.Sizeof(T(0)))), len(a.targets))
	if l.lender != nil {
		l.lender.Keep(a.from)
		l.lender.Keep(a.targets)
	}
	return nil
}

// locate finds where the populations stand that arrive at the targets.
func (l *Local[T]) locate() error {
	a := &l.arrivals
	if err := l.links.find(a); err != nil {
		return err
	}
	a.left = resized(a.left, l.cfg.Lattice.Q*len(l.listed))
	l.share(len(l.listed), l.leave)
	l.links.settle(a, l.listed, &l.covered)
	if err := l.links.hold(a, max(1, l.kernel.lanes)); err != nil {
		return err
	}
	l.share(len(a.targets), l.pull)
	l.links.bend(a)
	return nil
}

// hold makes f, by direction, n populations stride apart, in memory that grows by more
// than it has to.
func (l *Local[T]) hold(memory *[]T, f [][]T, stride, n int) {
	if values := len(f) * stride; len(*memory) < values {
		values += values / 8
		if l.lender != nil {
			l.lender.Return(*memory)
			*memory = l.lender.Lend(values)
		}
		if l.lender == nil || *memory == nil {
			*memory = make([]T, values)
		}
	}
	for i := range f {
		f[i] = (*memory)[i*stride : i*stride+n]
	}
}

// Borrow makes populations lie in memory that a fluid lends. It is for before the first
// Cover; Close is to be called before the fluid is closed.
func (l *Local[T]) Borrow(from Lender[T]) { l.lender = from }

// Close gives back what was borrowed. The Local must not be used afterwards.
func (l *Local[T]) Close() {
	if l.lender != nil {
		l.lender.Return(l.before)
		l.lender.Return(l.after)
	}
	l.before, l.after = nil, nil
}

// share runs a phase over n nodes, on the workers where there are enough to pay.
func (l *Local[T]) share(n int, phase func(worker int)) {
	if n >= serialBelow && l.pool != nil {
		l.pool.Run(phase)
		return
	}
	for w := range l.scratch {
		phase(w)
	}
}

// Covers tells whether all nodes are covered.
func (l *Local[T]) Covers(nodes []int32) bool {
	for _, n := range nodes {
		if !l.covered.has(n) {
			return false
		}
	}
	return true
}

// Sources are the nodes of each direction whose populations are needed, and Populations is
// where these are to be put, as Exchanger.Fetch does. Both are valid until Cover is called.
func (l *Local[T]) Sources() []int32 { return l.arrivals.from }

// Populations are the sources' after collision: f[i][k] is that of direction i of node
// Sources()[i·len(f[i]) + k].
func (l *Local[T]) Populations() [][]T { return l.f }

// Targets are the nodes that Step steps, ascending, and Results their populations
// after it, as Exchanger.Put takes them.
func (l *Local[T]) Targets() []int32 { return l.arrivals.targets }

// Results are the targets' populations after Step: g[i][k] of Targets()[k].
func (l *Local[T]) Results() [][]T { return l.g }

// Begin tells after which step populations are those that are about to be fetched. It
// asks what the configuration makes depend on time, and nothing else does: the fluid
// may ask meanwhile.
func (l *Local[T]) Begin(steps int64) {
	t := float64(steps)
	l.steps = steps
	l.rates.accel = vector[T](l.cfg.ForceAt(t))
	for w := range l.scratch {
		kept := l.scratch[w].rates.kept
		l.scratch[w].rates = l.rates
		l.scratch[w].rates.kept = kept
		l.scratch[w].rates.accel = vector[T](l.cfg.ForceAt(t + 1))
	}
	for i := range l.cfg.Faces {
		l.amplitude[i] = 1
		if a := l.cfg.Faces[i].Amplitude; a != nil {
			l.amplitude[i] = T(a(t + 0.5))
		}
	}
}

// Steps is what Begin has told. Config is the fluid's configuration.
func (l *Local[T]) Steps() int64 { return l.steps }

// Config is the fluid's configuration.
func (l *Local[T]) Config() *Config { return l.cfg }

// Step makes the next step on the targets: they pull, walls and all, and collide. What has
// been fetched is to be fetched anew afterwards.
func (l *Local[T]) Step() {
	l.share(len(l.arrivals.targets), l.step)
}

// stepTargets steps a worker's share of the targets, batch by batch.
func (l *Local[T]) stepTargets(worker, workers int) {
	s, n := &l.scratch[worker], len(l.arrivals.targets)
	mode := beginKernels()
	lo, hi := parallel.Share((n+localBatch-1)/localBatch, worker, workers)
	l.turn(int32(lo*localBatch), int32(hi*localBatch))
	for b := lo; b < hi; b++ {
		first := b * localBatch
		m := min(localBatch, n-first)
		l.collide(s, first, m)
		if l.relaxing.times != nil {
			l.collideOthers(s, first, m)
		}
	}
	endKernels(mode)
}

// turn makes what boundaries send to the targets lo ≤ k < hi arrive there: all else does as
// it is fetched.
func (l *Local[T]) turn(lo, hi int32) {
	a := &l.arrivals
	first, _ := slices.BinarySearchFunc(a.turned, lo, func(t turnedLink, k int32) int { return int(t.target - k) })
	for _, t := range a.turned[first:] {
		if t.target >= hi {
			break
		}
		l.f[t.dir][t.target] = l.f[t.left][t.column]
	}
	first, _ = slices.BinarySearchFunc(a.walls, lo, func(b bounce[T], k int32) int { return int(b.target - k) })
	for _, b := range a.walls[first:] {
		if b.target >= hi {
			break
		}
		l.f[b.dir][b.target] += l.amplitude[b.face] * b.gain
	}
}

// collide collides what has arrived at m targets. Assembly reads and writes whole vectors,
// for which there is room.
func (l *Local[T]) collide(s *localScratch[T], first, m int) {
	q, k := l.cfg.Lattice.Q, &l.kernel
	if k.lanes == 0 {
		for i := range q {
			s.src[i], s.dst[i] = l.f[i][first:first+m], l.g[i][first:first+m]
		}
		k.plain(&s.dst, &s.src, &s.rates)
		return
	}
	for i := range q {
		s.from[i], s.to[i] = unsafe.Pointer(&l.f[i][first]), unsafe.Pointer(&l.g[i][first])
	}
	k.cached(&s.to, &s.from, (m+k.lanes-1)/k.lanes, unsafe.Pointer(&s.rates), 0)
}

package lbm

import (
	"unsafe"

	"lbmib/internal/parallel"
)

// serialBelow is the number of nodes under which a parallel phase costs more
// than it saves.
const serialBelow = 256

// nodeAccess reads moments of lists of nodes and corrects them, some nodes at a time: those of
// a fluid on the CPU, or what a Local holds of one.
type nodeAccess[T Float] struct {
	load  func(b *someNodes[T], lo, hi int) // gets the populations of the nodes lo ≤ k < hi of the list
	store func(b *someNodes[T], lo, hi int) // puts them back, corrected

	pool          *parallel.Pool // nil: the caller alone
	kernels       nodeKernels    // of someNodes
	tables        *tables[T]
	rates         *rates[T]
	scratch       []nodeScratch[T]          // of every worker
	read, correct func(worker, workers int) // phases
	phase         func(worker, workers int) // the one at hand
	all           func(worker int)          // it on all workers, made once
	list          nodeList[T]
}

// nodeList are the arguments of a phase: fields, and where the values of nodes stand in them.
type nodeList[T Float] struct {
	at    []int32
	rho   []T
	u     [][]T   // or force density
	order []int32 // of the list, in which its nodes are loaded; nil: as they come

	times *Relaxation[T] // where nodes relax by times of their own; nil: they do not
	lines []placeInLine  // which they are, in the order in which they are loaded,
	own   T              // and the time of the others
}

// placeInLine is a node, and where in its line it is.
type placeInLine struct{ line, at, node int32 }

// inLines finds where nodes are; room is used again.
func (c *Config) inLines(room []placeInLine, nodes []int32) []placeInLine {
	room = resized(room, len(nodes))
	for k, n := range nodes {
		line, at := c.LineOf(int(n))
		room[k] = placeInLine{int32(line), int32(at), n}
	}
	return room
}

func newNodeAccess[T Float](pool *parallel.Pool, kernel string, l *Lattice, t *tables[T], r *rates[T]) *nodeAccess[T] {
	a := &nodeAccess[T]{pool: pool, tables: t, rates: r, scratch: make([]nodeScratch[T], 1)}
	if pool != nil {
		a.scratch = make([]nodeScratch[T], pool.Workers())
	}
	a.kernels = newNodeKernels(kernel, l, unsafe.Sizeof(T(0)), r.recursive)
	a.read, a.correct = a.readShare, a.correctShare
	a.all = func(worker int) { a.phase(worker, len(a.scratch)) }
	return a
}

// run runs a phase over a list of nodes: on all workers if it is worth it.
func (a *nodeAccess[T]) run(phase func(worker, workers int), l nodeList[T]) {
	a.list = l
	if len(l.at) < serialBelow || a.pool == nil {
		phase(0, 1)
	} else {
		a.phase = phase
		a.pool.Run(a.all)
	}
	a.list = nodeList[T]{}
}

// places is where the values of the nodes lo ≤ k < hi stand; room is for them.
func (l *nodeList[T]) places(room *[some]int32, lo, hi int) []int32 {
	if l.order == nil {
		return l.at[lo:hi]
	}
	for k, n := range l.order[lo:hi] {
		room[k] = l.at[n]
	}
	return room[:hi-lo]
}

// readShare computes density and velocity of a worker's nodes.
func (a *nodeAccess[T]) readShare(worker, workers int) {
	var room [some]int32
	l, b := &a.list, &a.scratch[worker]
	lo, hi := parallel.Share(len(l.at), worker, workers)
	for ; lo < hi; lo += some {
		end := min(lo+some, hi)
		a.load(&b.someNodes, lo, end)
		readGathered(&a.kernels, b, a.tables, a.rates, end-lo)
		at := l.places(&room, lo, end)
		for k, to := range at {
			l.rho[to] = b.rho[k]
		}
		for c, u := range l.u {
			for k, to := range at {
				u[to] = b.u[c][k]
			}
		}
	}
}

// correctShare lets the force density act on a worker's nodes.
func (a *nodeAccess[T]) correctShare(worker, workers int) {
	var room [some]int32
	l, b := &a.list, &a.scratch[worker]
	lo, hi := parallel.Share(len(l.at), worker, workers)
	for ; lo < hi; lo += some {
		end := min(lo+some, hi)
		a.load(&b.someNodes, lo, end)
		at := l.places(&room, lo, end)
		for c, force := range l.u {
			for k, from := range at {
				b.force[c][k] = force[from]
			}
		}
		if l.times == nil {
			correctGathered(&a.kernels, b, a.tables, a.rates, end-lo)
		} else {
			var times [some]T
			for k, p := range l.lines[lo:end] {
				times[k] = l.times.Of(int(p.line), int(p.at), int(p.node), l.own)
			}
			correctRelaxing(&a.kernels, b, a.tables, a.rates, times[:end-lo], l.own)
		}
		a.store(&b.someNodes, lo, end)
	}
}

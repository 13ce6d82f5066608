package lbm

import (
	"slices"
	"sync"

	"lbmib/internal/parallel"
)

// exchange is a Fetch or a Put in progress.
type exchange[T Float, S Stored] struct {
	f     *CPU[T, S]
	nodes []int32
	g     [][]T
	put   bool
	all   func(worker int)
}

// exchanges are those that have been made and are not in progress, of any fluid.
var exchanges struct {
	sync.Mutex
	free []any
}

// newExchange takes one that is free, or makes one.
func newExchange[T Float, S Stored]() *exchange[T, S] {
	exchanges.Lock()
	defer exchanges.Unlock()
	for k, free := range exchanges.free {
		if e, ok := free.(*exchange[T, S]); ok {
			exchanges.free = slices.Delete(exchanges.free, k, k+1)
			return e
		}
	}
	e := &exchange[T, S]{}
	e.all = func(worker int) { e.share(worker, e.f.pool.Workers()) }
	return e
}

// release gives it back.
func (e *exchange[T, S]) release() {
	e.f, e.nodes, e.g = nil, nil, nil
	exchanges.Lock()
	exchanges.free = append(exchanges.free, e)
	exchanges.Unlock()
}

// Fetch reads populations at nodes; see Exchanger.
func (f *CPU[T, S]) Fetch(nodes []int32, g [][]T) { f.exchange(nodes, g, false) }

// Put overwrites populations at nodes; see Exchanger.
func (f *CPU[T, S]) Put(nodes []int32, g [][]T) {
	f.open.touch(nodes)
	f.exchange(nodes, g, true)
}

// Workers is the pool that the fluid's phases run on.
func (f *CPU[T, S]) Workers() *parallel.Pool { return f.pool }

func (f *CPU[T, S]) exchange(nodes []int32, g [][]T, put bool) {
	f.lookAt(nodes)
	e := newExchange[T, S]()
	defer e.release()
	e.f, e.nodes, e.g, e.put = f, nodes, g, put
	if len(g[0]) < serialBelow {
		e.share(0, 1)
	} else {
		f.pool.Run(e.all)
	}
}

// share is worker's part of an exchange.
func (e *exchange[T, S]) share(worker, workers int) {
	var padded [some]int
	n := len(e.g[0])
	if e.put {
		n = len(e.nodes)
	}
	lo, hi := parallel.Share(n, worker, workers)
	for ; lo < hi; lo += some {
		end := min(lo+some, hi)
		if e.put {
			e.f.padded(&padded, e.nodes[lo:end])
			e.write(e.nodes[lo:end], padded[:end-lo], lo)
			continue
		}
		for i := range e.f.layout.Q {
			e.f.padded(&padded, e.nodes[i*n+lo:i*n+end])
			e.read(i, padded[:end-lo], e.g[i][lo:end])
		}
	}
}

// padded finds where some nodes are, most of which follow each other along x.
func (f *CPU[T, S]) padded(at *[some]int, nodes []int32) {
	next, left, place := int32(-1), 0, 0
	for k, n := range nodes {
		if n != next || left == 0 {
			p := f.cfg.Position(int(n))
			place, left = f.grid.index(p), f.cfg.Size[0]-p[0]
		}
		at[k] = place
		next, left, place = n+1, left-1, place+1
	}
}

// read fetches a population of a few nodes.
func (e *exchange[T, S]) read(i int, padded []int, to []T) {
	f := e.f
	p := &f.stored()[i]
	if f.layout.contiguous() {
		from := f.now[f.at(p, 0):]
		for k, n := range padded {
			to[k] = decode[T](from[n])
		}
		return
	}
	for k, n := range padded {
		to[k] = decode[T](f.now[f.at(p, n)])
	}
}

// write puts a few nodes, rounded as the sweep of the last step rounds.
func (e *exchange[T, S]) write(nodes []int32, padded []int, lo int) {
	f := e.f
	var noises [some]uint32
	for k, n := range nodes {
		p := f.cfg.Position(int(n))
		noises[k] = noise[S](f.seed(forCollision, f.steps-1, p[1]+f.cfg.Size[1]*p[2]), p[0])
	}
	stored := f.stored()
	for i := range f.layout.Q {
		p, g := &stored[i], e.g[i][lo:lo+len(padded)]
		if f.layout.contiguous() {
			to := f.now[f.at(p, 0):]
			for k, n := range padded {
				to[n] = dithered[S](g[k], noises[k], (i+1)/2)
			}
			continue
		}
		for k, n := range padded {
			f.now[f.at(p, n)] = dithered[S](g[k], noises[k], (i+1)/2)
		}
	}
}

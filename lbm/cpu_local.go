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
	if len(nodes) < serialBelow {
		e.share(0, 1)
	} else {
		f.pool.Run(e.all)
	}
}

// share is worker's part of an exchange.
func (e *exchange[T, S]) share(worker, workers int) {
	var padded [some]int
	lo, hi := parallel.Share(len(e.nodes), worker, workers)
	for ; lo < hi; lo += some {
		nodes := e.nodes[lo:min(lo+some, hi)]
		for k, n := range nodes {
			padded[k] = e.f.grid.index(e.f.cfg.Position(int(n)))
		}
		if e.put {
			e.write(nodes, padded[:len(nodes)], lo)
		} else {
			e.read(padded[:len(nodes)], lo)
		}
	}
}

// read fetches a few nodes, the first of which is number lo of the list.
func (e *exchange[T, S]) read(padded []int, lo int) {
	f := e.f
	stored := f.stored()
	for i := range f.layout.Q {
		p, g := &stored[i], e.g[i][lo:lo+len(padded)]
		if f.layout.contiguous() {
			from := f.now[f.at(p, 0):]
			for k, n := range padded {
				g[k] = decode[T](from[n])
			}
			continue
		}
		for k, n := range padded {
			g[k] = decode[T](f.now[f.at(p, n)])
		}
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

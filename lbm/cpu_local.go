package lbm

import "lbmib/internal/parallel"

// exchange is a Fetch or a Put in progress, one at a time.
type exchange[T Float, S Stored] struct {
	in    *storage[T, S]
	steps int64 // that the fluid has made
	nodes []int32
	g     [][]T
	put   bool
	all   func(worker int) // made once
}

// run reads or overwrites nodes after so many steps of the fluid.
func (e *exchange[T, S]) run(steps int64, nodes []int32, g [][]T, put bool) {
	e.steps, e.nodes, e.g, e.put = steps, nodes, g, put
	if len(g[0]) < serialBelow {
		e.share(0, 1)
	} else {
		e.in.pool.Run(e.all)
	}
	e.nodes, e.g = nil, nil
}

// Fetch reads populations at nodes; see Exchanger.
func (f *CPU[T, S]) Fetch(nodes []int32, g [][]T) {
	f.lookAt(nodes)
	f.exchange.run(f.steps, nodes, g, false)
}

// Put overwrites populations at nodes; see Exchanger.
func (f *CPU[T, S]) Put(nodes []int32, g [][]T) {
	f.open.touch(nodes)
	f.lookAt(nodes)
	f.exchange.run(f.steps, nodes, g, true)
}

// Workers is the pool that the fluid's phases run on.
func (f *CPU[T, S]) Workers() *parallel.Pool { return f.pool }

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
			e.write(padded[:end-lo], lo, end)
			continue
		}
		for i := range e.in.layout.Q {
			e.in.places(padded[:], e.nodes[i*n+lo:i*n+end])
			e.in.read(i, padded[:end-lo], e.g[i][lo:end])
		}
	}
}

// write puts the nodes lo ≤ k < hi, rounded as the sweep of the last step rounds.
func (e *exchange[T, S]) write(padded []int, lo, hi int) {
	var noise [some]uint32
	e.in.places(padded, e.nodes[lo:hi])
	noiseOf[S](&e.in.cfg, forCollision, e.steps-1, e.nodes[lo:hi], &noise)
	for i := range e.in.layout.Q {
		e.in.write(i, padded, e.g[i][lo:hi], &noise)
	}
}

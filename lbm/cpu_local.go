package lbm

import "lbmib/internal/parallel"

// exchange is a Fetch or a Put in progress, one at a time.
type exchange[T Float, S Stored] struct {
	in     *storage[T, S]
	kept   map[*int32][]int // padded indices of lists, by where these begin
	steps  int64            // that the fluid has made
	nodes  []int32
	padded []int // theirs, if they are kept
	g      [][]T
	put    bool
	each   bool             // every direction has nodes of its own, which follow those of the one before
	all    func(worker int) // made once
}

// run reads or overwrites nodes after so many steps of the fluid.
func (e *exchange[T, S]) run(steps int64, nodes []int32, g [][]T, put, each bool) {
	e.steps, e.nodes, e.g, e.put, e.each, e.padded = steps, nodes, g, put, each, nil
	if len(nodes) > 0 && len(e.kept) > 0 {
		if padded := e.kept[&nodes[0]]; len(padded) == len(nodes) {
			e.padded = padded
		}
	}
	if len(g[0]) < serialBelow {
		e.share(0, 1)
	} else {
		e.in.pool.Run(e.all)
	}
	e.nodes, e.padded, e.g = nil, nil, nil
}

// Fetch reads populations at nodes; see Exchanger.
func (f *CPU[T, S]) Fetch(nodes []int32, g [][]T) {
	f.lookAt(nodes)
	f.exchange.run(f.steps, nodes, g, false, true)
}

// FetchEach reads single populations; see Keeper.
func (f *CPU[T, S]) FetchEach(nodes []int32, g [][]T) { f.Fetch(nodes, g) }

// Put overwrites populations at nodes; see Exchanger.
func (f *CPU[T, S]) Put(nodes []int32, g [][]T) {
	f.open.touch(nodes)
	f.lookAt(nodes)
	f.exchange.run(f.steps, nodes, g, true, false)
}

// PutEach overwrites single populations; see Keeper.
func (f *CPU[T, S]) PutEach(nodes []int32, g [][]T) {
	f.open.touch(nodes)
	f.lookAt(nodes)
	f.exchange.run(f.steps, nodes, g, true, true)
}

// Keep keeps where the nodes of a list are; see Keeper.
func (f *CPU[T, S]) Keep(nodes []int32) {
	if len(nodes) == 0 {
		return
	}
	if f.exchange.kept == nil {
		f.exchange.kept = map[*int32][]int{}
	}
	padded := make([]int, len(nodes))
	f.places(padded, nodes)
	f.exchange.kept[&nodes[0]] = padded
}

// Workers is the pool that the fluid's phases run on.
func (f *CPU[T, S]) Workers() *parallel.Pool { return f.pool }

// share is worker's part of an exchange.
func (e *exchange[T, S]) share(worker, workers int) {
	if !e.each {
		lo, hi := parallel.Share(len(e.nodes), worker, workers)
		for ; lo < hi; lo += some {
			e.alike(lo, min(lo+some, hi))
		}
		return
	}
	first := 0
	for i, g := range e.g[:e.in.layout.Q] {
		lo, hi := parallel.Share(len(g), worker, workers)
		for ; lo < hi; lo += some {
			end := min(lo+some, hi)
			var room [some]int
			var noise [some]uint32
			e.move(i, e.places(&room, &noise, first+lo, first+end), g[lo:end], &noise)
		}
		first += len(g)
	}
}

// alike exchanges all populations of the nodes lo ≤ k < hi of the list.
func (e *exchange[T, S]) alike(lo, hi int) {
	var room [some]int
	var noise [some]uint32
	padded := e.places(&room, &noise, lo, hi)
	for i := range e.in.layout.Q {
		e.move(i, padded, e.g[i][lo:hi], &noise)
	}
}

// places are the padded indices of the nodes lo ≤ k < hi of the list, and the noise with which the sweep of the last step rounds
// there, if they are put.
func (e *exchange[T, S]) places(room *[some]int, noise *[some]uint32, lo, hi int) []int {
	if e.put {
		noiseOf[S](&e.in.cfg, forCollision, e.steps-1, e.nodes[lo:hi], noise)
	}
	if e.padded != nil {
		return e.padded[lo:hi]
	}
	e.in.places(room[:hi-lo], e.nodes[lo:hi])
	return room[:hi-lo]
}

// move reads or overwrites population i of padded nodes.
func (e *exchange[T, S]) move(i int, padded []int, g []T, noise *[some]uint32) {
	if e.put {
		e.in.write(i, padded, g, noise)
	} else {
		e.in.read(i, padded, g)
	}
}

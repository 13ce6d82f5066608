package lbm

import (
	"cmp"
	"slices"
	"unsafe"

	"lbmib/internal/parallel"
)

// exchange is a Fetch or a Put in progress, one at a time.
type exchange[T Float, S Stored] struct {
	in    *storage[T, S]
	kept  map[*int32][]stretch // lists that are kept, by where these begin
	steps int64                // that the fluid has made
	nodes []int32
	lie   []stretch // where they do, if they are kept
	g     [][]T
	put   bool
	each  bool             // every direction has nodes of its own, which follow those of the one before
	all   func(worker int) // made once
}

// stretch are nodes of a list from place first of it up to that of the next stretch, which lie at equal steps from each other.
type stretch struct{ first, padded, step int }

// run reads or overwrites nodes after so many steps of the fluid.
func (e *exchange[T, S]) run(steps int64, nodes []int32, g [][]T, put, each bool) {
	e.steps, e.nodes, e.g, e.put, e.each, e.lie = steps, nodes, g, put, each, nil
	if each && len(nodes) > 0 && len(e.kept) > 0 {
		if lie := e.kept[&nodes[0]]; len(lie) > 0 && lie[len(lie)-1].first == len(nodes) {
			e.lie = lie
		}
	}
	q, values := e.in.layout.Q, 0
	for _, f := range g[:q] {
		values += len(f)
	}
	if values < serialBelow*q {
		e.share(0, 1)
	} else {
		e.in.pool.Run(e.all)
	}
	e.nodes, e.lie, e.g = nil, nil, nil
}

// stretches are those of padded nodes, and one more behind the last. Nodes of one have the same shifts: run tells which run has a node, of a storage by runs.
func stretches(padded []int, run func(n int) int32) (all []stretch) {
	for k, n := range padded {
		if last := len(all) - 1; last >= 0 {
			r := &all[last]
			switch {
			case run(n) != run(r.padded):
			case k == r.first+1 && n > r.padded && (k+1 == len(padded) || padded[k+1]-n == n-r.padded):
				r.step = n - r.padded
				continue
			case k > r.first+1 && n == r.padded+(k-r.first)*r.step:
				continue
			}
		}
		all = append(all, stretch{first: k, padded: n, step: 1})
	}
	return append(all, stretch{first: len(padded)})
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
	f.touch(nodes)
	f.lookAt(nodes)
	f.exchange.run(f.steps, nodes, g, true, false)
}

// PutEach overwrites single populations; see Keeper.
func (f *CPU[T, S]) PutEach(nodes []int32, g [][]T) {
	f.touch(nodes)
	f.lookAt(nodes)
	f.exchange.run(f.steps, nodes, g, true, true)
}

// Keep keeps where the nodes of a list are; see Keeper.
func (f *CPU[T, S]) Keep(nodes []int32) {
	if len(nodes) == 0 {
		return
	}
	if f.exchange.kept == nil {
		f.exchange.kept = map[*int32][]stretch{}
	}
	padded := make([]int, len(nodes))
	f.places(padded, nodes)
	of := func(int) int32 { return 0 }
	if f.sparse != nil {
		if slices.Contains(padded, -1) {
			return // walls, which lie nowhere
		}
		of = func(n int) int32 { return f.sparse.of[n] }
	}
	f.exchange.kept[&nodes[0]] = stretches(padded, of)
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
	noisy := e.put && unsafe.Sizeof(*new(S)) == 2
	first := 0
	for i, g := range e.g[:e.in.layout.Q] {
		lo, hi := parallel.Share(len(g), worker, workers)
		if e.lie != nil && !noisy {
			e.along(i, g, first, lo, hi)
			lo = hi
		}
		for ; lo < hi; lo += some {
			end := min(lo+some, hi)
			var room [some]int
			var noise [some]uint32
			e.move(i, e.places(&room, &noise, first+lo, first+end), g[lo:end], &noise)
		}
		first += len(g)
	}
}

// along exchanges values lo ≤ k < hi of direction i, whose list begins at first, stretch by stretch.
func (e *exchange[T, S]) along(i int, g []T, first, lo, hi int) {
	if lo == hi {
		return
	}
	at, _ := slices.BinarySearchFunc(e.lie, first+lo+1, func(r stretch, k int) int { return cmp.Compare(r.first, k) })
	for at--; lo < hi; at++ { // the last that begins no later
		r := &e.lie[at]
		end := min(e.lie[at+1].first-first, hi)
		from := r.padded + (first+lo-r.first)*r.step
		if e.put {
			e.in.writeAlong(i, from, r.step, g[lo:end])
		} else {
			e.in.readAlong(i, from, r.step, g[lo:end])
		}
		lo = end
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

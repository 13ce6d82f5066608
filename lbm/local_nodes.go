package lbm

import (
	"slices"

	"lbmib/internal/parallel"
)

// Moments reads density and velocity of nodes that are covered; see Fluid.
func (l *Local[T]) Moments(nodes, at []int32, rho []T, u [][]T) {
	l.over(nodes, nodeList[T]{at, rho, u}, l.read)
}

// Correct lets a force density act on nodes that are covered; see Fluid.
func (l *Local[T]) Correct(nodes, at []int32, force [][]T) {
	l.over(nodes, nodeList[T]{at, nil, force}, l.correct)
}

// over runs a phase over a list of nodes.
func (l *Local[T]) over(nodes []int32, list nodeList[T], phase func(worker int)) {
	if !slices.Equal(l.nodes, nodes) {
		l.find(nodes)
	}
	l.list = list
	l.share(len(nodes), phase)
	l.list = nodeList[T]{}
}

// find finds where the populations of a list of nodes stand. The nodes are taken in ascending
// order, in which populations stand: the list may have them body by body, and bodies beside
// each other share rows.
func (l *Local[T]) find(nodes []int32) {
	l.nodes = append(l.nodes[:0], nodes...)
	l.asked.clear()
	for _, n := range nodes {
		l.asked.add(n)
	}
	n, covered := len(nodes), len(l.listed)
	l.ascending = l.asked.list(l.ascending[:0])
	l.order, l.places = resized(l.order, n), resized(l.places, l.cfg.Lattice.Q*n)
	for k, node := range nodes {
		l.order[l.asked.place(node)] = int32(k)
	}
	for k, node := range l.ascending {
		at := l.covered.place(node)
		for i := range l.cfg.Lattice.Q {
			l.places[i*n+k] = l.arrivals.left[i*covered+int(at)]
		}
	}
}

// gather reads the populations of the listed nodes lo ≤ k < hi.
func (l *Local[T]) gather(b *someNodes[T], lo, hi int) {
	for i, f := range l.f {
		for k, p := range l.places[i*len(l.nodes)+lo : i*len(l.nodes)+hi] {
			b.g[i][k] = f[p]
		}
	}
}

func (l *Local[T]) readNodes(worker, workers int) {
	b := &l.scratch[worker].nodes
	lo, hi := parallel.Share(len(l.nodes), worker, workers)
	for ; lo < hi; lo += some {
		end := min(lo+some, hi)
		l.gather(&b.someNodes, lo, end)
		readGathered(&l.nodeKernels, b, &l.tables, &l.rates, end-lo)
		for k, n := range l.order[lo:end] {
			to := l.list.at[n]
			l.list.rho[to] = b.rho[k]
			for a, u := range l.list.u {
				u[to] = b.u[a][k]
			}
		}
	}
}

func (l *Local[T]) correctNodes(worker, workers int) {
	b := &l.scratch[worker].nodes
	lo, hi := parallel.Share(len(l.nodes), worker, workers)
	for ; lo < hi; lo += some {
		end := min(lo+some, hi)
		l.gather(&b.someNodes, lo, end)
		for a, force := range l.list.u {
			for k, n := range l.order[lo:end] {
				b.force[a][k] = force[l.list.at[n]]
			}
		}
		correctGathered(&l.nodeKernels, b, &l.tables, &l.rates, end-lo)
		if l.half {
			l.roundCorrected(&b.someNodes, l.ascending[lo:end])
		}
		for i, f := range l.f {
			for k, p := range l.places[i*len(l.nodes)+lo : i*len(l.nodes)+end] {
				f[p] = b.g[i][k]
			}
		}
	}
}

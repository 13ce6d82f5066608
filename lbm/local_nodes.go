package lbm

import (
	"slices"

	"lbmib/internal/parallel"
)

// Moments reads density and velocity of sources; see Fluid.
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
		l.nodes, l.places = append(l.nodes[:0], nodes...), l.places[:0]
		for _, n := range nodes {
			l.places = append(l.places, l.near.place(n))
		}
	}
	l.list = list
	l.share(len(nodes), phase)
	l.list = nodeList[T]{}
}

func (l *Local[T]) gather(b *someNodes[T], places []int32) {
	for i, f := range l.f {
		for k, p := range places {
			b.g[i][k] = f[p]
		}
	}
}

func (l *Local[T]) readNodes(worker, workers int) {
	var b someNodes[T]
	lo, hi := parallel.Share(len(l.places), worker, workers)
	for ; lo < hi; lo += some {
		end := min(lo+some, hi)
		l.gather(&b, l.places[lo:end])
		b.moments(&l.tables, &l.rates, end-lo)
		for k, to := range l.list.at[lo:end] {
			l.list.rho[to] = b.rho[k]
			for a, u := range l.list.u {
				u[to] = b.u[a][k]
			}
		}
	}
}

func (l *Local[T]) correctNodes(worker, workers int) {
	var b someNodes[T]
	lo, hi := parallel.Share(len(l.places), worker, workers)
	for ; lo < hi; lo += some {
		end := min(lo+some, hi)
		places := l.places[lo:end]
		l.gather(&b, places)
		for a, force := range l.list.u {
			for k, from := range l.list.at[lo:end] {
				b.force[a][k] = force[from]
			}
		}
		b.correct(&l.tables, &l.rates, end-lo)
		if l.half {
			l.roundCorrected(&b, l.nodes[lo:end])
		}
		for i, f := range l.f {
			for k, p := range places {
				f[p] = b.g[i][k]
			}
		}
	}
}

package lbm

import "slices"

// Moments reads density and velocity of nodes that are covered; see Fluid.
func (l *Local[T]) Moments(nodes, at []int32, rho []T, u [][]T) {
	l.find(nodes)
	l.access.run(l.access.read, nodeList[T]{at: at[:len(nodes)], rho: rho, u: u, order: l.order})
}

// Correct lets a force density act on nodes that are covered; see Fluid.
func (l *Local[T]) Correct(nodes, at []int32, force [][]T) {
	l.find(nodes)
	l.access.run(l.access.correct, nodeList[T]{at: at[:len(nodes)], u: force, order: l.order})
}

// find finds where the populations of a list of nodes stand. The nodes are taken in ascending
// order, in which populations stand: the list may have them body by body, and bodies beside
// each other share rows.
func (l *Local[T]) find(nodes []int32) {
	if slices.Equal(l.nodes, nodes) {
		return
	}
	l.nodes, l.relaxing.asked = append(l.nodes[:0], nodes...), l.relaxing.asked[:0]
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

// load gets the populations of the listed nodes lo ≤ k < hi, in ascending order.
func (l *Local[T]) load(b *someNodes[T], lo, hi int) {
	for i, f := range l.f {
		for k, p := range l.places[i*len(l.nodes)+lo : i*len(l.nodes)+hi] {
			b.g[i][k] = f[p]
		}
	}
}

// store puts them back, rounded as a fluid that stores them as Half does where it corrects them.
func (l *Local[T]) store(b *someNodes[T], lo, hi int) {
	var noise [some]uint32
	if l.half {
		noiseOf[Half](l.cfg, forCorrection, l.steps, l.ascending[lo:hi], &noise)
	}
	for i, f := range l.f {
		for k, p := range l.places[i*len(l.nodes)+lo : i*len(l.nodes)+hi] {
			v := b.g[i][k]
			if l.half {
				v = decode[T](dithered[Half](v, noise[k], (i+1)/2))
			}
			f[p] = v
		}
	}
}

package lbm

import (
	"slices"
	"unsafe"

	"lbmib/internal/parallel"
)

// serialBelow is the number of nodes under which a parallel phase costs more
// than it saves.
const serialBelow = 256

// nodeList are the arguments of a phase over a list of nodes.
type nodeList[T Float] struct {
	at  []int32
	rho []T
	u   [][]T
}

// listed is a list of nodes as the lattice numbers them. Lists are mostly the same
// from step to step.
type listed struct {
	nodes  []int32
	padded []int
}

// find makes the list that of nodes.
func (l *listed) find(c *Config, g *padding, nodes []int32) {
	if slices.Equal(l.nodes, nodes) {
		return
	}
	l.nodes, l.padded = append(l.nodes[:0], nodes...), l.padded[:0]
	for _, n := range nodes {
		l.padded = append(l.padded, g.index(c.Position(int(n))))
	}
}

// over runs a phase over a list of nodes: on all workers if it is worth it.
func (f *CPU[T, S]) over(nodes []int32, l nodeList[T], phase func(worker, workers int), onAll func(worker int)) {
	f.lookAt(nodes)
	f.list = l
	if f.spanned() {
		var v T
		var s S
		f.spans.find(&f.cfg, &f.grid, nodes, l.at, f.nodes.moments.Lanes, int(unsafe.Sizeof(s)), int(unsafe.Sizeof(v)))
	} else {
		f.listed.find(&f.cfg, &f.grid, nodes)
	}
	if len(nodes) < serialBelow {
		phase(0, 1)
	} else {
		f.pool.Run(onAll)
	}
	f.list = nodeList[T]{}
}

// gather reads the populations of some nodes.
func (f *CPU[T, S]) gather(b *someNodes[T], nodes []int) {
	stored := f.stored()
	for i := range f.layout.Q {
		p, g := &stored[i], b.g[i][:len(nodes)]
		if f.layout.contiguous() {
			from := f.now[f.at(p, 0):]
			for k, n := range nodes {
				g[k] = decode[T](from[n])
			}
			continue
		}
		for k, n := range nodes {
			g[k] = decode[T](f.now[f.at(p, n)])
		}
	}
}

// Moments reads density and velocity at nodes; see Fluid.
func (f *CPU[T, S]) Moments(nodes, at []int32, rho []T, u [][]T) {
	f.over(nodes, nodeList[T]{at, rho, u}, f.readNodes, f.readAll)
}

func (f *CPU[T, S]) readNodes(worker, workers int) {
	if f.spanned() {
		f.readSpans(worker, workers)
		return
	}
	l, b := &f.list, &f.scratch[worker]
	lo, hi := parallel.Share(len(f.listed.padded), worker, workers)
	for ; lo < hi; lo += some {
		end := min(lo+some, hi)
		f.gather(&b.someNodes, f.listed.padded[lo:end])
		readGathered(&f.gathered, b, &f.tables, &f.rates, end-lo)
		for k, to := range l.at[lo:end] {
			l.rho[to] = b.rho[k]
		}
		for a, u := range l.u {
			for k, to := range l.at[lo:end] {
				u[to] = b.u[a][k]
			}
		}
	}
}

// Correct lets a force density act on nodes in the step just made; see Fluid.
func (f *CPU[T, S]) Correct(nodes, at []int32, force [][]T) {
	f.open.touch(nodes)
	f.over(nodes, nodeList[T]{at, nil, force}, f.correctNodes, f.correctAll)
}

func (f *CPU[T, S]) correctNodes(worker, workers int) {
	if f.spanned() {
		f.correctSpans(worker, workers)
		return
	}
	l, b := &f.list, &f.scratch[worker]
	lo, hi := parallel.Share(len(f.listed.padded), worker, workers)
	for ; lo < hi; lo += some {
		end := min(lo+some, hi)
		f.gather(&b.someNodes, f.listed.padded[lo:end])
		for a, force := range l.u {
			for k, from := range l.at[lo:end] {
				b.force[a][k] = force[from]
			}
		}
		correctGathered(&f.gathered, b, &f.tables, &f.rates, end-lo)
		f.scatter(&b.someNodes, lo, end)
	}
}

// scatter stores the populations of the nodes lo ≤ k < hi of the list.
func (f *CPU[T, S]) scatter(b *someNodes[T], lo, hi int) {
	stored := f.stored()
	for i := range f.layout.Q {
		p := &stored[i]
		for k, n := range f.listed.padded[lo:hi] {
			f.now[f.at(p, n)] = dithered[S](b.g[i][k], f.noiseAt(f.listed.nodes[lo+k]), (i+1)/2)
		}
	}
}

// noiseAt is the noise of a correction of a node; of Half alone.
func (f *CPU[T, S]) noiseAt(node int32) uint32 {
	var s S
	if unsafe.Sizeof(s) != 2 { // known when compiled
		return 0
	}
	p := f.cfg.Position(int(node))
	return noise[S](f.seed(forCorrection, f.steps, p[1]+f.cfg.Size[1]*p[2]), p[0])
}

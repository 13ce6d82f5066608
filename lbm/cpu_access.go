package lbm

import "lbmib/internal/parallel"

// serialBelow is the number of nodes under which a parallel phase costs more
// than it saves.
const serialBelow = 512

// nodeList are the arguments of a phase over a list of nodes.
type nodeList[T Float] struct {
	nodes, at []int32
	rho       []T
	u         [][]T
}

// over runs a phase over a list of nodes: on all workers if it is worth it.
func (f *CPU[T, S]) over(l nodeList[T], phase func(worker, workers int), onAll func(worker int)) {
	f.lookAt(l.nodes)
	f.list = l
	if len(l.nodes) < serialBelow {
		phase(0, 1)
	} else {
		f.pool.Run(onAll)
	}
	f.list = nodeList[T]{}
}

// Moments reads density and velocity at nodes; see Fluid.
func (f *CPU[T, S]) Moments(nodes, at []int32, rho []T, u [][]T) {
	f.over(nodeList[T]{nodes, at, rho, u}, f.readNodes, f.readAll)
}

func (f *CPU[T, S]) readNodes(worker, workers int) {
	l, at := &f.list, f.stored()
	lo, hi := parallel.Share(len(l.nodes), worker, workers)
	for k := lo; k < hi; k++ {
		r, v := f.read(at, f.grid.index(f.cfg.Position(int(l.nodes[k]))))
		l.rho[l.at[k]] = r
		for a := range l.u {
			l.u[a][l.at[k]] = v[a]
		}
	}
}

// read is density and velocity of padded node n, whose populations are stored at.
func (f *CPU[T, S]) read(at *[MaxQ]place, n int) (rho T, u [3]T) {
	var g [MaxQ]T
	for i := range f.layout.Q {
		g[i] = decode[T](f.now[f.at(&at[i], n)])
	}
	r, j := f.tables.moments(&g)
	rho = 1 + r
	for a := range u {
		u[a] = j[a]/rho - f.rates.accel[a]/2
	}
	return rho, u
}

// Correct lets a force density act on nodes in the step just made; see Fluid.
func (f *CPU[T, S]) Correct(nodes, at []int32, force [][]T) {
	f.open.touch(nodes)
	f.over(nodeList[T]{nodes, at, nil, force}, f.correctNodes, f.correctAll)
}

func (f *CPU[T, S]) correctNodes(worker, workers int) {
	l := &f.list
	var g [MaxQ]T
	var at [MaxQ]int
	stored := f.stored()
	lo, hi := parallel.Share(len(l.nodes), worker, workers)
	for k := lo; k < hi; k++ {
		p := f.cfg.Position(int(l.nodes[k]))
		n, z := f.grid.index(p), noise[S](f.seed(forCorrection, f.steps, p[1]+f.cfg.Size[1]*p[2]), p[0])
		for i := range f.layout.Q {
			at[i] = f.at(&stored[i], n)
			g[i] = decode[T](f.now[at[i]])
		}
		var force [3]T
		for a := range l.u {
			force[a] = l.u[a][l.at[k]]
		}
		correctPoint(&f.tables, &f.rates, &g, &force)
		for i := range f.layout.Q {
			f.now[at[i]] = dithered[S](g[i], z, (i+1)/2)
		}
	}
}

package lbm

import (
	"fmt"
	"math"

	"lbmib/internal/parallel"
)

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
func (f *CPU[T]) over(l nodeList[T], phase func(worker, workers int), onAll func(worker int)) {
	f.list = l
	if len(l.nodes) < serialBelow {
		phase(0, 1)
	} else {
		f.pool.Run(onAll)
	}
	f.list = nodeList[T]{}
}

// Moments reads density and velocity at nodes; see Fluid.
func (f *CPU[T]) Moments(nodes, at []int32, rho []T, u [][]T) {
	f.over(nodeList[T]{nodes, at, rho, u}, f.readNodes, f.readAll)
}

func (f *CPU[T]) readNodes(worker, workers int) {
	l := &f.list
	lo, hi := parallel.Share(len(l.nodes), worker, workers)
	for k := lo; k < hi; k++ {
		r, v := f.read(f.padded(f.cfg.Position(int(l.nodes[k]))))
		l.rho[l.at[k]] = r
		for a := range l.u {
			l.u[a][l.at[k]] = v[a]
		}
	}
}

// read is density and velocity of padded node n.
func (f *CPU[T]) read(n int) (rho T, u [3]T) {
	var g [MaxQ]T
	for i := range f.layout.Q {
		g[i] = f.now[f.layout.Offset(i, n)]
	}
	r, j := f.tables.moments(&g)
	rho = 1 + r
	for a := range u {
		u[a] = j[a]/rho - f.rates.accel[a]/2
	}
	return rho, u
}

// Correct lets a force density act on nodes in the step just made; see Fluid.
func (f *CPU[T]) Correct(nodes, at []int32, force [][]T) {
	f.over(nodeList[T]{nodes, at, nil, force}, f.correctNodes, f.correctAll)
}

func (f *CPU[T]) correctNodes(worker, workers int) {
	l := &f.list
	var g [MaxQ]T
	var at [MaxQ]int
	lo, hi := parallel.Share(len(l.nodes), worker, workers)
	for k := lo; k < hi; k++ {
		n := f.padded(f.cfg.Position(int(l.nodes[k])))
		for i := range f.layout.Q {
			at[i] = f.layout.Offset(i, n)
			g[i] = f.now[at[i]]
		}
		var force [3]T
		for a := range l.u {
			force[a] = l.u[a][l.at[k]]
		}
		correctPoint(&f.tables, &f.rates, &g, &force)
		for i := range f.layout.Q {
			f.now[at[i]] = g[i]
		}
	}
}

// Box reads density and velocity of the nodes lo ≤ p < hi, x fastest. Either
// destination may be nil.
func (f *CPU[T]) Box(lo, hi [3]int, rho []T, u [][]T) {
	rowsY, rowsZ, n := hi[1]-lo[1], hi[2]-lo[2], hi[0]-lo[0]
	f.pool.Run(func(worker int) {
		first, last := parallel.Share(rowsY*rowsZ, worker, f.pool.Workers())
		for row := first; row < last; row++ {
			start := f.padded([3]int{lo[0], lo[1] + row%rowsY, lo[2] + row/rowsY})
			for x := range n {
				r, v := f.read(start + x)
				k := row*n + x
				if rho != nil {
					rho[k] = r
				}
				for a := range u {
					u[a][k] = v[a]
				}
			}
		}
	})
}

// Initialize sets every node from a smooth state; see Fluid. Populations are
// the equilibrium plus the first-order non-equilibrium part that belongs to the
// velocity gradient (Krüger et al. 2017, eq. 4.35), after collision.
func (f *CPU[T]) Initialize(state func(p [3]float64) (rho float64, u [3]float64)) {
	l, nx := f.cfg.Lattice, f.cfg.Size[0]
	f.pool.Run(func(worker int) {
		first, last := parallel.Share(f.cfg.Size[1]*f.cfg.Size[2], worker, f.pool.Workers())
		for row := first; row < last; row++ {
			for x := range nx {
				p := [3]float64{float64(x), float64(row % f.cfg.Size[1]), float64(row / f.cfg.Size[1])}
				g := f.cfg.initial(p, state)
				n := f.row(row) + x
				for i := range l.Q {
					f.now[f.layout.Offset(i, n)] = T(g[i])
				}
			}
		}
	})
	f.steps = 0
	f.resetOpenFaces()
}

// initial is the post-collision f_i − w_i of a state at point p.
func (c *Config) initial(p [3]float64, state func(p [3]float64) (float64, [3]float64)) (g [MaxQ]float64) {
	const h = 1. / 16 // for gradients; states vary over many nodes
	l := c.Lattice
	rho, u := state(p)
	var grad [3][3]float64 // ∂_a u_b
	for a := range l.Dim {
		fore, aft := p, p
		fore[a] += h
		aft[a] -= h
		_, uf := state(fore)
		_, ua := state(aft)
		for b := range l.Dim {
			grad[a][b] = (uf[b] - ua[b]) / (2 * h)
		}
	}
	tau, keep := c.Collision.Tau(), 1-c.Collision.OmegaEven
	for i := range l.Q {
		cu, ca, stress := 0., 0., 0.
		for a := range l.Dim {
			cu += float64(l.C[i][a]) * u[a]
			ca += float64(l.C[i][a]) * c.Force[a]
			for b := range l.Dim {
				stress += float64(l.C[i][a]*l.C[i][b]) * grad[a][b]
			}
			stress -= grad[a][a] / 3
		}
		g[i] = l.W[i] * (rho - 1 + rho*(3*cu+4.5*cu*cu-1.5*(u[0]*u[0]+u[1]*u[1]+u[2]*u[2])+1.5*ca) - keep*3*tau*rho*stress)
	}
	return g
}

func (f *CPU[T]) resetOpenFaces() {
	for _, o := range f.links.open {
		o.reset(&f.tables, &f.rates, f.now)
	}
}

// State copies out the fluid's state through the lattice that the next step
// overwrites, so that it takes no further memory; see Fluid.
func (f *CPU[T]) State() State[T] {
	s := State[T]{Steps: f.steps, Populations: make([][]T, f.layout.Q)}
	n := f.cfg.Nodes()
	for i := range s.Populations {
		s.Populations[i] = f.next[i*n : (i+1)*n]
	}
	f.eachRow(func(i, row, start, nx int) {
		gatherRow(&f.layout, s.Populations[i][row*nx:(row+1)*nx], f.now, i, start)
	})
	for _, o := range f.links.open {
		if o.kind == Outflow {
			for k := range o.state {
				s.Open = append(s.Open, o.state[k].r, o.state[k].u[0], o.state[k].u[1], o.state[k].u[2])
			}
		}
	}
	return s
}

// SetState restores a state; see Fluid.
func (f *CPU[T]) SetState(s State[T]) error {
	open := 0
	for _, o := range f.links.open {
		if o.kind == Outflow {
			open += 4 * len(o.state)
		}
	}
	if len(s.Populations) != f.layout.Q || len(s.Open) != open {
		return fmt.Errorf("lbm: the state has %d populations and %d values of open faces, this flow has %d and %d: it belongs to another case",
			len(s.Populations), len(s.Open), f.layout.Q, open)
	}
	for i, p := range s.Populations {
		if len(p) != f.cfg.Nodes() {
			return fmt.Errorf("lbm: population %d of the state has %d nodes, this flow has %d: it belongs to another case", i, len(p), f.cfg.Nodes())
		}
	}
	f.eachRow(func(i, row, start, nx int) {
		scatterRow(&f.layout, f.now, s.Populations[i][row*nx:(row+1)*nx], i, start)
	})
	open = 0
	for _, o := range f.links.open {
		if o.kind == Outflow {
			for k := range o.state {
				v := s.Open[open : open+4]
				o.state[k] = openState{v[0], [3]float64{v[1], v[2], v[3]}}
				open += 4
			}
		}
	}
	f.steps = s.Steps
	return nil
}

// eachRow calls do for every direction and row: its number, its first padded
// node and its length.
func (f *CPU[T]) eachRow(do func(i, row, start, nx int)) {
	f.pool.Run(func(worker int) {
		first, last := parallel.Share(f.cfg.Size[1]*f.cfg.Size[2], worker, f.pool.Workers())
		for i := range f.layout.Q {
			for row := first; row < last; row++ {
				do(i, row, f.row(row), f.cfg.Size[0])
			}
		}
	})
}

// Health looks at every node that is not a wall.
func (f *CPU[T]) Health() Health {
	each := make([]Health, f.pool.Workers())
	f.pool.Run(func(worker int) {
		first, last := parallel.Share(f.cfg.Size[1]*f.cfg.Size[2], worker, f.pool.Workers())
		each[worker] = f.healthOfRows(first, last)
	})
	h := each[0]
	for _, e := range each[1:] {
		h.merge(e)
	}
	return h
}

func (f *CPU[T]) healthOfRows(first, last int) Health {
	h := noHealth
	for row := first; row < last; row++ {
		for x := range f.cfg.Size[0] {
			p := [3]int{x, row % f.cfg.Size[1], row / f.cfg.Size[1]}
			if f.cfg.solid(p) {
				continue
			}
			r, v := f.read(f.row(row) + x)
			rho := float64(r)
			speed := math.Sqrt(float64(v[0])*float64(v[0]) + float64(v[1])*float64(v[1]) + float64(v[2])*float64(v[2]))
			h.merge(Health{OK: healthy(rho, speed), Worst: p, Rho: rho, Speed: speed, MaxSpeed: speed, MinRho: rho, MaxRho: rho})
		}
	}
	return h
}

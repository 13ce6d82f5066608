package joined

import (
	"fmt"

	"lbmib/lbm"
)

// Population copies out one direction of all nodes of the finest grid; see lbm.Fluid. All nodes in a cell of a coarser level have
// its population.
func (f *Fluid[T]) Population(i int, dst []T) {
	nx, ny := f.cfg.Size[0], f.cfg.Size[1]
	for l, parts := range f.levels {
		r := f.width(l)
		for _, p := range parts {
			n := p.full()
			all := make([]T, n[0]*n[1]*n[2])
			p.fluid.Population(i, all)
			f.eachPieceOf(p.grid, func(b lbm.Box) {
				each(b.Lo, b.Hi, func(q [3]int) {
					value := all[p.node(q)]
					f.eachNode(q, r, func(x [3]int) { dst[x[0]+nx*(x[1]+ny*x[2])] = value })
				})
			})
		}
	}
}

// OpenFaces is the memory of the parts' open faces, and of the seams of levels that have made the first of two steps: what left the
// level then.
func (f *Fluid[T]) OpenFaces() (open []float64) {
	f.eachMemory(func(p *part[T], seam bool) {
		open = append(open, f.memory(p, seam)...)
	})
	return open
}

// eachMemory calls do for every part, and for every seam that remembers, in a fixed order.
func (f *Fluid[T]) eachMemory(do func(p *part[T], seam bool)) {
	for l, parts := range f.levels {
		for _, p := range parts {
			do(p, false)
			if l > 0 && f.steps/int64(f.width(l))%2 == 1 {
				do(p, true)
			}
		}
	}
}

// memory is what a part's open faces remember, or its seam with the level above.
func (f *Fluid[T]) memory(p *part[T], seam bool) []float64 {
	if !seam {
		return p.fluid.OpenFaces()
	}
	if r, ok := p.fluid.(*remote[T]); ok {
		return r.seamMemory()
	}
	return p.into.memory()
}

// SetState restores a state; see lbm.Fluid.
func (f *Fluid[T]) SetState(s lbm.State[T]) error {
	return f.restore(s.Steps, s.Open, func() error {
		return f.fits(s.Populations, f.cfg.Nodes(), "")
	}, func(k int, p *part[T]) [][]T { return f.ofAll(p, s.Populations) })
}

// SetParts restores a state by parts; see lbm.Parted.
func (f *Fluid[T]) SetParts(s lbm.PartsState[T]) error {
	return f.restore(s.Steps, s.Open, func() error {
		parts := f.Parts()
		if len(s.Populations) != len(parts) {
			return fmt.Errorf("joined: the state has %d parts, this flow has %d: it belongs to another case", len(s.Populations), len(parts))
		}
		for k := range parts {
			if err := f.fits(s.Populations[k], parts[k].Nodes(f.cfg.Lattice), fmt.Sprintf("part %d, ", k)); err != nil {
				return err
			}
		}
		return nil
	}, func(k int, p *part[T]) [][]T { return p.withGhosts(s.Populations[k]) })
}

// fits refuses populations of another case.
func (f *Fluid[T]) fits(populations [][]T, nodes int, of string) error {
	if len(populations) != f.cfg.Lattice.Q {
		return fmt.Errorf("joined: %sthe state has %d populations, this flow has %d: it belongs to another case", of, len(populations), f.cfg.Lattice.Q)
	}
	for i, p := range populations {
		if len(p) != nodes {
			return fmt.Errorf("joined: %spopulation %d of the state has %d nodes, this flow has %d: it belongs to another case", of, i, len(p), nodes)
		}
	}
	return nil
}

// restore sets steps and what is remembered at faces and seams, and the populations that are told of part k, all its nodes and ghosts,
// if the state fits.
func (f *Fluid[T]) restore(steps int64, open []float64, fits func() error, populations func(k int, p *part[T]) [][]T) error {
	before := f.steps
	f.steps = steps
	err := fits()
	if want := len(f.OpenFaces()); err == nil && len(open) != want {
		err = fmt.Errorf("joined: the state has %d values of open faces and seams, this flow has %d: it belongs to another case", len(open), want)
	}
	if err != nil {
		f.steps = before
		return err
	}
	k := 0
	f.eachMemory(func(p *part[T], seam bool) {
		n := len(f.memory(p, seam))
		of := open[:n]
		open = open[n:]
		r, elsewhere := p.fluid.(*remote[T])
		switch {
		case !seam:
			if e := p.fluid.SetState(lbm.State[T]{Steps: steps / int64(f.width(p.level)), Populations: populations(k, p), Open: of}); err == nil {
				err = e
			}
			k++
		case elsewhere:
			r.setSeamMemory(of)
		default:
			p.into.setMemory(of)
		}
	})
	return err
}

// ofAll are the populations of a part among those of all nodes of the finest grid.
func (f *Fluid[T]) ofAll(p *part[T], all [][]T) (own [][]T) {
	r, n := f.width(p.level), p.full()
	lo, hi := p.outer()
	for _, from := range all {
		to := make([]T, n[0]*n[1]*n[2])
		each(lo, hi, func(q [3]int) {
			x := p.wrapped(q)
			for a := range f.cfg.Lattice.Dim {
				x[a] *= r
			}
			to[p.node(q)] = from[f.cfg.Node(x)]
		})
		own = append(own, to)
	}
	return own
}

// outer is the grid with its ghosts, lo ≤ p < hi.
func (g *grid) outer() (lo, hi [3]int) {
	lo, hi = g.lo, g.hi
	for a := range lo {
		lo[a] -= g.ghosts[2*a]
		hi[a] += g.ghosts[2*a+1]
	}
	return lo, hi
}

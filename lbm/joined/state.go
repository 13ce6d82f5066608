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
			f.eachPieceOf(p, func(b lbm.Box) {
				each(b.Lo, b.Hi, func(q [3]int) {
					value := all[p.node(q)]
					f.eachNode(q, r, func(x [3]int) { dst[x[0]+nx*(x[1]+ny*x[2])] = value })
				})
			})
		}
	}
}

// eachPieceOf calls do for boxes that make up what no finer part covers of a part.
func (f *Fluid[T]) eachPieceOf(of *part[T], do func(b lbm.Box)) {
	f.eachPiece([3]int{}, f.cfg.Size, func(p *part[T], b lbm.Box) {
		if p == of {
			do(b)
		}
	})
}

// eachNode calls do for every node of the finest grid in a cell r nodes wide.
func (f *Fluid[T]) eachNode(cell [3]int, r int, do func(x [3]int)) {
	lo, hi := cell, cell
	for a := range 3 {
		hi[a]++
		if a < f.cfg.Lattice.Dim {
			lo[a], hi[a] = lo[a]*r, hi[a]*r
		}
	}
	each(lo, hi, do)
}

// OpenFaces is the memory of the parts' open faces, and of the seams of levels that have made the first of two steps: what left the
// level then.
func (f *Fluid[T]) OpenFaces() (open []float64) {
	f.eachMemory(func(p *part[T], s *levelSeam[T]) {
		if s == nil {
			open = append(open, p.fluid.OpenFaces()...)
			return
		}
		for _, v := range s.values {
			open = append(open, float64(v))
		}
	})
	return open
}

// eachMemory calls do for every part, and for every seam that remembers, in a fixed order.
func (f *Fluid[T]) eachMemory(do func(p *part[T], s *levelSeam[T])) {
	for l, parts := range f.levels {
		for _, p := range parts {
			do(p, nil)
			if l > 0 && f.steps/int64(f.width(l))%2 == 1 {
				do(p, p.into)
			}
		}
	}
}

// SetState restores a state; see lbm.Fluid.
func (f *Fluid[T]) SetState(s lbm.State[T]) error {
	before := f.steps
	f.steps = s.Steps
	want := len(f.OpenFaces())
	if len(s.Populations) != f.cfg.Lattice.Q || len(s.Open) != want {
		f.steps = before
		return fmt.Errorf("joined: the state has %d populations and %d values of open faces and seams, this flow has %d and %d: it belongs to another case",
			len(s.Populations), len(s.Open), f.cfg.Lattice.Q, want)
	}
	for i, p := range s.Populations {
		if len(p) != f.cfg.Nodes() {
			f.steps = before
			return fmt.Errorf("joined: population %d of the state has %d nodes, this flow has %d: it belongs to another case", i, len(p), f.cfg.Nodes())
		}
	}
	open := s.Open
	var err error
	f.eachMemory(func(p *part[T], seam *levelSeam[T]) {
		if seam == nil {
			n := len(p.fluid.OpenFaces())
			if e := p.fluid.SetState(f.stateOf(p, &s, open[:n])); err == nil {
				err = e
			}
			open = open[n:]
			return
		}
		for k := range seam.values {
			seam.values[k] = T(open[k])
		}
		open = open[len(seam.values):]
	})
	return err
}

// stateOf is the part of a state that is a part's.
func (f *Fluid[T]) stateOf(p *part[T], s *lbm.State[T], open []float64) lbm.State[T] {
	r, n := f.width(p.level), p.full()
	own := lbm.State[T]{Steps: s.Steps / int64(r), Open: open}
	lo, hi := p.lo, p.hi
	for a := range lo {
		lo[a] -= p.ghosts[2*a]
		hi[a] += p.ghosts[2*a+1]
	}
	for _, from := range s.Populations {
		to := make([]T, n[0]*n[1]*n[2])
		each(lo, hi, func(q [3]int) {
			x := p.wrapped(q)
			for a := range f.cfg.Lattice.Dim {
				x[a] *= r
			}
			to[p.node(q)] = from[f.cfg.Node(x)]
		})
		own.Populations = append(own.Populations, to)
	}
	return own
}

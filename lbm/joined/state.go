package joined

import (
	"cmp"
	"fmt"

	"lbmib/lbm"
)

// Population copies out one direction of all nodes of the finest grid; see lbm.Fluid. All nodes in a cell of a coarser level have
// its population.
func (f *Fluid[T]) Population(i int, dst []T) {
	if f.cfg.Inside != nil {
		f.populationInside(i, dst)
		return
	}
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

// OpenFaces is the memory of the open faces of the coarsest level, as of one grid, and of the seams of levels that have made the first of two
// steps: what left the level then. Finer levels have no open faces.
func (f *Fluid[T]) OpenFaces() (open []float64) {
	if n := f.flows[0].FaceMemory(); n > 0 {
		open = make([]float64, n)
	}
	for _, p := range f.levels[0] {
		own, config := p.fluid.OpenFaces(), p.fluid.Config()
		f.eachFaceNode(p.grid, config, func(here, there int, ghost bool) {
			if !ghost {
				copy(open[there:there+lbm.FaceStateValues], own[here:])
			}
		})
	}
	f.eachSeam(func(k int, s *levelSeam[T]) { open = append(open, f.seamMemory(k, s)...) })
	return append(open, f.portMemory()...)
}

// eachFaceNode tells where in the memory of a part's open faces values of a node begin, and where in that of the level's.
func (f *Fluid[T]) eachFaceNode(g *grid, config *lbm.Config, do func(here, there int, ghost bool)) {
	flow := &f.flows[g.level]
	first := flow.FaceMemoryAt()
	here := 0
	for _, o := range config.OpenFaces() {
		if o.Kind != lbm.Outflow {
			continue
		}
		axis := o.Side / 2
		whole := f.whole[0][0]
		for n := range o.Absent {
			p := o.Position(n)
			for a := range p {
				p[a] += g.lo[a] - g.ghosts[2*a]
			}
			at := g.wrapped(p)
			there := first[o.Side] + lbm.FaceStateValues*int(whole.faceNode(at, axis))
			do(here, there, g.isGhost(p))
			here += lbm.FaceStateValues
		}
	}
}

// eachSeam calls do for the seam of every undivided box, the k-th, that remembers, in a fixed order.
func (f *Fluid[T]) eachSeam(do func(k int, s *levelSeam[T])) {
	k := 0
	for l, boxes := range f.whole {
		for i := range boxes {
			if l > 0 && f.stepsOf(l)%2 == 1 {
				do(k, f.joints[l].seams[i])
			}
			k++
		}
	}
}

// seamOf is the seam of the k-th undivided box.
func (f *Fluid[T]) seamOf(k int) *levelSeam[T] {
	w := f.box(k)
	return f.joints[w.level].seams[w.number]
}

// seamMemory is what the seam of the k-th undivided box remembers, however it is divided.
func (f *Fluid[T]) seamMemory(k int, s *levelSeam[T]) []float64 {
	all := make([]float64, s.length)
	s.look(func(place int, value *T) { all[place] = float64(*value) })
	if f.shared.leads() {
		f.shared.eachWire(func(w *wire) {
			w.send(orderSeam, int64(k))
			n := []int64{0}
			take(w, n)
			places, values := make([]int32, n[0]), make([]float64, n[0])
			take(w, places)
			take(w, values)
			for i, v := range values {
				all[places[i]] = v
			}
		})
	}
	return all
}

// giveSeam is what rank 0 asks for there.
func (f *Fluid[T]) giveSeam(w *wire, k int) {
	var places []int32
	var values []float64
	f.seamOf(k).look(func(place int, value *T) {
		places, values = append(places, int32(place)), append(values, float64(*value))
	})
	give(w, []int64{int64(len(places))})
	give(w, places)
	give(w, values)
}

// setSeamMemory restores what a seam remembers.
func (f *Fluid[T]) setSeamMemory(k int, s *levelSeam[T], all []float64) {
	s.setMemory(all)
	if f.shared.leads() {
		f.shared.eachWire(func(w *wire) {
			w.send(orderSetSeam, int64(k))
			give(w, all)
		})
	}
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
			nodes := parts[k].Nodes(f.cfg.Lattice)
			if f.cfg.Inside != nil {
				nodes = f.cfg.Nodes()
			}
			if err := f.fits(s.Populations[k], nodes, fmt.Sprintf("part %d, ", k)); err != nil {
				return err
			}
		}
		return nil
	}, func(k int, p *part[T]) [][]T {
		if f.cfg.Inside != nil {
			return f.insideOf(p, s.Populations[k])
		}
		_, of := f.partsOf(k)
		return p.withGhosts(s.Populations[k], of)
	})
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

// restore sets steps and what is remembered at faces and seams, and the populations that are told of the parts that make up part k of Parts,
// all its nodes and ghosts, if the state fits.
func (f *Fluid[T]) restore(steps int64, open []float64, fits func() error, populations func(k int, p *part[T]) [][]T) error {
	before := f.steps
	f.steps = steps
	err := fits()
	want := f.flows[0].FaceMemory() + f.ports.memory()
	f.eachSeam(func(_ int, s *levelSeam[T]) { want += s.length })
	if err == nil && len(open) != want {
		err = fmt.Errorf("joined: the state has %d values of open faces, seams, ports and walls, this flow has %d: it belongs to another case", len(open), want)
	}
	if err != nil {
		f.steps = before
		return err
	}
	faces := open[:f.flows[0].FaceMemory()]
	open = open[len(faces):]
	for k := range f.Parts() {
		parts, _ := f.partsOf(k)
		for _, p := range parts {
			config := p.fluid.Config()
			own := make([]float64, config.FaceMemory(), config.FaceMemory()+f.ports.memoryOf(p.grid))
			f.eachFaceNode(p.grid, config, func(here, there int, _ bool) {
				copy(own[here:here+lbm.FaceStateValues], faces[there:])
			})
			own = append(own, f.ports.partMemory(p.grid, open[len(open)-f.ports.memory():])...)
			if f.shared.leads() {
				f.sendDrive(orderDrive, f.stepsOf(p.level)*int64(f.width(p.level))) // a coarser level is behind
			}
			e := p.fluid.SetState(lbm.State[T]{Steps: f.stepsOf(p.level), Populations: populations(k, p), Open: own})
			err = cmp.Or(err, e)
		}
	}
	f.eachSeam(func(k int, s *levelSeam[T]) {
		f.setSeamMemory(k, s, open[:s.length])
		open = open[s.length:]
	})
	return err
}

// ofAll are the populations of a part among those of all nodes of the finest grid.
func (f *Fluid[T]) ofAll(p *part[T], all [][]T) (own [][]T) {
	if f.cfg.Inside != nil {
		return f.insideOf(p, all)
	}
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

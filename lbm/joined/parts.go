package joined

import (
	"slices"

	"lbmib/lbm"
)

// Parts are those of the fluid that New would make, as lbm.Parted has them: boxes are undivided, so that a state does not tell how they
// were.
func Parts(cfg *lbm.Config, boxes []Box) []lbm.Part {
	finest := 0
	for _, b := range boxes {
		finest = max(finest, b.Level)
	}
	all := []lbm.Part{{Width: 1 << finest, Hi: cfg.Size}}
	for l := 1; l <= finest; l++ {
		for _, b := range boxes {
			if b.Level == l && !b.Part {
				all = append(all, lbm.Part{Level: l, Width: 1 << (finest - l), Lo: b.Lo, Hi: b.Hi})
			}
		}
	}
	return all
}

// Parts are those of the fluid; see lbm.Parted, and the function Parts.
func (f *Fluid[T]) Parts() []lbm.Part {
	r := f.width(0)
	all := []lbm.Part{{Width: r, Hi: f.cfg.Size}}
	for _, boxes := range f.whole[1:] {
		for _, p := range boxes {
			r = f.width(p.level)
			of := lbm.Part{Level: p.level, Width: r, Lo: p.lo, Hi: p.hi}
			for a := range f.cfg.Lattice.Dim {
				of.Lo[a], of.Hi[a] = r*of.Lo[a], r*of.Hi[a]
			}
			all = append(all, of)
		}
	}
	return all
}

// eachPart calls do for every part, in their order.
func (f *Fluid[T]) eachPart(do func(k int, p *part[T])) {
	k := 0
	for _, parts := range f.levels {
		for _, p := range parts {
			do(k, p)
			k++
		}
	}
}

// part is the k-th.
func (f *Fluid[T]) part(k int) (found *part[T]) {
	f.eachPart(func(i int, p *part[T]) {
		if i == k {
			found = p
		}
	})
	return found
}

// partsOf are those that make up part k of Parts, and the box of their level that this is.
func (f *Fluid[T]) partsOf(k int) ([]*part[T], lbm.Box) {
	w := f.box(k)
	return f.partsIn(w), lbm.Box{Lo: w.lo, Hi: w.hi}
}

// box is the k-th undivided box: the domain, then those of level 1, 2, …
func (lay *layout) box(k int) *grid {
	for _, boxes := range lay.whole {
		if k < len(boxes) {
			return boxes[k]
		}
		k -= len(boxes)
	}
	panic("joined: there are not so many boxes")
}

// partsIn are those of an undivided box.
func (f *Fluid[T]) partsIn(w *grid) (all []*part[T]) {
	for _, g := range f.layout.partsIn(w) {
		all = append(all, f.partAt(g))
	}
	return all
}

// partWith is the part of a level that has a place.
func (f *Fluid[T]) partWith(level int, p [3]int) *part[T] {
	k := slices.IndexFunc(f.levels[level], func(o *part[T]) bool { return o.contains(p) })
	return f.levels[level][k]
}

// PartPopulation copies out one direction of a part; see lbm.Parted. Ghosts are left out: what they hold, seams put there before it
// is read. Solid nodes are 0 as those that finer parts cover are.
func (f *Fluid[T]) PartPopulation(k, i int, dst []T) {
	if f.cfg.Inside != nil {
		f.populationInside(i, dst)
		return
	}
	parts, of := f.partsOf(k)
	clear(dst)
	for _, p := range parts {
		full := p.withGhostsBox()
		all := make([]T, full.Nodes())
		p.fluid.Population(i, all)
		f.eachPieceOf(p.grid, func(b lbm.Box) { moveBox(dst, all, of, full, b) })
	}
	flow := &f.flows[parts[0].level]
	if flow.Solid == nil {
		return
	}
	at := 0
	each(of.Lo, of.Hi, func(q [3]int) {
		if flow.Solid[flow.Node(q)] {
			dst[at] = 0
		}
		at++
	})
}

// PartBox reads density and velocity of a part; see lbm.Parted.
func (f *Fluid[T]) PartBox(k int, rho []T, u [][]T) {
	parts, of := f.partsOf(k)
	if len(parts) == 1 {
		own := parts[0].local(of)
		parts[0].fluid.Box(own.Lo, own.Hi, rho, u)
		return
	}
	for _, p := range parts {
		b := lbm.Box{Lo: p.lo, Hi: p.hi}
		own := p.local(b)
		read := append([][]T{rho}, u...)
		some := make([][]T, len(read))
		for a := range read {
			if read[a] != nil {
				some[a] = make([]T, b.Nodes())
			}
		}
		p.fluid.Box(own.Lo, own.Hi, some[0], some[1:])
		for a := range read {
			if read[a] != nil {
				moveBox(read[a], some[a], of, b, b)
			}
		}
	}
}

// withGhosts are populations of a part among those of a box of its level, with what its ghosts have there; 0 else.
func (p *part[T]) withGhosts(all [][]T, of lbm.Box) (own [][]T) {
	n := size(of)
	full := p.withGhostsBox()
	for _, from := range all {
		to := make([]T, full.Nodes())
		k := 0
		each(full.Lo, full.Hi, func(q [3]int) {
			x, in := p.wrapped(q), 0
			for a := range x {
				if x[a] -= of.Lo[a]; x[a] >= 0 && x[a] < n[a] {
					in++
				}
			}
			if in == len(x) {
				to[k] = from[x[0]+n[0]*(x[1]+n[1]*x[2])]
			}
			k++
		})
		own = append(own, to)
	}
	return own
}

// withGhostsBox is the box of the part's nodes and ghosts.
func (g *grid) withGhostsBox() lbm.Box {
	lo, hi := g.outer()
	return lbm.Box{Lo: lo, Hi: hi}
}

// Finest is the fluid of the finest level, if that is one part of this process, and the number there of a node of the finest grid, −1 of one that
// a coarser level has; nil: it is not.
func (f *Fluid[T]) Finest() (of lbm.Fluid[T], number func(node int32) int32) {
	if finest := f.finest(); len(finest) > 1 || f.shared != nil {
		return nil, nil
	}
	p := f.finest()[0]
	return p.fluid, func(node int32) int32 {
		at := f.cfg.Position(int(node))
		if !p.contains(at) {
			return -1
		}
		return p.node(at)
	}
}

package joined

import (
	"slices"

	"lbmib/lbm"
)

// Parts are those of the fluid that New would make, or the one that is the domain, where there are no boxes.
func Parts(cfg *lbm.Config, boxes []Box) []lbm.Part {
	finest := 0
	for _, b := range boxes {
		finest = max(finest, b.Level)
	}
	var all []lbm.Part
	if !slices.ContainsFunc(boxes, func(b Box) bool { return b.Level == 0 }) {
		all = []lbm.Part{{Width: 1 << finest, Hi: cfg.Size}}
	}
	for l := range finest + 1 {
		for _, b := range boxes {
			if b.Level == l {
				all = append(all, lbm.Part{Level: l, Width: 1 << (finest - l), Lo: b.Lo, Hi: b.Hi})
			}
		}
	}
	return all
}

// Parts are those of the fluid; see lbm.Parted.
func (f *Fluid[T]) Parts() (all []lbm.Part) {
	f.eachPart(func(_ int, p *part[T]) {
		r := f.width(p.level)
		of := lbm.Part{Level: p.level, Width: r, Lo: p.lo, Hi: p.hi}
		for a := range f.cfg.Lattice.Dim {
			of.Lo[a], of.Hi[a] = r*of.Lo[a], r*of.Hi[a]
		}
		all = append(all, of)
	})
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

// PartPopulation copies out one direction of a part; see lbm.Parted. Ghosts are left out: what they hold, seams put there before it
// is read. Solid nodes are 0 as those that finer parts cover are.
func (f *Fluid[T]) PartPopulation(k, i int, dst []T) {
	p := f.part(k)
	own, full := lbm.Box{Lo: p.lo, Hi: p.hi}, p.withGhostsBox()
	all := make([]T, full.Nodes())
	p.fluid.Population(i, all)
	clear(dst)
	f.eachPieceOf(p.grid, func(b lbm.Box) { moveBox(dst, all, own, full, b) })
	if solid := f.flows[p.level].Solid; solid != nil {
		at := 0
		each(p.lo, p.hi, func(q [3]int) {
			if solid[f.flows[p.level].Node(q)] {
				dst[at] = 0
			}
			at++
		})
	}
}

// PartBox reads density and velocity of a part; see lbm.Parted.
func (f *Fluid[T]) PartBox(k int, rho []T, u [][]T) {
	p := f.part(k)
	own := p.local(lbm.Box{Lo: p.lo, Hi: p.hi})
	p.fluid.Box(own.Lo, own.Hi, rho, u)
}

// withGhosts are populations of a part with room for those of its ghosts.
func (p *part[T]) withGhosts(own [][]T) [][]T {
	if p.ghosts == [6]int{} {
		return own
	}
	var all [][]T
	box, full := lbm.Box{Lo: p.lo, Hi: p.hi}, p.withGhostsBox()
	for _, from := range own {
		to := make([]T, full.Nodes())
		moveBox(to, from, full, box, box)
		all = append(all, to)
	}
	return all
}

// withGhostsBox is the box of the part's nodes and ghosts.
func (g *grid) withGhostsBox() lbm.Box {
	lo, hi := g.outer()
	return lbm.Box{Lo: lo, Hi: hi}
}

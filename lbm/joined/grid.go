package joined

import (
	"lbmib/internal/xruns"
	"lbmib/lbm"
)

// grid is a box of nodes of one level, and the ghosts around it: a layer on each side where the box ends inside the domain.
// Places are those of nodes of the level's own grid, which covers the domain.
type grid struct {
	level    int
	number   int    // among those of its level: parts, or undivided boxes
	whole    *grid  // that this is a part of; nil: it is an undivided box
	lo, hi   [3]int // lo ≤ p < hi
	ghosts   [6]int // layers of ghosts on each side: 0 or 1
	size     [3]int // of the domain, in nodes of the level
	periodic [3]bool
	dim      int

	inside *xruns.Set // the nodes of fluid of a part and its ghosts, where the flow is given by those; nil: all are numbered
	cuts   []lbm.Cut  // of the part's nodes that surfaces cut, as it numbers them
}

// newGrid is a box of a level of a domain, whose faces are cfg's.
func newGrid(cfg *lbm.Config, level int, size, lo, hi [3]int) *grid {
	g := &grid{level: level, lo: lo, hi: hi, size: size, dim: cfg.Lattice.Dim}
	for a := range g.dim {
		g.periodic[a] = cfg.Periodic(a)
		spans := lo[a] == 0 && hi[a] == size[a]
		for side := range 2 {
			at := [2]int{lo[a], hi[a] - size[a]}[side]
			if at != 0 || g.periodic[a] && !spans {
				g.ghosts[2*a+side] = 1
			}
		}
	}
	return g
}

// full are the nodes of the part that the grid is: those of the box and its ghosts.
func (g *grid) full() (n [3]int) {
	for a := range n {
		n[a] = g.hi[a] - g.lo[a] + g.ghosts[2*a] + g.ghosts[2*a+1]
	}
	return n
}

// wrapped is a place in the domain that is the same as p, across periodic faces.
func (g *grid) wrapped(p [3]int) [3]int {
	for a := range g.dim {
		for g.periodic[a] && p[a] >= g.size[a] {
			p[a] -= g.size[a]
		}
		for g.periodic[a] && p[a] < 0 {
			p[a] += g.size[a]
		}
	}
	return p
}

// near is the image of p across periodic faces which lies in the box or, if it is one of them, among its ghosts.
func (g *grid) near(p [3]int) (q [3]int, ok bool) {
	for a := range g.dim {
		low, high := g.lo[a]-g.ghosts[2*a], g.hi[a]+g.ghosts[2*a+1]
		for g.periodic[a] && p[a] >= high {
			p[a] -= g.size[a]
		}
		for g.periodic[a] && p[a] < low {
			p[a] += g.size[a]
		}
		if p[a] < low || p[a] >= high {
			return p, false
		}
	}
	return p, true
}

// contains tells whether p is a node of the box, not a ghost.
func (g *grid) contains(p [3]int) bool {
	p = g.wrapped(p)
	for a := range g.dim {
		if p[a] < g.lo[a] || p[a] >= g.hi[a] {
			return false
		}
	}
	return true
}

// node is the number of place p, in the box or among its ghosts, in the part.
func (g *grid) node(p [3]int) int32 {
	q, ok := g.near(p)
	if !ok {
		panic("joined: a place is not in its part")
	}
	return g.nodeAt(q)
}

// nodeAt is that of a place which lies there as it is: where a box meets its own image, a place may be a ghost as well as a node.
func (g *grid) nodeAt(p [3]int) int32 {
	n := g.full()
	for a := range p {
		p[a] += g.ghosts[2*a] - g.lo[a]
	}
	if g.inside != nil {
		return int32(g.inside.Number(p[0], p[1], p[2]))
	}
	return int32(p[0] + n[0]*(p[1]+n[1]*p[2]))
}

// cut tells whether a part ends on a side within its box, or where that meets itself: the ghosts there are nodes of parts.
func (g *grid) cut(side int) bool {
	if g.ghosts[side] == 0 {
		return false
	}
	own, of := g.lo[side/2], g.whole.lo[side/2]
	if side%2 == 1 {
		own, of = g.hi[side/2], g.whole.hi[side/2]
	}
	return g.whole.ghosts[side] == 0 || own != of
}

// placeOf is where a node of the part lies, as nodeAt has it.
func (g *grid) placeOf(node int32) [3]int {
	n, k := g.full(), int(node)
	p := [3]int{k % n[0], k / n[0] % n[1], k / n[0] / n[1]}
	for a := range p {
		p[a] += g.lo[a] - g.ghosts[2*a]
	}
	return p
}

// coarse is the cell of the level above that holds node p.
func (g *grid) coarse(p [3]int) [3]int {
	for a := range g.dim {
		p[a] = floorHalf(p[a])
	}
	return p
}

func floorHalf(n int) int { return n >> 1 }

// each calls do for every place of the box lo ≤ p < hi, x fastest.
func each(lo, hi [3]int, do func(p [3]int)) {
	for z := lo[2]; z < hi[2]; z++ {
		for y := lo[1]; y < hi[1]; y++ {
			for x := lo[0]; x < hi[0]; x++ {
				do([3]int{x, y, z})
			}
		}
	}
}

// eachGhost calls do for the places of the ghosts around the box that a flow has fluid at, or that it may have: x fastest.
func (g *grid) eachGhost(flow *lbm.Config, do func(p [3]int)) {
	lo, hi := g.outer()
	ends := func(y, z, first, end int, do func(p [3]int)) { // of a row's nodes first ≤ x < end
		step := 1
		if inner := (y < g.lo[1] || y >= g.hi[1]) || g.dim > 2 && (z < g.lo[2] || z >= g.hi[2]); !inner {
			step = max(1, hi[0]-lo[0]-1)
			if first > lo[0] {
				first = hi[0] - 1
			}
		}
		for x := first; x < end; x += step {
			if p := [3]int{x, y, z}; g.isGhost(p) {
				do(p)
			}
		}
	}
	if g.inside != nil {
		g.inside.Each(func(_, y, z int, r xruns.Run) { ends(y+lo[1], z+lo[2], int(r.X0)+lo[0], int(r.X1)+lo[0], do) })
		return
	}
	for z := lo[2]; z < hi[2]; z++ {
		for y := lo[1]; y < hi[1]; y++ {
			ends(y, z, lo[0], hi[0], do)
		}
	}
}

// isGhost tells whether p, which may be beyond a periodic face, is one of the ghosts around the box.
func (g *grid) isGhost(p [3]int) bool {
	inside := true
	for a := range g.dim {
		if p[a] < g.lo[a]-g.ghosts[2*a] || p[a] >= g.hi[a]+g.ghosts[2*a+1] {
			return false
		}
		inside = inside && p[a] >= g.lo[a] && p[a] < g.hi[a]
	}
	return !inside
}

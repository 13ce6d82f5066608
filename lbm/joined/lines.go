package joined

// line is a line of coarse cells beside a box, along an axis, in pieces.
type line struct {
	axis   int
	pieces []piece
	across int // axis along which copies of the line lie beside it,
	copies int // so many; what is around them is what is around the line, moved along
}

// piece is a piece of a line.
type piece struct {
	cell  [3]int // the first one
	n     int
	alike bool // what is around the other cells is what is around the first, moved along
}

// sight is how far from a cell grids are looked at, in cells, with one to spare.
const sight = 3

// eachLine calls do for lines that make up, with their copies, all coarse cells beside a box. others are the boxes of the
// grid's level, above is the grid around it.
func (g *grid) eachLine(others []*grid, above *grid, do func(l line)) {
	first, last := g.coarse(g.lo), g.coarse(g.hi)
	for a := g.dim; a < 3; a++ {
		first[a], last[a] = 0, 1
	}
	var side [3]int // of the box along each axis: below it, −1, beside it, or above
	var along func(a int)
	along = func(a int) {
		if a == g.dim {
			g.linesAt(side, first, last, others, above, do)
			return
		}
		for side[a] = -1; side[a] <= 1; side[a]++ {
			if side[a] == 0 || g.ghosts[2*a+(side[a]+1)/2] > 0 {
				along(a + 1)
			}
		}
	}
	along(0)
}

// linesAt is eachLine on one side of the box, which is first ≤ p < last.
func (g *grid) linesAt(side, first, last [3]int, others []*grid, above *grid, do func(l line)) {
	lo, hi := first, last
	var free []int // axes along which the cells are beside the box
	for a := range g.dim {
		switch side[a] {
		case -1:
			lo[a], hi[a] = first[a]-1, first[a]
		case 1:
			lo[a], hi[a] = last[a], last[a]+1
		default:
			free = append(free, a)
		}
	}
	switch len(free) {
	case g.dim: // the box itself
	case 0: // a corner
		do(line{pieces: []piece{{cell: lo, n: 1}}})
	case 1:
		do(line{axis: free[0], pieces: g.pieces(lo, free[0], hi[free[0]], others, above)})
	default:
		axis, across := free[0], free[1]
		for _, p := range g.pieces(lo, across, hi[across], others, above) {
			l := line{axis: axis, across: across, pieces: g.pieces(p.cell, axis, hi[axis], others, above)}
			if p.alike {
				l.copies = p.n - 1
				do(l)
				continue
			}
			for range p.n {
				l.pieces = g.pieces(p.cell, axis, hi[axis], others, above)
				do(l)
				p.cell[across]++
			}
		}
	}
}

// moved is the line so many cells on.
func (l *line) moved(by int) line {
	to := line{axis: l.axis}
	for _, p := range l.pieces {
		p.cell[l.across] += by
		to.pieces = append(to.pieces, p)
	}
	return to
}

// ends are the coarse cells at which grids begin along an axis, or behind which they end.
func (g *grid) ends(axis int, others []*grid, above *grid) []int {
	at := []int{0, g.size[axis] / 2, above.lo[axis], above.hi[axis]}
	for _, o := range others {
		at = append(at, floorHalf(o.lo[axis]), floorHalf(o.hi[axis]))
	}
	return at
}

// pieces cuts the line from a cell to where it ends at pieces that are alike, and those that are not.
func (g *grid) pieces(cell [3]int, axis, to int, others []*grid, above *grid) (all []piece) {
	ends := g.ends(axis, others, above)
	alike := func(x int) bool {
		for _, e := range ends {
			if x-sight < e && e <= x+sight {
				return false
			}
		}
		return true
	}
	for from := cell[axis]; from < to; {
		is := alike(from)
		end := from + 1
		for end < to && alike(end) == is {
			end++
		}
		cell[axis] = from
		all = append(all, piece{cell: cell, n: end - from, alike: is})
		from = end
	}
	return all
}

// stride is from a node of the part to the next along an axis, in numbers of nodes.
func (g *grid) stride(axis int) int32 {
	n := g.full()
	return [3]int32{1, int32(n[0]), int32(n[0] * n[1])}[axis]
}

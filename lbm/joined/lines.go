package joined

// line is a piece of a line of coarse cells beside a box, along an axis.
type line struct {
	cell  [3]int // the first one
	axis  int
	n     int
	first bool // it is the line's first piece
	alike bool // what is around the other cells is what is around the first, moved along
}

// sight is how far from a cell grids are looked at, in cells, with one to spare.
const sight = 3

// eachLine calls do for lines that make up all coarse cells beside a box: ends are where grids end within sight. others are the boxes of the
// grid's level, above is the grid around it.
func (g *grid) eachLine(others []*grid, above *grid, do func(l line)) {
	first, last := g.coarse(g.lo), g.coarse(g.hi)
	for a := g.dim; a < 3; a++ {
		first[a], last[a] = 0, 1
	}
	var beside func(side [3]int, a int)
	beside = func(side [3]int, a int) { // of the box along each axis: below it, −1, beside it, or above
		if a < g.dim {
			for side[a] = -1; side[a] <= 1; side[a]++ {
				if side[a] == 0 || g.ghosts[2*a+(side[a]+1)/2] > 0 {
					beside(side, a+1)
				}
			}
			return
		}
		lo, hi := first, last
		axis, outside := -1, false
		for a := range g.dim {
			switch side[a] {
			case -1:
				lo[a], hi[a] = first[a]-1, first[a]
			case 1:
				lo[a], hi[a] = last[a], last[a]+1
			default:
				if axis < 0 {
					axis = a
				}
			}
			outside = outside || side[a] != 0
		}
		if !outside {
			return
		}
		if axis < 0 { // a corner
			do(line{cell: lo, n: 1, first: true})
			return
		}
		ends := g.ends(axis, others, above)
		from, to := lo[axis], hi[axis]
		hi[axis] = from + 1
		each(lo, hi, func(cell [3]int) { cutLine(cell, axis, to, ends, do) })
	}
	beside([3]int{}, 0)
}

// ends are the coarse cells at which grids begin along an axis, or behind which they end.
func (g *grid) ends(axis int, others []*grid, above *grid) []int {
	at := []int{0, g.size[axis] / 2, above.lo[axis], above.hi[axis]}
	for _, o := range others {
		at = append(at, floorHalf(o.lo[axis]), floorHalf(o.hi[axis]))
	}
	return at
}

// cutLine cuts the line from a cell to where it ends at pieces that are alike, and those that are not.
func cutLine(cell [3]int, axis, to int, ends []int, do func(l line)) {
	alike := func(x int) bool {
		for _, e := range ends {
			if x-sight < e && e <= x+sight {
				return false
			}
		}
		return true
	}
	begin := cell[axis]
	for from := begin; from < to; {
		is := alike(from)
		end := from + 1
		for end < to && alike(end) == is {
			end++
		}
		cell[axis] = from
		do(line{cell: cell, axis: axis, n: end - from, first: from == begin, alike: is})
		from = end
	}
}

// stride is from a node of the part to the next along an axis, in numbers of nodes.
func (g *grid) stride(axis int) int32 {
	n := g.full()
	return [3]int32{1, int32(n[0]), int32(n[0] * n[1])}[axis]
}

package ib

// within tells whether sorted points have all nodes that they reach between two lines
// of cells, away from the ends of the grid; it may say no where the answer is yes.
func (t *sortReduce[T]) within(lo, hi, from, to int) bool {
	if t.shares == 1 {
		return true
	}
	if !t.byPlane {
		return false
	}
	// The supports of other components begin one node before or behind.
	first := t.cell(2, t.x[2][lo]) - t.low[2] - 1
	last := t.cell(2, t.x[2][hi-1]) - t.low[2] + t.support
	return first >= max(0, from/t.lines-t.low[2]) && last < min(t.nodes, to/t.lines-t.low[2])
}

// planesAt is what a worker has of supports that begin at a plane.
type planesAt struct {
	before, behind  [2]int32 // the end of the grid, planes from ≤ l < to of supports
	lowest, highest int32    // plane of the grid among those before, and behind it
}

// ownPlanes is what there is at every plane of a site for the owner of the planes lo ≤
// plane < hi.
func (t *sortReduce[T]) ownPlanes(own []planesAt, s *site, lo, hi int) []planesAt {
	size, all := s.grid.Size[2], t.support
	own = grow(own, size)
	for z := range own {
		p := planesAt{lowest: int32(size), highest: -1}
		p.before = [2]int32{int32(max(0, lo-z)), int32(min(all, hi-z, size-z))}
		p.behind = [2]int32{int32(max(0, lo) + size - z), int32(min(all, hi+size-z))}
		if p.before[0] < p.before[1] {
			p.lowest = int32(z) + p.before[0]
		}
		if p.behind[0] < p.behind[1] {
			p.highest = int32(z-size) + p.behind[1] - 1
		}
		own[z] = p
	}
	return own
}

// span is the first and last number of the rows of point k; whole is false if they
// wrap in between.
func (t *sortReduce[T]) span(b *batch[T], s *site, k int) (first, last int, whole bool) {
	size, over := &s.grid.Size, t.support-1
	y := int(b.at.First[1][k])
	if t.dim == 2 {
		return y, y + over, y+over < size[1]
	}
	z := int(b.at.First[2][k])
	return z*size[1] + y, (z+over)*size[1] + y + over, y+over < size[1] && z+over < size[2]
}

// inside tells whether all rows of point k are among lo ≤ row < hi.
func (t *sortReduce[T]) inside(b *batch[T], s *site, k, lo, hi int) bool {
	first, last, whole := t.span(b, s, k)
	return whole && first >= lo && last < hi
}

// touches tells whether rows of point k may be among lo ≤ row < hi.
func (t *sortReduce[T]) touches(b *batch[T], s *site, k, lo, hi int) bool {
	first, last, whole := t.span(b, s, k)
	return !whole || first < hi && last >= lo
}

// rows is the number of rows along x.
func (s *site) rows() int { return s.grid.Size[1] * s.grid.Size[2] }

// border is the line of cells at which the rows of worker w begin: about as many
// points reach each worker's.
func (t *sortReduce[T]) border(w int) int {
	if w == 0 {
		return 0
	}
	all := t.lines * t.planes
	if w == t.shares {
		return all
	}
	i, half := t.n*w/t.shares, t.support/2
	line := 0
	if t.dim == 3 {
		line = t.lines * (t.cell(2, t.x[2][i]) + half)
	}
	if !t.byPlane {
		line += t.cell(1, t.x[1][i]) + half
	}
	return min(line, all)
}

// row is the number of the first row of a site at or behind a line of cells.
func (t *sortReduce[T]) row(s *site, line int) int {
	y, z := line%t.lines-t.low[1], line/t.lines-t.low[2]
	switch {
	case z < 0:
		return 0
	case line == t.lines*t.planes, z >= s.grid.Size[2]: // a component may have one more plane
		return s.rows()
	}
	return z*s.grid.Size[1] + min(max(y, 0), s.grid.Size[1])
}

// reach is the ranges of sorted points whose supports may have nodes on the rows
// between two lines of cells, ascending.
func (t *sortReduce[T]) reach(from, to int) (ranges [3][2]int) {
	// The outermost axis is counted in steps of so many lines. A cell reaches over
	// a support; those of other components begin one node before or behind.
	outer, step, count := 2, t.lines, t.planes
	if t.dim == 2 {
		outer, step, count = 1, 1, t.lines
	}
	low, high := from/step-t.support, (to+step-1)/step+1 // outer cells low ≤ cell ≤ high
	all := [3][2]int{{0, 0}, {max(low, 0), min(high+1, count)}, {count, count}}
	if t.track[outer].periodic {
		all[0][1] = max(0, high+1-count)
		all[2][0] = count + min(low, 0)
	}
	n := 0
	for _, r := range all {
		lo, hi := t.at(max(r[0], 0)*step), t.at(min(r[1], count)*step)
		switch {
		case lo >= hi:
		case n > 0 && lo <= ranges[n-1][1]:
			ranges[n-1][1] = max(hi, ranges[n-1][1])
		default:
			ranges[n] = [2]int{lo, hi}
			n++
		}
	}
	return ranges
}

// at is the first sorted point at or behind a line of cells.
func (t *sortReduce[T]) at(line int) int {
	return t.sorter.find(uint64(line) * t.width)
}

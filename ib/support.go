package ib

import (
	"fmt"
	"math"
	"math/bits"

	"lbmib/geometry"
)

// Support is the set of grid nodes in the support of any of a list of points:
// the only nodes that a coupling reads and writes. The zero value is empty and
// ready for use.
type Support struct {
	grid  Grid
	delta Stencil
	cells []int32  // cell of every point
	nodes []int32  // the set, ascending
	set   []uint64 // one bit per node; all zero between calls
}

// Rebuild makes the set that of points x, in nodes. It does so only where
// needed: if the grid, the delta and the first node of every point's support
// are what they were, the set is the same, and Rebuild returns false. A point
// whose support leaves an axis that is not periodic is an error, as is a grid
// that is too narrow for the delta; the set is then empty. Repeated calls
// allocate only when the set grows.
func (s *Support) Rebuild(g Grid, d Stencil, x []geometry.Vec) (changed bool, err error) {
	if changed, err = s.place(g, d, x); changed && err == nil {
		s.collect()
	}
	return changed, err
}

// CountSupport is the number of nodes that a Rebuild of an empty set would list.
func CountSupport(g Grid, d Stencil, x []geometry.Vec) (nodes int, err error) {
	var s Support
	if _, err := s.place(g, d, x); err != nil {
		return 0, err
	}
	s.markAll()
	for _, word := range s.set {
		nodes += bits.OnesCount64(word)
	}
	return nodes, nil
}

// place finds the cells of points and tells whether they or the grid are others.
func (s *Support) place(g Grid, d Stencil, x []geometry.Vec) (changed bool, err error) {
	if s.delta == nil || g != s.grid || d.Name() != s.delta.Name() || d.Support() != s.delta.Support() {
		s.clear()
		if err := g.check(d); err != nil {
			return true, err
		}
		if g.Nodes() > math.MaxInt32 {
			return true, fmt.Errorf("ib: grid of %d × %d × %d nodes: supports are listed for at most %d: choose a smaller resolution or domain", g.Size[0], g.Size[1], g.Size[2], math.MaxInt32)
		}
		s.grid, s.delta = g, d
		s.set = grow(s.set, (g.Nodes()+63)/64)
		clear(s.set)
		changed = true
	}
	changed = changed || len(x) != len(s.cells)
	s.cells = grow(s.cells, len(x))
	for k := range x {
		cell, ok := g.cell(d, x[k])
		if !ok {
			s.clear()
			return true, g.supportError(d, k, x[k])
		}
		if int32(cell) != s.cells[k] {
			s.cells[k], changed = int32(cell), true
		}
	}
	return changed, nil
}

// Nodes are the places in a field of all nodes of the set, ascending. The slice
// is valid until the next Rebuild that changes the set.
func (s *Support) Nodes() []int32 { return s.nodes }

func (s *Support) clear() {
	s.delta, s.cells, s.nodes = nil, s.cells[:0], s.nodes[:0]
}

// collect lists the nodes of every cell's support.
func (s *Support) collect() {
	lo, hi := s.markAll()
	s.nodes = s.nodes[:0]
	for word := lo / 64; word <= hi/64 && hi >= 0; word++ {
		for b := s.set[word]; b != 0; b &= b - 1 {
			s.nodes = append(s.nodes, int32(word*64+bits.TrailingZeros64(b)))
		}
		s.set[word] = 0
	}
}

// markAll sets the bits of all cells' supports and returns the first and the last.
func (s *Support) markAll() (lo, hi int) {
	lo, hi = math.MaxInt, -1
	before := int32(-1)
	for _, cell := range s.cells {
		if cell == before { // neighbours on a surface often share a cell
			continue
		}
		before = cell
		l, h := s.mark(int(cell))
		lo, hi = min(lo, l), max(hi, h)
	}
	return lo, hi
}

// mark sets the bits of the support that begins in a cell and returns the first
// and the last.
func (s *Support) mark(cell int) (lo, hi int) {
	g := &s.grid
	n := s.delta.Support()
	nz := 1
	if g.Dim == 3 {
		nz = n
	}
	x, y, z := cell%g.Size[0], cell/g.Size[0]%g.Size[1], cell/(g.Size[0]*g.Size[1])
	if x+n > g.Size[0] || y+n > g.Size[1] || z+nz > g.Size[2] {
		return s.markAround(x, y, z)
	}
	row, plane := g.Size[0], g.Size[0]*g.Size[1]
	for k := range nz {
		for j := range n {
			s.setRun(cell+k*plane+j*row, n)
		}
	}
	return cell, cell + (nz-1)*plane + (n-1)*row + n - 1
}

// setRun sets n bits from one on, at most 64.
func (s *Support) setRun(first, n int) {
	run := uint64(1)<<n - 1
	s.set[first/64] |= run << (first % 64)
	if over := first%64 + n - 64; over > 0 {
		s.set[first/64+1] |= run >> (n - over)
	}
}

// markAround is mark of a support that goes on at the other end of the grid.
func (s *Support) markAround(x, y, z int) (lo, hi int) {
	g := &s.grid
	n := s.delta.Support()
	nz := 1
	if g.Dim == 3 {
		nz = n
	}
	lo, hi = math.MaxInt, -1
	for k := range nz {
		for j := range n {
			line := ((z+k)%g.Size[2]*g.Size[1] + (y+j)%g.Size[1]) * g.Size[0]
			for i := range n {
				node := line + (x+i)%g.Size[0]
				s.set[node/64] |= 1 << (node % 64)
				lo, hi = min(lo, node), max(hi, node)
			}
		}
	}
	return lo, hi
}

// String tells the size of the set.
func (s *Support) String() string {
	return fmt.Sprintf("support of %d points: %d nodes", len(s.cells), len(s.nodes))
}

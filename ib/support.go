package ib

import (
	"fmt"
	"math"
	"math/bits"
	"sync/atomic"

	"lbmib/geometry"
	"lbmib/internal/parallel"
)

// Support is the set of grid nodes in the support of any of a list of points:
// the only nodes that a coupling reads and writes. The zero value is empty and
// ready for use.
//
// A bit for each cell that has points becomes a bit for each node of their supports by shifts of whole words, wherever
// points are as many as words: what it costs then hardly depends on how many nodes points share.
type Support struct {
	Loops parallel.Loops // what shares the work; none: the caller does it

	grid  Grid
	delta Stencil
	x     []geometry.Vec // of a call
	cells []int32        // cell of every point; −1 − that where its support goes on at the other end of the grid
	nodes []int32        // the set, ascending
	set   []uint64       // one bit per node; all zero between calls, like the next
	seeds []uint64       // one bit per cell, behind margin words that stay zero
	found []supportShare // of each worker

	margin int
	shifts []shiftBy // from a cell to the first nodes of the rows of a support
	spread bool      // cells are marked as seeds
	words  [2]int    // the range of words that has bits

	phase struct{ place, mark, grow, list func(worker int) } // made once
}

// shiftBy is a shift of bits by whole words and some bits.
type shiftBy struct {
	words int
	bits  uint
}

// supportShare is what a worker finds of its share of points, and then of words.
type supportShare struct {
	changed bool
	outside int // the first of its points whose support leaves the grid
	cells   [2]int32
	nodes   [2]int // least and greatest
	count   int
	_       [64]byte // keeps neighbours off its cache lines
}

// Rebuild makes the set that of points x, in nodes. It does so only where
// needed: if the grid, the delta and the first node of every point's support
// are what they were, the set is the same, and Rebuild returns false. A point
// whose support leaves an axis that is not periodic is an error, as is a grid
// that is too narrow for the delta; the set is then empty. Repeated calls
// allocate only when the set grows.
func (s *Support) Rebuild(g Grid, d Stencil, x []geometry.Vec) (changed bool, err error) {
	if changed, err = s.place(g, d, x); changed && err == nil {
		s.nodes = growSome(s.nodes, s.mark())
		s.Loops.Run(64*(s.words[1]-s.words[0]), s.phase.list)
	}
	return changed, err
}

// CountSupport is the number of nodes that a Rebuild of an empty set would list.
func CountSupport(g Grid, d Stencil, x []geometry.Vec) (nodes int, err error) {
	var s Support
	if _, err := s.place(g, d, x); err != nil {
		return 0, err
	}
	return s.mark(), nil
}

// place finds the cells of points and tells whether they or the grid are others.
func (s *Support) place(g Grid, d Stencil, x []geometry.Vec) (changed bool, err error) {
	if s.delta == nil || g != s.grid || d.Name() != s.delta.Name() || d.Support() != s.delta.Support() {
		s.clear()
		if err := s.resize(g, d); err != nil {
			return true, err
		}
		changed = true
	}
	changed = changed || len(x) != len(s.cells)
	s.cells, s.x = growSome(s.cells, len(x)), x
	s.Loops.Run(len(x), s.phase.place)
	s.x = nil
	outside := len(x)
	for w := range s.found {
		f := &s.found[w]
		changed, outside = changed || f.changed, min(outside, f.outside)
	}
	if outside < len(x) {
		s.clear()
		return true, g.supportError(d, outside, x[outside])
	}
	return changed, nil
}

// resize makes room for the bits of a grid.
func (s *Support) resize(g Grid, d Stencil) error {
	if err := g.check(d); err != nil {
		return err
	}
	if g.Nodes() > math.MaxInt32 {
		return fmt.Errorf("ib: grid of %d × %d × %d nodes: supports are listed for at most %d: choose a smaller resolution or domain", g.Size[0], g.Size[1], g.Size[2], math.MaxInt32)
	}
	s.grid, s.delta = g, d
	if s.found == nil {
		s.found = make([]supportShare, s.Loops.Workers())
		s.phase.place, s.phase.mark, s.phase.grow, s.phase.list = s.placeShare, s.markShare, s.growShare, s.listShare
	}
	n, nz, row, plane := s.shape()
	s.shifts = s.shifts[:0]
	for l := range nz {
		for j := range n {
			by := l*plane + j*row
			s.shifts = append(s.shifts, shiftBy{by / 64, uint(by % 64)})
		}
	}
	words := (g.Nodes() + 63) / 64
	s.margin = ((nz-1)*plane+(n-1)*row)/64 + 2
	s.set, s.seeds = grow(s.set, words), grow(s.seeds, s.margin+words)
	clear(s.set)
	clear(s.seeds)
	return nil
}

// shape is the nodes of a support along x and y, and along z, and the nodes of a row and of a plane of the grid.
func (s *Support) shape() (n, nz, row, plane int) {
	n, nz = s.delta.Support(), 1
	if s.grid.Dim == 3 {
		nz = n
	}
	return n, nz, s.grid.Size[0], s.grid.Size[0] * s.grid.Size[1]
}

// placeShare finds the cells of a share of the points.
func (s *Support) placeShare(worker int) {
	f, c := &s.found[worker], newCellFinder(&s.grid, s.delta)
	lo, hi := parallel.Share(len(s.x), worker, len(s.found))
	changed, least, most := false, int32(math.MaxInt32), int32(-1)
	f.outside = len(s.x)
	cells := s.cells[lo:hi]
	for k := range cells {
		cell, ok := c.find(&s.x[lo+k])
		if !ok {
			index, whole := s.grid.cell(s.delta, s.x[lo+k])
			if !whole {
				f.outside = lo + k
				return
			}
			cell = int32(index)
			if s.wraps(index) {
				cell = -1 - cell
			}
		}
		if cells[k] != cell {
			cells[k], changed = cell, true
		}
		if cell < 0 {
			cell = -1 - cell
		}
		least, most = min(least, cell), max(most, cell)
	}
	f.changed, f.cells = changed, [2]int32{least, most}
}

// wraps tells whether the support that begins in a cell goes on at the other end of the grid.
func (s *Support) wraps(cell int) bool {
	g := &s.grid
	n, nz, row, plane := s.shape()
	return cell%row+n > row || cell%plane/row+n > g.Size[1] || cell/plane+nz > g.Size[2]
}

// cellFinder is Grid.cell of points whose supports begin and end inside, for many: of grids whose nodes lie at whole numbers.
type cellFinder struct {
	any, flat bool    // it finds some; in two dimensions
	half      float64 // a node where supports are odd
	back      int     // of what is floored, in nodes
	last      [3]uint // node at which a support may begin
	stride    [3]int
}

func newCellFinder(g *Grid, d Stencil) (c cellFinder) {
	n := d.Support()
	c.any = g.spacing() == 1 && g.Offset == [3]float64{} && g.Staggering == [3]float64{}
	c.flat, c.half, c.back = g.Dim == 2, float64(n%2)/2, (n-1)/2
	stride := 1
	for a := range g.Dim {
		c.last[a], c.stride[a] = uint(g.Size[a]-n), stride
		stride *= g.Size[a]
	}
	return c
}

// find is the cell of a point, where it is in the grid with its support; cf. Stencil.First.
func (c *cellFinder) find(p *geometry.Vec) (cell int32, ok bool) {
	x, y := floor(p[0]+c.half)-c.back, floor(p[1]+c.half)-c.back
	at := x + y*c.stride[1]
	ok = c.any && uint(x) <= c.last[0] && uint(y) <= c.last[1]
	if c.flat {
		return int32(at), ok
	}
	z := floor(p[2]+c.half) - c.back
	return int32(at + z*c.stride[2]), ok && uint(z) <= c.last[2]
}

// Nodes are the places in a field of all nodes of the set, ascending. The slice
// is valid until the next Rebuild that changes the set.
func (s *Support) Nodes() []int32 { return s.nodes }

func (s *Support) clear() {
	s.delta, s.cells, s.nodes = nil, s.cells[:0], s.nodes[:0]
}

// mark sets the bits of the nodes of every cell's support, and counts them.
func (s *Support) mark() (count int) {
	lo, hi := int32(math.MaxInt32), int32(-1)
	for w := range s.found {
		f := &s.found[w]
		lo, hi = min(lo, f.cells[0]), max(hi, f.cells[1])
	}
	s.spread = int(hi-lo)/64 <= len(s.cells)
	s.Loops.Run(len(s.cells), s.phase.mark)
	least, most := math.MaxInt, -1
	for w := range s.found {
		f := &s.found[w]
		least, most = min(least, f.nodes[0]), max(most, f.nodes[1])
	}
	s.words = [2]int{0, 0}
	if most >= 0 {
		s.words = [2]int{least / 64, most/64 + 1}
	}
	s.Loops.Run(64*(s.words[1]-s.words[0]), s.phase.grow)
	for w := range s.found {
		count += s.found[w].count
	}
	return count
}

// markShare marks a share of the points: their cells, or the nodes of their supports where these go on at the other end of the
// grid, and where there are few points.
func (s *Support) markShare(worker int) {
	f := &s.found[worker]
	f.nodes = [2]int{math.MaxInt, -1}
	lo, hi := parallel.Share(len(s.cells), worker, len(s.found))
	b := marking{s, f, len(s.found) > 1}
	n, nz, row, plane := s.shape()
	before, last := int32(-1), (nz-1)*plane+(n-1)*row+n-1
	least, most := math.MaxInt, -1
	for _, at := range s.cells[lo:hi] {
		if at == before { // neighbours on a surface often share a cell
			continue
		}
		before = at
		if at < 0 {
			b.around(int(-1 - at))
			continue
		}
		cell := int(at)
		least, most = min(least, cell), max(most, cell+last)
		if s.spread {
			b.or(s.seeds, s.margin+cell/64, 1<<(cell%64))
			continue
		}
		for k := range nz {
			for j := range n {
				b.run(cell+k*plane+j*row, n)
			}
		}
	}
	f.nodes = [2]int{min(f.nodes[0], least), max(f.nodes[1], most)}
}

// marking sets bits beside other workers or without any.
type marking struct {
	s     *Support
	f     *supportShare
	share bool
}

func (b *marking) or(words []uint64, at int, bits uint64) {
	if b.share {
		if atomic.LoadUint64(&words[at])&bits != bits {
			atomic.OrUint64(&words[at], bits)
		}
		return
	}
	words[at] |= bits
}

// run sets n bits from one on, at most 64.
func (b *marking) run(first, n int) {
	bits := uint64(1)<<n - 1
	b.or(b.s.set, first/64, bits<<(first%64))
	if over := first%64 + n - 64; over > 0 {
		b.or(b.s.set, first/64+1, bits>>(n-over))
	}
}

// around marks a support that goes on at the other end of the grid.
func (b *marking) around(cell int) {
	g := &b.s.grid
	n, nz, row, plane := b.s.shape()
	x, y, z := cell%row, cell%plane/row, cell/plane
	here := min(n, g.Size[0]-x) // of a row
	for k := range nz {
		for j := range n {
			line := ((z+k)%g.Size[2]*g.Size[1] + (y+j)%g.Size[1]) * g.Size[0]
			b.run(line+x, here)
			b.f.nodes[0], b.f.nodes[1] = min(b.f.nodes[0], line+x), max(b.f.nodes[1], line+x+here-1)
			if here < n {
				b.run(line, n-here)
				b.f.nodes[0] = min(b.f.nodes[0], line)
			}
		}
	}
}

// growShare makes cells supports in a share of the words, and counts their nodes.
func (s *Support) growShare(worker int) {
	lo, hi := parallel.Share(s.words[1]-s.words[0], worker, len(s.found))
	lo, hi = lo+s.words[0], hi+s.words[0]
	n, count := uint(s.delta.Support()), 0
	before := uint64(0) // the first nodes of rows that the word before has
	if s.spread && lo < hi {
		before = s.rowsFrom(lo - 1)
	}
	for w := lo; w < hi; w++ {
		if s.spread {
			first := s.rowsFrom(w)
			all := first
			for i := uint(1); i < n; i++ {
				all |= first<<i | before>>(64-i)
			}
			s.set[w] |= all
			before = first
		}
		count += bits.OnesCount64(s.set[w])
	}
	s.found[worker].count = count
}

// rowsFrom is the bits in a word of the first nodes of all rows of the supports of cells.
func (s *Support) rowsFrom(word int) (first uint64) {
	for _, by := range s.shifts {
		at := s.margin + word - by.words
		first |= s.seeds[at]<<by.bits | s.seeds[at-1]>>(64-by.bits)
	}
	return first
}

// listShare lists the nodes of a share of the words, and clears these.
func (s *Support) listShare(worker int) {
	at := 0
	for w := range worker {
		at += s.found[w].count
	}
	to := s.nodes[at:][:s.found[worker].count]
	lo, hi := parallel.Share(s.words[1]-s.words[0], worker, len(s.found))
	lo, hi = lo+s.words[0], hi+s.words[0]
	if s.spread {
		clear(s.seeds[s.margin+lo : s.margin+hi])
	}
	k := 0
	for w := lo; w < hi; w++ {
		b := s.set[w]
		s.set[w] = 0
		for b != 0 { // run by run
			first := bits.TrailingZeros64(b)
			n := bits.TrailingZeros64(^(b >> first))
			run := to[k:][:n]
			for i := range run {
				run[i] = int32(64*w + first + i)
			}
			k += n
			if first+n >= 64 {
				break
			}
			b &= ^uint64(0) << (first + n)
		}
	}
}

// growSome is s with length n, in the same memory where it suffices, with some room more where not.
func growSome[E any](s []E, n int) []E {
	if cap(s) < n {
		return make([]E, n, n+n/8)
	}
	return s[:n]
}

// String tells the size of the set.
func (s *Support) String() string {
	return fmt.Sprintf("support of %d points: %d nodes", len(s.cells), len(s.nodes))
}

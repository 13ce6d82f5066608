package contact

import (
	"math"
	"math/bits"
	"slices"

	"lbmib/geometry"
	"lbmib/ib/contact/internal/simd"
)

// skin is by what part of the range neighbours in a list may be farther apart than they act: lists hold until a point
// has moved by half of that.
const skin = 0.25

// neighbours are the pairs of points that may be within the range, by cell lists (Allen & Tildesley, Computer Simulation of
// Liquids, 1987, §5.3). A cell's number is that of its bucket where there are as many buckets, so that points near each other are worked
// on after one another; else buckets are found by a hash of it: memory goes with the points and not with the domain.
type neighbours struct {
	size, inverse geometry.Vec // of periodic axes, in nodes, and 1/size; 0 of others
	middle        geometry.Vec // size/2; infinite of others
	extent        geometry.Vec // of all axes
	cells         [3]int
	perNode       geometry.Vec // cells
	reach, half   float64      // how far apart a pair in the lists may be, beyond its offsets; half the skin

	then    []geometry.Vec // where points were when the lists were made
	cell    []int64        // of each point; −1: it takes no part
	start   []int32        // of each bucket among the members, and their number
	member  simd.Members   // by buckets, ascending in each
	at      []int64        // cells of members
	members int
	near    simd.Near
	only    []int32 // of each bucket: the surface that all members are of; −1: they are of several
	long    []bool  // of each surface: it is so long that it may be near its own image
	shift   int     // of hashes
	hashes  bool    // there are more cells than buckets
	lists   []list  // of each worker
}

// pairs are points and their neighbours.
type pairs struct {
	points []int32 // that have some
	from   []int32 // of each: where its neighbours begin; one more
	near   []int32 // ascending
}

func (p *pairs) clear() { p.points, p.from, p.near = p.points[:0], p.from[:0], p.near[:0] }

// close ends the neighbours of a point, which began at one, filled up to whole multiples.
func (p *pairs) close(point int32, begin, whole int) {
	if begin == len(p.near) {
		return
	}
	for (len(p.near)-begin)%whole != 0 {
		p.near = append(p.near, point)
	}
	p.points, p.from = append(p.points, point), append(p.from, int32(begin))
}

// end ends the last point's.
func (p *pairs) end() { p.from = append(p.from, int32(len(p.near))) }

// list is the neighbours of a worker's share of the members.
type list struct {
	alike, other pairs   // alike: of soft surfaces of one pressure, filled up with the point itself, which does not act on itself, to whole multiples of simd.Lanes
	found        []int32 // by the member at hand
	around       block   // of it
	query        simd.Query
}

// periods are the sizes of periodic axes, in nodes, and 0 of others.
func periods(cfg *Config) (size geometry.Vec) {
	for a, n := range cfg.Size {
		if cfg.Periodic[a] {
			size[a] = float64(n)
		}
	}
	return size
}

// newNeighbours are those of so many points in a box from −½ on, of which pairs act to offset beyond the range at most.
func newNeighbours(cfg *Config, points, surfaces int, offset float64, workers int) *neighbours {
	n := &neighbours{size: periods(cfg), lists: make([]list, workers), long: make([]bool, surfaces)}
	n.reach, n.half = cfg.Range*(1+skin), cfg.Range*skin/2
	most := n.reach + offset
	for a, size := range cfg.Size {
		n.extent[a], n.middle[a] = float64(size), math.Inf(1)
		if cfg.Periodic[a] {
			n.inverse[a], n.middle[a] = 1/n.extent[a], n.extent[a]/2
		}
		n.cells[a] = max(1, int(n.extent[a]/most))
		n.perNode[a] = float64(n.cells[a]) / n.extent[a]
	}
	width := max(4, bits.Len(uint(points)))
	n.shift, n.hashes = 64-width, float64(n.cells[0])*float64(n.cells[1])*float64(n.cells[2]) > float64(int(1)<<width)
	n.then, n.cell = make([]geometry.Vec, points), make([]int64, points)
	n.start, n.only, n.at = make([]int32, 1<<width+1), make([]int32, 1<<width), make([]int64, points)
	n.member.Grow(points)
	n.near = simd.NearestForm()
	for w := range n.lists {
		n.lists[w].query.Inverse, n.lists[w].query.Size = n.inverse, n.size
	}
	return n
}

// apart is x − y, to the nearest image of y. Of y and x it is the negative of that, to the last bit.
func (n *neighbours) apart(x, y *geometry.Vec) geometry.Vec {
	dx, dy, dz := x[0]-y[0], x[1]-y[1], x[2]-y[2]
	if math.Abs(dx) <= n.middle[0] && math.Abs(dy) <= n.middle[1] && math.Abs(dz) <= n.middle[2] { // nearly always
		return geometry.Vec{dx, dy, dz}
	}
	return n.nearest(dx, dy, dz)
}

// nearest is a difference to the nearest image.
//
//go:noinline
func (n *neighbours) nearest(dx, dy, dz float64) geometry.Vec {
	return geometry.Vec{
		dx - n.size[0]*math.RoundToEven(dx*n.inverse[0]),
		dy - n.size[1]*math.RoundToEven(dy*n.inverse[1]),
		dz - n.size[2]*math.RoundToEven(dz*n.inverse[2]),
	}
}

// hold tells whether the lists hold, as far as points lo ≤ k < hi tell.
func (n *neighbours) hold(at []simd.Site, lo, hi int) bool {
	bound := n.half * n.half
	then := n.then[lo:hi]
	for k := range then {
		x, y := &at[lo+k].X, &then[k]
		dx, dy, dz := x[0]-y[0], x[1]-y[1], x[2]-y[2]
		if !(dx*dx+dy*dy+dz*dz <= bound) {
			return false
		}
	}
	return true
}

// along is the cell of a coordinate. Places beyond a face are taken for those at it.
func (n *neighbours) along(a int, x float64) int {
	x += 0.5
	if n.size[a] > 0 {
		x -= n.size[a] * math.Floor(x*n.inverse[a])
	}
	return min(max(int(x*n.perNode[a]), 0), n.cells[a]-1)
}

// place finds the cells of points lo ≤ k < hi.
func (n *neighbours) place(at []simd.Site, lo, hi int) {
	for k := lo; k < hi; k++ {
		x := &at[k].X
		n.then[k] = *x
		if at[k].Area == 0 {
			n.cell[k] = -1
			continue
		}
		n.cell[k] = int64(n.along(0, x[0])) + int64(n.cells[0])*(int64(n.along(1, x[1]))+int64(n.cells[1])*int64(n.along(2, x[2])))
	}
}

// bucket is that of a cell, where there are too many by Knuth's multiplicative hash.
func (n *neighbours) bucket(cell int64) int {
	if n.hashes {
		return int(uint64(cell) * 0x9E3779B97F4A7C15 >> n.shift)
	}
	return int(cell)
}

// sort puts the points into buckets.
func (n *neighbours) sort(s *System) {
	clear(n.start)
	for _, cell := range n.cell {
		if cell >= 0 {
			n.start[n.bucket(cell)]++
		}
	}
	sum := int32(0)
	for b, count := range n.start {
		n.start[b], sum = sum, sum+count
	}
	for k, cell := range n.cell { // which moves every start to the next
		if cell >= 0 {
			b := n.bucket(cell)
			n.put(int(n.start[b]), s, k, s.of[k])
			n.start[b]++
		}
	}
	copy(n.start[1:], n.start)
	n.start[0] = 0
	n.members = int(sum)
	for b := range n.only {
		n.only[b] = -1
		for i, of := range n.member.Of[n.start[b]:n.start[b+1]] {
			if i == 0 {
				n.only[b] = of
			} else if of != n.only[b] {
				n.only[b] = -1
				break
			}
		}
	}
}

// put makes point k of a surface a member.
func (n *neighbours) put(i int, s *System, k int, of int32) {
	m, x := &n.member, &n.then[k]
	m.X[i], m.Y[i], m.Z[i], m.Offset[i] = x[0], x[1], x[2], s.offset[of]
	m.Point[i], m.Of[i], n.at[i] = int32(k), s.marked(of), n.cell[k]
}

// marked is a surface as members have it.
func (s *System) marked(of int32) int32 {
	if s.pressure[of] > 0 {
		return of
	}
	return of + simd.Hard
}

// measure finds which surfaces, the points of each from a first on, are so long that they may be near their own image.
func (n *neighbours) measure(first []int) {
	for i, from := range first {
		to := len(n.then)
		if i+1 < len(first) {
			to = first[i+1]
		}
		n.long[i] = false
		for a, size := range n.size {
			if size == 0 || from == to {
				continue
			}
			least, most := n.then[from][a], n.then[from][a]
			for k := from + 1; k < to; k++ {
				least, most = min(least, n.then[k][a]), max(most, n.then[k][a])
			}
			n.long[i] = n.long[i] || most-least+n.reach > size
		}
	}
}

// beside are the cells along an axis from the one before to the one after a coordinate's, each once.
func (n *neighbours) beside(a int, x float64) (all [3]int64, count int) {
	c, last := n.along(a, x), n.cells[a]-1
	for _, b := range [3]int{c - 1, c, c + 1} {
		if n.size[a] > 0 && last >= 2 {
			b = (b + last + 1) % (last + 1)
		}
		if 0 <= b && b <= last {
			all[count] = int64(b)
			count++
		}
	}
	return all, count
}

// block is the cells around one that have points: runs of members; only of each and the cell, where buckets have members of others.
type block struct {
	of    int64 // the cell; −1: none
	count int
	simd.Block
	cell [simd.MostRuns]int64
}

// gather makes the block that of a cell, in which x is. Cells that follow each other make one run.
func (n *neighbours) gather(k *block, cell int64, x *geometry.Vec) {
	k.of, k.count = cell, 0
	xs, nx := n.beside(0, x[0])
	ys, ny := n.beside(1, x[1])
	zs, nz := n.beside(2, x[2])
	for _, z := range zs[:nz] {
		for _, y := range ys[:ny] {
			row := int64(n.cells[0]) * (y + int64(n.cells[1])*z)
			for _, at := range xs[:nx] {
				b := n.bucket(row + at)
				lo, hi := n.start[b], n.start[b+1]
				if lo == hi {
					continue
				}
				if last := k.count - 1; last >= 0 && !n.hashes && k.Hi[last] == lo {
					if k.Hi[last] = hi; k.Only[last] != n.only[b] {
						k.Only[last] = -1
					}
					continue
				}
				k.cell[k.count], k.Lo[k.count], k.Hi[k.count], k.Only[k.count] = row+at, lo, hi, n.only[b]
				k.count++
			}
		}
	}
}

// find makes the lists of members lo ≤ i < hi.
func (n *neighbours) find(s *System, worker, lo, hi int) {
	l := &n.lists[worker]
	l.alike.clear()
	l.other.clear()
	l.around.of = -1
	for i := lo; i < hi; i++ {
		point := n.member.Point[i]
		x, of := &n.then[point], n.member.Of[i]&^simd.Hard
		if !s.asked(of, x) {
			continue
		}
		if n.at[i] != l.around.of {
			n.gather(&l.around, n.at[i], x)
		}
		if l.found = l.found[:0]; n.long[of] || n.hashes {
			l.found = n.appendOneByOne(l.found, s, x, of, &l.around)
		} else {
			n.append(l, s, x, of)
		}
		ascending(l.found)
		alike, other := len(l.alike.near), len(l.other.near)
		for _, k := range l.found {
			if s.alike && s.pressure[of] > 0 && s.pressure[s.of[k]] > 0 {
				l.alike.near = append(l.alike.near, k)
			} else {
				l.other.near = append(l.other.near, k)
			}
		}
		l.alike.close(point, alike, simd.Lanes)
		l.other.close(point, other, 1)
	}
	l.alike.end()
	l.other.end()
}

// append finds the neighbours of a point of a surface at x in the order of cells.
func (n *neighbours) append(l *list, s *System, x *geometry.Vec, of int32) {
	q, most := &l.query, 0
	q.At, q.Base, q.Self, q.Most = *x, n.reach+s.offset[of], s.marked(of), math.MaxInt32
	if q.Self >= simd.Hard { // two that are not soft do nothing to each other
		q.Most = simd.Hard - 1
	}
	for r := range l.around.count {
		most += int(l.around.Hi[r] - l.around.Lo[r])
	}
	l.found = slices.Grow(l.found, most+simd.Beyond)
	l.found = l.found[:n.near(&n.member, &l.around.Block, l.around.count, q, l.found[:cap(l.found)])]
}

// appendOneByOne is append where the surface may be near itself, and where members of other cells share buckets.
func (n *neighbours) appendOneByOne(near []int32, s *System, x *geometry.Vec, of int32, around *block) []int32 {
	soft, long, self := s.pressure[of] > 0, n.long[of], s.marked(of)
	for c := range around.count {
		if around.Only[c] == self && !long {
			continue
		}
		for i := around.Lo[c]; i < around.Hi[c]; i++ {
			m := &n.member
			other, y := m.Of[i], &geometry.Vec{m.X[i], m.Y[i], m.Z[i]}
			if n.hashes && n.at[i] != around.cell[c] || other == self && !(long && n.wraps(x, y)) || !soft && other >= simd.Hard {
				continue
			}
			within := n.reach + s.offset[of] + n.member.Offset[i]
			d := n.apart(x, y)
			if d[0]*d[0]+d[1]*d[1]+d[2]*d[2] < within*within {
				near = append(near, n.member.Point[i])
			}
		}
	}
	return near
}

// wraps tells whether y is nearest to x by an image of it: a body may touch itself across periodic faces.
func (n *neighbours) wraps(x, y *geometry.Vec) bool {
	for a, size := range n.size {
		if math.Abs(x[a]-y[a]) > size/2 && size > 0 {
			return true
		}
	}
	return false
}

// ascending sorts a few numbers.
func ascending(v []int32) {
	for i := 1; i < len(v); i++ {
		x, j := v[i], i
		for ; j > 0 && v[j-1] > x; j-- {
			v[j] = v[j-1]
		}
		v[j] = x
	}
}

package ib

import (
	"math/bits"

	"lbmib/ib/internal/simd"
)

// slab is the planes of a field that some supports reach, with the components of every node beside each other: what a row of a support
// takes is then loaded and stored as often as that of one component alone, and lies in fewer cache lines. Points in the order of planes
// meet each plane as many times as a support is wide; in between the slab has it. Nodes are brought in when a support first needs
// them, some neighbours along x together, and back when their plane is left, which nearly always is when all points that reach them have been spread: each node has then received the
// same terms in the same order as in the field itself.
type slab[T Float] struct {
	f      *frame[T]
	s      *site
	field  [][]T
	writes bool   // nodes go back to the field
	zero   bool   // that is zero: they need not be brought in
	left   []bool // planes of the grid that have been brought back
	stride int    // elements of a row
	room   []T
	planes []slabPlane
	row    [2][]int // simd.Batch.Row: of every row, and of those planes at hand
	values []T      // of a batch, the components of a point beside each other
	rest   [simd.Components]T
	need   []uint64 // pieces of a row that supports at hand reach, a bit each
	rows   simd.Rows[T]
	none   []T // what a component that there is not has in a row
	pieces int // brought in
	at     planesOf
	do     struct{ interleave, separate, zeros func(at, n int, side []T) } // made once
	some   struct{ before, behind planes }                                 // those at hand of every point, where they are not all
}

// slabPlane is a plane of a slab.
type slabPlane struct {
	at     int      // which of the grid; −1: none
	place  int      // in the room
	have   []uint64 // of every row: pieces that are here
	lo, hi int      // rows that have some
}

// planesOf are planes of the supports that begin at plane z, before the end of the grid and behind it.
type planesOf struct {
	z              int // −1: none
	before, behind [2]int32
}

const (
	// slabPiece is the nodes along x that are brought in together: a cache line of each component in float64.
	slabPiece = 8
	// mostOfSlab is the elements that a slab may have: more leave the caches before they are met again.
	mostOfSlab = 1 << 20
	// lookAgain is the number of transfers after which that is looked at anew.
	lookAgain = 256
)

// slabs tells whether transfers go through slabs, which makes no difference to what comes of them.
type slabs struct {
	use   bool // this one does
	waits int  // transfers that go without
}

// begin is for a transfer of fields that may go through slabs.
func (p *slabs) begin(may bool) {
	if p.use = may && p.waits == 0; p.waits > 0 {
		p.waits--
	}
}

// endSlabs decides by what a transfer of n points has brought in how the next go: bringing as many nodes as half of a support in for each point
// costs what it saves.
func (f *frame[T]) endSlabs(p *slabs, n int) {
	if !p.use {
		return
	}
	p.use = false
	nodes := 0
	for w := range f.workers {
		of := &f.workers[w].slab
		nodes += of.pieces * slabPiece
		of.pieces = 0
	}
	if 2*nodes > f.support*f.support*f.support*n {
		p.waits = lookAgain
	}
}

// fitsSlab tells whether fields of so many components may go through slabs.
func (f *frame[T]) fitsSlab(components int) bool {
	return f.loops.SpreadAoS != nil && len(f.sites) == 1 && components <= simd.Components && components > simd.Components/2 && SlabValues(&f.grid, f.support) > 0
}

// SlabValues is the values that a worker of a transfer of sorted points may keep of the planes of a grid at hand: in 3D, where they are few enough to stay in the
// caches.
func SlabValues(g *Grid, support int) int {
	if n := slabStride(g) * g.Size[1] * support; g.Dim == 3 && n <= mostOfSlab {
		return n
	}
	return 0
}

// slabStride is the elements of a row of a slab.
func slabStride(g *Grid) int {
	return (g.Size[0] + slabPiece - 1) / slabPiece * slabPiece * simd.Components
}

// begin takes on a field. Nothing is in the slab.
func (p *slab[T]) begin(f *frame[T], field [][]T, writes, zero bool) {
	p.field, p.writes, p.zero, p.at.z = field, writes, zero, -1
	clear(p.left)
	if p.room != nil {
		return
	}
	p.f, p.s, p.stride = f, &f.sites[0], slabStride(&f.sites[0].grid)
	p.do.interleave, p.do.separate, p.do.zeros = p.interleave, p.separate, p.zeros
	size := &p.s.grid.Size
	words := (p.stride/simd.Components/slabPiece + 63) / 64
	p.need = make([]uint64, words)
	p.room = make([]T, p.stride*size[1]*f.support)
	p.none = make([]T, p.stride/simd.Components)
	p.values = make([]T, simd.Components*batchSize)
	p.planes = make([]slabPlane, f.support)
	for i := range p.planes {
		p.planes[i] = slabPlane{at: -1, place: i * size[1] * p.stride, have: make([]uint64, words*size[1]), lo: size[1]}
	}
	for i := range size[1] + MaxSupport {
		p.row[0] = append(p.row[0], i%size[1]*p.stride)
	}
	p.row[1], p.left = make([]int, size[2]+MaxSupport), make([]bool, size[2])
}

// end brings back what the slab has, and leaves the field.
func (p *slab[T]) end() {
	for i := range p.planes {
		p.empty(&p.planes[i])
	}
	p.field = nil
}

// empty brings back what a plane has.
func (p *slab[T]) empty(plane *slabPlane) {
	words := len(p.need)
	for y := plane.lo; y < plane.hi && p.writes; y++ {
		for w, have := range plane.have[y*words:][:words] {
			p.move(plane, y, 64*w, have, p.do.separate)
		}
	}
	if plane.lo < plane.hi {
		clear(plane.have[plane.lo*words : plane.hi*words])
	}
	if plane.at >= 0 {
		p.left[plane.at] = true
	}
	plane.at, plane.lo, plane.hi = -1, p.s.grid.Size[1], 0
}

// move does something with pieces of a row, those whose bits are set, counted from the first on.
func (p *slab[T]) move(plane *slabPlane, y, first int, set uint64, do func(at, n int, side []T)) {
	size := &p.s.grid.Size
	line, side := (plane.at*size[1]+y)*size[0], p.room[plane.place+y*p.stride:][:p.stride]
	for set != 0 {
		at := bits.TrailingZeros64(set)
		n := bits.TrailingZeros64(^(set >> at))
		x := (first + at) * slabPiece
		do(line+x, min(n*slabPiece, size[0]-x), side[x*simd.Components:])
		if at+n >= 64 {
			return
		}
		set &= ^uint64(0) << (at + n)
	}
}

// interleave brings n nodes from one of the field on to the side.
func (p *slab[T]) interleave(at, n int, side []T) {
	p.f.loops.Interleave(p.whole(at, n, side))
	for i := n &^ 3; i < n; i++ {
		for c, f := range p.field {
			side[simd.Components*i+c] = f[at+i]
		}
	}
}

// separate brings them back.
func (p *slab[T]) separate(at, n int, side []T) {
	p.f.loops.Separate(p.whole(at, n, side))
	for i := n &^ 3; i < n; i++ {
		for c, f := range p.field {
			f[at+i] = side[simd.Components*i+c]
		}
	}
}

// whole is those of the nodes that make whole vectors.
func (p *slab[T]) whole(at, n int, side []T) *simd.Rows[T] {
	r := &p.rows
	r.N, r.Nodes = n&^3, side
	for c := range r.Row {
		if r.Row[c] = p.none; c < len(p.field) {
			r.Row[c] = p.field[c][at:][:n]
		}
	}
	return r
}

// zeros makes n nodes zero.
func (p *slab[T]) zeros(_, n int, side []T) { clear(side[:simd.Components*n]) }

// reach makes planes of supports that begin at the same one those at hand.
func (p *slab[T]) reach(to planesOf) {
	if to == p.at {
		return
	}
	p.at = to
	size := p.s.grid.Size[2]
	for i := range p.planes {
		plane := &p.planes[i]
		if plane.at >= 0 && !to.has((plane.at-to.z+size)%size) {
			p.empty(plane)
		}
	}
	for l := range p.f.support {
		if to.has(l) {
			p.row[1][to.z+l] = p.plane((to.z + l) % size).place
		}
	}
	fill := func(s *planes, l [2]int32) {
		for k := range s.from {
			s.from[k], s.to[k] = l[0], l[1]
		}
	}
	fill(&p.some.before, to.before)
	fill(&p.some.behind, to.behind)
}

// has tells whether a support's plane l is among them.
func (p *planesOf) has(l int) bool {
	in := func(r [2]int32) bool { return int(r[0]) <= l && l < int(r[1]) }
	return in(p.before) || in(p.behind)
}

// plane is the place of a plane of the grid, an empty one where it has none yet.
func (p *slab[T]) plane(at int) *slabPlane {
	free := -1
	for i := range p.planes {
		switch p.planes[i].at {
		case at:
			return &p.planes[i]
		case -1:
			free = i
		}
	}
	p.planes[free].at = at
	return &p.planes[free]
}

// fetch brings in what the points lo ≤ k < hi of a batch reach of the planes at hand; r has those of their rests from one on.
func (p *slab[T]) fetch(b *batch[T], lo, hi int, r *rests[T], rest int) {
	over := int32(p.f.support - 1)
	x, y := b.axis[0][p.s.track[0]].first, b.axis[1][p.s.track[1]].first
	for k := lo; k < hi; {
		line, end := y[k], k+1
		for end < hi && y[end] == line {
			end++
		}
		p.findNeed(x[k:end], over)
		for k = end; rest < r.n && int(r.point[rest]) < end; rest++ {
			p.need[0] |= 1 // at the beginning of the row
		}
		for i := range p.planes {
			if p.planes[i].at >= 0 {
				p.fetchRows(&p.planes[i], int(line))
			}
		}
	}
}

// findNeed finds the pieces that supports reach whose first nodes along x are these, and the last so many behind.
func (p *slab[T]) findNeed(first []int32, over int32) {
	if len(p.need) == 1 {
		var need uint64
		for _, x := range first {
			need |= 1<<(uint32(x)/slabPiece%64) | 1<<(uint32(x+over)/slabPiece%64)
		}
		p.need[0] = need
		return
	}
	clear(p.need)
	for _, x := range first {
		for _, at := range [2]uint32{uint32(x) / slabPiece, uint32(x+over) / slabPiece} {
			p.need[at/64] |= 1 << (at % 64)
		}
	}
}

// fetchRows brings in what is needed of the rows of a plane that supports from a line on reach.
func (p *slab[T]) fetchRows(plane *slabPlane, line int) {
	words, ny, in := len(p.need), p.s.grid.Size[1], p.do.interleave
	if p.zero && !p.left[plane.at] {
		in = p.do.zeros
	}
	for y := line; y < line+p.f.support; y++ {
		y := y
		if y >= ny {
			y -= ny
		}
		have := plane.have[y*words:][:words]
		for w, need := range p.need {
			if missing := need &^ have[w]; missing != 0 {
				p.move(plane, y, 64*w, missing, in)
				have[w] |= missing
				p.pieces += bits.OnesCount64(missing)
				plane.lo, plane.hi = min(plane.lo, y), max(plane.hi, y+1)
			}
		}
	}
}

// each does something with the points of a batch in their order, pieces of it whose supports begin at the same plane, when the slab has what they reach: points
// lo ≤ k < hi, and, where rest ≥ 0, that rest of the last of them. own tells which planes of supports are wanted; nil: all.
func (p *slab[T]) each(b *batch[T], own []planesAt, do func(lo, hi, rest int)) {
	z, r := b.axis[2][p.s.track[2]].first[:b.n], &b.rest[p.s.track[0]]
	rest := 0
	for lo := 0; lo < b.n; {
		hi := lo + 1
		for hi < b.n && z[hi] == z[lo] {
			hi++
		}
		at := planesOf{z: int(z[lo]), before: [2]int32{0, int32(p.f.support)}}
		if own != nil {
			at.before, at.behind = own[z[lo]].before, own[z[lo]].behind
		}
		p.reach(at)
		p.fetch(b, lo, hi, r, rest)
		for ; rest < r.n && int(r.point[rest]) < hi; rest++ {
			do(lo, int(r.point[rest])+1, rest)
			lo = int(r.point[rest]) + 1
		}
		if lo < hi {
			do(lo, hi, -1)
		}
		lo = hi
	}
}

// aim directs the loops at some points of a batch.
func (p *slab[T]) aim(b *batch[T], lo, hi int) {
	b.aim(p.s, p.room)
	b.at.Row, b.at.N = p.row, hi-lo
	for a := range b.at.First {
		b.at.First[a], b.at.Weight[a] = b.at.First[a][lo:], b.at.Weight[a][lo*p.f.stride:]
	}
	b.at.Values = p.values[lo*simd.Components:]
}

// aimRest directs them at a rest of one point instead.
func (p *slab[T]) aimRest(b *batch[T], k, rest int) {
	p.aim(b, k, k+1)
	b.at.First[0], b.at.Weight[0] = b.zero[:], b.rest[p.s.track[0]].weight[rest*p.f.stride:]
}

// spread adds p.values of a batch's points to nodes.
func (p *slab[T]) spread(b *batch[T], own []planesAt) {
	p.each(b, own, func(lo, hi, rest int) {
		p.aim(b, lo, hi)
		p.add(b)
		if rest >= 0 {
			p.aimRest(b, hi-1, rest)
			p.add(b)
		}
	})
}

// add spreads to the planes at hand.
func (p *slab[T]) add(b *batch[T]) {
	for _, l := range [2]*planes{&p.some.before, &p.some.behind} {
		if l.from[0] < l.to[0] {
			b.at.From, b.at.To = l.from[:], l.to[:]
			p.f.loops.SpreadAoS(&b.at)
		}
	}
}

// interpolate makes p.values those of a batch's points.
func (p *slab[T]) interpolate(b *batch[T]) {
	p.each(b, nil, func(lo, hi, rest int) {
		p.aim(b, lo, hi)
		p.f.loops.InterpolateAoS(&b.at)
		if rest < 0 {
			return
		}
		p.aimRest(b, hi-1, rest)
		b.at.Values = p.rest[:]
		p.f.loops.InterpolateAoS(&b.at)
		for c, v := range p.rest {
			p.values[simd.Components*(hi-1)+c] += v
		}
	})
}

// expect asks for the values of the points of a batch that will be taken or given next, which lie anywhere.
func expect[T Float](index []int32, lo, hi int, values [][]T) {
	if lo < hi {
		for _, v := range values {
			simd.Prefetch(v, index[lo:hi])
		}
	}
}

// take brings the values of sorted points lo ≤ i < hi into p.values, times h^-d.
func (p *slab[T]) take(index []int32, lo, hi int, values [][]T) {
	scale := p.f.scale
	for c, from := range values {
		to := p.values[c:]
		for i, k := range index[lo:hi] {
			to[simd.Components*i] = scale * from[k]
		}
	}
	if len(values) < simd.Components { // what there is not is zero, so that it stays finite
		for i := range hi - lo {
			p.values[simd.Components*i+simd.Components-1] = 0
		}
	}
}

// give stores p.values as those of sorted points lo ≤ i < hi.
func (p *slab[T]) give(index []int32, lo, hi int, values [][]T) {
	for c, to := range values {
		from := p.values[c:]
		for i, k := range index[lo:hi] {
			to[k] = from[simd.Components*i]
		}
	}
}

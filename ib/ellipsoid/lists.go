package ellipsoid

import (
	"math"
	"slices"

	"lbmib/geometry"
	"lbmib/internal/parallel"
)

// skin is by what part of the reach pairs in a list may be farther apart than they act: lists hold until a particle
// has moved by half of that.
const skin = 0.12

// lists are the pairs that may be within reach, by link cells (Allen & Tildesley, Computer Simulation of Liquids, 1987, §5.3)
// of an edge of the reach and the skin at least. Cells are not stored but for those that hold particles, ascending by their number,
// and found by bisection: MUPHY's COO2CELL. Memory goes with the particles, not with the box.
//
// Particles are held in slots, by cells, so that those that are near in space are near in memory.
type lists struct {
	box    box
	cells  [3]int
	edge   geometry.Vec // 1/(a cell's edge)
	within float64      // squared distance of pairs in lists
	half2  float64      // squared half of the skin

	then []geometry.Vec // where particles were when the lists were made
	made bool

	key   []uint64 // of each slot: cell
	slot  []int32  // of each: its particle
	spare struct {
		key  []uint64
		slot []int32
	}
	occupied []uint64 // cells that hold particles, ascending
	first    []int32  // of each: its first slot; one more
	shares   []listShare

	near                    func(x *geometry.Vec) bool // where particles have lists; nil: everywhere
	moved                   []bool                     // of each worker
	place, pack, find, hold func(worker int)
	places                  []place // of each slot
	state                   *Particles
}

// place is what a pair's law needs of a particle.
type place struct{ x, axis geometry.Vec }

// listShare is the neighbours of a worker's share of the slots.
type listShare struct {
	from  []int32  // of each slot: where its neighbours begin; one more
	near  []int32  // their slots, ascending by particle
	hits  []int32  // of one: those in contact
	pairs []pairAt // of these
}

// box is the domain, as distances between particles know it.
type box struct {
	size, inverse, middle geometry.Vec // of periodic axes, 1/size; 0 of others; size/2, infinite of others
	extent                geometry.Vec
}

func newBox(size [3]int, periodic [3]bool) (b box) {
	for a, n := range size {
		b.extent[a], b.middle[a] = float64(n), math.Inf(1)
		if periodic[a] {
			b.size[a], b.inverse[a], b.middle[a] = float64(n), 1/float64(n), float64(n)/2
		}
	}
	return b
}

// apart is x − y, to the nearest image of y, of places in the box.
func (b *box) apart(x, y *geometry.Vec) geometry.Vec {
	dx, dy, dz := x[0]-y[0], x[1]-y[1], x[2]-y[2]
	if math.Abs(dx) <= b.middle[0] && math.Abs(dy) <= b.middle[1] && math.Abs(dz) <= b.middle[2] { // nearly always
		return geometry.Vec{dx, dy, dz}
	}
	return b.nearest(dx, dy, dz)
}

// nearest is a difference to the nearest image. Of its negative it is the negative.
//
//go:noinline
func (b *box) nearest(dx, dy, dz float64) geometry.Vec {
	return geometry.Vec{
		dx - b.size[0]*math.RoundToEven(dx*b.inverse[0]),
		dy - b.size[1]*math.RoundToEven(dy*b.inverse[1]),
		dz - b.size[2]*math.RoundToEven(dz*b.inverse[2]),
	}
}

// wrap brings a place into the box, and counts.
func (b *box) wrap(x *geometry.Vec, turns *[3]int32) {
	for a, n := range b.size {
		for n > 0 && x[a] >= n-0.5 {
			x[a] -= n
			turns[a]++
		}
		for n > 0 && x[a] < -0.5 {
			x[a] += n
			turns[a]--
		}
	}
}

func newLists(p *Particles, b box, reach float64, loops parallel.Loops) *lists {
	n, workers := p.Len(), loops.Workers()
	l := &lists{box: b, state: p, then: make([]geometry.Vec, n), key: make([]uint64, n), slot: make([]int32, n),
		shares: make([]listShare, workers), moved: make([]bool, workers), places: make([]place, n)}
	l.spare.key, l.spare.slot = make([]uint64, n), make([]int32, n)
	most := reach * (1 + skin)
	l.within, l.half2 = most*most, reach*skin/2*(reach*skin/2)
	for a, size := range b.extent {
		l.cells[a] = min(max(1, int(size/most)), 1<<20)
		l.edge[a] = float64(l.cells[a]) / size
	}
	share := func(do func(w, lo, hi int)) func(int) {
		return func(w int) {
			lo, hi := parallel.Share(n, w, workers)
			do(w, lo, hi)
		}
	}
	l.hold = share(func(w, lo, hi int) { l.moved[w] = !l.holds(lo, hi) })
	l.place = share(func(_, lo, hi int) { l.putInCells(lo, hi) })
	l.pack = share(func(_, lo, hi int) { l.fill(lo, hi) })
	l.find = share(l.findShare)
	return l
}

// update has the slots be where the particles are, and the lists hold.
func (l *lists) update(loops parallel.Loops) {
	n := l.state.Len()
	moved := !l.made
	if !moved {
		loops.Run(n, l.hold)
		moved = slices.Contains(l.moved, true)
	}
	if moved {
		loops.Run(n, l.place)
		l.sort()
	}
	loops.Run(n, l.pack)
	if moved {
		loops.Run(n, l.find)
		l.made = true
	}
}

// holds tells whether particles lo ≤ i < hi are near where they were.
func (l *lists) holds(lo, hi int) bool {
	for i := lo; i < hi; i++ {
		d := l.box.apart(&l.state.X[i], &l.then[i])
		if !(d[0]*d[0]+d[1]*d[1]+d[2]*d[2] <= l.half2) {
			return false
		}
	}
	return true
}

// along is the cell of a coordinate. Places beyond a face are taken for those at it.
func (l *lists) along(a int, x float64) int {
	return min(max(int((x+0.5)*l.edge[a]), 0), l.cells[a]-1)
}

func (l *lists) number(x, y, z int) uint64 {
	return uint64(x) + uint64(l.cells[0])*(uint64(y)+uint64(l.cells[1])*uint64(z))
}

// putInCells finds the cells of particles lo ≤ i < hi.
func (l *lists) putInCells(lo, hi int) {
	for i := lo; i < hi; i++ {
		x := l.state.X[i]
		l.then[i] = x
		l.key[i], l.slot[i] = l.number(l.along(0, x[0]), l.along(1, x[1]), l.along(2, x[2])), int32(i)
	}
}

// digits of the radix sort.
const digit = 11

// sort orders slots by cell, and by particle in each (radix sort by digits from the least, which keeps the order of equals).
func (l *lists) sort() {
	most := l.number(l.cells[0]-1, l.cells[1]-1, l.cells[2]-1)
	var count [1 << digit]int32
	for shift := 0; most>>shift > 0; shift += digit {
		clear(count[:])
		for _, k := range l.key {
			count[k>>shift&(1<<digit-1)]++
		}
		sum := int32(0)
		for d, c := range count {
			count[d], sum = sum, sum+c
		}
		for i, k := range l.key {
			to := &count[k>>shift&(1<<digit-1)]
			l.spare.key[*to], l.spare.slot[*to] = k, l.slot[i]
			*to++
		}
		l.key, l.spare.key, l.slot, l.spare.slot = l.spare.key, l.key, l.spare.slot, l.slot
	}
	l.occupied, l.first = l.occupied[:0], l.first[:0]
	for s, k := range l.key {
		if s == 0 || k != l.key[s-1] {
			l.occupied, l.first = append(l.occupied, k), append(l.first, int32(s))
		}
	}
	l.first = append(l.first, int32(len(l.key)))
}

// fill makes slots lo ≤ s < hi those of their particles now.
func (l *lists) fill(lo, hi int) {
	for s, i := range l.slot[lo:hi] {
		l.places[lo+s] = place{l.state.X[i], l.state.Axes[i][2]}
	}
}

// around are the slots of a cell and the 26 beside it, as ranges.
type around struct {
	count  int
	lo, hi [27]int32
}

// gather finds the ranges of the cell that x is in.
func (l *lists) gather(r *around, x *geometry.Vec) {
	r.count = 0
	zs, nz := l.beside(2, x[2])
	ys, ny := l.beside(1, x[1])
	xs, nx := l.beside(0, x[0])
	for _, z := range zs[:nz] {
		for _, y := range ys[:ny] {
			for k := 0; k < nx; {
				run := 1 // cells that follow each other are a range
				for k+run < nx && xs[k+run] == xs[k]+run {
					run++
				}
				key := l.number(xs[k], y, z)
				at, _ := slices.BinarySearch(l.occupied, key)
				end := at
				for end < len(l.occupied) && l.occupied[end] < key+uint64(run) {
					end++
				}
				if at < end {
					r.lo[r.count], r.hi[r.count] = l.first[at], l.first[end]
					r.count++
				}
				k += run
			}
		}
	}
}

// beside are the cells along an axis from the one before to the one after a coordinate's, each once.
func (l *lists) beside(a int, x float64) (all [3]int, count int) {
	c, n := l.along(a, x), l.cells[a]
	for _, b := range [3]int{c - 1, c, c + 1} {
		if l.box.size[a] > 0 && n >= 3 {
			b = (b + n) % n
		}
		if 0 <= b && b < n {
			all[count] = b
			count++
		}
	}
	return all, count
}

// findShare makes the lists of slots lo ≤ s < hi.
func (l *lists) findShare(worker, lo, hi int) {
	own := &l.shares[worker]
	own.from, own.near = own.from[:0], own.near[:0]
	var r around
	for s := lo; s < hi; s++ {
		x := &l.places[s].x
		if s == lo || l.key[s] != l.key[s-1] {
			l.gather(&r, &l.then[l.slot[s]])
		}
		own.from = append(own.from, int32(len(own.near)))
		if l.near != nil && !l.near(x) {
			continue
		}
		for k := range r.count {
			for j := r.lo[k]; j < r.hi[k]; j++ {
				y := &l.places[j].x
				dx, dy, dz := x[0]-y[0], x[1]-y[1], x[2]-y[2]
				if !(math.Abs(dx) <= l.box.middle[0] && math.Abs(dy) <= l.box.middle[1] && math.Abs(dz) <= l.box.middle[2]) {
					d := l.box.nearest(dx, dy, dz)
					dx, dy, dz = d[0], d[1], d[2]
				}
				if dx*dx+dy*dy+dz*dz < l.within && int(j) != s {
					own.near = append(own.near, j)
				}
			}
		}
		l.byParticle(own.near[own.from[s-lo]:])
	}
	own.from = append(own.from, int32(len(own.near)))
}

// byParticle orders a few slots by the number of their particle.
func (l *lists) byParticle(near []int32) {
	for i := 1; i < len(near); i++ {
		s, j := near[i], i
		for p := l.slot[s]; j > 0 && l.slot[near[j-1]] > p; j-- {
			near[j] = near[j-1]
		}
		near[j] = s
	}
}

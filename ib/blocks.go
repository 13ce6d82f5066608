package ib

import (
	"sync/atomic"

	"lbmib/geometry"
	"lbmib/internal/parallel"
)

// blocks is the particle–mesh method for streaming processors of Büyükkeçeci, Awile
// & Sbalzarini, Parallel Computing 39 (2013) 94: spreading is their particle–mesh
// interpolation (Algorithms 1 and 2), interpolating their mesh–particle interpolation
// (Algorithms 3 and 4).
//
// Cells are grouped in blocks, the workgroups. The particles of a cell are put into
// different domain copies, so that in a copy a cell holds one particle or none; where
// it has none there is a dummy of zero strength. All cells push their particles onto
// the nodes of an extended block in step, the same shift for all at a time: no two
// meet on a node, and the loop over cells is a loop over contiguous places without
// a condition. Extended blocks replicate the nodes that blocks share, and are
// stitched together afterwards.
//
// What differs here, where a worker does a whole block and memory is cached:
//   - A domain copy is not kept for all blocks but made for one block at a time, from
//     particles sorted by block and cell: memory does not grow with the fullest cell.
//   - Copies of a block end with its own fullest cell. Rows of cells without particles
//     are left out, and so are dummies in a row unless they are few between particles.
//     The paper does all of them: on its devices dummies are cheaper than branches.
//   - What is left of the rows, a swarm of cells after the other, goes through all
//     shifts, so that its weights stay in the first cache. The cells of a swarm keep
//     in step.
//   - Stitching follows right after a block's last copy, while the block is in cache.
//     Blocks that share nodes have different colours, which take turns: every node
//     receives its terms in an order that the points alone decide.
//   - Blocks at the ends of axes are padded (Fig. 5) with cells that are never filled;
//     what extended blocks have beyond a bounded axis is dropped, and beyond a
//     periodic one it is at the other end.
type blocks[T Float] struct {
	*frame[T]
	particles int
	tilings   []*tiling[T] // of every site
	copies    []*domainCopy[T]
	found     [][][]filled // per worker and tiling: blocks with particles
	list      []filled     // all of them, by colour
	begin     []int        // of the colours in the list, and its length

	in, out [][]T // while values are moved; the closures are made once
	next    atomic.Int64
	end     int64 // of the part of the list at hand
	phase   struct{ find, push, pull func(worker int) }
}

// filled is a block that holds particles.
type filled struct {
	tiling, colour int32
	at             [3]int32 // block
	lo, hi         int32    // its particles in sorted order
}

// blocksAtOnce is the number of blocks that a worker takes at a time.
const blocksAtOnce = 4

func newBlocks[T Float](f *frame[T]) (*blocks[T], error) {
	t := &blocks[T]{frame: f}
	for i := range f.sites {
		g, err := newTiling(f, &f.sites[i])
		if err != nil {
			return nil, err
		}
		t.tilings = append(t.tilings, g)
	}
	colours := 0
	for _, g := range t.tilings {
		colours = max(colours, g.colours())
	}
	t.begin = make([]int, colours+1)
	for range f.workers {
		t.copies = append(t.copies, newDomainCopy(f))
		t.found = append(t.found, make([][]filled, len(t.tilings)))
	}
	t.phase.find, t.phase.push, t.phase.pull = t.findShare, t.pushBlocks, t.pullBlocks
	return t, nil
}

// SetPoints is lines 2–5 of Algorithms 2 and 4: the cells of particles, and the order
// that gives them their places.
func (t *blocks[T]) SetPoints(x []geometry.Vec) error {
	t.particles, t.list = 0, t.list[:0]
	clear(t.begin)
	for _, g := range t.tilings {
		if err := g.order.set(x); err != nil {
			return err
		}
		g.within = grow(g.within, g.n)
	}
	t.particles = t.tilings[0].n
	most := 0 // blocks that particles can be in, so that none of the lists grows later
	for _, g := range t.tilings {
		most += min(t.particles, g.blocks())
	}
	t.list = grow(t.list, most)[:0]
	for w := range t.found {
		lo, hi := parallel.Share(t.particles, w, len(t.workers))
		for i, g := range t.tilings {
			t.found[w][i] = grow(t.found[w][i], min(hi-lo, g.blocks()))[:0]
		}
	}
	t.run(t.particles, t.phase.find)
	t.arrange()
	return nil
}

// findShare finds the blocks that begin in a worker's share of the particles.
func (t *blocks[T]) findShare(w int) {
	lo, hi := parallel.Share(t.particles, w, len(t.workers))
	for i, g := range t.tilings {
		t.found[w][i] = g.find(t.found[w][i], &t.workers[w].keys, int32(i), lo, hi)
	}
}

// arrange lists the blocks that were found by colour, and within a colour in the
// order of memory.
func (t *blocks[T]) arrange() {
	all := 0
	for i := range t.tilings {
		var last *filled
		for w := range t.found {
			for k := range t.found[w][i] {
				b := &t.found[w][i][k]
				t.begin[b.colour]++
				all++
				if last != nil {
					last.hi = b.lo
				}
				last = b
			}
		}
		if last != nil {
			last.hi = int32(t.particles)
		}
	}
	sum := 0
	for c, n := range t.begin {
		t.begin[c] = sum
		sum += n
	}
	t.list = t.list[:all]
	for i := range t.tilings {
		for w := range t.found {
			for _, b := range t.found[w][i] {
				t.list[t.begin[b.colour]] = b
				t.begin[b.colour]++
			}
		}
	}
	copy(t.begin[1:], t.begin) // from the ends of colours to their beginnings
	t.begin[0] = 0
}

// Spread is lines 6–9 of Algorithm 2.
func (t *blocks[T]) Spread(field, values [][]T) {
	t.start(field, values)
	t.in, t.out = values, field
	for c := range t.begin[1:] {
		t.each(t.begin[c], t.begin[c+1], t.phase.push)
	}
	t.in, t.out = nil, nil
}

// Interpolate is lines 6–8 of Algorithm 4.
func (t *blocks[T]) Interpolate(values, field [][]T) {
	t.start(field, values)
	t.in, t.out = field, values
	t.each(0, len(t.list), t.phase.pull)
	t.in, t.out = nil, nil
}

// start makes ready for the components of a field.
func (t *blocks[T]) start(field, values [][]T) {
	t.mustMatch(field, values, t.particles)
	most := 0
	for i, g := range t.tilings {
		g.components = g.components[:0]
		for c := range field {
			if t.siteIndex(c) == i {
				g.components = append(g.components, c)
			}
		}
		most = max(most, len(g.components))
	}
	for _, me := range t.copies {
		me.grow(most)
	}
}

// each lets the workers do a part of the list, a few blocks at a time. None of them
// touches what another writes, so it does not matter who does which.
func (t *blocks[T]) each(from, to int, phase func(worker int)) {
	if from == to {
		return
	}
	t.next.Store(int64(from))
	t.end = int64(to)
	t.run(t.particles, phase)
}

// claim is the next few blocks of the part of the list at hand.
func (t *blocks[T]) claim() []filled {
	lo := t.next.Add(blocksAtOnce) - blocksAtOnce
	if lo >= t.end {
		return nil
	}
	return t.list[lo:min(lo+blocksAtOnce, t.end)]
}

// pushBlocks is the work of a worker in Spread.
func (t *blocks[T]) pushBlocks(w int) {
	me := t.copies[w]
	for some := t.claim(); some != nil; some = t.claim() {
		for i := range some {
			g := t.tilings[some[i].tiling]
			me.open(g, &some[i])
			me.clear(g) // Algorithm 2, line 7
			for me.next() {
				me.place(g, &t.workers[w].local)
				me.load(g, t.in)
				me.push(g)
			}
			me.stitch(g, t.out)
		}
	}
}

// pullBlocks is the work of a worker in Interpolate.
func (t *blocks[T]) pullBlocks(w int) {
	me := t.copies[w]
	for some := t.claim(); some != nil; some = t.claim() {
		for i := range some {
			g := t.tilings[some[i].tiling]
			me.open(g, &some[i])
			me.replicate(g, t.in) // Algorithm 4, line 6
			for me.next() {
				me.place(g, &t.workers[w].local)
				me.pull(g)
				me.collect(g, t.out)
			}
		}
	}
}

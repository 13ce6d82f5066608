package ib

import (
	"fmt"
	"math"
	"math/bits"
)

// A block has as many cells as a workgroup of the paper's has work items, 32 × 16 in
// 2D and 32 × 4 × 4 in 3D: in both, rows of cells along x.
const (
	blockLanes = 32 // cells of a row
	blockRows  = 16
	blockCells = blockLanes * blockRows
)

var blockShape = [...][3]int{2: {blockLanes, blockRows, 1}, 3: {blockLanes, 4, 4}}

// tiling is the blocks of a site, with its particles sorted by block and by cell in
// the block. The domain copy that a particle is in is its rank in its cell.
type tiling[T Float] struct {
	*order[T]
	site   *site
	shape  [3]int     // cells of a block along each axis
	count  [3]int     // blocks
	colour [3][]uint8 // of the blocks along each axis
	number [3]int     // of colours along each axis
	within []uint16   // the cells of particles in their blocks, in sorted order

	pitch, height, size int   // of rows, planes and all of an extended block
	components          []int // of the field at hand that lie on the site
}

func newTiling[T Float](f *frame[T], s *site) (*tiling[T], error) {
	g := &tiling[T]{site: s, shape: blockShape[f.dim]}
	var block, cell [3]uint64
	limit, lane := uint64(blockCells), uint64(1)
	for a := range 3 {
		n, _ := f.cells(s, a)
		g.count[a] = (n + g.shape[a] - 1) / g.shape[a]
		block[a], cell[a] = limit, lane
		lane *= uint64(g.shape[a])
		hi, lo := bits.Mul64(limit, uint64(g.count[a]))
		if hi > 0 || lo > math.MaxInt64 {
			return nil, fmt.Errorf("ib: grid of %d × %d × %d nodes: keys of its cells in blocks of %d × %d × %d do not fit 63 bits: choose a smaller resolution or domain, or the strategy sort-reduce",
				s.grid.Size[0], s.grid.Size[1], s.grid.Size[2], g.shape[0], g.shape[1], g.shape[2])
		}
		limit = lo
	}
	g.number = [3]int{1, 1, 1}
	for a := range f.dim {
		n, _ := f.cells(s, a)
		g.colour[a], g.number[a] = blockColours(n, g.shape[a], f.support, s.grid.Periodic[a])
	}
	g.order = newOrder(f, s, limit, func(axis, c int) uint64 {
		return uint64(c/g.shape[axis])*block[axis] + uint64(c%g.shape[axis])*cell[axis]
	})
	g.pitch = g.shape[0] + f.support - 1
	g.height = g.shape[1] + f.support - 1
	g.size = g.pitch * g.height
	if f.dim == 3 {
		g.size *= g.shape[2] + f.support - 1
	}
	return g, nil
}

// blockColours gives the blocks along an axis colours, so that the supports of
// cells in different blocks of a colour share no node; n is the number of colours.
// Along a periodic axis of cells nodes the supports of the last blocks reach the
// first.
func blockColours(cells, width, support int, periodic bool) (colour []uint8, n int) {
	colour = make([]uint8, (cells+width-1)/width)
	end := func(block int) int { return min((block+1)*width, cells) + support - 1 }
	for b := range colour {
		var taken uint
		for other := b - 1; other >= 0 && end(other) > b*width; other-- {
			taken |= 1 << colour[other]
		}
		for other := 0; periodic && other < b && other*width < end(b)-cells; other++ {
			taken |= 1 << colour[other]
		}
		colour[b] = uint8(bits.TrailingZeros(^taken))
		n = max(n, int(colour[b])+1)
	}
	return colour, n
}

// blocks is the number of blocks.
func (g *tiling[T]) blocks() int { return g.count[0] * g.count[1] * g.count[2] }

// colours is the number of colours of blocks.
func (g *tiling[T]) colours() int { return g.number[0] * g.number[1] * g.number[2] }

// find appends the blocks that begin among the particles lo ≤ i < hi, and notes the
// cells of these.
func (g *tiling[T]) find(found []filled, keys *[batchSize]uint64, tiling int32, lo, hi int) []filled {
	last := uint64(math.MaxUint64)
	if lo > 0 && lo < hi {
		g.keys(keys[:1], lo-1)
		last = keys[0] / blockCells
	}
	for ; lo < hi; lo += batchSize {
		some := keys[:min(batchSize, hi-lo)]
		g.keys(some, lo)
		for i, key := range some {
			g.within[lo+i] = uint16(key % blockCells)
			if block := key / blockCells; block != last {
				last = block
				found = append(found, g.filled(tiling, block, lo+i))
			}
		}
	}
	return found
}

// keys are those of the particles from lo on in sorted order.
func (g *tiling[T]) keys(keys []uint64, lo int) {
	clear(keys)
	for a := range g.f.dim {
		g.addKeys(keys, a, g.x[a][lo:][:len(keys)])
	}
}

// filled is a block whose particles begin at lo.
func (g *tiling[T]) filled(tiling int32, block uint64, lo int) filled {
	b := filled{tiling: tiling, lo: int32(lo)}
	colours := 1
	for a := range g.f.dim {
		n := uint64(g.count[a])
		at := block % n
		block /= n
		b.at[a] = int32(at)
		b.colour += int32(colours * int(g.colour[a][at]))
		colours *= g.number[a]
	}
	return b
}

package geometry

import (
	"maps"
	"math"
	"slices"
)

// bins finds points by place: in cubes so large that all within a radius of any
// place are in eight of them.
type bins struct {
	cubes
	head map[uint64]int32 // the last point put into a cube
	next []int32          // the one before it in its cube, −1 at the end
}

// newBins is for queries within radius.
func newBins(x []Vec, radius float64) *bins {
	b := &bins{cubes: cubes{2 * radius}, head: make(map[uint64]int32), next: make([]int32, 0, len(x))}
	for _, p := range x {
		b.add(p)
	}
	return b
}

// add gives p the next number.
func (b *bins) add(p Vec) {
	at := key(b.cube(p))
	last, held := b.head[at]
	if !held {
		last = -1
	}
	b.head[at] = int32(len(b.next))
	b.next = append(b.next, last)
}

// each calls do with every point within radius of p, and some beyond.
func (b *bins) each(p Vec, radius float64, do func(k int)) {
	lo, hi := b.reach(p, radius)
	block(lo, hi, func(at uint64) {
		k, held := b.head[at]
		for held && k >= 0 {
			do(int(k))
			k = b.next[k]
		}
	})
}

// packed finds points by place, as bins do, where all are known from the start
// and are looked for often: they lie in memory cube by cube.
type packed struct {
	cubes
	x      []Vec            // the points, those of one cube behind each other
	number []int32          // their numbers where they came from
	span   []span           // of each cube that holds points
	held   map[uint64]int32 // which of span is a cube's
	beside [][27]int32      // those of the cubes around each, x fastest, −1 of an empty one
	// What was asked for last, since points beside each other ask for the same: the
	// place's cube, the block of cubes around it.
	at     [3]int
	of     int32 // which of span is the cube's, −1 of an empty one
	lo, hi [3]int
	block  []span
}

type span struct{ from, to int32 }

// pack is for queries within radius.
func pack(x []Vec, radius float64) *packed {
	b := newBins(x, radius)
	p := &packed{cubes: b.cubes, x: make([]Vec, 0, len(x)), number: make([]int32, 0, len(x)), held: make(map[uint64]int32, len(b.head)), of: -1}
	for _, at := range slices.Sorted(maps.Keys(b.head)) {
		from := int32(len(p.x))
		for k := b.head[at]; k >= 0; k = b.next[k] {
			p.x, p.number = append(p.x, x[k]), append(p.number, k)
		}
		p.held[at] = int32(len(p.span))
		p.span = append(p.span, span{from, int32(len(p.x))})
	}
	p.beside = make([][27]int32, len(p.span))
	for i, s := range p.span {
		at, n := p.cube(p.x[s.from]), 0
		block([3]int{at[0] - 1, at[1] - 1, at[2] - 1}, [3]int{at[0] + 1, at[1] + 1, at[2] + 1}, func(at uint64) {
			p.beside[i][n] = p.numbered(at)
			n++
		})
	}
	return p
}

// numbered is which of span belongs to a cube, −1 of an empty one.
func (p *packed) numbered(at uint64) int32 {
	if i, held := p.held[at]; held {
		return i
	}
	return -1
}

// near returns the spans of points among which are all within radius of q, until it is
// called again.
func (p *packed) near(q Vec, radius float64) []span {
	lo, hi := p.reach(q, radius)
	if len(p.block) > 0 && lo == p.lo && hi == p.hi {
		return p.block
	}
	p.lo, p.hi, p.block = lo, hi, p.block[:0]
	at := p.cube(q)
	if at != p.at || p.of < 0 {
		p.at, p.of = at, p.numbered(key(at))
	}
	if p.of < 0 || lo[0] < at[0]-1 || lo[1] < at[1]-1 || lo[2] < at[2]-1 || hi[0] > at[0]+1 || hi[1] > at[1]+1 || hi[2] > at[2]+1 {
		block(lo, hi, func(at uint64) {
			if i := p.numbered(at); i >= 0 {
				p.block = append(p.block, p.span[i])
			}
		})
		return p.block
	}
	beside := &p.beside[p.of]
	for z := lo[2] - at[2] + 1; z <= hi[2]-at[2]+1; z++ {
		for y := lo[1] - at[1] + 1; y <= hi[1]-at[1]+1; y++ {
			for x := lo[0] - at[0] + 1; x <= hi[0]-at[0]+1; x++ {
				if of := beside[9*z+3*y+x]; of >= 0 {
					p.block = append(p.block, p.span[of])
				}
			}
		}
	}
	return p.block
}

// cubes fill space from the origin.
type cubes struct{ size float64 }

func (c cubes) cube(p Vec) (at [3]int) {
	for a := range at {
		at[a] = int(math.Floor(p[a] / c.size))
	}
	return at
}

// reach returns the first and the last of the cubes within radius of p.
func (c cubes) reach(p Vec, radius float64) (lo, hi [3]int) {
	r := Vec{radius, radius, radius}
	return c.cube(p.Sub(r)), c.cube(p.Add(r))
}

// block calls do with the keys of the cubes from lo to hi.
func block(lo, hi [3]int, do func(at uint64)) {
	for z := lo[2]; z <= hi[2]; z++ {
		for y := lo[1]; y <= hi[1]; y++ {
			for x := lo[0]; x <= hi[0]; x++ {
				do(key([3]int{x, y, z}))
			}
		}
	}
}

// key packs a cube into 63 bits. Cubes 2²¹ apart share one, which only puts
// far points beside near ones.
func key(c [3]int) (k uint64) {
	for _, i := range c {
		k = k<<21 | uint64(i)&(1<<21-1)
	}
	return k
}

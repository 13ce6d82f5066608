package geometry

import (
	"maps"
	"math"
	"math/bits"
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
	return binsOf(x, 2*radius)
}

// binsOf is of cubes of that size.
func binsOf(x []Vec, size float64) *bins {
	b := &bins{cubes: cubes{size}, head: make(map[uint64]int32), next: make([]int32, 0, len(x))}
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
// and are looked for often: they lie in memory cube by cube, along z first, and the
// cubes are as large as the radius.
type packed struct {
	cubes
	x      []Vec     // the points, those of one cube behind each other
	number []int32   // their numbers where they came from
	in     []int32   // their cubes' numbers
	from   []int32   // first point of a cube, and of that behind the last
	keys   []uint64  // of the cubes that hold points, ascending
	slots  []int32   // their numbers by hash, −1 where none: a third of the time of a map
	beside [][9]span // the points of the 27 cubes around each, in columns along z
	// What was asked for last, since points beside each other ask for the same.
	at    [3]int
	asked int32 // its number, −1 of an empty one
	wide  []span
}

type span struct{ from, to int32 }

// pack is for queries within radius, and slower ones beyond.
func pack(x []Vec, radius float64) *packed {
	b := binsOf(x, radius)
	p := &packed{
		cubes: b.cubes, x: make([]Vec, 0, len(x)), number: make([]int32, 0, len(x)), in: make([]int32, 0, len(x)),
		keys: slices.Sorted(maps.Keys(b.head)), slots: slices.Repeat([]int32{-1}, 2<<bits.Len(uint(len(b.head)))),
		beside: make([][9]span, len(b.head)), asked: -1,
	}
	for i, at := range p.keys {
		p.from = append(p.from, int32(len(p.x)))
		for k := b.head[at]; k >= 0; k = b.next[k] {
			p.x, p.number, p.in = append(p.x, x[k]), append(p.number, k), append(p.in, int32(i))
		}
		p.slots[p.slot(at)] = int32(i)
	}
	p.from = append(p.from, int32(len(p.x)))
	for i := range p.beside {
		at := p.cube(p.x[p.from[i]])
		n := 0
		columns([3]int{at[0] - 1, at[1] - 1, at[2] - 1}, [3]int{at[0] + 1, at[1] + 1, at[2] + 1}, func(lo, hi [3]int) {
			p.beside[i][n] = p.column(lo, hi)
			n++
		})
	}
	return p
}

// column is the span of the points in the cubes from lo to hi, which differ in z only.
func (p *packed) column(lo, hi [3]int) (s span) {
	for ; lo[2] <= hi[2]; lo[2]++ {
		if i := p.numbered(lo); i >= 0 {
			if s.from == s.to {
				s = span{p.from[i], p.from[i]}
			}
			s = span{min(s.from, p.from[i]), max(s.to, p.from[i+1])} // behind each other but where keys begin anew
		}
	}
	return s
}

// numbered is the number of a cube, −1 of an empty one.
func (p *packed) numbered(at [3]int) int32 {
	return p.slots[p.slot(key(at))]
}

// slot is where the number of the cube with that key is, or would be.
func (p *packed) slot(key uint64) int {
	last := len(p.slots) - 1                     // all its bits are set
	at := int(key*0x9e3779b97f4a7c15>>32) & last // Knuth's multiplicative hash
	for p.slots[at] >= 0 && p.keys[p.slots[at]] != key {
		at = (at + 1) & last
	}
	return at
}

// near returns spans of points among which are all within radius of q, until it is
// called again.
func (p *packed) near(q Vec, radius float64) []span {
	if at := p.cube(q); at != p.at || p.asked < 0 {
		p.at, p.asked = at, p.numbered(at)
	}
	if p.asked >= 0 && radius <= p.size {
		return p.beside[p.asked][:]
	}
	p.wide = p.wide[:0]
	lo, hi := p.reach(q, radius)
	columns(lo, hi, func(lo, hi [3]int) { p.wide = append(p.wide, p.column(lo, hi)) })
	return p.wide
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

// columns calls do with the first and the last cube of every column along z of the
// cubes from lo to hi.
func columns(lo, hi [3]int, do func(lo, hi [3]int)) {
	for x := lo[0]; x <= hi[0]; x++ {
		for y := lo[1]; y <= hi[1]; y++ {
			do([3]int{x, y, lo[2]}, [3]int{x, y, hi[2]})
		}
	}
}

// key packs a cube into 63 bits, those along z behind each other. Cubes 2²¹ apart
// share one, which only puts far points beside near ones.
func key(c [3]int) (k uint64) {
	for _, i := range c {
		k = k<<21 | uint64(i+1<<20)&(1<<21-1)
	}
	return k
}

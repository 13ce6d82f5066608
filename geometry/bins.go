package geometry

import "math"

// bins finds points by place: in cubes so large that all within a radius of any
// place are in eight of them.
type bins struct {
	cubes
	head map[uint64]int32 // the last point put into a cube
	next []int32          // the one before it in its cube, −1 at the end
}

// newBins is for queries within radius.
func newBins(x []Vec, radius float64) *bins {
	b := &bins{cubes: cubes{4 * radius}, head: make(map[uint64]int32), next: make([]int32, 0, len(x))}
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

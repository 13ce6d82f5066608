package geometry

import (
	"cmp"
	"slices"
)

// packed finds points by place, as bins do, where all are known from the start
// and are looked for often: they lie in memory cube by cube, the cubes of a column
// along z behind each other.
type packed struct {
	cubes
	lo, hi [3]int    // first and last cube that hold points
	x      []Vec     // the points, those of one cube behind each other
	number []int32   // their numbers where they came from
	in     []int32   // the numbers of their cubes
	keys   []uint64  // of the cubes that hold points, ascending
	from   []int32   // first point of each of these, and the number of points
	beside [][9]span // points of the 27 cubes around each of these, by columns
	// What was asked for last, since points beside each other ask for the same.
	asked uint64
	found int // its cube's number, −1 of an empty one
	wide  []span
}

type span struct{ from, to int32 }

// keyBits is how many bits of a key tell a cube's place along one axis.
const keyBits = 21

// pack is for queries within radius, and slower ones beyond.
func pack(x []Vec, radius float64) *packed {
	p := &packed{cubes: cubes{radius}, x: make([]Vec, len(x)), number: make([]int32, len(x)), in: make([]int32, len(x)), found: -1}
	if len(x) > 0 {
		lo, hi := boxOf(x...)
		for a := range lo {
			p.size = max(p.size, (hi[a]-lo[a])/(1<<keyBits-8)) // so that a key holds every cube
		}
		p.lo, p.hi = p.cube(lo), p.cube(hi)
	}
	type placed struct {
		key    uint64
		number int32
	}
	order := make([]placed, len(x))
	for k := range x {
		order[k] = placed{p.key(p.cube(x[k])), int32(k)}
	}
	slices.SortFunc(order, func(a, b placed) int {
		return cmp.Or(cmp.Compare(a.key, b.key), cmp.Compare(a.number, b.number))
	})
	for i, o := range order {
		if i == 0 || o.key != order[i-1].key {
			p.keys, p.from = append(p.keys, o.key), append(p.from, int32(i))
		}
		p.x[i], p.number[i], p.in[i] = x[o.number], o.number, int32(len(p.keys)-1)
	}
	p.from = append(p.from, int32(len(x)))
	p.look()
	return p
}

// look finds what lies beside each cube: the cubes of a column beside those of another,
// both ascending, so that each is found a little after the one before.
func (p *packed) look() {
	p.beside = make([][9]span, len(p.keys))
	for n := range 9 {
		// One cube on in x, y or z is so much on in keys.
		to := (uint64(n/3)-1)<<(2*keyBits) + (uint64(n%3)-1)<<keyBits
		begin := 0
		for i, at := range p.keys {
			for begin < len(p.keys) && p.keys[begin] < at+to-1 {
				begin++
			}
			p.beside[i][n] = p.column(begin, at+to+1)
		}
	}
}

// column is the span of the points from cube number begin to that of the key last, a few further
// at most.
func (p *packed) column(begin int, last uint64) span {
	end := begin
	for end < len(p.keys) && p.keys[end] <= last {
		end++
	}
	return span{p.from[begin], p.from[end]}
}

// key packs a cube so that those along z are behind each other. All cubes that lie
// further along an axis than beside those that hold points count as one.
func (p *packed) key(at [3]int) (k uint64) {
	for a, i := range at {
		k = k<<keyBits | uint64(min(max(i-p.lo[a], -2), p.hi[a]-p.lo[a]+2)+2)
	}
	return k
}

// near returns spans of points among which are all within radius of q, until it is
// called again.
func (p *packed) near(q Vec, radius float64) []span {
	if at := p.key(p.cube(q)); at != p.asked {
		number, held := slices.BinarySearch(p.keys, at)
		if !held {
			number = -1
		}
		p.asked, p.found = at, number
	}
	if p.found >= 0 && radius <= p.size {
		return p.beside[p.found][:]
	}
	p.wide = p.wide[:0]
	lo, hi := p.reach(q, radius)
	for a := range lo { // beyond these there are none
		lo[a], hi[a] = max(lo[a], p.lo[a]), min(hi[a], p.hi[a])
	}
	for x := lo[0]; x <= hi[0]; x++ {
		for y := lo[1]; y <= hi[1]; y++ {
			begin, _ := slices.BinarySearch(p.keys, p.key([3]int{x, y, lo[2]}))
			if s := p.column(begin, p.key([3]int{x, y, hi[2]})); s.from < s.to {
				p.wide = append(p.wide, s)
			}
		}
	}
	return p.wide
}

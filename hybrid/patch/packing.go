package patch

import (
	"cmp"
	"math"
	"slices"
)

// box is some nodes of the domain, a cluster's, and where they lie in the fields of a
// coupling.
type box struct {
	span
	at [3]int // of node lo, in the grid of the fields
}

// packing is a grid in which boxes lie beside each other: rows of boxes along x, rows above
// each other in layers, layers behind each other. No node of it is in two boxes.
type packing struct {
	size  [3]int
	boxes []box   // row by row
	rows  []row   // layer by layer
	of    []int32 // the box of each one that was given
	order []int32 // while packing: of those that were given
}

// row is a row of boxes, boxes[first:last], and the nodes y and z that it takes.
type row struct {
	lo, hi      [2]int
	first, last int
}

// aligned are places at which a box may lie in an packing: those that differ from where it
// is in the domain, counted from origin, by multiples of period, so that bodies in it are
// coupled in the same order as in a window that begins at origin (ib.Period).
type aligned struct{ origin, period [3]int }

// next is the first such place for node lo along an axis, from a place on.
func (p *aligned) next(axis, from, lo int) int {
	n := p.period[axis]
	off := (lo - p.origin[axis] - from) % n
	if off < 0 {
		off += n
	}
	return from + off
}

// tries is how many numbers of boxes along an axis are tried, around that of a cube.
const tries = 5

// pack puts boxes into the packing, in the smallest grid that a few ways of doing it give:
// a matter of the boxes and their order alone. No axis becomes longer than limit; it tells
// whether that was possible.
func (t *packing) pack(boxes []span, places aligned, dim, limit int) bool {
	t.boxes, t.of, t.order = grownTo(t.boxes, len(boxes)), grownTo(t.of, len(boxes)), grownTo(t.order, len(boxes))
	for i := range boxes {
		t.order[i] = int32(i)
	}
	slices.SortFunc(t.order, func(i, j int32) int { // the largest first: those in a row are much alike
		for a := 2; a >= 0; a-- {
			if c := cmp.Compare(boxes[j].length(a), boxes[i].length(a)); c != 0 {
				return c
			}
		}
		return int(i - j)
	})
	var widest [2]int
	for i, k := range t.order {
		t.boxes[i].span, t.of[k] = boxes[k], int32(i)
		for a := range widest {
			widest[a] = max(widest[a], boxes[k].length(a)+places.period[a]-1)
		}
	}
	about := int(math.Round(math.Pow(float64(len(boxes)), 1/float64(dim)))) - tries/2
	best, width := math.MaxInt, [2]int{}
	for kx := max(1, about); kx < max(1, about)+tries; kx++ {
		for ky := max(1, about); ky < max(1, about)+tries; ky++ {
			try := [2]int{min(limit, kx*widest[0]), min(limit, ky*widest[1])}
			if dim == 2 {
				try[1] = limit
			}
			t.place(places, try)
			if t.size[0] <= limit && t.size[1] <= limit && t.size[2] <= limit && t.nodes() < best {
				best, width = t.nodes(), try
			}
		}
	}
	if best == math.MaxInt {
		return false
	}
	t.place(places, width)
	return true
}

// place lays the boxes out in rows and layers that end before they become longer than
// width along x and y.
func (t *packing) place(places aligned, width [2]int) {
	t.rows, t.size = t.rows[:0], [3]int{}
	this := row{}
	x, layer := 0, 0 // the next node along x, the end of the layer
	for i := range t.boxes {
		b := &t.boxes[i]
		at := [3]int{places.next(0, x, b.lo[0])}
		if i > this.first && at[0]+b.length(0) > width[0] {
			t.rows = append(t.rows, this)
			this = row{lo: [2]int{this.hi[0], this.lo[1]}, hi: [2]int{this.hi[0], this.lo[1]}, first: i, last: i}
			at[0] = places.next(0, 0, b.lo[0])
		}
		at[1] = places.next(1, this.lo[0], b.lo[1])
		if i == this.first && this.lo[0] > 0 && at[1]+b.length(1) > width[1] {
			this.lo, this.hi = [2]int{0, layer}, [2]int{0, layer}
			at[1] = places.next(1, 0, b.lo[1])
		}
		at[2] = places.next(2, this.lo[1], b.lo[2])
		b.at = at
		for a := range at {
			t.size[a] = max(t.size[a], at[a]+b.length(a))
		}
		this.hi[0], this.hi[1] = max(this.hi[0], at[1]+b.length(1)), max(this.hi[1], at[2]+b.length(2))
		x, layer, this.last = at[0]+b.length(0), max(layer, this.hi[1]), i+1
	}
	t.rows = append(t.rows, this)
}

// one makes the packing that of a single box.
func (t *packing) one(b span) {
	t.boxes, t.rows, t.of = append(t.boxes[:0], box{span: b}), t.rows[:0], append(t.of[:0], 0)
	for a := range t.size {
		t.size[a] = b.length(a)
	}
	t.rows = append(t.rows, row{hi: [2]int{t.size[1], t.size[2]}, last: 1})
}

func (t *packing) nodes() int { return t.size[0] * t.size[1] * t.size[2] }

// rowOf is the number of the row of boxes that holds the nodes y and z; those of one layer
// may end before it does.
func (t *packing) rowOf(y, z int) int {
	return slices.IndexFunc(t.rows, func(r row) bool {
		return y >= r.lo[0] && y < r.hi[0] && z >= r.lo[1] && z < r.hi[1]
	})
}

func (s *span) length(axis int) int { return s.hi[axis] - s.lo[axis] }

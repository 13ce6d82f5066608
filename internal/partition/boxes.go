package partition

import (
	"fmt"
	"slices"
	"sort"
)

// Boxes cuts the domain into one box per rank, in the order of ranks: recursive bisection at the ends of blocks. A cut is where the
// slower side, of its work, its seams and its rows, is fastest; of cuts that are as good, the one through fewest nodes, and then
// across the slowest axis, so that rows along x stay long. shares are the ranks' speeds; nil: they are equal.
//
// Ranks are shared between the sides of a cut by halves, or as blocks allow, or so that boxes are p × q × r; the best of all is taken.
func (b *Blocks) Boxes(ranks int, shares []float64) ([]Box, error) {
	if err := b.check(ranks, shares); err != nil {
		return nil, err
	}
	c := newCutter(b, ranks, shares)
	if err := c.refuse(ranks); err != nil {
		return nil, err
	}
	var best []Box
	var least cost
	keep := func(found []Box) {
		if len(found) < ranks {
			return
		}
		if of := c.worst(found); best == nil || of.less(least) {
			best, least = found, of
		}
	}
	all := Box{Hi: c.n}
	for _, parts := range c.lattices(ranks) {
		keep(c.regular(nil, all, 0, ranks, parts))
	}
	for _, split := range [...]split{halves, anyhow} {
		keep(c.bisect(nil, all, 0, ranks, split))
	}
	for i := range best {
		best[i] = b.nodes(best[i], c.n)
	}
	return best, nil
}

// Most is the number of ranks that blocks are enough for.
func (b *Blocks) Most() int {
	c := newCutter(b, 1, nil)
	return c.room(Box{Hi: c.n})
}

// cutter knows what boxes of blocks cost.
type cutter struct {
	*Blocks
	n      [3]int
	weight *table
	filled *table // blocks that have weight
	face   [3]*table
	before []float64 // speeds of the ranks before each, and of all
	update float64   // in units of weight
}

func newCutter(b *Blocks, ranks int, shares []float64) *cutter {
	c := &cutter{Blocks: b, n: b.Grid(), before: make([]float64, ranks+1)}
	w, update := b.weights()
	c.update = update
	c.weight = newTable(c.n, w)
	c.filled = newTable(c.n, filled(w))
	for a := range c.face {
		c.face[a] = newTable(c.n, b.faces(a))
	}
	for r := range ranks {
		share := 1.
		if shares != nil {
			share = shares[r]
		}
		c.before[r+1] = c.before[r] + share
	}
	return c
}

// filled tells of blocks with 1 which of them have weight.
func filled(weight []int64) []int64 {
	is := make([]int64, len(weight))
	for i, w := range weight {
		if w > 0 {
			is[i] = 1
		}
	}
	return is
}

// room is how many ranks a box can be divided among.
func (c *cutter) room(of Box) int { return int(c.filled.of(of)) }

// refuse tells of more ranks than there can be.
func (c *cutter) refuse(ranks int) error {
	most := c.room(Box{Hi: c.n})
	if ranks <= most {
		return nil
	}
	remedy := "or more nodes"
	if c.Width > narrowest {
		remedy = "narrower blocks or more nodes"
	}
	return fmt.Errorf("partition: %d ranks: the domain has %d blocks, %d nodes a side, with fluid, and each rank must have one: take at most %d ranks, %s", ranks, most, c.Width, most, remedy)
}

// split is which shares of n ranks the lower side of a cut may get.
type split func(n int) (least, most int)

// halves are equal, or differ by a rank.
func halves(n int) (int, int) { return n / 2, n - n/2 }

// anyhow is from a quarter to three.
func anyhow(n int) (int, int) { return max(1, n/4), min(n-1, n-n/4) }

// cost is how good something is: the less the better.
type cost struct {
	slowest float64 // work over speed of the slowest rank or side
	cut     int64   // pairs of nodes between ranks or sides, those across x as what they cost
}

func (c cost) less(o cost) bool {
	if c.slowest != o.slowest {
		return c.slowest < o.slowest
	}
	return c.cut < o.cut
}

// bisect shares a box among the ranks from ≤ r < to.
func (c *cutter) bisect(boxes []Box, of Box, from, to int, split split) []Box {
	if to-from == 1 {
		return append(boxes, of)
	}
	least, most := split(to - from)
	axis, at, middle := c.cut(of, from, to, from+least, from+most, anyAxis)
	if axis < 0 { // the blocks of no side suffice for so many ranks
		axis, at, middle = c.cut(of, from, to, from+1, to-1, anyAxis)
	}
	low, high := of, of
	low.Hi[axis], high.Lo[axis] = at, at
	return c.bisect(c.bisect(boxes, low, from, middle, split), high, middle, to, split)
}

// anyAxis is an axis to cut across: the best of all.
const anyAxis = -1

// cut finds the best cut of a box with the ranks from ≤ r < to, of which those below the middle, least ≤ middle ≤ most, get the lower side:
// across one axis, or any. axis is −1 where there is none.
func (c *cutter) cut(of Box, from, to, least, most, across int) (axis, at, middle int) {
	axis = -1
	var best cost
	for a := 2; a >= 0; a-- {
		if across != anyAxis && across != a {
			continue
		}
		for p := of.Lo[a] + 1; p < of.Hi[a]; p++ {
			low, high := of, of
			low.Hi[a], high.Lo[a] = p, p
			lo, hi := max(least, to-c.room(high)), min(most, from+c.room(low))
			if lo > hi {
				continue
			}
			below, above, cut := c.work(low), c.work(high), c.seam(low)+c.seam(high)
			// the first middle that the lower side would be too light for, and the one before
			wanted := c.before[from] + float64((c.before[to]-c.before[from])*(below/(below+above)))
			m := sort.SearchFloat64s(c.before, wanted)
			for _, m := range [2]int{min(max(m-1, lo), hi), min(max(m, lo), hi)} {
				k := cost{max(below/(c.before[m]-c.before[from]), above/(c.before[to]-c.before[m])), cut}
				if axis < 0 || k.less(best) {
					axis, at, middle, best = a, p, m, k
				}
			}
		}
	}
	return axis, at, middle
}

// across is how many pairs of nodes there are between the blocks of a box on either side of a place along an axis.
func (c *cutter) across(of Box, axis, at int) int64 {
	layer := of
	layer.Lo[axis], layer.Hi[axis] = at-1, at
	return c.face[axis].of(layer)
}

// work is that of a box in a step, in units of weight.
func (c *cutter) work(of Box) float64 {
	box := c.nodes(of, c.n)
	rows := float64((box.Hi[1] - box.Lo[1]) * (box.Hi[2] - box.Lo[2]))
	extra := float64(c.seamWork()*float64(c.seam(of))) + float64(c.rowWork()*rows) // converted: rounded alike on all machines
	return float64(c.weight.of(of)) + float64(extra*c.update)
}

// seam is how many pairs of nodes there are between a box and the others, those across x counted as what they cost.
func (c *cutter) seam(of Box) (n int64) {
	for a := range c.n {
		if of.Hi[a]-of.Lo[a] == c.n[a] {
			continue
		}
		before := of.Lo[a]
		if before == 0 {
			before = c.n[a]
		}
		pairs := c.across(of, a, of.Hi[a]) + c.across(of, a, before)
		if a == 0 {
			pairs *= acrossRow
		}
		n += pairs
	}
	return n
}

// worst is the cost of boxes that all blocks are shared in.
func (c *cutter) worst(boxes []Box) (all cost) {
	each := make([]float64, len(boxes))
	for r, b := range boxes {
		each[r] = c.work(b) / (c.before[r+1] - c.before[r])
		all.cut += c.seam(b)
	}
	all.slowest = slices.Max(each)
	return all
}

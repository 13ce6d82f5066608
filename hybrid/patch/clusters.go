package patch

import (
	"slices"
)

// span is a box of nodes lo ≤ p < hi of the domain. Along periodic axes it may lie
// anywhere: node p stands for p modulo the size.
type span struct{ lo, hi [3]int }

// clusters are bodies whose supports may share nodes, directly or by others between
// them: the components of the graph of boxes that overlap, images across periodic faces
// included. What bodies belong together, and where, is a matter of the boxes alone.
type clusters struct {
	dim      int
	size     [3]int
	periodic [3]bool

	parent []int32  // the least body of a cluster is its own parent
	turns  [][3]int // by how many periods a body is moved to lie beside its parent
	sweep  []int32  // bodies by where they begin along x, within the domain
	begin  []int    // that
}

// find fills parent and turns for the boxes of all bodies, so that every body's parent
// is the least of its cluster. It tells whether every cluster lies once in the domain: none
// reaches around a periodic axis into itself.
func (c *clusters) find(boxes []span) bool {
	n := len(boxes)
	c.parent, c.turns, c.begin, c.sweep = grownTo(c.parent, n), grownTo(c.turns, n), grownTo(c.begin, n), grownTo(c.sweep, n)
	for i := range boxes {
		c.parent[i], c.turns[i], c.sweep[i] = int32(i), [3]int{}, int32(i)
		c.begin[i] = boxes[i].lo[0]
		if c.periodic[0] {
			c.begin[i] -= floorDiv(c.begin[i], c.size[0]) * c.size[0]
		}
	}
	slices.SortFunc(c.sweep, func(i, j int32) int {
		if c.begin[i] != c.begin[j] {
			return c.begin[i] - c.begin[j]
		}
		return int(i - j)
	})
	for k, i := range c.sweep {
		if !c.joinBehind(boxes, k, i) {
			return false
		}
	}
	for i := range c.parent {
		root, turns := c.root(int32(i))
		c.parent[i], c.turns[i] = root, turns
	}
	return true
}

// joinBehind joins body i, which is k-th along x, with those that begin in its box.
func (c *clusters) joinBehind(boxes []span, k int, i int32) bool {
	end := c.begin[i] + boxes[i].hi[0] - boxes[i].lo[0]
	for q := k + 1; q < len(c.sweep); q++ {
		j := c.sweep[q]
		if c.begin[j] >= end {
			return true
		}
		if !c.join(boxes, i, j) {
			return false
		}
	}
	for _, j := range c.sweep[:k] { // behind the end of a period the first ones follow
		if !c.periodic[0] || c.begin[j]+c.size[0] >= end {
			return true
		}
		if !c.join(boxes, i, j) {
			return false
		}
	}
	return true
}

// join puts two bodies into one cluster if their boxes overlap. It fails where they do so
// in more places than one.
func (c *clusters) join(boxes []span, i, j int32) bool {
	var d [3]int // periods by which j is to be moved
	for a := range c.dim {
		least, most := 0, 0
		b, o := &boxes[i], &boxes[j]
		if n := c.size[a]; c.periodic[a] {
			least, most = floorDiv(b.lo[a]-o.hi[a], n)+1, -floorDiv(o.lo[a]-b.hi[a], n)-1
		} else if b.lo[a] >= o.hi[a] || o.lo[a] >= b.hi[a] {
			return true
		}
		if least > most {
			return true
		}
		if least < most {
			return false
		}
		d[a] = least
	}
	ri, ti := c.root(i)
	rj, tj := c.root(j)
	for a := range d {
		d[a] += ti[a] - tj[a] // of rj, to lie beside ri
	}
	switch {
	case ri == rj:
		return d == [3]int{}
	case ri < rj:
		c.parent[rj], c.turns[rj] = ri, d
	default:
		c.parent[ri], c.turns[ri] = rj, [3]int{-d[0], -d[1], -d[2]}
	}
	return true
}

// root is the least body known to be in the cluster of one, which is moved by so many
// periods to lie beside it. Paths to it are made shorter on the way.
func (c *clusters) root(i int32) (int32, [3]int) {
	var turns [3]int
	for c.parent[i] != i {
		p := c.parent[i]
		if g := c.parent[p]; g != p {
			for a := range turns {
				c.turns[i][a] += c.turns[p][a]
			}
			c.parent[i] = g
		}
		for a := range turns {
			turns[a] += c.turns[i][a]
		}
		i = c.parent[i]
	}
	return i, turns
}

// grownTo is a slice of length n, in the same memory where it suffices.
func grownTo[E any](s []E, n int) []E {
	if cap(s) < n {
		return make([]E, n, n+n/8)
	}
	return s[:n]
}

// floorDiv is the integer at or below a/b, b > 0.
func floorDiv(a, b int) int {
	q := a / b
	if a%b < 0 {
		q--
	}
	return q
}

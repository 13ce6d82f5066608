package hybrid

import (
	"math"
	"slices"

	"lbmib/geometry"
	"lbmib/lbm"
)

// neighbours finds the bodies that may be near a body, by the spheres around them, at a cost
// per body that does not depend on their number: a cell list (Allen & Tildesley, Computer
// Simulation of Liquids, 1987, §5.3.2). Cells are as wide as two ordinary bodies and the
// distance in question; bodies much larger than most are compared with all.
type neighbours struct {
	dim      int
	size     [3]float64 // of the domain
	periodic [3]bool

	cells  [3]int // along each axis; along a periodic one 1, or 3 and more
	width  [3]float64
	center []geometry.Vec
	radius []float64
	sorted []float64
	cell   []int32 // of each body; −1: a large one
	start  []int32 // of each cell among the members, and their number
	member []int32 // bodies by cells, ascending in each
	large  []int32
	found  []int32
}

// largeFrom is by how many times a body's radius exceeds the median's to be a large one.
const largeFrom = 4

func newNeighbours(flow *lbm.Config) neighbours {
	n := neighbours{dim: flow.Lattice.Dim}
	for a := range n.dim {
		n.size[a], n.periodic[a] = float64(flow.Size[a]), flow.Periodic(a)
	}
	return n
}

// find sorts the bodies into cells, as they are now. Two whose spheres are no more than
// distance apart (in nodes) are neighbours.
func (n *neighbours) find(bodies []*Body, distance float64) {
	n.center, n.radius = grownTo(n.center, len(bodies)), grownTo(n.radius, len(bodies))
	for i, b := range bodies {
		n.center[i], n.radius[i] = b.here().Position, b.reach()
	}
	n.sort(distance)
}

// findBoxes does so with boxes of nodes: two that share nodes are neighbours.
func (n *neighbours) findBoxes(boxes []balance) {
	n.center, n.radius = grownTo(n.center, len(boxes)), grownTo(n.radius, len(boxes))
	for i := range boxes {
		lo, hi := &boxes[i].lo, &boxes[i].hi
		var half geometry.Vec
		for a := range n.dim {
			half[a] = float64(hi[a]-lo[a]) / 2
			n.center[i][a] = float64(lo[a]) + half[a]
		}
		n.radius[i] = half.Norm()
	}
	n.sort(0)
}

// sort sorts spheres into cells.
func (n *neighbours) sort(distance float64) {
	count := len(n.center)
	n.cell, n.member = grownTo(n.cell, count), grownTo(n.member, count)
	n.sorted = append(n.sorted[:0], n.radius...)
	slices.Sort(n.sorted)
	most := 0. // radius of those in cells
	for _, r := range n.sorted {
		if r <= largeFrom*n.sorted[count/2] {
			most = r
		}
	}
	n.shape(2*most+distance, count)
	n.start = grownTo(n.start, n.cells[0]*n.cells[1]*n.cells[2]+1)
	clear(n.start)
	n.large = n.large[:0]
	for i := range n.center {
		if n.radius[i] > most {
			n.cell[i], n.large = -1, append(n.large, int32(i))
			continue
		}
		at := n.at(n.center[i])
		n.cell[i] = int32(at[0] + n.cells[0]*(at[1]+n.cells[1]*at[2]))
		n.start[n.cell[i]]++
	}
	sum := int32(0)
	for c, k := range n.start {
		n.start[c], sum = sum, sum+k
	}
	for i := range n.center { // which moves every start to the next
		if c := n.cell[i]; c >= 0 {
			n.member[n.start[c]] = int32(i)
			n.start[c]++
		}
	}
	copy(n.start[1:], n.start)
	n.start[0] = 0
}

// shape makes cells of at least a width, some four for each body at most.
func (n *neighbours) shape(width float64, count int) {
	n.cells = [3]int{1, 1, 1}
	volume := 1.
	for a := range n.dim {
		volume *= n.size[a]
	}
	width = math.Max(width, math.Pow(volume/float64(4*count+64), 1/float64(n.dim)))
	for a := range n.dim {
		n.cells[a] = max(1, int(n.size[a]/width))
		if n.periodic[a] && n.cells[a] < 3 { // neighbours on both sides would be the same
			n.cells[a] = 1
		}
		n.width[a] = n.size[a] / float64(n.cells[a])
	}
}

// at is the cell of a place. Places beyond a face are in the cells at it, which brings none
// that are neighbours further apart.
func (n *neighbours) at(x geometry.Vec) (cell [3]int) {
	for a := range n.dim {
		v := x[a] + 0.5
		if n.periodic[a] {
			v -= math.Floor(v/n.size[a]) * n.size[a]
		}
		cell[a] = int(math.Max(0, math.Min(v/n.width[a], float64(n.cells[a]-1))))
	}
	return cell
}

// of are the bodies that may be neighbours of body i, ascending and without it. They hold
// until the next call.
func (n *neighbours) of(i int) []int32 {
	n.found = n.found[:0]
	if n.cell[i] < 0 { // all may
		for j := range n.cell {
			if j != i {
				n.found = append(n.found, int32(j))
			}
		}
		return n.found
	}
	n.found = append(n.found, n.large...)
	lo, hi := n.span(0, i)
	ylo, yhi := n.span(1, i)
	zlo, zhi := n.span(2, i)
	for z := zlo; z <= zhi; z++ {
		for y := ylo; y <= yhi; y++ {
			for x := lo; x <= hi; x++ {
				c := n.wrapped(0, x) + n.cells[0]*(n.wrapped(1, y)+n.cells[1]*n.wrapped(2, z))
				for _, j := range n.member[n.start[c]:n.start[c+1]] {
					if int(j) != i {
						n.found = append(n.found, j)
					}
				}
			}
		}
	}
	slices.Sort(n.found)
	return n.found
}

// span is the range of cells around body i's along an axis; periodic ones are to be wrapped.
func (n *neighbours) span(axis, i int) (lo, hi int) {
	c := int(n.cell[i])
	for a := range axis {
		c /= n.cells[a]
	}
	c %= n.cells[axis]
	if n.cells[axis] == 1 {
		return 0, 0
	}
	if n.periodic[axis] {
		return c - 1, c + 1
	}
	return max(0, c-1), min(n.cells[axis]-1, c+1)
}

// wrapped is a cell's number along an axis, within the domain.
func (n *neighbours) wrapped(axis, c int) int {
	return (c + n.cells[axis]) % n.cells[axis]
}

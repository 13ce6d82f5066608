package rigid

import (
	"math"
	"slices"

	"lbmib/geometry"
)

// Neighbours finds the bodies that may be near a body, by the spheres around them, at a cost
// per body that does not depend on their number: cell lists (Allen & Tildesley, Computer
// Simulation of Liquids, 1987, §5.3.2), one for each class of sizes, so that a few large
// bodies among many small ones cost no more than the cells that they cover (as in Ogarko &
// Luding, Comput. Phys. Commun. 183 (2012) 931).
type Neighbours struct {
	dim      int
	size     [3]float64 // of the domain
	periodic [3]bool

	distance float64 // of two whose spheres are neighbours, at most
	center   []geometry.Vec
	radius   []float64
	sorted   []float64
	classes  []class // by size, the smallest bodies first
	found    []int32
}

// class is the cell list of bodies of like sizes.
type class struct {
	most   float64 // their largest radius
	cells  [3]int  // along each axis
	width  [3]float64
	start  []int32 // of each cell among the members, and their number
	member []int32 // bodies by cells, ascending in each
}

// classRange is by how many times radii in a class exceed the largest of the class before,
// at most; the first reaches up to so many times the median.
const classRange = 4

// NewNeighbours are those in a domain.
func NewNeighbours(d Domain) Neighbours {
	n := Neighbours{dim: d.Dim, periodic: d.Periodic}
	for a := range n.dim {
		n.size[a] = float64(d.Size[a])
	}
	return n
}

// Find sorts the bodies into cells, as they are now. Two whose spheres are no more than
// distance apart (in nodes) are neighbours.
func (n *Neighbours) Find(bodies []*Body, distance float64) {
	n.center, n.radius = grownTo(n.center, len(bodies)), grownTo(n.radius, len(bodies))
	for i, b := range bodies {
		n.center[i], n.radius[i] = b.Here().Position, b.reach()
	}
	n.sort(distance)
}

// FindBoxes does so with so many boxes of nodes lo ≤ p < hi: two that share nodes are
// neighbours.
func (n *Neighbours) FindBoxes(boxes int, box func(i int) (lo, hi [3]int)) {
	n.center, n.radius = grownTo(n.center, boxes), grownTo(n.radius, boxes)
	for i := range boxes {
		lo, hi := box(i)
		var half geometry.Vec
		for a := range n.dim {
			half[a] = float64(hi[a]-lo[a]) / 2
			n.center[i][a] = float64(lo[a]) + half[a]
		}
		n.radius[i] = half.Norm()
	}
	n.sort(0)
}

// sort sorts spheres into the cells of their classes.
func (n *Neighbours) sort(distance float64) {
	if len(n.center) == 0 {
		return
	}
	n.distance = distance
	n.sorted = append(n.sorted[:0], n.radius...)
	slices.Sort(n.sorted)
	used, bound := 0, classRange*n.sorted[len(n.sorted)/2]
	for from := 0; from < len(n.sorted); bound *= classRange {
		to := from
		bound = math.Max(bound, n.sorted[from])
		for to < len(n.sorted) && !(n.sorted[to] > bound) {
			to++
		}
		if used == len(n.classes) {
			n.classes = append(n.classes, class{})
		}
		n.fill(&n.classes[used], n.sorted[from], n.sorted[to-1], to-from)
		from, used = to, used+1
	}
	n.classes = n.classes[:used]
}

// fill puts the bodies with radii from least to most, so many, into a class.
func (n *Neighbours) fill(c *class, least, most float64, count int) {
	c.most = most
	n.shape(c, count)
	c.start, c.member = grownTo(c.start, c.cells[0]*c.cells[1]*c.cells[2]+1), grownTo(c.member, count)
	clear(c.start)
	for i, r := range n.radius {
		if least <= r && r <= most {
			c.start[n.cellOf(c, i)]++
		}
	}
	sum := int32(0)
	for k, m := range c.start {
		c.start[k], sum = sum, sum+m
	}
	for i, r := range n.radius { // which moves every start to the next
		if least <= r && r <= most {
			cell := n.cellOf(c, i)
			c.member[c.start[cell]] = int32(i)
			c.start[cell]++
		}
	}
	copy(c.start[1:], c.start)
	c.start[0] = 0
}

// shape makes cells in which neighbours of the class are beside each other, some four
// for each body at most.
func (n *Neighbours) shape(c *class, count int) {
	c.cells = [3]int{1, 1, 1}
	volume := 1.
	for a := range n.dim {
		volume *= n.size[a]
	}
	width := math.Max(2*c.most+n.distance, math.Pow(volume/float64(4*count+64), 1/float64(n.dim)))
	for a := range n.dim {
		c.cells[a] = max(1, int(n.size[a]/width))
		c.width[a] = n.size[a] / float64(c.cells[a])
	}
}

// along is where body i is along an axis, from the domain's first face. Places beyond a
// face are taken for those at it, which brings none that are neighbours further apart.
func (n *Neighbours) along(axis, i int) float64 {
	v := n.center[i][axis] + 0.5
	if n.periodic[axis] {
		return v - math.Floor(v/n.size[axis])*n.size[axis]
	}
	return math.Max(0, math.Min(v, n.size[axis]))
}

// cellOf is the cell of body i.
func (n *Neighbours) cellOf(c *class, i int) (cell int) {
	for a := n.dim - 1; a >= 0; a-- {
		cell = cell*c.cells[a] + max(0, min(int(n.along(a, i)/c.width[a]), c.cells[a]-1))
	}
	return cell
}

// Of are the bodies that may be neighbours of body i, ascending and without it. They hold
// until the next call.
func (n *Neighbours) Of(i int) []int32 {
	n.found = n.found[:0]
	for k := range n.classes {
		c := &n.classes[k]
		xlo, xhi := n.span(c, 0, i)
		ylo, yhi := n.span(c, 1, i)
		zlo, zhi := n.span(c, 2, i)
		for z := zlo; z <= zhi; z++ {
			for y := ylo; y <= yhi; y++ {
				for x := xlo; x <= xhi; x++ {
					cell := c.wrapped(0, x) + c.cells[0]*(c.wrapped(1, y)+c.cells[1]*c.wrapped(2, z))
					for _, j := range c.member[c.start[cell]:c.start[cell+1]] {
						if int(j) != i {
							n.found = append(n.found, j)
						}
					}
				}
			}
		}
	}
	slices.Sort(n.found)
	return n.found
}

// span is the range of a class's cells along an axis in which neighbours of body i may be;
// periodic ones are to be wrapped.
func (n *Neighbours) span(c *class, axis, i int) (lo, hi int) {
	last := c.cells[axis] - 1
	if last == 0 {
		return 0, 0
	}
	at, reach := n.along(axis, i), n.radius[i]+c.most+n.distance
	lo, hi = int(math.Floor((at-reach)/c.width[axis])), int(math.Floor((at+reach)/c.width[axis]))
	if !n.periodic[axis] {
		return max(lo, 0), min(hi, last)
	}
	if hi-lo >= last { // all of them, each once
		return 0, last
	}
	return lo, hi
}

// wrapped is a cell's number along an axis, within the domain.
func (c *class) wrapped(axis, k int) int {
	return (k%c.cells[axis] + c.cells[axis]) % c.cells[axis]
}

// grownTo is a slice of length n, in the same memory where it suffices.
func grownTo[E any](s []E, n int) []E {
	if cap(s) < n {
		return make([]E, n, n+n/8)
	}
	return s[:n]
}

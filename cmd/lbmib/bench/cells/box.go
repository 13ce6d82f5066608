package cells

import (
	"fmt"
	"math"

	"lbmib/cmd/lbmib/bench/harness"
	"lbmib/geometry"
	"lbmib/ib/elastic"
)

// A box is a lattice of places, each as large as a cell's bounding box and apart nodes more, and the
// cells, which all lie flat (their axis along z), are on the first of them.

// apart is how far bounding boxes of cells are from each other at the start, in nodes.
const apart = 0.3

// disc is a cell at rest.
type disc struct {
	vertices int
	extent   geometry.Vec // of its bounding box, nodes
	volume   float64      // nodes³
}

// newDisc is a cell of about so many vertices and a diameter in nodes.
func newDisc(vertices int, diameter float64) (*disc, error) {
	if vertices < leastVertices || vertices > mostVertices {
		return nil, fmt.Errorf("--vertices %d must be between %d and %d: 642 is usual", vertices, leastVertices, mostVertices)
	}
	if !(diameter >= leastDiameter && diameter <= mostDiameter) {
		return nil, fmt.Errorf("--diameter %g must be between %d and %d nodes", diameter, leastDiameter, mostDiameter)
	}
	mesh, err := elastic.NewRedCell(elastic.Frequency(vertices), geometry.Vec{}, diameter)
	if err != nil {
		return nil, err
	}
	d := &disc{vertices: mesh.Vertices(), volume: mesh.Volume()}
	for a := range d.extent {
		least, most := math.Inf(1), math.Inf(-1)
		for v := range mesh.Vertices() {
			x := mesh.Point(v)[a]
			least, most = math.Min(least, x), math.Max(most, x)
		}
		d.extent[a] = most - least
	}
	return d, nil
}

// fill is a box that n cells fill to a haematocrit as nearly as whole nodes allow, and as near to a cube
// as that allows.
func (d *disc) fill(n int, haematocrit float64) (size harness.Size) {
	target := float64(n) * d.volume / haematocrit
	best := math.Inf(1)
	across := int(math.Cbrt(target)/d.extent[0]) + 2
	for nx := 1; nx <= min(n, across); nx++ {
		for ny := max(1, nx-1); ny <= nx; ny++ {
			s := d.grown([3]int{nx, ny, (n + nx*ny - 1) / (nx * ny)}, target)
			volume := float64(s.Nodes())
			// A per cent of the volume counts as much as a fifth of the ratio of the longest side to the shortest.
			cost := 20*math.Abs(math.Log(volume/target)) + math.Log(float64(max(s[0], s[1], s[2]))/float64(min(s[0], s[1], s[2])))
			if cost < best {
				best, size = cost, s
			}
		}
	}
	return size
}

// grown is the least box that has the places, its shortest axes grown as long as that brings the volume nearer.
func (d *disc) grown(places [3]int, target float64) (s harness.Size) {
	for a, n := range places {
		s[a] = int(math.Ceil(float64(n) * (d.extent[a] + apart)))
	}
	off := func(s harness.Size) float64 { return math.Abs(float64(s.Nodes()) - target) }
	for {
		best, length := s, 0
		for a, n := range s {
			next := s
			next[a]++
			if off(next) < off(s) && (length == 0 || n < length) {
				best, length = next, n
			}
		}
		if length == 0 {
			return s
		}
		s = best
	}
}

// centers are where the cells of a box begin.
func (d *disc) centers(n int, size harness.Size) (all []geometry.Vec, err error) {
	var places [3]int
	room := 1
	for a := range places {
		places[a] = int(float64(size[a]) / (d.extent[a] + apart))
		room *= places[a]
	}
	if room < n {
		return nil, fmt.Errorf("%v nodes have %d places for %d cells, a place takes %.3g × %.3g × %.3g: choose a smaller --haematocrit",
			size, room, n, d.extent[0]+apart, d.extent[1]+apart, d.extent[2]+apart)
	}
	for i := range n {
		// Spread over all places, so that those left free are, too.
		at := i * room / n
		var c geometry.Vec
		for a, k := range places {
			c[a] = (float64(at%k)+0.5)*float64(size[a])/float64(k) + 0.137 // off the nodes
			at /= k
		}
		all = append(all, c)
	}
	return all, nil
}

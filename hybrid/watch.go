package hybrid

import (
	"lbmib/hybrid/patch"
	"lbmib/lbm"
)

// watch is the nodes whose velocity is told with each measurement.
type watch[T lbm.Float] struct {
	axis  int
	boxes []lbm.Box
	nodes []int32 // of all boxes, box by box, as the fluid numbers them
	u     [][]T   // room for the largest

	in       []int32 // of each node, its place in the support, −1 outside
	supports int     // number of the support that in is of
}

func newWatch[T lbm.Float](flow *lbm.Config, axis int, boxes []lbm.Box) watch[T] {
	w := watch[T]{axis: axis, boxes: boxes}
	largest := 0
	for _, b := range boxes {
		largest = max(largest, b.Nodes())
		for z := b.Lo[2]; z < b.Hi[2]; z++ {
			for y := b.Lo[1]; y < b.Hi[1]; y++ {
				for x := b.Lo[0]; x < b.Hi[0]; x++ {
					w.nodes = append(w.nodes, int32(flow.Node([3]int{x, y, z})))
				}
			}
		}
	}
	w.u, w.in = patch.Fields[T](flow.Lattice.Dim, largest), make([]int32, len(w.nodes))
	return w
}

// read has the host read the velocities.
func (w *watch[T]) read(s *Simulation[T], to *MarkerSums) {
	to.Velocity = to.Velocity[:0]
	for _, b := range w.boxes {
		s.Box(b.Lo, b.Hi, nil, w.u)
		for _, u := range w.u[w.axis][:b.Nodes()] {
			to.Velocity = append(to.Velocity, float64(u))
		}
	}
}

// take takes the velocities over into a measurement.
func (w *watch[T]) take(u []float64, m *Measurement[T]) {
	m.Velocity = grownTo(m.Velocity, len(w.boxes))
	for i, b := range w.boxes {
		m.Velocity[i] = grownTo(m.Velocity[i], b.Nodes())
		for n := range m.Velocity[i] {
			m.Velocity[i][n] = T(u[n])
		}
		u = u[len(m.Velocity[i]):]
	}
}

// find finds the places of the nodes in the support, and tells whether they may be others
// than before.
func (w *watch[T]) find(c *Coupling[T]) (changed bool) {
	if w.supports == c.window.Supports || len(w.nodes) == 0 {
		return false
	}
	w.supports = c.window.Supports
	for i := range w.in {
		w.in[i] = -1
	}
	for k, n := range c.window.Nodes {
		p, first := c.flow.Position(int(n)), 0
		for _, b := range w.boxes {
			if holds(b, p) {
				w.in[first+p[0]-b.Lo[0]+(b.Hi[0]-b.Lo[0])*(p[1]-b.Lo[1]+(b.Hi[1]-b.Lo[1])*(p[2]-b.Lo[2]))] = int32(k)
			}
			first += b.Nodes()
		}
	}
	return true
}

func holds(b lbm.Box, p [3]int) bool {
	for a, x := range p {
		if x < b.Lo[a] || x >= b.Hi[a] {
			return false
		}
	}
	return true
}

// grownTo is a slice of length n, in the same memory where it suffices.
func grownTo[E any](s []E, n int) []E {
	if cap(s) < n {
		return make([]E, n, n+n/8)
	}
	return s[:n]
}

package ib

import "math"

// Mirror is a plane of symmetry across an axis, midway between two nodes: nodes behind it are
// images of those before it.
type Mirror struct {
	Axis  int
	At    float64 // of the plane, in the units of positions
	Above bool    // the images are those above it, else those below
}

// fold makes the weights of images those of the nodes that they are images of. These are in
// the support, too, where the point is not behind the mirror, but for some of weight zero.
func (s *stencils[T]) fold(m Mirror) {
	n := s.support[m.Axis]
	sum := int(math.Round(2 * s.grid.local(m.Axis, m.At))) // of a node's number and its image's
	for k, first := range s.first[m.Axis] {
		w := s.weight[m.Axis][k*n:][:n]
		for i := range w {
			node := int(first) + i
			image := sum - node
			if node == image || (node > image) != m.Above {
				continue
			}
			if to := image - int(first); to >= 0 && to < n {
				w[to] += w[i]
			}
			w[i] = 0
		}
	}
}

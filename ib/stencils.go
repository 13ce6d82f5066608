package ib

import "lbmib/geometry"

// stencils are the supports and weights of a list of points axis by axis, for
// setting up: transfers compute them in batches (see frame).
type stencils[T Float] struct {
	grid    Grid
	delta   Delta[T]
	n       int        // points
	support [3]int     // nodes per axis: the delta's, or 1 along z in 2D
	first   [3][]int32 // first node of each point, wrapped
	weight  [3][]T     // support[axis] weights of each point
}

// newStencils are those of points x, whose supports must be in the grid.
func newStencils[T Float](g Grid, d Delta[T], x []geometry.Vec) (*stencils[T], error) {
	s := &stencils[T]{grid: g, delta: d, n: len(x), support: [3]int{1, 1, 1}}
	for a := range s.first {
		if a < g.Dim {
			s.support[a] = d.Support()
		}
		s.first[a] = make([]int32, s.n)
		s.weight[a] = make([]T, s.n*s.support[a])
	}
	var w [MaxSupport]T
	for k := range x {
		if _, ok := g.cell(d, x[k]); !ok {
			return nil, g.supportError(d, k, x[k])
		}
		for a := range g.Dim {
			n := d.Weights(&w, g.local(a, x[k][a]))
			if g.Periodic[a] {
				n = g.wrap(a, n)
			}
			s.first[a][k] = int32(n)
			copy(s.weight[a][k*s.support[a]:(k+1)*s.support[a]], w[:])
		}
	}
	return s, nil
}

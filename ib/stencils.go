package ib

import "lbmib/geometry"

// maxRows is the largest number of grid rows along x in a support.
const maxRows = MaxSupport * MaxSupport

// stencils are the supports and weights of a list of points, computed once per
// axis and point and kept axis by axis. A sweep over a support goes row by row
// along x: within a row, nodes and weights are contiguous.
type stencils[T Float] struct {
	grid    Grid
	delta   Delta[T]
	n       int        // points
	support [3]int     // nodes per axis: the delta's, or 1 along z in 2D
	first   [3][]int32 // first node of each point, wrapped
	weight  [3][]T     // support[axis] weights of each point
	// wrapped[axis][i] is the place in a field of node i along y or z, wrapped:
	// a table as long as first + support may reach, in place of a modulo.
	wrapped [3][]int
}

// rows is the section of a point's support across x: row i lies at offset[i] in
// a field and has the weight factor[i] along y and z. It is scratch that whoever
// works on points keeps for itself.
type rows[T Float] struct {
	offset [maxRows]int
	factor [maxRows]T
	n      int
	weight [MaxSupport]T // of one axis, on its way from the delta
}

func newStencils[T Float](g Grid, d Delta[T]) stencils[T] {
	s := stencils[T]{grid: g, delta: d, support: [3]int{1, 1, 1}}
	stride := 1
	for a := range s.wrapped {
		if a < g.Dim {
			s.support[a] = d.Support()
		}
		if a > 0 { // rows along x wrap as a whole
			s.wrapped[a] = make([]int, g.Size[a]+MaxSupport)
		}
		for i := range s.wrapped[a] {
			s.wrapped[a][i] = i % g.Size[a] * stride
		}
		stride *= g.Size[a]
	}
	return s
}

// resize makes room for n points, whose stencils must then be placed.
func (s *stencils[T]) resize(n int) {
	s.n = n
	for a := range s.first {
		s.first[a] = grow(s.first[a], n)
		s.weight[a] = grow(s.weight[a], n*s.support[a])
	}
	if s.grid.Dim == 2 {
		for k := range n {
			s.first[2][k], s.weight[2][k] = 0, 1
		}
	}
}

// place stores the stencil of a point, whose support is in the grid, at k.
func (s *stencils[T]) place(k int, x geometry.Vec, scratch *rows[T]) {
	w := &scratch.weight
	for a := range s.grid.Dim {
		n := s.delta.Weights(w, x[a]-s.grid.Offset[a])
		if s.grid.Periodic[a] {
			n = s.grid.wrap(a, n)
		}
		s.first[a][k] = int32(n)
		copy(s.weight[a][k*s.support[a]:(k+1)*s.support[a]], w[:])
	}
}

// rows computes the rows of point k.
func (s *stencils[T]) rows(k int, r *rows[T]) {
	ny, nz := s.support[1], s.support[2]
	y, z := int(s.first[1][k]), int(s.first[2][k])
	wy, wz := s.weight[1][k*ny:(k+1)*ny], s.weight[2][k*nz:(k+1)*nz]
	oy, oz := s.wrapped[1][y:y+ny], s.wrapped[2][z:z+nz]
	n := 0
	for j, fz := range wz {
		for i, fy := range wy {
			r.offset[n], r.factor[n] = oz[j]+oy[i], fz*fy
			n++
		}
	}
	r.n = n
}

// row is where the nodes of point k lie in a row along x, and their weights.
func (s *stencils[T]) row(k int) (first int, w []T) {
	n := s.support[0]
	return int(s.first[0][k]), s.weight[0][k*n : (k+1)*n]
}

// interpolate is Σ_x field[x] δ(x−X) for a point with rows r.
func (s *stencils[T]) interpolate(field []T, r *rows[T], first int, w []T) T {
	offset, factor := r.offset[:r.n], r.factor[:r.n]
	if inside := s.grid.Size[0] - first; inside < len(w) { // rows wrap
		var sum T
		for i, o := range offset {
			sum += factor[i] * (dot(w[:inside], field[o+first:]) + dot(w[inside:], field[o:]))
		}
		return sum
	}
	return sumRows(field[first:], offset, factor, w)
}

// spread adds factor·values[c]·w to the row at offset of every field c.
func (s *stencils[T]) spread(fields [][]T, values []T, offset, first int, w []T, factor T) {
	if s.grid.Size[0]-first < len(w) {
		for c, v := range values {
			s.addRow(fields[c], offset, first, w, factor*v)
		}
		return
	}
	addRows(fields, values, offset+first, w, factor)
}

// addRow adds a·w to the row of a field at offset, wrapped at its end.
func (s *stencils[T]) addRow(field []T, offset, first int, w []T, a T) {
	inside := min(s.grid.Size[0]-first, len(w))
	addScaled(field[offset+first:], w[:inside], a)
	addScaled(field[offset:], w[inside:], a)
}

// grow is s with length n, new only if it does not fit.
func grow[E any](s []E, n int) []E {
	if cap(s) < n {
		return make([]E, n)
	}
	return s[:n]
}

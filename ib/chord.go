package ib

import "lbmib/geometry"

// Chord stores in c the coefficients, for the n nodes of the support along an axis, of the slope
// that a velocity has at a point there: that of the chord between two places n − 2 nodes apart,
// on the straight lines between nodes' values. Its middle is about the point, so that at a wall
// with other slopes on its two sides, whose force the point's weights w spread, it is their mean; but for
// n = 2, where there is no choice. lattice is what the lattice's own part of the velocity is made of:
// see OffsetInEddies. The slope of a linear field is exact, and it is continuous where the
// support moves on to the next node, whatever the delta.
func Chord[T Float](c, w *[MaxSupport]T, n int, lattice T) {
	if n == 2 {
		c[0], c[1] = -1, 1
		return
	}
	var before, sum, first, last T // slopes between nodes, of a wall with 0 on one side and 1 on the other
	for i := range n - 1 {
		last = before + 0.75*w[i] + 0.25*w[i+1] - 2*lattice*(w[i+1]-w[i])
		before += w[i]
		if i == 0 {
			first = last
		}
		if i < n-2 {
			sum += last
		}
	}
	long := T(n - 2)
	at := (0.5*long - sum) / (last - first) // from the node before the first end on
	if at < 0 {
		at = 0
	}
	if at > 1 {
		at = 1
	}
	head, tail := (1-at)/long, at/long
	for i := range c {
		c[i] = 0
	}
	c[0], c[1] = -head, -tail
	c[n-2] += head
	c[n-1] += tail
}

// Shear finds twice the rate of strain of a flow across walls: S·n at a point, n the wall's
// normal, its gradient being that of Chord along an axis and interpolated along the others. It
// has scratch of its own, for one goroutine.
type Shear[T Float] struct {
	delta   Delta[T]
	lattice T
	w, c    [3][MaxSupport]T
	column  [MaxSupport]int
}

// NewShear is a Shear with a delta; lattice is Chord's.
func NewShear[T Float](d Delta[T], lattice T) *Shear[T] { return &Shear[T]{delta: d, lattice: lattice} }

// At is (∂_b u_a + ∂_a u_b) n_b at point x of grid g, in which it has a whole support, per node
// of velocity u[a] there. Kernels of devices do the same in the same order.
func (s *Shear[T]) At(g *Grid, u [][]T, x geometry.Vec, normal *[3]T) (q [3]T) {
	n, dim := s.delta.Support(), g.Dim
	var first [3]int
	for a := range dim {
		first[a] = s.delta.Weights(&s.w[a], g.local(a, x[a]))
		Chord(&s.c[a], &s.w[a], n, s.lattice)
	}
	for i := range n {
		s.column[i] = g.existing(0, first[0]+i)
	}
	planes := 1
	if dim == 3 {
		planes = n
	}
	var grad [3][3]T // ∂_b u_a
	for k := range planes {
		z, wz, cz := 0, T(1), T(0)
		if dim == 3 {
			z, wz, cz = g.existing(2, first[2]+k), s.w[2][k], s.c[2][k]
		}
		for j := range n {
			row := g.Size[0] * (g.existing(1, first[1]+j) + g.Size[1]*z)
			wy, cy := s.w[1][j], s.c[1][j]
			for a, u := range u[:dim] {
				var sum, chord T
				for i, at := range s.column[:n] {
					v := u[row+at]
					sum += s.w[0][i] * v
					chord += s.c[0][i] * v
				}
				grad[a][0] += wz * wy * chord
				grad[a][1] += wz * cy * sum
				grad[a][2] += cz * wy * sum
			}
		}
	}
	for a := range dim {
		for b := range dim {
			q[a] += (grad[a][b] + grad[b][a]) * normal[b]
		}
	}
	return q
}

// existing is the node that node n of an axis stands for.
func (g *Grid) existing(axis, n int) int {
	if g.Periodic[axis] {
		return g.wrap(axis, n)
	}
	return n
}

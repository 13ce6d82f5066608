package observe

import "lbmib/lbm"

// curlAxes are, for every component of the vorticity, the axes a and b of
// ω = ∂_a u_b − ∂_b u_a: the z component in 2D, all three in 3D.
func curlAxes(dim int) [][2]int {
	if dim == 2 {
		return [][2]int{{0, 1}}
	}
	return [][2]int{{1, 2}, {2, 0}, {0, 1}}
}

// Vorticity is ∇×u in lattice units by central differences, across periodic
// faces, and one-sided at the others.
func Vorticity[T lbm.Float](c *lbm.Config, u [][]T) [][]T {
	w := make([][]T, len(curlAxes(c.Lattice.Dim)))
	scratch := make([]T, c.Size[0])
	for k := range w {
		w[k] = make([]T, c.Nodes())
		for z := range c.Size[2] {
			for y := range c.Size[1] {
				vorticityRow(c, u, k, y, z, w[k][c.Node([3]int{0, y, z}):][:c.Size[0]], scratch)
			}
		}
	}
	return w
}

// vorticityRow stores component k of ∇×u on the row of nodes at y and z in w.
// Scratch is as long.
func vorticityRow[T lbm.Float](c *lbm.Config, u [][]T, k, y, z int, w, scratch []T) {
	p := curlAxes(c.Lattice.Dim)[k]
	derivativeRow(c, u[p[1]], p[0], y, z, w)
	derivativeRow(c, u[p[0]], p[1], y, z, scratch)
	for x, d := range scratch {
		w[x] -= d
	}
}

// derivativeRow stores ∂f along an axis, on the row of nodes at y and z, in d.
func derivativeRow[T lbm.Float](c *lbm.Config, f []T, axis, y, z int, d []T) {
	row := c.Node([3]int{0, y, z})
	if axis > 0 {
		before, after, span := neighbours[T](c, axis, [3]int{0, y, z}[axis])
		stride := [3]int{1, c.Size[0], c.Size[0] * c.Size[1]}[axis]
		f0, f1 := f[row+before*stride:][:len(d)], f[row+after*stride:][:len(d)]
		for x := range d {
			d[x] = (f1[x] - f0[x]) / span
		}
		return
	}
	f = f[row:][:len(d)]
	for x := 1; x < len(d)-1; x++ {
		d[x] = (f[x+1] - f[x-1]) / 2
	}
	for _, x := range [2]int{0, len(d) - 1} {
		before, after, span := neighbours[T](c, axis, x)
		d[x] = (f[x+after] - f[x+before]) / span
	}
}

// neighbours are the nodes, relative to place i along an axis, whose difference
// over span is the derivative there.
func neighbours[T lbm.Float](c *lbm.Config, axis, i int) (before, after int, span T) {
	n := c.Size[axis]
	before, after, span = -1, 1, 2
	periodic := c.Periodic(axis)
	switch {
	case n == 1:
		return 0, 0, 1
	case i == 0 && periodic:
		before = n - 1
	case i == 0:
		before, span = 0, 1
	case i == n-1 && periodic:
		after = 1 - n
	case i == n-1:
		after, span = 0, 1
	}
	return before, after, span
}

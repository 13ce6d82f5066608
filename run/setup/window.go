package setup

import "lbmib/lbm"

// piece is a run of nodes of the domain along an axis and where it goes in a
// window.
type piece struct{ from, to, n int }

// pieces are where the nodes lo ≤ p < hi along an axis come from: around a periodic
// axis from the other end, beyond other faces from the outermost node.
func (g *Grid) pieces(axis, lo, hi int) (all []piece) {
	n := g.Flow.Size[axis]
	for i := lo; i < hi; {
		next := piece{from: i, to: i - lo, n: 1}
		switch {
		case i >= 0 && i < n:
			next.n = min(hi, n) - i
		case g.Flow.Periodic(axis):
			next.from = (i%n + n) % n
			next.n = min(hi-i, n-next.from)
		case i < 0:
			next.from = 0
		default:
			next.from = n - 1
		}
		all = append(all, next)
		i += next.n
	}
	return all
}

// Tile is a box of the domain and where in a window its first node goes.
type Tile struct {
	lbm.Box
	to [3]int
}

// Tiles are what the window of the nodes lo ≤ p < hi, which may lie outside the domain,
// is put together from: see pieces.
func (g *Grid) Tiles(lo, hi [3]int) (all []Tile) {
	for _, z := range g.pieces(2, lo[2], hi[2]) {
		for _, y := range g.pieces(1, lo[1], hi[1]) {
			for _, x := range g.pieces(0, lo[0], hi[0]) {
				from := [3]int{x.from, y.from, z.from}
				all = append(all, Tile{lbm.Box{Lo: from, Hi: [3]int{x.from + x.n, y.from + y.n, z.from + z.n}}, [3]int{x.to, y.to, z.to}})
			}
		}
	}
	return all
}

// Together puts a window of a size together from its tiles, of which read reads the k-th.
func Together[T lbm.Float](size [3]int, tiles []Tile, rho []T, u [][]T, read func(k int, rho []T, u [][]T) error) error {
	if len(tiles) == 1 {
		return read(0, rho, u)
	}
	part := make([][]T, 1+len(u))
	for k, c := range tiles {
		for i := range part {
			part[i] = make([]T, c.Nodes())
		}
		if err := read(k, part[0], part[1:]); err != nil {
			return err
		}
		n, rowsY := c.Hi[0]-c.Lo[0], c.Hi[1]-c.Lo[1]
		for row := range c.Nodes() / n {
			at := c.to[0] + size[0]*(c.to[1]+row%rowsY+size[1]*(c.to[2]+row/rowsY))
			copy(rho[at:at+n], part[0][row*n:])
			for a := range u {
				copy(u[a][at:at+n], part[1+a][row*n:])
			}
		}
	}
	return nil
}

// SolidIn tells which of the nodes lo ≤ p < hi are walls, x fastest.
func (g *Grid) SolidIn(lo, hi [3]int) (solid []bool) {
	size := [3]int{hi[0] - lo[0], hi[1] - lo[1], hi[2] - lo[2]}
	if g.Flow.Inside != nil {
		return g.outside(lo, size)
	}
	var along [3][]int
	for a := range along {
		for _, q := range g.pieces(a, lo[a], hi[a]) {
			for i := range q.n {
				along[a] = append(along[a], q.from+i)
			}
		}
	}
	for _, z := range along[2] {
		for _, y := range along[1] {
			for _, x := range along[0] {
				solid = append(solid, g.Flow.Wall([3]int{x, y, z}))
			}
		}
	}
	return solid
}

// outside tells so of a box of a vessel's, which reaches no face of the domain.
func (g *Grid) outside(lo, size [3]int) (solid []bool) {
	solid = make([]bool, size[0]*size[1]*size[2])
	for k := range solid {
		solid[k] = true
	}
	g.Flow.Inside.Clear(lo, [3]int{lo[0] + size[0], lo[1] + size[1], lo[2] + size[2]}, solid)
	return solid
}

// SolidCells tells which of size cells, each so many nodes wide, from a cell on are walls, x fastest. Cells that walls have a part of count as
// their first node. They may lie beyond periodic faces.
func (g *Grid) SolidCells(from, size [3]int, width int) (solid []bool) {
	if g.Flow.Inside != nil && width == 1 {
		return g.outside(from, size)
	}
	for z := range size[2] {
		for y := range size[1] {
			for x := range size[0] {
				p := [3]int{from[0] + x, from[1] + y, from[2] + z}
				for a := range g.Flow.Lattice.Dim {
					p[a] *= width
				}
				p, ok := g.wrapped(p)
				solid = append(solid, ok && g.Flow.Wall(p))
			}
		}
	}
	return solid
}

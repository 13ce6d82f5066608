package observe

import (
	"math"

	"lbmib/run/setup"
)

// mostTogether is how many nodes are read at once for points of a line: fewer
// readings cost less than the nodes between that nobody asked for.
const mostTogether = 4096

// Sample calls use with density and velocity at points in node coordinates, in
// their order: linear between nodes, around a periodic axis, and constant beyond
// the outermost of others. Walls are at rest; the density beside them is that of
// the fluid.
func (r *State[T]) Sample(points [][3]float64, use func(k int, rho float64, u [3]float64)) {
	r.sampleFrom(0, points, use)
}

func (r *State[T]) sampleFrom(first int, points [][3]float64, use func(k int, rho float64, u [3]float64)) {
	dim := r.Flow.Lattice.Dim
	lo, hi := [3]int{}, [3]int{1, 1, 1}
	nodes := 1
	for a := range dim {
		least, most := math.Inf(1), math.Inf(-1)
		for _, x := range points {
			least, most = math.Min(least, x[a]), math.Max(most, x[a])
		}
		lo[a], hi[a] = int(math.Floor(least)), int(math.Floor(most))+2
		nodes *= hi[a] - lo[a]
	}
	if n := len(points); n > 1 && nodes > mostTogether {
		r.sampleFrom(first, points[:n/2], use)
		r.sampleFrom(first+n/2, points[n/2:], use)
		return
	}
	rho, u := make([]T, nodes), make([][]T, dim)
	for a := range u {
		u[a] = make([]T, nodes)
	}
	r.window(lo, hi, rho, u)
	box := corners[T]{lo: lo, size: [3]int{hi[0] - lo[0], hi[1] - lo[1], hi[2] - lo[2]}, rho: rho, u: u}
	if r.Flow.HasWalls() {
		box.solid = r.SolidIn(lo, hi)
	}
	for k, x := range points {
		d, v := box.at(x)
		use(first+k, d, v)
	}
}

// corners are the nodes around some points.
type corners[T float32 | float64] struct {
	lo, size [3]int
	rho      []T
	u        [][]T
	solid    []bool // nil: none is a wall
}

// at is density and velocity at a point.
func (c *corners[T]) at(x [3]float64) (rho float64, u [3]float64) {
	dim, fluid := len(c.u), 0.
	for corner := range 1 << dim {
		n, stride, w := 0, 1, 1.
		for a := range dim {
			below := math.Floor(x[a])
			frac := x[a] - below
			if corner>>a&1 == 1 {
				below, frac = below+1, 1-frac
			}
			w *= 1 - frac
			n += stride * (int(below) - c.lo[a])
			stride *= c.size[a]
		}
		if c.solid != nil && c.solid[n] {
			continue
		}
		fluid += w
		rho += w * float64(c.rho[n])
		for a := range c.u {
			u[a] += w * float64(c.u[a][n])
		}
	}
	switch {
	case fluid == 0:
		rho = 1
	case c.solid != nil:
		rho /= fluid
	}
	return rho, u
}

// window reads density and velocity of the nodes lo ≤ p < hi, x fastest, which
// may lie outside the domain: see pieces. Nodes of walls are read as they are.
func (r *State[T]) window(lo, hi [3]int, rho []T, u [][]T) {
	tiles := r.Tiles(lo, hi)
	_ = setup.Together([3]int{hi[0] - lo[0], hi[1] - lo[1], hi[2] - lo[2]}, tiles, rho, u, func(k int, rho []T, u [][]T) error {
		r.Sim.Box(tiles[k].Lo, tiles[k].Hi, rho, u)
		return nil
	})
}

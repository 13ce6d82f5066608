package observe

import (
	"math"

	"lbmib/geometry"
	"lbmib/hybrid/rigid"
	"lbmib/lbm"
	"lbmib/run/setup"
)

// front is where the pressure of the fluid on surfaces is read: in front of them, where the supports of markers there end, a node or two
// away, since through a boundary layer the pressure does not change. It is read of boxes of nodes, at once or from a capture.
type front struct {
	points [][3]float64 // in node coordinates, of each place on the surface
	boxes  []frontBox
	c      []float64 // C_p of each place; NaN where none can be told, as where the flow is on both sides
}

// frontBox is a box of nodes, lo ≤ p < hi, and the points that are read of it.
type frontBox struct {
	lo, hi [3]int
	which  []int
}

// A box of nodes around points on a surface is halved, where it has more than so many, down to so many along its longest side: of a large body most nodes of the box around it
// are in front of no point.
const (
	surfaceNodes = 1 << 15
	surfaceSide  = 12
)

// inFront is the front of places on surfaces, in node coordinates, with unit normals into the flow, 0 where there is none; a support reaches
// so far along each axis, in nodes.
func inFront(dim int, reach float64, where, normals []geometry.Vec) *front {
	f := &front{points: make([][3]float64, len(where)), c: make([]float64, len(where))}
	which := make([]int, 0, len(where))
	for k, n := range normals {
		if f.c[k] = math.NaN(); n == (geometry.Vec{}) {
			continue
		}
		ahead := reach * (math.Abs(n[0]) + math.Abs(n[1]) + math.Abs(n[2]))
		f.points[k], which = where[k].Add(n.Scale(ahead)), append(which, k)
	}
	f.split(dim, which)
	return f
}

// split adds boxes around the points that which lists, which it sorts by place.
func (f *front) split(dim int, which []int) {
	if len(which) == 0 {
		return
	}
	lo, hi := [3]int{}, [3]int{1, 1, 1}
	nodes, longest := 1, 0
	for a := range dim {
		lo[a], hi[a] = math.MaxInt, math.MinInt
		for _, k := range which {
			x := int(math.Floor(f.points[k][a]))
			lo[a], hi[a] = min(lo[a], x), max(hi[a], x+2)
		}
		nodes *= hi[a] - lo[a]
		if hi[a]-lo[a] > hi[longest]-lo[longest] {
			longest = a
		}
	}
	if side := hi[longest] - lo[longest]; nodes > surfaceNodes && side > surfaceSide {
		middle, n := float64(lo[longest]+side/2), 0
		for i, k := range which {
			if f.points[k][longest] < middle {
				which[i], which[n] = which[n], k
				n++
			}
		}
		f.split(dim, which[:n])
		f.split(dim, which[n:])
		return
	}
	f.boxes = append(f.boxes, frontBox{lo, hi, which})
}

// boxesIn are the boxes of the domain that the state is read from, in the order of read.
func (f *front) boxesIn(p *setup.Problem) (all []lbm.Box) {
	for _, b := range f.boxes {
		for _, t := range p.Tiles(b.lo, b.hi) {
			all = append(all, t.Box)
		}
	}
	return all
}

// readFront sets the coefficients; box reads the k-th of boxesIn.
func readFront[T lbm.Float](r *State[T], f *front, box func(k int, of lbm.Box, rho []T, u [][]T) error) error {
	first := 0
	for _, b := range f.boxes {
		size, nodes := [3]int{}, 1
		for a := range size {
			size[a] = b.hi[a] - b.lo[a]
			nodes *= size[a]
		}
		near := corners[T]{lo: b.lo, size: size, rho: make([]T, nodes), u: make([][]T, r.Flow.Lattice.Dim)}
		for a := range near.u {
			near.u[a] = make([]T, nodes)
		}
		tiles := r.Problem.Tiles(b.lo, b.hi)
		err := setup.Together(size, tiles, near.rho, near.u, func(k int, rho []T, u [][]T) error { return box(first+k, tiles[k].Box, rho, u) })
		if err != nil {
			return err
		}
		first += len(tiles)
		if r.Flow.HasWalls() {
			near.solid = r.Problem.SolidIn(b.lo, b.hi)
		}
		for _, k := range b.which {
			rho, _ := near.at(f.points[k])
			f.c[k] = 2 * r.Units.PressureOf(rho)
		}
	}
	return nil
}

// readNow reads of the state at hand.
func readNow[T lbm.Float](r *State[T]) func(k int, of lbm.Box, rho []T, u [][]T) error {
	return func(_ int, of lbm.Box, rho []T, u [][]T) error {
		r.Sim.Box(of.Lo, of.Hi, rho, u)
		return nil
	}
}

// intoFlow are the unit normals of a body's markers where they are, into the flow that counts, of bodies with it on both sides to one of them;
// 0 where a marker stands for two sides.
func intoFlow(b *rigid.Body) []geometry.Vec {
	n := make([]geometry.Vec, b.Markers.Len())
	for k, v := range b.Markers.Normal {
		if n[k] = v; b.Hollow {
			n[k] = v.Scale(-1)
		}
	}
	return n
}

// alongWall is the part of a traction along a wall; NaN where there is no normal.
func alongWall(f, normal geometry.Vec) geometry.Vec {
	if normal == (geometry.Vec{}) {
		nan := math.NaN()
		return geometry.Vec{nan, nan, nan}
	}
	return f.Sub(normal.Scale(f.Dot(normal)))
}

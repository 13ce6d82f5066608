package conformance

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"lbmib/geometry"
	"lbmib/ib"
)

// Places are given in nodes from the grids' offset; at is the position of one.
func (s domain) at(place [3]float64) (x geometry.Vec) {
	g := s.grids[0]
	for a := range g.Dim {
		x[a] = g.Offset[a] + spacing(g)*place[a]
	}
	return x
}

// Ranges of places along an axis:

// inside: the supports of all components are whole and do not wrap.
func (s domain) inside(axis int) (lo, hi float64) {
	half := float64(s.support) / 2
	lo, hi = math.Inf(-1), math.Inf(1)
	for _, g := range s.grids {
		lo = max(lo, half-1+g.Staggering[axis])
		hi = min(hi, float64(g.Size[axis])-half+g.Staggering[axis])
	}
	return lo, hi
}

// whole: supports are whole, and wrap on periodic axes; up to three images.
func (s domain) whole(axis int) (lo, hi float64) {
	if !s.grids[0].Periodic[axis] {
		return s.inside(axis)
	}
	size := float64(s.grids[0].Size[axis])
	return -size, 2 * size
}

// anywhere: whole, or up to outside by a support.
func (s domain) anywhere(axis int) (lo, hi float64) {
	if s.grids[0].Periodic[axis] {
		return s.whole(axis)
	}
	support := float64(s.support)
	return -support, float64(s.grids[0].Size[axis]) + support
}

// within is a random place.
func (s domain) within(r *rand.Rand, bounds func(axis int) (lo, hi float64)) (place [3]float64) {
	for a := range s.dim() {
		lo, hi := bounds(a)
		place[a] = lo + (hi-lo)*r.Float64()
	}
	return place
}

// points are n random points.
func (s domain) points(r *rand.Rand, n int, bounds func(axis int) (lo, hi float64)) []geometry.Vec {
	x := make([]geometry.Vec, n)
	for k := range x {
		x[k] = s.at(s.within(r, bounds))
	}
	return x
}

// cell is a place at which supports of component 0 begin in the same cell, in the
// middle of the grid.
func (s domain) cell(r *rand.Rand) (place [3]float64) {
	g := s.grids[0]
	for a := range g.Dim {
		place[a] = float64(g.Size[a]/2) + g.Staggering[a] + 0.999*r.Float64()
		if s.support%2 == 1 {
			place[a] -= 0.5
		}
	}
	return place
}

// arrangement is a list of points.
type arrangement struct {
	name string
	x    []geometry.Vec
}

// distributions are how about n points may lie together.
func (s domain) distributions(r *rand.Rand, n int) (list []arrangement) {
	last := s.dim() - 1
	add := func(name string, place func() [3]float64) {
		x := make([]geometry.Vec, n)
		for k := range x {
			x[k] = s.at(place())
		}
		list = append(list, arrangement{name, x})
	}
	add("sparse", func() [3]float64 { return s.within(r, s.anywhere) })
	add("all in one cell", func() [3]float64 { return s.cell(r) })
	add("all on one row of cells", func() [3]float64 {
		p := s.cell(r)
		p[0] = s.within(r, s.anywhere)[0]
		return p
	})
	add("all on one line across rows", func() [3]float64 {
		p := s.cell(r)
		p[last] = s.within(r, s.anywhere)[last]
		return p
	})
	add("all in one layer", func() [3]float64 {
		p := s.within(r, s.anywhere)
		p[last] = s.cell(r)[last]
		return p
	})
	add("all near one face", func() [3]float64 {
		p := s.within(r, s.anywhere)
		p[0] = 1.5*r.Float64() - 1
		return p
	})
	add("sphere", func() [3]float64 { return s.sphere(r) })
	side := math.Pow(float64(n)/20, 1/float64(s.dim()))
	add("20 in a cell", func() (p [3]float64) { // about a corner of the box
		for a := range s.dim() {
			p[a] = side * (r.Float64() - 0.5)
		}
		return p
	})
	list = append(list, arrangement{"every point many times", slices.Repeat(s.points(r, (n+7)/8, s.anywhere), 8)})
	return list
}

// beyondWalls are n points of which four lie in a group at the end of a bounded axis, two
// beyond the wall and two inside it, in cells of their own: where supports are moved
// to the nodes that there are, those of the group begin at the same node. The others
// are inside, near enough for workers to part the nodes of the group. There is one
// arrangement for either end of every bounded axis across rows.
func (s domain) beyondWalls(r *rand.Rand, n int) (list []arrangement) {
	half := float64(s.support) / 2
	g := s.grids[0]
	for a := 1; a < g.Dim; a++ {
		if g.Periodic[a] {
			continue
		}
		for _, wall := range []struct {
			name        string
			from, depth float64 // place of the outermost node; how deep the others are
			inwards     float64
		}{
			{"beginning", g.Staggering[a], 1, 1},
			{"end", g.Staggering[a] + float64(g.Size[a]-1), half - 1, -1},
		} {
			x := make([]geometry.Vec, n)
			group := s.cell(r)
			group[0] = float64(g.Size[0]) / 4
			for k := range x {
				p, depth := s.within(r, s.inside), wall.depth+r.Float64()
				p[0] = float64(g.Size[0]) * (1 + r.Float64()) / 2
				if k < 4 {
					p, depth = group, []float64{0.2 - half, 0.3 - half, 0.25, 0.3}[k]
				}
				p[a] = wall.from + wall.inwards*depth
				x[k] = s.at(p)
			}
			list = append(list, arrangement{fmt.Sprintf("sparse group beyond a wall, at the %s of axis %d", wall.name, a), x})
		}
	}
	return list
}

// sphere is a random place on a sphere or circle about the middle of the box, which
// touches the faces of its shortest axis.
func (s domain) sphere(r *rand.Rand) (place [3]float64) {
	g := s.grids[0]
	var d geometry.Vec
	for a := range g.Dim {
		d[a] = r.NormFloat64()
	}
	d = d.Scale(float64(slices.Min(g.Size[:g.Dim])) / 2 / d.Norm())
	for a := range g.Dim {
		place[a] = float64(g.Size[a])/2 + d[a]
	}
	return place
}

// special are points on nodes, between them, at and beyond the faces.
func (s domain) special(r *rand.Rand) []arrangement {
	var onNodes, between, faces []geometry.Vec
	for k := range 64 {
		g := s.grid(k % s.components())
		var node, half [3]float64
		for a := range g.Dim {
			node[a] = float64(r.IntN(g.Size[a]+4)-2) + g.Staggering[a]
			half[a] = node[a] + 0.5
		}
		onNodes, between = append(onNodes, s.at(node)), append(between, s.at(half))
	}
	support := float64(s.support)
	for a := range s.dim() {
		g := s.grids[a%len(s.grids)]
		size := float64(g.Size[a])
		for _, from := range []float64{0, size - 1, size} { // first and last node; the end of the period
			for _, by := range []float64{0, 1e-17, 1e-13, 0.5, 1, support / 2, support, -1e-17, -1e-13, -0.5, -1, -support / 2, -support} {
				p := s.within(r, s.anywhere)
				p[a] = from + g.Staggering[a] + by
				faces = append(faces, s.at(p))
			}
		}
	}
	return []arrangement{{"exactly on nodes", onNodes}, {"halfway between nodes", between}, {"at faces and around", faces}, {"far away", s.faraway(r)}}
}

// faraway are points many periods away, and at the limits of positions beyond walls.
func (s domain) faraway(r *rand.Rand) (x []geometry.Vec) {
	for a := range s.dim() {
		far := []float64{-1000, -40, 1000, 2e9, -2e9}
		if s.grids[0].Periodic[a] { // by whole periods, so that none is lost by rounding
			size := float64(s.grids[0].Size[a])
			far = []float64{-size, -4 * size, 8 * size, 64*size + 0.25}
		}
		for _, v := range far {
			p := s.within(r, s.anywhere)
			p[a] = v
			x = append(x, s.at(p))
		}
	}
	return x
}

// numbers are numbers of points around those at which work is cut.
var numbers = []int{0, 1, 2, 7, 8, 9, 63, 64, 65, 128, 511, 512, 513}

// position is where node i of a field on g lies.
func position(g ib.Grid, i int) (x geometry.Vec) {
	for a := range g.Dim {
		x[a] = g.Offset[a] + spacing(g)*(float64(i%g.Size[a])+g.Staggering[a])
		i /= g.Size[a]
	}
	return x
}

package ib

import (
	"fmt"
	"math"

	"lbmib/geometry"
)

// Grid is the regular grid of the nodes of a field, or of one component of a
// staggered field: node i lies at Offset + h(i + g), 0 ≤ i < Size, with the
// spacing h and the staggering g of Kassen, Shankar & Fogelson. Values lie with x
// fastest: node (i, j, k) at i + Size[0]·(j + Size[1]·k), their grid indexing
// function #. In 2D, Size[2] is 1 and the third axis is not looked at.
//
// An axis is periodic or bounded. Nodes beyond the ends of a bounded axis do not
// exist (# = ∅): they contribute nothing and receive nothing.
type Grid struct {
	Dim        int
	Size       [3]int
	Periodic   [3]bool
	Offset     [3]float64 // in the units of positions
	Spacing    float64    // h, in the units of positions; 0 stands for 1
	Staggering [3]float64 // g, in nodes, 0 ≤ g < 1
}

// MAC is the grids of the components of a vector on a marker-and-cell grid (Harlow
// & Welch 1965) of g.Size cells: component c lies on the faces across axis c and in
// the middle of the others. Along a bounded axis it has one node more than there are
// cells, so that both walls have one.
func MAC(g Grid) []Grid {
	grids := make([]Grid, g.Dim)
	for c := range grids {
		grids[c] = g
		for a := range g.Dim {
			grids[c].Staggering[a] = 0.5
		}
		grids[c].Staggering[c] = 0
		if !g.Periodic[c] {
			grids[c].Size[c]++
		}
	}
	return grids
}

// maxPosition bounds coordinates in nodes: beyond it a float64 holds too few digits
// of the position between two nodes.
const maxPosition = 1 << 31

var axisName = [3]string{"x", "y", "z"}

// Nodes is the number of nodes, the length of a field.
func (g Grid) Nodes() int { return g.Size[0] * g.Size[1] * g.Size[2] }

// spacing is h.
func (g *Grid) spacing() float64 {
	if g.Spacing == 0 {
		return 1
	}
	return g.Spacing
}

// local is a coordinate in nodes: i at node i.
func (g *Grid) local(axis int, x float64) float64 {
	return (x-g.Offset[axis])/g.spacing() - g.Staggering[axis]
}

// check refuses grids that are none, or too small for the delta.
func (g Grid) check(d Stencil) error {
	if g.Dim != 2 && g.Dim != 3 {
		return fmt.Errorf("ib: grid has %d dimensions: use 2 or 3", g.Dim)
	}
	if !(g.spacing() > 0) || math.IsInf(g.Spacing, 1) {
		return fmt.Errorf("ib: grid spacing is %v: give a positive length, or 0 for 1", g.Spacing)
	}
	nodes := 1
	for a, n := range g.Size {
		if n < 1 || n > math.MaxInt32-2*MaxSupport || n > math.MaxInt/8/nodes {
			return fmt.Errorf("ib: grid of %d × %d × %d nodes: every axis needs 1 to %d nodes, and the places of all together must fit %d bits: choose a smaller resolution or domain",
				g.Size[0], g.Size[1], g.Size[2], math.MaxInt32-2*MaxSupport, 60)
		}
		nodes *= n
		if !(math.Abs(g.Offset[a]/g.spacing()) <= maxPosition) {
			return fmt.Errorf("ib: grid offset along %s is %v: give a finite number of at most %d spacings", axisName[a], g.Offset[a], int64(maxPosition))
		}
		if !(g.Staggering[a] >= 0 && g.Staggering[a] < 1) {
			return fmt.Errorf("ib: grid staggering along %s is %v nodes: it must be at least 0 and less than 1, the rest belongs into the offset", axisName[a], g.Staggering[a])
		}
	}
	if g.Dim == 2 && g.Size[2] != 1 {
		return fmt.Errorf("ib: a grid in 2D has 1 node along z, not %d: set Size[2] = 1 or Dim = 3", g.Size[2])
	}
	for a := range g.Dim {
		if g.Size[a] < d.Support() {
			return fmt.Errorf("ib: axis %s has %d nodes, delta %s reaches over %d: use at least %d nodes there or a narrower delta",
				axisName[a], g.Size[a], d.Name(), d.Support(), d.Support())
		}
	}
	return nil
}

// first is the first node of a point's support along an axis, on a periodic
// axis the one in 0 … Size−1; whole is false if the support leaves the grid.
func (g *Grid) first(d Stencil, axis int, x float64) (node int, whole bool) {
	x = g.local(axis, x)
	if !(math.Abs(x) <= maxPosition) { // NaN too
		return 0, false
	}
	node = d.First(x)
	if g.Periodic[axis] {
		return g.wrap(axis, node), true
	}
	return node, node >= 0 && node+d.Support() <= g.Size[axis]
}

// wrap is the node of a periodic axis that node n stands for.
func (g *Grid) wrap(axis, n int) int {
	n %= g.Size[axis]
	if n < 0 {
		n += g.Size[axis]
	}
	return n
}

// cell is the index of the node that a point's support begins at; ok is false
// if the support leaves the grid.
func (g *Grid) cell(d Stencil, x geometry.Vec) (index int, ok bool) {
	for a := g.Dim - 1; a >= 0; a-- {
		n, whole := g.first(d, a, x[a])
		if !whole {
			return 0, false
		}
		index = index*g.Size[a] + n
	}
	return index, true
}

// positionError says that marker k at x has no position; nil if it has one.
func (g *Grid) positionError(k int, x geometry.Vec) error {
	for a := range g.Dim {
		if !(math.Abs((x[a]-g.Offset[a])/g.spacing()) <= maxPosition) { // NaN too
			return fmt.Errorf("ib: marker %d: %s = %v is no position, it must be finite and within %d nodes of the grid: the motion of this body has diverged or its shape is wrong",
				k, axisName[a], x[a], int64(maxPosition))
		}
	}
	return nil
}

// supportError says why the support of marker k at x is not in the grid.
func (g *Grid) supportError(d Stencil, k int, x geometry.Vec) error {
	if err := g.positionError(k, x); err != nil {
		return err
	}
	for a := range g.Dim {
		if _, whole := g.first(d, a, x[a]); !whole {
			need := d.First(g.local(a, x[a]))
			return fmt.Errorf("ib: marker %d: %s = %.6g needs nodes %d..%d for delta %s, the grid has 0..%d: move the body inwards, enlarge the domain or make the %s axis periodic",
				k, axisName[a], x[a], need, need+d.Support()-1, d.Name(), g.Size[a]-1, axisName[a])
		}
	}
	return nil
}

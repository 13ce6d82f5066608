package ib

import (
	"fmt"
	"math"

	"lbmib/geometry"
)

// Grid is a uniform grid of spacing one. Node n of axis d lies at
// Offset[d] + n, 0 ≤ n < Size[d]; a component of a staggered field has its own
// Offset. Values lie with x fastest: node (i, j, k) at i + Size[0]·(j +
// Size[1]·k). In 2D, Size[2] is 1 and the third axis is not looked at.
type Grid struct {
	Dim      int
	Size     [3]int
	Periodic [3]bool
	Offset   [3]float64
}

// maxPosition bounds coordinates: beyond it a float64 holds too few digits of
// the position between two nodes.
const maxPosition = 1 << 31

var axisName = [3]string{"x", "y", "z"}

// Nodes is the number of nodes, the length of a field.
func (g Grid) Nodes() int { return g.Size[0] * g.Size[1] * g.Size[2] }

// check refuses grids that are none, or too small for the delta.
func (g Grid) check(d Stencil) error {
	if g.Dim != 2 && g.Dim != 3 {
		return fmt.Errorf("ib: grid has %d dimensions: use 2 or 3", g.Dim)
	}
	nodes := 1
	for a, n := range g.Size {
		if n < 1 || n > math.MaxInt32/nodes {
			return fmt.Errorf("ib: grid of %d × %d × %d nodes: every axis needs at least 1 node and all together at most %d: choose a smaller resolution or domain",
				g.Size[0], g.Size[1], g.Size[2], math.MaxInt32)
		}
		nodes *= n
		if math.IsNaN(g.Offset[a]) || math.Abs(g.Offset[a]) > maxPosition {
			return fmt.Errorf("ib: grid offset along %s is %v: give a finite number of at most %d nodes", axisName[a], g.Offset[a], maxPosition)
		}
	}
	if g.Dim == 2 && g.Size[2] != 1 {
		return fmt.Errorf("ib: a grid in 2D has 1 node along z, not %d: set Size[2] = 1 or Dim = 3", g.Size[2])
	}
	for a := range g.Dim {
		if g.Periodic[a] && g.Size[a] < d.Support() {
			return fmt.Errorf("ib: periodic axis %s has %d nodes, delta %s reaches over %d: use at least %d nodes there or a narrower delta",
				axisName[a], g.Size[a], d.Name(), d.Support(), d.Support())
		}
	}
	return nil
}

// first is the first node of a point's support along an axis, on a periodic
// axis the one in 0 … Size−1; ok is false if the support leaves the grid.
func (g *Grid) first(d Stencil, axis int, x float64) (node int, ok bool) {
	x -= g.Offset[axis]
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
		n, inside := g.first(d, a, x[a])
		if !inside {
			return 0, false
		}
		index = index*g.Size[a] + n
	}
	return index, true
}

// pointError says why marker k at x has no cell.
func (g *Grid) pointError(d Stencil, k int, x geometry.Vec) error {
	for a := range g.Dim {
		if _, ok := g.first(d, a, x[a]); ok {
			continue
		}
		local := x[a] - g.Offset[a]
		if !(math.Abs(local) <= maxPosition) {
			return fmt.Errorf("ib: marker %d: %s = %v is no position, it must be finite and within %d nodes of the grid: the motion of this body has diverged or its shape is wrong",
				k, axisName[a], x[a], maxPosition)
		}
		need := d.First(local)
		return fmt.Errorf("ib: marker %d: %s = %.6g needs nodes %d..%d for delta %s, the grid has 0..%d: move the body inwards, enlarge the domain or make the %s axis periodic",
			k, axisName[a], x[a], need, need+d.Support()-1, d.Name(), g.Size[a]-1, axisName[a])
	}
	return nil
}

package observe

import (
	"lbmib/io/vtkhdf"
	"lbmib/lbm"
	"lbmib/run/setup"
)

// takeGrids copies the state at hand of each grid: of the finest with the forces of bodies accounted for, of coarser ones their own nodes
// and, beside them, what nodes of the grid above have there, by which derivatives at their ends are.
func (e *Extract[T]) takeGrids(r *State[T]) {
	if e.grids == nil {
		for _, g := range e.Grids {
			e.grids = append(e.grids, &Extract[T]{FieldSeries: setup.FieldSeries{Region: g.Region, Around: g.Around, From: g.From}})
		}
	}
	for k, g := range e.grids {
		g.bodies = e.bodies
		if width := e.Grids[k].Width; width == 1 {
			g.Take(r)
		} else {
			g.takePart(r, k, width)
		}
	}
}

// takePart copies the k-th part of the fluid, whose nodes are so wide, and what is beside it.
func (e *Extract[T]) takePart(r *State[T], k, width int) {
	dim := r.Flow.Lattice.Dim
	e.State.hold(e.Around.Size, dim)
	if e.Around.Size == e.Size {
		lbm.PartBox(r.Sim.Fluid, k, e.State.Rho, e.State.U)
		return
	}
	var own Snapshot[T]
	own.hold(e.Size, dim)
	lbm.PartBox(r.Sim.Fluid, k, own.Rho, own.U)
	var at [3]int // of its first node among those around it
	for a := range at {
		at[a] = e.Lo[a] - e.From[a]
	}
	coarsen(part[T]{&e.State, e.Around.Size, at}, part[T]{&own, e.Size, [3]int{}}, e.Size, 1, dim)
	for a := range dim {
		for _, beside := range [2]int{0, e.Around.Size[a] - 1} {
			if p := beside - at[a]; p >= 0 && p < e.Size[a] {
				continue // its own
			}
			rim, from := e.Around.Size, e.From
			var to [3]int
			rim[a], to[a], from[a] = 1, beside, from[a]+beside
			var fine Snapshot[T]
			size := rim
			for b := range dim {
				size[b], from[b] = size[b]*width, from[b]*width
			}
			fine.Read(r, from, size)
			coarsen(part[T]{&e.State, e.Around.Size, to}, part[T]{&fine, size, [3]int{}}, rim, width, dim)
		}
	}
}

// part is what a snapshot of some size has from a place on.
type part[T lbm.Float] struct {
	of       *Snapshot[T]
	size, at [3]int
}

// coarsen sets cells of one to the means of so many nodes of the other along each of dim axes.
func coarsen[T lbm.Float](to, from part[T], cells [3]int, times, dim int) {
	block := [3]int{times, times, 1}
	if dim == 3 {
		block[2] = times
	}
	share := 1 / float64(block[0]*block[1]*block[2])
	fields := func(s *Snapshot[T]) [][]T { return append([][]T{s.Rho}, s.U...) }
	source := fields(from.of)
	for i, field := range fields(to.of) {
		for n := range cells[0] * cells[1] * cells[2] {
			p := [3]int{n % cells[0], n / cells[0] % cells[1], n / (cells[0] * cells[1])}
			sum := 0.
			for z := range block[2] {
				for y := range block[1] {
					row := from.at[0] + p[0]*block[0] + from.size[0]*(from.at[1]+p[1]*block[1]+y+from.size[1]*(from.at[2]+p[2]*block[2]+z))
					for _, v := range source[i][row:][:block[0]] {
						sum += float64(v)
					}
				}
			}
			field[to.at[0]+p[0]+to.size[0]*(to.at[1]+p[1]+to.size[1]*(to.at[2]+p[2]))] = T(sum * share)
		}
	}
}

// convertGrids sets the arrays of all grids. Cells that finer ones cover have the means of these.
func (e *Extract[T]) convertGrids(p *setup.Problem) {
	for k := len(e.grids) - 1; k >= 0; k-- { // finer ones first
		g, of := e.grids[k], &e.Grids[k]
		if p.Flow.HasWalls() {
			g.State.Settle(p.SolidCells(g.From, g.Around.Size, of.Width))
		}
		for j := k + 1; j < len(e.grids); j++ {
			if finer := &e.Grids[j]; finer.Level == of.Level+1 && within(finer.Part, of.Part) {
				g.cover(e.grids[j], p.Flow.Lattice.Dim)
			}
		}
		g.fill(p, of.Width)
	}
}

func within(p, in lbm.Part) bool {
	for a := range p.Lo {
		if p.Lo[a] < in.Lo[a] || p.Hi[a] > in.Hi[a] {
			return false
		}
	}
	return true
}

// cover gives the cells that a finer grid covers the means of its nodes.
func (e *Extract[T]) cover(finer *Extract[T], dim int) {
	cells := finer.Size
	var to, from [3]int
	for a := range to {
		to[a], from[a] = finer.Lo[a], finer.Lo[a]-finer.From[a]
		if a < dim {
			cells[a], to[a] = cells[a]/2, to[a]/2
		}
		to[a] -= e.From[a]
	}
	coarsen(part[T]{&e.State, e.Around.Size, to}, part[T]{&finer.State, finer.Around.Size, from}, cells, 2, dim)
}

// amr is what a file of nested grids has; one grid is one box.
func (e *Extract[T]) amr(p *setup.Problem, at Moment) *vtkhdf.AMR {
	a := &vtkhdf.AMR{Origin: e.corner, Spacing: p.Units.Dx, Planar: p.Flow.Lattice.Dim == 2, Notes: notesOn(p, at, newArrays(p, 0))}
	if e.Grids == nil {
		a.Boxes = []vtkhdf.AMRBox{{Hi: e.Size, Arrays: e.Arrays}}
		return a
	}
	a.Spacing *= float64(e.Grids[0].Width)
	for k, g := range e.Grids {
		b := vtkhdf.AMRBox{Level: g.Level, Lo: g.Region.Lo, Hi: g.Region.Lo, Arrays: e.grids[k].Arrays}
		for axis, n := range g.Region.Size {
			b.Hi[axis] += n
		}
		a.Boxes = append(a.Boxes, b)
	}
	return a
}

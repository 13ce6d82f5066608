package joined

import "lbmib/lbm"

// Box reads density and velocity of nodes of the finest grid; see lbm.Fluid. In a cell of a coarser level they are linear, with the slopes
// between its neighbours of that level that are neither covered nor solid.
func (f *Fluid[T]) Box(lo, hi [3]int, rho []T, u [][]T) {
	to := lbm.Box{Lo: lo, Hi: hi}
	fields := [][]T{rho}
	fields = append(fields, u...)
	f.eachPiece(lo, hi, func(g *grid, b lbm.Box) {
		p := f.partAt(g)
		wide := b
		if p.level+1 < len(f.levels) {
			wide = f.widened(p.grid, b)
		}
		v := f.valuesIn(p, wide, len(fields))
		for i, field := range fields {
			if field != nil {
				v.spread(field, to, b, i)
			}
		}
	})
}

// levelValues are values of the cells of a level in a box.
type levelValues[T lbm.Float] struct {
	box    lbm.Box
	width  int // of a cell, in nodes of the finest grid
	dim    int
	of     [][]T
	hidden []bool // cells that a finer level covers, or walls, where what nodes hold is nobody's; nil: no slopes are asked for
}

// valuesIn reads density and velocity in a box that lies in the undivided one of a part, from all parts that have cells there.
func (f *Fluid[T]) valuesIn(p *part[T], box lbm.Box, fields int) *levelValues[T] {
	v := &levelValues[T]{box: box, width: f.width(p.level), dim: f.cfg.Lattice.Dim}
	n := box.Nodes()
	all := make([]T, fields*n)
	for i := range fields {
		v.of = append(v.of, all[i*n:(i+1)*n])
	}
	for _, o := range f.partsIn(p.whole) { // others are not beside it
		switch m := meet(box, lbm.Box{Lo: o.lo, Hi: o.hi}); m.Nodes() {
		case 0:
		case n:
			own := o.local(box)
			o.fluid.Box(own.Lo, own.Hi, v.of[0], v.of[1:])
		default:
			some := f.valuesIn(o, m, fields)
			for i, from := range some.of {
				moveBox(v.of[i], from, box, m, m)
			}
		}
	}
	if v.width > 1 {
		v.hidden = make([]bool, n)
		f.hide(p.level, v)
	}
	return v
}

// moveBox copies what values of box from have in a piece of it to those of box to.
func moveBox[T any](dst, src []T, to, from, piece lbm.Box) {
	n, m, width := size(to), size(from), piece.Hi[0]-piece.Lo[0]
	for z := piece.Lo[2]; z < piece.Hi[2]; z++ {
		for y := piece.Lo[1]; y < piece.Hi[1]; y++ {
			at := piece.Lo[0] - to.Lo[0] + n[0]*(y-to.Lo[1]+n[1]*(z-to.Lo[2]))
			k := piece.Lo[0] - from.Lo[0] + m[0]*(y-from.Lo[1]+m[1]*(z-from.Lo[2]))
			copy(dst[at:at+width], src[k:k+width])
		}
	}
}

// hide finds the hidden cells.
func (f *Fluid[T]) hide(level int, v *levelValues[T]) {
	if solid := f.flows[level].Solid; solid != nil {
		k := 0
		each(v.box.Lo, v.box.Hi, func(p [3]int) {
			v.hidden[k] = solid[f.flows[level].Node(p)]
			k++
		})
	}
	if level+1 == len(f.levels) {
		return
	}
	for _, o := range f.levels[level+1] {
		if m := meet(v.box, f.cells(o.grid)); m.Nodes() > 0 {
			yes := make([]bool, m.Nodes())
			for k := range yes {
				yes[k] = true
			}
			moveBox(v.hidden, yes, v.box, m, m)
		}
	}
}

// spread gives nodes of the finest grid in a box to what the cells of a piece have there, of value i.
func (v *levelValues[T]) spread(field []T, to, piece lbm.Box, i int) {
	r, n := v.width, size(to)
	from, end := piece.Lo, piece.Hi // in nodes of the finest grid, within to
	for a := range v.dim {
		from[a], end[a] = max(piece.Lo[a]*r, to.Lo[a]), min(piece.Hi[a]*r, to.Hi[a])
	}
	for z := from[2]; z < end[2]; z++ {
		for y := from[1]; y < end[1]; y++ {
			row := n[0] * (y - to.Lo[1] + n[1]*(z-to.Lo[2]))
			v.spreadRow(field[row:row+n[0]], to.Lo[0], [3]int{from[0], y, z}, end[0], i)
		}
	}
}

// spreadRow is spread, of a row of nodes from one on; field begins at x = first.
func (v *levelValues[T]) spreadRow(field []T, first int, at [3]int, end, i int) {
	r, w := v.width, size(v.box)
	stride := [3]int{1, w[0], w[0] * w[1]}
	cell := at
	for a := range v.dim {
		cell[a] = at[a] / r
	}
	values := v.of[i]
	k := cell[0] - v.box.Lo[0] + w[0]*(cell[1]-v.box.Lo[1]+w[1]*(cell[2]-v.box.Lo[2]))
	if r == 1 {
		copy(field[at[0]-first:end-first], values[k:])
		return
	}
	offset := func(x, cell int) T { return T((float64(x-cell*r)+0.5)/float64(r) - 0.5) }
	for x := at[0]; x < end; k, cell[0] = k+1, cell[0]+1 {
		middle := values[k]
		for a := 1; a < v.dim; a++ {
			middle += offset(at[a], cell[a]) * v.slope(values, k, cell, a, stride[a])
		}
		along := v.slope(values, k, cell, 0, 1)
		for ; x < end && x < (cell[0]+1)*r; x++ {
			field[x-first] = middle + offset(x, cell[0])*along
		}
	}
}

// slope is that of values along an axis at cell k, per cell: between its neighbours there, those that are not hidden.
func (v *levelValues[T]) slope(values []T, k int, cell [3]int, a, stride int) T {
	low, high, span := k, k, 0
	if cell[a] > v.box.Lo[a] && !v.hidden[k-stride] {
		low, span = k-stride, span+1
	}
	if cell[a]+1 < v.box.Hi[a] && !v.hidden[k+stride] {
		high, span = k+stride, span+1
	}
	if span == 0 {
		return 0
	}
	return (values[high] - values[low]) / T(span)
}

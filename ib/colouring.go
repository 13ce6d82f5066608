package ib

import "lbmib/internal/parallel"

// colouring deals the cells along an axis to colours: no two places of one colour
// have a node in common. Cells whose supports are moved to the same nodes (see
// batch) share a place.
type colouring struct {
	colours, places int // the most places of a colour
	cell            []colourPlace
}

type colourPlace struct{ colour, place int }

// colour is the colouring of the cells of a site along an axis of n nodes, with the
// fewest colours that there can be. These are, for a support of s nodes: s between
// walls; s+1 along a periodic x axis, whatever its length; along other periodic axes s
// where it divides n, and otherwise n over the number of whole supports in n, rounded
// up. Axes shorter than two supports may need fewer.
func (f *frame[T]) colour(s *site, axis int) colouring {
	n, low := f.cells(s, axis)
	last := s.grid.Size[axis] - f.support // the last node at which loops begin
	c := colouring{cell: make([]colourPlace, n)}
	switch {
	case !s.grid.Periodic[axis]:
		// What leaves the grid is moved inside: cells are told by where that begins.
		for i := range c.cell {
			first := min(max(i-low, 0), last)
			c.cell[i] = colourPlace{first % f.support, first / f.support}
		}
	case axis == 0:
		// Rows do not wrap. What reaches over their end is moved to their last nodes
		// and, as rest, to their first ones: the cells there are one, and it is in the
		// way of the first s cells, as these are in each other's: it has a colour of
		// its own.
		for i := range c.cell {
			c.cell[i] = colourPlace{i % f.support, i / f.support}
			if i >= last {
				c.cell[i] = colourPlace{min(last, f.support), 0}
			}
		}
	default:
		// Round the axis in groups as even as can be, none shorter than a support.
		groups := n / f.support
		for g := range groups {
			begin, end := parallel.Share(n, g, groups)
			for i := begin; i < end; i++ {
				c.cell[i] = colourPlace{i - begin, g}
			}
		}
	}
	for _, p := range c.cell {
		c.colours, c.places = max(c.colours, p.colour+1), max(c.places, p.place+1)
	}
	return c
}

// again tells whether a cell shares its place with the one before it.
func (c *colouring) again(cell int) bool {
	return cell > 0 && len(c.cell) > 0 && c.cell[cell] == c.cell[cell-1]
}

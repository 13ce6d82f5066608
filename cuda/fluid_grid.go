package cuda

import (
	"fmt"
	"strings"

	"lbmib/cuda/device"
	"lbmib/lbm"
)

// fluidGrid says where nodes lie in a population's slot of a lattice. Rows begin at
// cache lines, or, where that would take more than a hundredth, at sectors of 32 bytes,
// which is what memory moves. One ghost lies at the end of each row, one row of ghosts at
// the end of each plane: a population is pulled from one side of the domain alone, so
// that the ghost at the end of a row also serves the beginning of the next.
type fluidGrid struct {
	element int // bytes of a population
	q       int
	row     int // nodes to the next y
	plane   int // and z
	apron   int // nodes before the first and after the last
	slot    int // nodes of a slot
}

func newFluidGrid(c *lbm.Config, element int) fluidGrid {
	line, sector := 128/element, 32/element
	g := fluidGrid{element: element, q: c.Lattice.Q}
	g.row = device.RoundUp(c.Size[0]+1, line)
	if g.row*100 > c.Size[0]*101 {
		g.row = device.RoundUp(c.Size[0]+1, sector)
	}
	g.plane = g.row * c.Size[1]
	g.apron = g.row + 1
	if c.Lattice.Dim == 3 {
		g.plane += g.row
		g.apron += g.plane
	}
	g.apron = device.RoundUp(g.apron, line)
	g.slot = device.RoundUp(2*g.apron+g.plane*c.Size[2], line)
	return g
}

// bytes are those of a lattice.
func (g *fluidGrid) bytes() int { return g.q * g.slot * g.element }

// index is the padded index of node p, which may be a ghost.
func (g *fluidGrid) index(p [3]int) int { return p[0] + g.row*p[1] + g.plane*p[2] }

// view says where populations lie relative to their nodes: in the slot of the opposite
// direction, and so many nodes of c_i away. It is C++'s View, in elements.
type view struct {
	flip  bool
	shift int // of c_i: −1, 0, 1
}

// offset is where population i of node p lies, in elements from node 0's first.
func (g *fluidGrid) offset(v view, l *lbm.Lattice, i int, p [3]int) int {
	slot := i
	if v.flip {
		slot = lbm.Opposite(i)
	}
	c := l.C[i]
	for a := range p {
		p[a] += v.shift * c[a]
	}
	return slot*g.slot + g.index(p)
}

// fluidScheme is a cycle of sweeps, as lbm's schemes: ab pulls from one lattice into
// another; inplace works on one, in turn pulling from opposite slots of the neighbours
// to slots there, and at the nodes alone.
type fluidScheme struct {
	lattices int
	cycle    []struct{ read, write view }
}

func newFluidScheme(name string) (fluidScheme, error) {
	type sweep = struct{ read, write view }
	switch name {
	case "ab":
		return fluidScheme{2, []sweep{{view{false, -1}, view{false, 0}}}}, nil
	case "inplace":
		return fluidScheme{1, []sweep{{view{true, -1}, view{false, 1}}, {view{false, 0}, view{true, 0}}}}, nil
	}
	return fluidScheme{}, fmt.Errorf("cuda: streaming %q is unknown: choose one of %s", name, strings.Join(lbm.StreamingNames, ", "))
}

// stored is the view of populations after collision, before the sweep of a phase.
func (s *fluidScheme) stored(phase int) view {
	return s.cycle[(phase+len(s.cycle)-1)%len(s.cycle)].write
}

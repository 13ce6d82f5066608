package cuda

import (
	"fmt"
	"strings"

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
	g.row = roundUp(c.Size[0]+1, line)
	if g.row*100 > c.Size[0]*101 {
		g.row = roundUp(c.Size[0]+1, sector)
	}
	g.plane = g.row * c.Size[1]
	g.apron = g.row + 1
	if c.Lattice.Dim == 3 {
		g.plane += g.row
		g.apron += g.plane
	}
	g.apron = roundUp(g.apron, line)
	g.slot = roundUp(2*g.apron+g.plane*c.Size[2], line)
	return g
}

func roundUp(n, to int) int { return (n + to - 1) / to * to }

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

// Needs is the device memory that a fluid takes, in bytes.
type Needs struct {
	Lattices int64 // populations
	Boundary int64 // links, open faces and walls, at most
	Staging  int64 // room for exchange with the host and for sums, but for lists of nodes
	PerNode  float64
}

// Total is all of it.
func (n Needs) Total() int64 { return n.Lattices + n.Boundary + n.Staging }

// NeedsOf is the memory that a fluid takes on a device, its populations taking element
// bytes each (8, 4 or 2). Streaming "auto" counts as two lattices.
func NeedsOf(c *lbm.Config, element int) Needs {
	g := newFluidGrid(c, element)
	lattices, phases := int64(2), int64(1)
	if c.Streaming == "inplace" {
		lattices, phases = 1, 2
	}
	n := Needs{Lattices: lattices * int64(g.bytes()), Boundary: boundaryNeeds(c, element, phases), Staging: exchangeBytes + surveyBytes}
	n.PerNode = float64(n.Total()) / float64(c.Nodes())
	return n
}

// boundaryNeeds is the most that a boundary takes.
func boundaryNeeds(c *lbm.Config, element int, phases int64) (n int64) {
	// Bytes of links, each with its part in a task, of tasks, and of open faces.
	const task, copied, fromOpen, openNode = 24, 16 + 24/8, 17 + 8, 2*2*32 + 12
	across := int64(3) // links of a node that cross a face
	if c.Lattice.Dim == 3 {
		across = 5
	}
	for side := range 2 * c.Lattice.Dim {
		nodes, link := int64(c.Nodes()/c.Size[side/2]), int64(copied)
		switch c.Faces[side].Kind {
		case lbm.Pressure, lbm.Outflow:
			link = fromOpen
			n += nodes * openNode
		case lbm.MovingWall, lbm.Velocity:
			link += int64(max(element, 4)) + 1
		}
		n += nodes * across * link * phases
	}
	n += 2 * int64(c.Size[1]*c.Size[2]) * task * phases
	if c.Solid != nil {
		n += int64(c.Nodes())/8 + c.SolidLinks()*copied*phases
	}
	return n
}

// fits refuses fluids larger than the device's free memory.
func fits(c *lbm.Config, element int, free, total int64) error {
	n := NeedsOf(c, element)
	if n.Total() <= free {
		return nil
	}
	remedy := "choose fewer nodes"
	if c.Streaming == "ab" {
		remedy += ", streaming in place"
	}
	switch element {
	case 8:
		remedy += ", precision f32 or f32/f16"
	case 4:
		remedy += ", precision f32/f16"
	}
	return fmt.Errorf("cuda: %d × %d × %d nodes of %s take %.3g GB of device memory (%.0f bytes a node), %.3g GB of the device's %.3g GB are free: %s, or backend cpu",
		c.Size[0], c.Size[1], c.Size[2], c.Lattice.Name, float64(n.Total())/1e9, n.PerNode, float64(free)/1e9, float64(total)/1e9, remedy)
}

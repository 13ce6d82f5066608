package flexible

import (
	"fmt"
	"math"

	"lbmib/geometry"
	"lbmib/ib/elastic"
	"lbmib/ib/elastic/rbf"
	"lbmib/ib/elastic/ring"
)

// Cell is a closed surface, in the plane a closed line, that moves with the fluid and resists being deformed. Cells of one kind
// share a membrane: one of triangles, a smooth one, or a ring; see NewSmooth for what moves of the second.
type Cell struct {
	Name     string
	Membrane *elastic.Membrane // of triangles; nil of other cells
	Smooth   *rbf.Membrane     // likewise
	Ring     *ring.Ring        // likewise
	Center   geometry.Vec      // of the enclosed volume at the start, in nodes
	Turn     geometry.Mat      // of the membrane's mesh or reference about its centre, at the start
	Lambda   float64           // viscosity of the fluid inside over that outside; 0: 1
	Loads    []Load            // forces from outside

	surface surface        // which of them it is
	first   int            // of its points among those of a coupling
	x       []geometry.Vec // vertices, or data and after them sample sites, not wrapped around periodic axes
	u       []geometry.Vec // velocities of vertices or data sites after the last step, nodes per step
	past    []geometry.Vec // and after that before it
	saved   []geometry.Vec // x before the step at hand
	lost    int            // the first vertex that has no position; −1: none
	force   []geometry.Vec // at x; 0 at data sites
	away    bool           // it waits outside of the fluid
	answer  *answer        // of the fluid; nil: steps are explicit
}

// NewCell is a cell at rest in the shape of its membrane's mesh.
func NewCell(name string, m *elastic.Membrane, center geometry.Vec, turn geometry.Mat) (*Cell, error) {
	n := m.Mesh().Vertices()
	return newCell(Cell{Name: name, Membrane: m, Center: center, Turn: turn, surface: triangles{m}}, n, n)
}

// newCell gives a cell so many points, the first of which move.
func newCell(c Cell, points, moving int) (*Cell, error) {
	for a, x := range c.Center {
		if !(math.Abs(x) <= geometry.MaxCoordinate) {
			return nil, fmt.Errorf("flexible: cell %q: its centre has %s = %v, must be finite and within ±%.3g nodes", c.Name, "xyz"[a:a+1], x, float64(geometry.MaxCoordinate))
		}
	}
	for _, v := range []*[]geometry.Vec{&c.x, &c.saved, &c.force} {
		*v = make([]geometry.Vec, points)
	}
	c.u, c.past = make([]geometry.Vec, moving), make([]geometry.Vec, moving)
	c.start()
	return &c, nil
}

// start puts the cell where it begins.
func (c *Cell) start() {
	clear(c.u)
	clear(c.past)
	clear(c.force)
	c.surface.start(c)
}

// ViscosityRatio is λ, the viscosity of the fluid inside over that outside.
func (c *Cell) ViscosityRatio() float64 {
	if c.Lambda == 0 {
		return 1
	}
	return c.Lambda
}

// Kind is what cells of a kind share.
func (c *Cell) Kind() any { return c.surface.key() }

// Points are the vertices now, or the data sites and after them the sample sites, in nodes, not
// wrapped around periodic axes. The slice is the cell's, and stays the same.
func (c *Cell) Points() []geometry.Vec { return c.x }

// Drawn are Points where they begin, in a slice of their own.
func (c *Cell) Drawn() []geometry.Vec {
	first := Cell{Center: c.Center, Turn: c.Turn, x: make([]geometry.Vec, len(c.x)), u: make([]geometry.Vec, len(c.u)), force: make([]geometry.Vec, len(c.force))}
	c.surface.start(&first)
	return first.x
}

// First is the number of the cell's first point among all points of a coupling, which SetFirst sets.
func (c *Cell) First() int         { return c.first }
func (c *Cell) SetFirst(first int) { c.first = first }

// Force is the force on the fluid at each of Points in the last step, in lattice units.
func (c *Cell) Force() []geometry.Vec { return c.force }

// Move keeps what velocities were, and returns room for those that the first of Points have after the
// step: all vertices, or the data sites. Other points follow these.
func (c *Cell) Move() []geometry.Vec {
	c.past, c.u = c.u, c.past
	return c.u
}

// Extent is how far Points reach along each axis.
func (c *Cell) Extent() (lo, hi geometry.Vec) {
	lo, hi = c.x[0], c.x[0]
	for _, x := range c.x {
		for a := range x {
			lo[a], hi[a] = min(lo[a], x[a]), max(hi[a], x[a])
		}
	}
	return lo, hi
}

// Velocities are those of the vertices or data sites after the last step, in nodes per step.
func (c *Cell) Velocities() []geometry.Vec { return c.u }

// Past are those of the step before.
func (c *Cell) Past() []geometry.Vec { return c.past }

// Velocity is the rate at which the centre of the enclosed volume moves, in nodes per step.
func (c *Cell) Velocity() geometry.Vec { return c.surface.velocity(c) }

// Measure is the cell's shape now, in nodes. A ring's area is its length and its volume the area that it encloses.
func (c *Cell) Measure() elastic.Measure { return c.surface.measure(c) }

// Energy is the cell's elastic energy now, by part, in lattice units; a ring's is per depth.
func (c *Cell) Energy() elastic.Energy { return c.surface.energy(c) }

// Rest is the area and the volume as drawn, of a ring the length and the area that it encloses.
func (c *Cell) Rest() (area, volume float64) { return c.surface.rest() }

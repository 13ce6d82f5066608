package flexible

import (
	"fmt"
	"math"

	"lbmib/geometry"
	"lbmib/ib/elastic"
	"lbmib/ib/elastic/rbf"
)

// Cell is a closed surface that moves with the fluid and resists being deformed. Cells of one kind
// share a membrane: one of triangles, or a smooth one; see NewSmooth for what moves of that.
type Cell struct {
	Name     string
	Membrane *elastic.Membrane // of triangles; nil of a smooth cell
	Smooth   *rbf.Membrane     // nil of a cell of triangles
	Center   geometry.Vec      // of the enclosed volume at the start, in nodes
	Turn     geometry.Mat      // of the membrane's mesh or reference about its centre, at the start
	Lambda   float64           // viscosity of the fluid inside over that outside; 0: 1

	first int            // of its points among those of a coupling
	x     []geometry.Vec // vertices, or data and after them sample sites, not wrapped around periodic axes
	u     []geometry.Vec // velocities of vertices or data sites after the last step, nodes per step
	past  []geometry.Vec // and after that before it
	saved []geometry.Vec // x before the step at hand
	force []geometry.Vec // at x; 0 at data sites
}

// NewCell is a cell at rest in the shape of its membrane's mesh.
func NewCell(name string, m *elastic.Membrane, center geometry.Vec, turn geometry.Mat) (*Cell, error) {
	n := m.Mesh().Vertices()
	return newCell(Cell{Name: name, Membrane: m, Center: center, Turn: turn}, n, n)
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
	if c.Smooth != nil {
		c.startSmooth()
		return
	}
	mesh := c.Membrane.Mesh()
	origin := mesh.Center()
	for v := range c.x {
		c.x[v] = c.Turn.Apply(mesh.Point(v).Sub(origin)).Add(c.Center)
	}
}

// ViscosityRatio is λ, the viscosity of the fluid inside over that outside.
func (c *Cell) ViscosityRatio() float64 {
	if c.Lambda == 0 {
		return 1
	}
	return c.Lambda
}

// Kind is what cells of a kind share.
func (c *Cell) Kind() any {
	if c.Smooth != nil {
		return c.Smooth
	}
	return c.Membrane
}

// Points are the vertices now, or the data sites and after them the sample sites, in nodes, not
// wrapped around periodic axes. The slice is the cell's, and stays the same.
func (c *Cell) Points() []geometry.Vec { return c.x }

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

// Velocities are those of the vertices or data sites after the last step, in nodes per step.
func (c *Cell) Velocities() []geometry.Vec { return c.u }

// Velocity is the rate at which the centre of the enclosed volume moves, in nodes per step:
// ∮ (X − c) (u·n) dA / V + the rate at which the volume itself is displaced.
func (c *Cell) Velocity() geometry.Vec {
	if c.Smooth != nil {
		return c.smoothVelocity()
	}
	mesh, center := c.Membrane.Mesh(), c.Measure().Center
	var sum geometry.Vec
	volume := 0.
	for k := range mesh.Triangles() {
		t := mesh.Triangle(k)
		a, b, d := c.x[t[0]].Sub(center), c.x[t[1]].Sub(center), c.x[t[2]].Sub(center)
		n := b.Sub(a).Cross(d.Sub(a)) // twice the area along the normal
		volume += a.Dot(b.Cross(d)) / 6
		ua, ub, ud := c.u[t[0]].Dot(n), c.u[t[1]].Dot(n), c.u[t[2]].Dot(n)
		all := ua + ub + ud // ∫ (Σ λ_i x_i)(Σ λ_j u_j) dA = A/12 Σ_i x_i (Σ_j u_j + u_i)
		sum = sum.Add(a.Scale(all + ua)).Add(b.Scale(all + ub)).Add(d.Scale(all + ud))
	}
	return sum.Scale(1 / (24 * volume))
}

// Measure is the cell's shape now, in nodes.
func (c *Cell) Measure() elastic.Measure {
	if c.Smooth != nil {
		return c.smoothMeasure()
	}
	x := make([]float64, c.Membrane.Mesh().BlockLen())
	c.pack(x, 0)
	return c.Membrane.Mesh().Measure(x, 0)
}

// Energy is the cell's elastic energy now, by part, in lattice units.
func (c *Cell) Energy() elastic.Energy {
	if c.Smooth != nil {
		return c.smoothEnergy()
	}
	x := make([]float64, c.Membrane.Mesh().BlockLen())
	c.pack(x, 0)
	elastic.FillUnused(x, 1)
	return c.Membrane.Energies(c.Membrane.NewScratch(), x)[0]
}

// pack stores the vertices in a lane of a block.
func (c *Cell) pack(x []float64, lane int) { packed(x, c.x, lane) }

// packed stores vectors in a lane of a block.
func packed(to []float64, from []geometry.Vec, lane int) {
	for k := range from {
		at := to[3*elastic.Lanes*k+lane:]
		at[0], at[elastic.Lanes], at[2*elastic.Lanes] = from[k][0], from[k][1], from[k][2]
	}
}

// unpacked gets them from there.
func unpacked(to []geometry.Vec, from []float64, lane int) {
	for k := range to {
		at := from[3*elastic.Lanes*k+lane:]
		to[k] = geometry.Vec{at[0], at[elastic.Lanes], at[2*elastic.Lanes]}
	}
}

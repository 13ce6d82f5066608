package flexible

import (
	"lbmib/geometry"
	"lbmib/ib/elastic"
)

// triangles is the surface of cells whose membrane is made of triangles.
type triangles struct{ membrane *elastic.Membrane }

func (s triangles) key() any { return s.membrane }

func (s triangles) start(c *Cell) {
	mesh := s.membrane.Mesh()
	origin := mesh.Center()
	for v := range c.x {
		c.x[v] = c.Turn.Apply(mesh.Point(v).Sub(origin)).Add(c.Center)
	}
}

// velocity is ∮ (X − c) (u·n) dA / V + the rate at which the volume itself is displaced.
func (s triangles) velocity(c *Cell) geometry.Vec {
	mesh, center := s.membrane.Mesh(), c.Measure().Center
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

func (s triangles) measure(c *Cell) elastic.Measure {
	x := make([]float64, s.membrane.Mesh().BlockLen())
	c.pack(x, 0)
	return s.membrane.Mesh().Measure(x, 0)
}

func (s triangles) energy(c *Cell) elastic.Energy {
	x := make([]float64, s.membrane.Mesh().BlockLen())
	c.pack(x, 0)
	elastic.FillUnused(x, 1)
	return s.membrane.Energies(s.membrane.NewScratch(), x)[0]
}

func (s triangles) rest() (area, volume float64) {
	return s.membrane.Mesh().Area(), s.membrane.Mesh().Volume()
}

// areas of a vertex are a third of the triangles around it.
func (s triangles) areas(c *Cell) []float64 {
	areas, mesh := make([]float64, len(c.x)), s.membrane.Mesh()
	for k := range mesh.Triangles() {
		t := mesh.Triangle(k)
		a, b, d := mesh.Point(t[0]), mesh.Point(t[1]), mesh.Point(t[2])
		for _, v := range t {
			areas[v] += b.Sub(a).Cross(d.Sub(a)).Norm() / 6
		}
	}
	return areas
}

func (s triangles) moduli() (shear, bending float64) {
	m := s.membrane.Material()
	return m.Shear, m.Bending
}

func (s triangles) works(_, workers int) kind { return newMeshed(s.membrane, workers) }

// meshed is cells whose membrane is made of triangles: every vertex moves with the fluid and has a force.
type meshed struct {
	membrane *elastic.Membrane
	room     []meshedRoom // of each worker
}

type meshedRoom struct {
	scratch *elastic.Scratch
	x, u, f []float64
	solver  *meshedSolver // of implicit cells; nil: none yet
}

func newMeshed(m *elastic.Membrane, workers int) *meshed {
	k := &meshed{membrane: m, room: make([]meshedRoom, workers)}
	n := m.Mesh().BlockLen()
	for w := range k.room {
		k.room[w] = meshedRoom{scratch: m.NewScratch(), x: make([]float64, n), u: make([]float64, n), f: make([]float64, n)}
	}
	return k
}

func (k *meshed) together() int { return elastic.Lanes }

func (k *meshed) forces(cells []*Cell, worker int, inspect bool) (out fault) {
	r, m := &k.room[worker], k.membrane
	packCells(r.x, cells, (*Cell).Points)
	if m.Viscous() {
		packCells(r.u, cells, (*Cell).Velocities)
	}
	m.Forces(r.scratch, r.x, r.u, r.f, len(cells))
	sum := 0.
	for k := range cells[0].force { // vertex by vertex, all of whose lanes lie in a few cache lines
		at := elastic.Row(r.f, k)
		for lane, c := range cells {
			f := &c.force[k]
			f[0], f[1], f[2] = at[lane], at[elastic.Lanes+lane], at[2*elastic.Lanes+lane]
			sum += f[0] + f[1] + f[2]
		}
	}
	if inspect || sum-sum != 0 {
		if f, found := m.Inspect(r.scratch, r.x, len(cells)); found {
			return fault{cells[f.Lane], f}
		}
	}
	if sum-sum != 0 { // of forces too large for numbers
		return fault{cells[0], elastic.Fault{Kind: elastic.NotFinite, Where: cells[0].x[0]}}
	}
	return fault{}
}

// packCells stores vectors of cells in the lanes of a block, vertex by vertex.
func packCells(to []float64, cells []*Cell, of func(*Cell) []geometry.Vec) {
	var from [elastic.Lanes][]geometry.Vec
	for lane, c := range cells {
		from[lane] = of(c)
	}
	for k := range from[0] {
		at := elastic.Row(to, k)
		for lane, v := range from[:len(cells)] {
			at[lane], at[elastic.Lanes+lane], at[2*elastic.Lanes+lane] = v[k][0], v[k][1], v[k][2]
		}
	}
}

// pack stores the vertices in a lane of a block.
func (c *Cell) pack(x []float64, lane int) {
	for k := range c.x {
		at := elastic.Row(x, k)
		at[lane], at[elastic.Lanes+lane], at[2*elastic.Lanes+lane] = c.x[k][0], c.x[k][1], c.x[k][2]
	}
}

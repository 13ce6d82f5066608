package plate

import (
	"slices"

	"lbmib/geometry"
)

// Sheet is a rectangle of n₁×n₂ nodes that stretches and bends, made by New. One goroutine at a
// time uses it; sheets share nothing.
type Sheet struct {
	material
	scheme      Scheme
	now, before state // at the end of the last step and of the one before it
	stress      stress
	steps       int64
	equations   equations
}

// grid is how nodes are numbered and spaced.
type grid struct {
	n [2]int
	h [2]float64
}

// material is what does not change.
type material struct {
	grid
	dt         float64
	gravity    geometry.Vec
	share      []float64 // area of the sheet that a node stands for
	mass, drag []float64 // of nodes
	edges      []edge
	bending    *bending
	held       []int          // numbers of nodes that are
	isHeld     []bool         // of all nodes
	places     []geometry.Vec // of held

	ends [4]EdgeKind

	density, stretching, shear, stretchingDamping float64
}

// stress is what acted in the sheet in the last step.
type stress struct {
	tension []float64 // of edges, force per length
	shear   []float64 // of cells, likewise
}

// state is where nodes are and how they move.
type state struct{ x, u []geometry.Vec }

func newState(n int) state { return state{make([]geometry.Vec, n), make([]geometry.Vec, n)} }

func (s *state) copy(from *state) {
	copy(s.x, from.x)
	copy(s.u, from.u)
}

// New makes the sheet at t = 0. What no sheet can be made of is refused.
func New(c Config) (*Sheet, error) {
	if err := c.check(); err != nil {
		return nil, err
	}
	n := c.nodes()
	s := &Sheet{scheme: c.Scheme, now: newState(n), before: newState(n)}
	copy(s.now.u, c.U)
	if copy(s.now.x, c.X) == 0 {
		for k := range s.now.x {
			s.now.x[k] = geometry.Vec{float64(k%c.Nodes[0]) * c.Spacing[0], float64(k/c.Nodes[0]) * c.Spacing[1]}
		}
	}
	s.material = newMaterial(&c, s.now.x)
	s.stress = stress{make([]float64, len(s.edges)), make([]float64, s.cells())}
	for k := range s.edges {
		s.stress.tension[k] = s.stretching * s.edges[k].strain(s.now.x)
	}
	for k := range s.stress.shear {
		s.stress.shear[k] = s.material.shear * s.cellAt(k, s.now.x).sheared()
	}
	s.equations = newEquations(&s.material)
	return s, nil
}

// newMaterial is that of a configuration that has been checked, of nodes that begin at x.
func newMaterial(c *Config, x []geometry.Vec) material {
	n := c.nodes()
	m := material{
		grid: grid{c.Nodes, c.Spacing}, dt: c.Step, gravity: c.Gravity,
		share: make([]float64, n), mass: make([]float64, n), drag: make([]float64, n), isHeld: make([]bool, n),
		ends: c.Edges, density: c.Mass, stretching: c.Stretching, shear: c.Shear, stretchingDamping: c.StretchingDamping,
	}
	for k := range m.share {
		i, j := m.at(k)
		m.share[k] = m.width(0, i) * m.width(1, j)
		m.mass[k], m.drag[k] = c.Mass*m.share[k], c.Drag*m.share[k]
		for e, on := range [4]bool{i == 0, i == m.n[0]-1, j == 0, j == m.n[1]-1} {
			m.isHeld[k] = m.isHeld[k] || on && c.Edges[e] != Free
		}
		if m.isHeld[k] {
			m.held, m.places = append(m.held, k), append(m.places, x[k])
		}
	}
	m.edges = m.newEdges()
	m.bending = newBending(m.grid, c.Bending, c.Poisson, c.Edges, x)
	return m
}

// at is where node k is on the grid.
func (g *grid) at(k int) (i, j int) { return k % g.n[0], k / g.n[0] }

// width is the length along an axis that node i of it stands for.
func (g *grid) width(axis, i int) float64 {
	if i == 0 || i == g.n[axis]-1 {
		return g.h[axis] / 2
	}
	return g.h[axis]
}

// cells is the number of rectangles between nodes.
func (g *grid) cells() int { return (g.n[0] - 1) * (g.n[1] - 1) }

// corner is the node of cell k with the lowest number; the others are 1, n₁ and n₁ + 1 further.
func (g *grid) corner(k int) int { return k + k/(g.n[0]-1) }

// X are the places of the nodes. Ask again after a step: its places are others.
func (s *Sheet) X() []geometry.Vec { return s.now.x }

// U are the velocities of the nodes. Ask again after a step.
func (s *Sheet) U() []geometry.Vec { return s.now.u }

// Len is the number of nodes, Nodes that along s₁ and s₂.
func (s *Sheet) Len() int      { return len(s.now.x) }
func (s *Sheet) Nodes() [2]int { return s.n }

// Share is the area of the sheet that node k stands for.
func (s *Sheet) Share(k int) float64 { return s.share[k] }

// Predict stores where the nodes will be after the next step as far as the last two tell: of
// second order in Δt. Forces of the fluid are to be found there.
func (s *Sheet) Predict(to []geometry.Vec) {
	for k, x := range s.now.x {
		if s.steps > 0 {
			to[k] = x.Add(x.Sub(s.before.x[k]))
		} else {
			to[k] = x.Add(s.now.u[k].Scale(s.dt))
		}
	}
}

// Normals stores the unit normals, along ∂X/∂s₁ × ∂X/∂s₂, at the nodes of a sheet like this one whose
// nodes are at x. Where there is none it is 0.
func (s *Sheet) Normals(to, x []geometry.Vec) {
	for k := range to {
		i, j := s.at(k)
		a := x[k+min(1, s.n[0]-1-i)].Sub(x[k-min(1, i)])
		b := x[k+s.n[0]*min(1, s.n[1]-1-j)].Sub(x[k-s.n[0]*min(1, j)])
		normal := a.Cross(b)
		if size := normal.Norm(); size > 0 {
			normal = normal.Scale(1 / size)
		}
		to[k] = normal
	}
}

// HeldNodes are the numbers of the nodes that edges hold.
func (s *Sheet) HeldNodes() []int { return slices.Clone(s.held) }

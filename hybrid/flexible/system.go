package flexible

import (
	"fmt"
	"math"

	"lbmib/geometry"
	"lbmib/internal/parallel"
)

// System is the cells in a domain. Results do not depend on the number of workers.
type System struct {
	Cells []*Cell

	loops    parallel.Loops
	kinds    map[any]kind
	blocks   []block // of cells whose forces are found
	slipping []block // of those that slip
	vertices int
	started  bool // velocities have been set

	step    int64   // at hand
	inspect bool    // the cells of the step at hand
	faults  []fault // of each block

	unsolved []fault // of those that slip

	advance, save, look, forceAll, solveAll func(worker int) // loops, made once
	slip                                    slip
}

// kind works on cells of one membrane: meshed, smooth or ringed.
type kind interface {
	// together is how many cells forces takes at most.
	together() int

	// forces finds the forces of cells where they are, on a worker. Its fault is a cell that is no membrane
	// any more; without inspect only forces that are not finite are found.
	forces(cells []*Cell, worker int, inspect bool) fault

	// slip has vertices of cells slip along these, on a worker.
	slip(cells []*Cell, worker, rounds int, s *slip)

	// solve makes the forces of implicit cells those of where they go: see System.Solve.
	solve(cells []*Cell, worker int, s *slip) fault
}

// fault is a cell that is no membrane any more, and why; its error is nil where there is none.
type fault struct {
	cell *Cell
	err  error
}

// InspectEvery is the number of steps from one search for triangles that have collapsed or turned over to
// the next; forces that are not finite are found at once.
const InspectEvery = 16

// NewSystem is of these cells, where they begin.
func NewSystem(cells []*Cell, loops parallel.Loops) *System {
	s := &System{Cells: cells, loops: loops}
	s.kinds = newKinds(cells, loops.Workers())
	for _, c := range cells {
		c.start()
		s.vertices += len(c.x)
	}
	all := func(int) bool { return true }
	s.blocks, s.slipping = s.inBlocks(nil, all), s.inBlocks(nil, all)
	s.faults = make([]fault, len(s.blocks))
	workers := loops.Workers()
	each := func(do func(c *Cell)) func(int) {
		return func(w int) {
			for i := w; i < len(cells); i += workers {
				do(cells[i])
			}
		}
	}
	s.advance, s.save, s.look = each((*Cell).advance), each((*Cell).save), each((*Cell).look)
	s.forceAll = func(w int) {
		for i := w; i < len(s.blocks); i += workers {
			b := &s.blocks[i]
			s.faults[i] = b.kind.forces(b.cells, w, s.inspect)
			for _, c := range b.cells {
				c.addLoads(s.step)
				c.dropForces()
			}
		}
	}
	return s
}

// Vertices is the number of all cells' points: vertices, or data and sample sites.
func (s *System) Vertices() int { return s.vertices }

// Started tells whether the cells have the velocity of a fluid; Start says that they have.
func (s *System) Started() bool { return s.started }
func (s *System) Start()        { s.started = true }

// Save keeps where the cells are, for Restore.
func (s *System) Save() { s.loops.Run(s.vertices, s.save) }

func (c *Cell) save() { copy(c.saved, c.x) }

// Restore takes the step since Save back.
func (s *System) Restore() {
	for _, c := range s.Cells {
		copy(c.x, c.saved)
	}
}

// Advance moves the cells on by a step.
func (s *System) Advance() { s.loops.Run(s.vertices, s.advance) }

func (c *Cell) advance() {
	past := c.past[:len(c.u)]
	for k, u := range c.u {
		x, p := &c.x[k], &past[k]
		x[0] += 1.5*u[0] - 0.5*p[0]
		x[1] += 1.5*u[1] - 0.5*p[1]
		x[2] += 1.5*u[2] - 0.5*p[2]
	}
}

// accelerated is by how many nodes per step the velocity of a vertex may change in a step: half the speed of sound.
const accelerated = 0.25

// Farthest bounds how far a vertex can move in the step after the next velocity is known: 3/2 of that, less 1/2 of the one at hand.
func (c *Cell) Farthest() float64 {
	most := 0.
	for _, u := range c.u {
		most = max(most, u.Dot(u))
	}
	return 2*math.Sqrt(most) + 1.5*accelerated
}

// Forces finds the forces of all cells where they are, loads at step t among them. Its error is a cell that is no membrane
// any more.
func (s *System) Forces(t int64) (*Cell, error) {
	return s.forcesAndFaults(t, t%InspectEvery == 0)
}

// Inspect looks for a cell that is no membrane any more, at step t.
func (s *System) Inspect(t int64) (*Cell, error) { return s.forcesAndFaults(t, true) }

func (s *System) forcesAndFaults(t int64, inspect bool) (*Cell, error) {
	s.step, s.inspect = t, inspect
	s.loops.Run(s.vertices, s.forceAll)
	for _, f := range s.faults {
		if f.err != nil {
			return f.cell, fmt.Errorf("body %q at step %d: %w", f.cell.Name, t, f.err)
		}
	}
	return nil, nil
}

// HasForces tells whether all forces are numbers.
func (s *System) HasForces() bool {
	sum := 0.
	for _, c := range s.Cells {
		for _, f := range c.force {
			sum += 0 * (f[0] + f[1] + f[2])
		}
	}
	return sum == 0
}

// Finite refuses vertices without a position, or so far away that nodes there cannot be numbered.
func (s *System) Finite() (*Cell, error) {
	s.loops.Run(s.vertices, s.look)
	for _, c := range s.Cells {
		if k := c.lost; k >= 0 {
			x := c.x[k]
			return c, fmt.Errorf("body %q: vertex %d is at x = %g, y = %g, z = %g nodes: positions must be finite and within ±%.3g, the flow or the cell has diverged", c.Name, k, x[0], x[1], x[2], float64(geometry.MaxCoordinate))
		}
	}
	return nil, nil
}

// look finds the first vertex that Finite refuses.
func (c *Cell) look() {
	c.lost = -1
	for k, x := range c.x {
		if !(math.Abs(x[0]) <= geometry.MaxCoordinate && math.Abs(x[1]) <= geometry.MaxCoordinate && math.Abs(x[2]) <= geometry.MaxCoordinate) {
			c.lost = k
			return
		}
	}
}

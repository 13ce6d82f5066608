package flexible

import (
	"fmt"

	"lbmib/geometry"
	"lbmib/ib/elastic"
	"lbmib/internal/parallel"
)

// System is the cells in a domain. Results do not depend on the number of workers.
type System struct {
	Cells []*Cell

	loops    parallel.Loops
	kinds    []kind
	blocks   []block
	vertices int
	started  bool // velocities have been set

	inspect                 bool            // the cells of the step at hand
	faults                  []elastic.Fault // of each block, and whether there is one
	faulty                  []bool
	advance, save, forceAll func(worker int) // loops, made once
}

// kind is what cells of one membrane are worked on with: one of each worker.
type kind struct {
	membrane *elastic.Membrane
	room     []room
}

type room struct {
	scratch *elastic.Scratch
	x, u, f []float64
}

// block is up to elastic.Lanes cells of a kind.
type block struct {
	kind  int
	cells []*Cell
}

// inspectEvery is the number of steps from one search for triangles that have collapsed or turned over to
// the next; forces that are not finite are found at once.
const inspectEvery = 16

// NewSystem is of these cells, where they begin.
func NewSystem(cells []*Cell, loops parallel.Loops) *System {
	s := &System{Cells: cells, loops: loops}
	numbers := map[*elastic.Membrane]int{}
	open := map[int]int{} // of each kind: the block that is not full
	for _, c := range cells {
		c.start()
		s.vertices += len(c.x)
		k, known := numbers[c.Membrane]
		if !known {
			k = len(s.kinds)
			numbers[c.Membrane] = k
			s.kinds = append(s.kinds, newKind(c.Membrane, loops.Workers()))
		}
		b, has := open[k]
		if !has || len(s.blocks[b].cells) == elastic.Lanes {
			b = len(s.blocks)
			open[k] = b
			s.blocks = append(s.blocks, block{kind: k})
		}
		s.blocks[b].cells = append(s.blocks[b].cells, c)
	}
	s.faults, s.faulty = make([]elastic.Fault, len(s.blocks)), make([]bool, len(s.blocks))
	workers := loops.Workers()
	each := func(do func(c *Cell)) func(int) {
		return func(w int) {
			for i := w; i < len(cells); i += workers {
				do(cells[i])
			}
		}
	}
	s.advance, s.save = each((*Cell).advance), each((*Cell).save)
	s.forceAll = func(w int) {
		for i := w; i < len(s.blocks); i += workers {
			s.forces(i, w)
		}
	}
	return s
}

func newKind(m *elastic.Membrane, workers int) kind {
	k := kind{membrane: m, room: make([]room, workers)}
	n := m.Mesh().BlockLen()
	for w := range k.room {
		k.room[w] = room{m.NewScratch(), make([]float64, n), make([]float64, n), make([]float64, n)}
	}
	return k
}

// Vertices is the number of all cells' vertices.
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
	past := c.past[:len(c.x)]
	for k, u := range c.u[:len(c.x)] {
		x, p := &c.x[k], &past[k]
		x[0] += 1.5*u[0] - 0.5*p[0]
		x[1] += 1.5*u[1] - 0.5*p[1]
		x[2] += 1.5*u[2] - 0.5*p[2]
	}
}

// Forces finds the forces of all cells where they are, at step t. Its error is a cell that is no membrane
// any more.
func (s *System) Forces(t int64) (*Cell, error) {
	return s.forcesAndFaults(t, t%inspectEvery == 0)
}

// Inspect looks for a cell that is no membrane any more, at step t.
func (s *System) Inspect(t int64) (*Cell, error) { return s.forcesAndFaults(t, true) }

func (s *System) forcesAndFaults(t int64, inspect bool) (*Cell, error) {
	s.inspect = inspect
	s.loops.Run(s.vertices, s.forceAll)
	for i := range s.blocks {
		if s.faulty[i] {
			f := s.faults[i]
			c := s.blocks[i].cells[f.Lane]
			return c, fmt.Errorf("body %q at step %d: %w", c.Name, t, f)
		}
	}
	return nil, nil
}

// forces finds those of a block.
func (s *System) forces(i, worker int) {
	b := &s.blocks[i]
	r := &s.kinds[b.kind].room[worker]
	m := s.kinds[b.kind].membrane
	viscous := m.Viscous()
	for lane, c := range b.cells {
		c.pack(r.x, lane)
		if viscous {
			packed(r.u, c.u, lane)
		}
	}
	m.Forces(r.scratch, r.x, r.u, r.f, len(b.cells))
	sum := 0.
	for lane, c := range b.cells {
		unpacked(c.force, r.f, lane)
		for _, f := range c.force {
			sum += f[0] + f[1] + f[2]
		}
	}
	s.faulty[i] = false
	if s.inspect || sum-sum != 0 {
		s.faults[i], s.faulty[i] = m.Inspect(r.scratch, r.x, len(b.cells))
	}
	if sum-sum != 0 && !s.faulty[i] { // of forces too large for numbers
		s.faults[i], s.faulty[i] = elastic.Fault{Kind: elastic.NotFinite, Where: b.cells[0].x[0]}, true
	}
}

// Finite refuses vertices without a position, or so far away that nodes there cannot be numbered.
func (s *System) Finite() (*Cell, error) {
	for _, c := range s.Cells {
		for k, x := range c.x {
			if !(max(x[0], x[1], x[2]) <= geometry.MaxCoordinate && min(x[0], x[1], x[2]) >= -geometry.MaxCoordinate) {
				return c, fmt.Errorf("body %q: vertex %d is at x = %g, y = %g, z = %g nodes: positions must be finite and within ±%.3g, the flow or the cell has diverged", c.Name, k, x[0], x[1], x[2], float64(geometry.MaxCoordinate))
			}
		}
	}
	return nil, nil
}

package hybrid

import (
	"cmp"

	"lbmib/geometry"
	"lbmib/hybrid/flexible"
	"lbmib/hybrid/patch"
	"lbmib/hybrid/rigid"
	"lbmib/lbm"
)

// cellForces is the forces of cells' membranes, F = −∂E/∂X at their vertices. They are known before the fluid's
// step, unless cells are implicit, and vertices move with the fluid: their velocity is u = û + F/(2ρ), interpolated.
type cellForces[T lbm.Float] struct {
	*points[T]
	system     *flexible.System
	contact    *softContact       // nil: none
	viscosity  *viscosities[T]    // nil: that of the fluid around
	feeder     *feeder            // nil: no cell enters or leaves
	implicit   *implicitForces[T] // nil: all cells make explicit steps
	slip       *membraneSlip      // nil: what deltas take of velocities along membranes is left
	sharing    *sharing[T]        // with other ranks; nil: this process has all
	extent     [][2]geometry.Vec  // of each cell, where measure has found it
	give, take func(worker int)   // loops over cells, made once
	look       func(worker int)

	late  bool  // the step that move is for is being made: it cannot be stopped any more
	found error // a cell that move then has found to be no membrane any more; it has forces still
}

// newCellForces is of the cells of a coupling, whose vertices are its points from first on.
func newCellForces[T lbm.Float](p *points[T], first int) *cellForces[T] {
	c := &cellForces[T]{points: p, system: flexible.NewSystem(p.cfg.Cells, p.loops)}
	n, cells := p.loops.Workers(), p.cfg.Cells
	for _, cell := range cells {
		cell.SetFirst(first)
		first += len(cell.Points())
	}
	c.give = func(w int) {
		for i := w; i < len(cells); i += n {
			c.giveForces(cells[i])
		}
	}
	c.extent = make([][2]geometry.Vec, len(cells))
	c.look = func(w int) {
		for i := w; i < len(cells); i += n {
			c.extent[i][0], c.extent[i][1] = cells[i].Extent()
		}
	}
	c.take = func(w int) {
		for i := w; i < len(cells); i += n {
			if !cells[i].Away() {
				c.takeVelocity(cells[i].Move(), cells[i].First())
			}
		}
	}
	return c
}

// move moves the cells to where they are at a step, and finds their forces there, and the viscosities inside. All ranks that share them have its error.
func (c *cellForces[T]) move(step int64) error {
	c.system.Advance()
	cell, err := c.system.Finite()
	if err == nil && c.feeder != nil {
		c.feeder.act(step)
	}
	if err == nil {
		c.sharing.attend()
		cell, err = c.system.Forces(step)
		if err != nil && c.late && c.system.HasForces() {
			c.found, err = motionError(cell, step, err), nil
		}
	}
	if err == nil && c.viscosity != nil {
		c.sharing.foundForces()
		cell, err = c.viscosity.follow(c.late)
		if err != nil && c.late {
			c.found, err = cmp.Or(c.found, motionError(cell, step, err)), nil
		}
	}
	if err := c.sharing.agree(motionError(cell, step, err)); err != nil { // before anything is another on some ranks alone
		return err
	}
	if c.contact != nil {
		c.sharing.attendContact()
		c.contact.act()
	}
	return nil
}

// measure finds how far the cells reach.
func (c *cellForces[T]) measure() { c.loops.Run(c.system.Vertices(), c.look) }

// save keeps where the cells are, for restore.
func (c *cellForces[T]) save() {
	c.system.Save()
	if c.feeder != nil {
		c.feeder.save()
	}
}

// restore takes the step since save back.
func (c *cellForces[T]) restore() {
	c.system.Restore()
	if c.feeder != nil {
		c.feeder.restore()
	}
}

// isClear tells whether the supports of all cells can be where they come to be in the next step.
func (c *cellForces[T]) isClear() bool {
	for i, cell := range c.cfg.Cells {
		for a := range c.dim {
			if c.flow.Periodic(a) {
				continue
			}
			if !c.window.Fits(len(c.bodies)+i, a, cell.Farthest()) {
				return false
			}
		}
	}
	return true
}

// inspect looks for a cell that is no membrane any more.
func (c *cellForces[T]) inspect(step int64) error {
	cell, err := c.system.Inspect(step)
	if err == nil && c.viscosity != nil {
		cell, err = c.viscosity.inspect()
	}
	return motionError(cell, step, err)
}

func motionError(cell *flexible.Cell, step int64, err error) error {
	if err == nil {
		return nil
	}
	return &rigid.MotionError{Body: cell.Name, Step: step, Msg: err.Error()}
}

// follow is forcing.
func (c *cellForces[T]) follow() {
	if c.implicit != nil {
		c.implicit.follow(c)
	}
}

// setTargets is forcing: nothing is to be reached.
func (c *cellForces[T]) setTargets(float64) (changed bool) { return true }

// act is forcing. Forces have been found finite where cells are.
func (c *cellForces[T]) act(t float64) (finite bool) {
	if !c.solve(int64(t)) {
		c.window.Spread(c.push) // none: what is left of the step is that of the fluid alone
		return false
	}
	c.loops.Run(c.system.Vertices(), c.give)
	c.window.Spread(c.push)
	return true
}

func (c *cellForces[T]) giveForces(cell *flexible.Cell) {
	force, first := cell.Force(), cell.First()
	for a, push := range c.push {
		push = push[first:][:len(force)]
		for k := range push {
			push[k] = T(force[k][a])
		}
	}
}

// takeVelocities gives the vertices the velocities that have been interpolated.
func (c *cellForces[T]) takeVelocities() {
	c.loops.Run(c.system.Vertices(), c.take)
	switch s := c.slip; {
	case s == nil:
	case c.sharing != nil:
		c.sharing.slip(s)
	default:
		c.system.Slip(s.offset, s.per, s.over)
	}
}

func (c *cellForces[T]) takeVelocity(u []geometry.Vec, first int) {
	for a, felt := range c.felt[1:] {
		felt = felt[first:][:len(u)]
		for k := range felt {
			u[k][a] = float64(felt[k])
		}
	}
}

// startCells gives cells, before their first step, the velocity of the fluid that they are put into.
func (c *Coupling[T]) startCells(fluid patch.Part[T]) {
	if c.cells == nil || c.cells.system.Started() {
		return
	}
	c.window.Ghosts.SetTime(float64(fluid.Steps()))
	c.window.Read(fluid)
	c.window.Interpolate(c.felt)
	c.cells.takeVelocities()
	c.cells.takeVelocities() // in the step before, too
	c.cells.system.Start()
}

// Flexible is what cells need of the state beside Held, nil where there are none. SetFlexible restores
// it in a simulation of the same cells; SetHeld comes after it.
func (s *Simulation[T]) Flexible() []float64 {
	if s.coupling == nil || s.coupling.cells == nil {
		return nil
	}
	s.Flush()
	state := s.coupling.cells.system.State()
	if f := s.coupling.cells.feeder; f != nil {
		state = f.appendState(state)
	}
	return state
}

// SetFlexible restores what Flexible returned.
func (s *Simulation[T]) SetFlexible(state []float64) error {
	if s.coupling == nil || s.coupling.cells == nil {
		return nil
	}
	s.discard()
	ranks := s.coupling.sharing
	ranks.tell(togetherFlexible)
	return s.coupling.setFlexible(ranks.same(state))
}

func (c *Coupling[T]) setFlexible(state []float64) error {
	fed := len(state)
	if f := c.cells.feeder; f != nil {
		fed = max(0, len(state)-f.stateLen())
	}
	if err := c.cells.system.SetState(state[:fed]); err != nil {
		return err
	}
	if f := c.cells.feeder; f != nil {
		f.setState(state[fed:])
	}
	return c.follow()
}

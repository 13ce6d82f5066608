package hybrid

import (
	"lbmib/geometry"
	"lbmib/hybrid/flexible"
)

// membraneSlip puts right how vertices of cells move along their membranes. Where a membrane pushes the fluid along itself, by f_t per area, the
// velocity has a kink: its slopes on the two sides differ by f_t/(ρν). A delta spreads the force and means the velocity, which takes e f_t/(ρν) away, e being ib.Offset. That is
// what walls do (see wall), and it is put right likewise: a vertex moves with
//
//	U = Σ u δ(x−X) + e/(ρν) f_t,
//
// f_t smoothed over a few vertices (flexible.Cell.Traction). Without it membranes resist more than they should to what deforms them, to first order in the grid's
// spacing, and those that are nearer to each other than a support is wide hardly slide along each other. 1/ν is the mean of both sides'.
type membraneSlip[T float32 | float64] struct {
	cells     []*flexible.Cell
	per       float64 // e/(ρν), ν of the fluid
	rounds    []int   // of each cell
	viscosity *viscosities[T]
	room      []flexible.Along // of every worker
}

// newMembraneSlip is nil where walls, and so membranes, are left as they are.
func newMembraneSlip[T float32 | float64](c *cellForces[T]) *membraneSlip[T] {
	if c.cfg.Offset == 0 {
		return nil
	}
	s := &membraneSlip[T]{cells: c.cfg.Cells, per: c.cfg.Offset / c.flow.Collision.Viscosity(), viscosity: c.viscosity, room: make([]flexible.Along, c.loops.Workers())}
	for _, cell := range s.cells {
		rounds, _ := cell.SlipRounds(c.cfg.Offset)
		s.rounds = append(s.rounds, rounds)
	}
	return s
}

// add adds the slip of cell i to velocities of its vertices.
func (s *membraneSlip[T]) add(u []geometry.Vec, i, worker int) {
	x := s.cells[i].Points()
	for v, t := range s.cells[i].Traction(&s.room[worker], s.rounds[i]) {
		per := s.per
		if s.viscosity != nil {
			per /= float64(s.viscosity.at(x[v]))
		}
		u[v] = u[v].Add(t.Scale(per))
	}
}

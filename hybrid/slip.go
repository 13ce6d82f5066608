package hybrid

import (
	"lbmib/geometry"
	"lbmib/lbm"
)

// membraneSlip puts right how vertices of cells move along their membranes. Where a membrane pushes the fluid along itself, by f_t per area, the
// velocity has a kink: its slopes on the two sides differ by f_t/(ρν). A delta spreads the force and means the velocity, which takes e f_t/(ρν) away, e being ib.Offset. That is
// what walls do (see wall), and it is put right likewise: a vertex moves with
//
//	U = Σ u δ(x−X) + e/(ρν) f_t,
//
// f_t smoothed over a few vertices (elastic.Membrane.Along). Without it membranes resist more than they should to what deforms them, to first order in the grid's
// spacing, and those that are nearer to each other than a support is wide hardly slide along each other. 1/ν is the mean of both sides'.
type membraneSlip struct {
	offset float64                    // e
	per    float64                    // e/(ρν), ν of the fluid
	over   func(geometry.Vec) float64 // the viscosity at a place over that; nil: 1
}

// MembraneOffset is e of membranes in a flow, 0 where they do not slip: where walls are left as they are; where e is not positive, as with bgk and large τ, and vertices would move
// against their forces; and beside an eddy viscosity, of which a force alone does not tell the slopes.
func MembraneOffset(cfg *CouplingConfig, flow *lbm.Config) float64 {
	if flow.Collision.NodesDiffer() {
		return 0
	}
	return max(cfg.Offset, 0)
}

// newMembraneSlip is nil where membranes do not slip.
func newMembraneSlip[T lbm.Float](c *cellForces[T]) *membraneSlip {
	e := MembraneOffset(&c.cfg, c.flow)
	if e == 0 {
		return nil
	}
	s := &membraneSlip{offset: e, per: e / c.flow.Collision.Viscosity()}
	if v := c.viscosity; v != nil {
		s.over = func(x geometry.Vec) float64 { return float64(v.at(x)) }
	}
	return s
}

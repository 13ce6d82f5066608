package check

import (
	"fmt"

	"lbmib/internal/finite"
	"lbmib/run/setup"
)

// SuspensionReport is how suspended ellipsoids are resolved.
type SuspensionReport struct {
	Count       int           `json:"count"`
	Hematocrit  finite.Number `json:"hematocrit"` // that so many make
	Equatorial  finite.Number `json:"equatorial"` // semi-axes, nodes
	Polar       finite.Number `json:"polar"`
	Translation finite.Number `json:"friction"`        // γT, lattice units
	Rotation    finite.Number `json:"friction_turn"`   // γR
	Response    finite.Number `json:"response_time"`   // M/γT, steps
	Strength    finite.Number `json:"strength"`        // ε, lattice units
	PerNode     finite.Number `json:"ellipsoids_node"` // on average
}

// suspension says how the suspended ellipsoids are resolved.
func (r *Report) suspension(p *setup.Problem) {
	s := p.Coupling.Ellipsoids
	if s == nil {
		return
	}
	c := s.Config()
	t := c.Friction.Translation[0]
	r.Suspension = &SuspensionReport{
		Count: s.Len(), Hematocrit: finite.Number(p.Haematocrit()), Equatorial: finite.Number(c.Shape.Equatorial), Polar: finite.Number(c.Shape.Polar),
		Translation: finite.Number(t), Rotation: finite.Number(c.Friction.Rotation[0]), Response: finite.Number(c.Mass / t),
		Strength: finite.Number(c.Repulsion.Strength), PerNode: finite.Number(float64(s.Len()) / float64(p.Flow.Nodes())),
	}
}

// writeSuspension prints it.
func (p *page) writeSuspension(s *SuspensionReport) {
	if s == nil {
		return
	}
	p.section("Suspended ellipsoids")
	p.row("number", fmt.Sprintf("%s, one in %.3g nodes", count(float64(s.Count)), 1/float64(s.PerNode)))
	p.row("haematocrit", fmt.Sprintf("%.4g", float64(s.Hematocrit)))
	p.row("semi-axes", fmt.Sprintf("%.3g and %.3g nodes", float64(s.Equatorial), float64(s.Polar)))
	p.row("response", fmt.Sprintf("%.3g steps = M/γ, γ = %.3g, of torques %.3g", float64(s.Response), float64(s.Translation), float64(s.Rotation)))
	p.row("repulsion", fmt.Sprintf("ε = %.3g in lattice units", float64(s.Strength)))
}

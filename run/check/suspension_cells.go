package check

import (
	"fmt"

	"lbmib/hybrid"
	"lbmib/ib"
	"lbmib/internal/finite"
	"lbmib/run/setup"
)

// SuspendedReport is how many elastic cells a suspension has, and what they are in.
type SuspendedReport struct {
	Name       string        `json:"name"`
	Count      int           `json:"count"`                // at the start
	Hematocrit finite.Number `json:"hematocrit"`           // that so many make
	Asked      finite.Number `json:"hematocrit_asked"`     // of the fluid's volume, or of the region's
	Discharge  finite.Number `json:"discharge_hematocrit"` // asked for; 0: the former is
	Ratio      finite.Number `json:"fahraeus_ratio"`       // by which the former was found; 0: it was not
	Radius     finite.Number `json:"radius"`               // of the sphere as large, nodes
	Film       Judged        `json:"film"`                 // mean thickness of the films between cells where they are dense, nodes
	Stiffness  Judged        `json:"stiffness"`            // K Δt/(ρνΔx), as that of each cell
	Widths     finite.Number `json:"diameters_across"`     // of the tube over the cell's; 0: no tube
	Tube       finite.Number `json:"tube_radius"`          // nodes; 0 likewise
	Alone      finite.Number `json:"flow_rate_alone"`      // of the fluid without cells, UL²; 0: not known
	Region     bool          `json:"in_region"`            // hematocrit and hematocrit_asked are of the fluid in a part of the domain
	Feed       *Judged       `json:"feed,omitempty"`       // of what flows in at velocity ports: the share that cells are; absent: none enter
	Rate       finite.Number `json:"cells_per_time"`       // that enter per L/U, a mean over the run
	Waiting    int           `json:"waiting"`              // cells that are kept ready to enter
	Grown      finite.Number `json:"packed_to,omitempty"`  // the size to which cells had grown, over their own, when packing was left; absent: they are packed
}

// feedLimits are of cells that enter one by one, anywhere where there is room.
var feedLimits = limits{Caution: mostFedSurely, unsafe: none, why: "above %g: cells that enter at random places and turned at random may not find room for so many, and output cells_due grows"}

// mostFedSurely is a share of what flows in for which cells found room.
const mostFedSurely = 0.25

// betweenWallsLimits are of membranes of many cells beside walls, where halfway bounce-back keeps momentum that alternates from node to node whatever the number of nodes. Red cells
// (Skalak, roma3, ν = 1/6 and 1/4) in tubes 30 to 60 nodes wide went wrong after 1,300 steps at 8.5, 1,900 to 5,000 at 3.0 to 3.2, with contact and without; with peskin4 not
// within 25,000 at 3.2.
var betweenWallsLimits = limits{Caution: 0.9, unsafe: none, why: "above %g: between walls momentum that alternates from node to node is never damped, and stiff membranes amplify it until cells fail after some thousands of steps; use ib.delta = \"peskin4\", or a lower reference.velocity"}

// dense is the haematocrit where cells are dense, of that of all: in the core of a tube or channel it comes to be twice as large.
func dense(all float64) float64 { return max(all, min(2*all, 0.45)) }

// filmLimits are of films between membranes. Where membranes slip as they should they slide along each other right in films of two nodes, and a node apart up to a fifth too fast. Where they do not what a delta's
// support spans moves with much the same velocity on both sides: red cells in a tube of 20 µm (peskin4, validation/blood) have apparent viscosities
// of 1.46 where films are 3.8 nodes thick, and 1.39 where they are 5.8, at H_T 0.21 (1.30 and 1.28 where they slip).
func filmLimits(support int, slip bool) limits {
	if slip {
		return limits{Caution: 2, unsafe: none, least: true, why: "below %g nodes: cells slide along each other too fast, and contact decides how near they come; raise reference.resolution"}
	}
	return limits{Caution: 1.5 * float64(support), unsafe: none, least: true,
		why: "below %g, one and a half times a delta's support: cells stick to each other, and the suspension is too viscous; raise reference.resolution, or use ib.correction = \"slip\""}
}

// supportOf is how many nodes along an axis the delta's support has.
func supportOf(p *setup.Problem) int {
	delta, err := ib.NewDelta[float64](p.Coupling.Delta)
	if err != nil {
		return 0 // setup has refused it
	}
	return delta.Support()
}

// suspended says what the suspensions of elastic cells are.
func (r *Report) suspended(p *setup.Problem) {
	for i := range p.Suspended {
		s := &p.Suspended[i]
		radius := p.RadiusOf(s.First) * p.Case.Reference.Resolution
		of := SuspendedReport{
			Name: s.Of.Name, Count: s.Packed, Hematocrit: finite.Number(s.Hematocrit()), Asked: finite.Number(s.Asked), Discharge: finite.Number(s.Of.Discharge), Ratio: finite.Number(s.Ratio),
			Radius: finite.Number(radius), Stiffness: *judged(p.StiffnessOf(s.First), limits{Caution: none, unsafe: none}), Region: p.Case.Suspensions[0].Region != nil && s.Of.Discharge == 0,
		}
		mesh, share := s.Membrane.Mesh(), dense(s.Hematocrit())
		of.Film = *judged(2*(1-share)/share*mesh.Volume()/mesh.Area(), filmLimits(supportOf(p), hybrid.MembraneOffset(&p.Coupling, &p.Flow) > 0))
		if s.Of.Feed > 0 {
			of.Feed, of.Waiting = judged(s.Of.Feed, feedLimits), s.Len-s.Packed
			of.Rate = finite.Number(p.FedPerTime(s))
		}
		if p.AlternatesAtWalls() {
			of.Stiffness.judge(betweenWallsLimits)
		}
		if c := p.Conduit; c != nil {
			of.Alone = finite.Number(p.FlowAlone())
			if c.Round() {
				of.Tube, of.Widths = finite.Number(c.Radius()), finite.Number(c.Radius()/radius)
			}
		}
		if p.Unpacked != nil {
			of.Grown = finite.Number(p.Unpacked.Reached)
		}
		r.Suspended = append(r.Suspended, of)
	}
}

// writeSuspended prints them.
func (p *page) writeSuspended(all []SuspendedReport) {
	for i := range all {
		s := &all[i]
		p.section("Suspension of " + s.Name)
		p.row("cells", fmt.Sprintf("%s, with a radius of %.3g nodes", count(float64(s.Count)), float64(s.Radius)))
		if s.Grown > 0 {
			p.row("packing", fmt.Sprintf("left at %.3g of their size to answer soon: a run packs them before its first step, or says that they cannot be", float64(s.Grown)))
		}
		of := "the fluid's volume"
		if s.Region {
			of += " in the region"
		}
		p.row("haematocrit", fmt.Sprintf("%.4g of %s, %.4g asked for", float64(s.Hematocrit), of, float64(s.Asked)))
		if s.Discharge > 0 {
			p.row("discharge", fmt.Sprintf("%.4g, of which %.3g are in the tube (Pries et al. 1992)", float64(s.Discharge), float64(s.Ratio)))
		}
		p.judged("films", fmt.Sprintf("%.3g nodes between cells where they are dense, a haematocrit of %.2g", s.Film.Value, dense(float64(s.Hematocrit))), s.Film)
		if s.Tube > 0 {
			p.row("tube", fmt.Sprintf("radius %.4g nodes, %.3g times that of a cell", float64(s.Tube), float64(s.Widths)))
		}
		if s.Alone > 0 {
			p.row("flow rate", fmt.Sprintf("%.4g UL² without cells", float64(s.Alone)))
		}
		if s.Feed != nil {
			p.judged("feed", fmt.Sprintf("%.3g of what flows in: %.3g cells per L/U, and %d wait to enter", s.Feed.Value, float64(s.Rate), s.Waiting), *s.Feed)
		}
		p.judged("stiffness", fmt.Sprintf("K Δt/(ρνΔx) = %.3g of a membrane", s.Stiffness.Value), s.Stiffness)
	}
}

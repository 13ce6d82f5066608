package check

import (
	"fmt"
	"math"

	"lbmib/internal/finite"
	"lbmib/run/setup"
)

// VesselReport is how a vessel is resolved.
type VesselReport struct {
	Nodes    int64         `json:"fluid_nodes"`
	Share    float64       `json:"share"`             // of the box
	Volume   float64       `json:"volume"`            // L³, between the ports
	Wall     float64       `json:"wall_area"`         // L²
	Thinnest Judged        `json:"thinnest"`          // nodes, straight across from the wall
	Thickest finite.Number `json:"thickest"`          // nodes, the largest ball inside
	Cracks   int           `json:"cracks"`            // places where triangles do not meet, closed
	Pockets  int           `json:"pockets"`           // parts that no port reaches, removed
	Removed  int64         `json:"pocket_nodes"`      // in them
	Cut      int           `json:"cut_links"`         // by the wall and the ports; 0 where they were not looked for
	Thin     int           `json:"thin_nodes"`        // left out of the fluid, since a bulge of the wall, or a wall thinner than a spacing, lies between them and others
	Guessed  int           `json:"cut_links_guessed"` // through cracks, and to such nodes
	Ports    []PortReport  `json:"ports"`             // in the order of the case
}

// PortReport is a port of a vessel.
type PortReport struct {
	Name     string        `json:"name"`
	Type     string        `json:"type"`
	Area     float64       `json:"area"`      // L²
	Across   Judged        `json:"diameter"`  // of a circle of that area, nodes
	Depth    float64       `json:"depth"`     // of the disc before the port's plane, nodes
	Normal   [3]float64    `json:"normal"`    // into the vessel
	FlowRate finite.Number `json:"flow_rate"` // the largest that is prescribed, U L², positive into the vessel; null: by the flow
	Reynolds finite.Number `json:"reynolds"`  // of its mean speed and that diameter; null likewise
	Mach     *Judged       `json:"mach"`      // of the fastest place of its profile; null likewise
	Pressure finite.Number `json:"pressure"`  // ρU²; null of velocity ports

	GridReynolds *Judged `json:"grid_reynolds"` // of that fastest place, u Δx/ν; null likewise
}

// acrossLimits: a parabola takes ten nodes for a percent, and below four there is no flow to speak of.
var acrossLimits = limits{Caution: 8, unsafe: 4, least: true, why: "fewer than %g nodes across: flow rates and wall shear are rough there; raise reference.resolution"}

// vessel tells of the vessel of a problem.
func (r *Report) vessel(p *setup.Problem) {
	v := p.Vessel
	if v == nil {
		return
	}
	res := p.Case.Reference.Resolution
	least, largest := v.Thickness()
	r.Vessel = &VesselReport{
		Nodes: v.Fluid.Nodes, Share: float64(v.Fluid.Nodes) / float64(p.Flow.BoxNodes()), Volume: v.Volume(), Wall: v.WallArea(),
		Thickest: finite.Number(largest * res), Cracks: v.Cracks, Pockets: v.Fluid.Pockets, Removed: v.Fluid.Removed,
	}
	r.Vessel.Thinnest.Value = finite.Number(math.NaN())
	if least > 0 {
		r.Vessel.Thinnest = *judged(least*res, acrossLimits)
	}
	for i := range p.Case.Ports {
		r.Vessel.Ports = append(r.Vessel.Ports, portOf(p, i, r.room))
	}
}

func portOf(p *setup.Problem, i int, in room) PortReport {
	given, s := &p.Case.Ports[i], &p.Vessel.Sections[i]
	res, nan := p.Case.Reference.Resolution, finite.Number(math.NaN())
	out := PortReport{
		Name: s.Name, Type: given.Type, Area: s.Area, Across: *judged(s.Diameter()*res, acrossLimits), Depth: s.Depth * res, Normal: s.Normal,
		FlowRate: nan, Reynolds: nan, Pressure: nan,
	}
	if given.Type != "velocity" {
		out.Pressure = finite.Number(given.Pressure)
		return out
	}
	least, most := p.PortRange(i)
	if math.Abs(least) > math.Abs(most) {
		most = least
	}
	mean := most * p.MeanSpeed(i)
	out.FlowRate = finite.Number(mean * s.Area)
	out.Reynolds = finite.Number(math.Abs(mean) * s.Diameter() / p.Case.Reference.Viscosity)
	mach := p.Vessel.Fastest[i] * p.Case.Reference.Velocity * math.Sqrt(3)
	out.Mach = judged(mach, limits{Caution: MachCaution, unsafe: none, why: "above Mach %g in the middle of the disc: errors grow as Ma², a percent or so at 0.17; lower reference.velocity where that matters"})
	out.GridReynolds = judged(p.Vessel.Fastest[i]*p.Case.GridReynolds(), gridReynoldsLimits(p.Case, in))
	return out
}

// links tells of what the surface cuts, once that is found.
func (v *VesselReport) links(p *setup.Problem) {
	if v != nil && p.Vessel != nil {
		v.Cut, v.Thin, v.Guessed, v.Nodes = len(p.Flow.Cuts), p.Vessel.Links.Thin, p.Vessel.Links.Guessed, p.Vessel.Fluid.Nodes
	}
}

// judgements are the verdicts on a vessel.
func (v *VesselReport) judgements() (all []*Judged) {
	if v == nil {
		return nil
	}
	all = append(all, &v.Thinnest)
	for i := range v.Ports {
		all = append(all, &v.Ports[i].Across)
		if m := v.Ports[i].Mach; m != nil {
			all = append(all, m, v.Ports[i].GridReynolds)
		}
	}
	return all
}

func (p *page) writeVessel(r *Report) {
	v := r.Vessel
	if v == nil {
		return
	}
	p.section("Vessel")
	p.row("fluid", fmt.Sprintf("%s nodes, %.3g %% of the box", count(float64(v.Nodes)), 100*v.Share))
	p.row("between ports", fmt.Sprintf("%.4g L³, wall %.4g L²", v.Volume, v.Wall))
	p.judged("thickness", fmt.Sprintf("%.3g to %.3g nodes", v.Thinnest.Value, v.Thickest), v.Thinnest)
	if v.Cut > 0 {
		p.row("cut links", count(float64(v.Cut)))
	}
	if v.Thin > 0 {
		p.remark(fmt.Sprintf("%s nodes are left out at bulges of the wall, and at walls, that are thinner than a node", count(float64(v.Thin))))
	}
	if v.Cracks > 0 {
		p.remark(fmt.Sprintf("%d cracks, where triangles do not meet, are closed", v.Cracks))
	}
	if v.Pockets > 0 {
		p.remark(fmt.Sprintf("%d pockets of %s nodes that no port reaches are removed", v.Pockets, count(float64(v.Removed))))
	}
	for i := range v.Ports {
		p.writePort(&v.Ports[i])
	}
}

func (p *page) writePort(s *PortReport) {
	p.judged("port "+s.Name, fmt.Sprintf("%s, %.4g L², %.3g nodes across", s.Type, s.Area, s.Across.Value), s.Across)
	p.row("", fmt.Sprintf("into the vessel: (%.3g, %.3g, %.3g), disc %.2g nodes before the plane", s.Normal[0], s.Normal[1], s.Normal[2], s.Depth))
	switch {
	case s.Mach != nil:
		p.judged("", fmt.Sprintf("flow rate %.4g U L², Reynolds %.4g, Mach %.2g", s.FlowRate, s.Reynolds, s.Mach.Value), *s.Mach)
		p.judged("", fmt.Sprintf("grid Reynolds %.3g = u Δx/ν in the middle", s.GridReynolds.Value), *s.GridReynolds)
	case finite.Is(float64(s.Pressure)):
		p.row("", fmt.Sprintf("pressure %.4g ρU²", s.Pressure))
	}
}

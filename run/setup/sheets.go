package setup

import (
	"math"

	"lbmib/geometry"
	"lbmib/hybrid/flexible"
	"lbmib/hybrid/rigid"
	"lbmib/ib/elastic/plate"
	"lbmib/io/casefile"
)

// leastAcross are the parts of a sheet's side at least, and mostSheetNodes what a step solves for at once.
const (
	leastAcross    = 4
	mostSheetNodes = 250_000
)

// sheet is a case's sheet, in lattice units; shape is the rectangle as drawn.
func (p *Problem) sheet(b casefile.Body, shape geometry.Shape) (*rigid.Body, error) {
	if p.Case.IB.Forcing != "direct" {
		return nil, p.Case.Errorf(b.Key+".motion.type", `is elastic, a sheet of ib.forcing = %q, must be "direct": what the sheet is given in further rounds would not move it`, p.Case.IB.Forcing)
	}
	spacing, err := p.Spacing(b)
	if err != nil {
		return nil, p.Case.Errorf(b.Key, "%v", err)
	}
	c, sides := p.plate(b.Motion.Plate), [2]float64{b.Shape.Number("length"), b.Shape.Number("width")}
	nodes := 1.
	for a := range c.Nodes {
		side := p.Units.ToLatticeLength(sides[a])
		parts := math.Max(leastAcross, math.Round(side/spacing))
		nodes *= parts + 1
		if nodes > mostSheetNodes {
			return nil, p.Case.Errorf(b.Key+".shape", "the sheet has %.3g nodes or more, %.3g nodes of the lattice apart, must have at most %d: make it smaller, or give a wider spacing", nodes, spacing, mostSheetNodes)
		}
		c.Nodes[a], c.Spacing[a] = int(parts)+1, side/parts
	}
	turn := geometry.Identity()
	if b.Shape.Angle != 0 {
		turn = geometry.Rotation(geometry.Vec(b.Shape.Axis), b.Shape.Angle*math.Pi/180)
	}
	for k := range c.Nodes[0] * c.Nodes[1] {
		i, j := float64(k%c.Nodes[0]), float64(k/c.Nodes[0])
		at := geometry.Vec{(i - float64(c.Nodes[0]-1)/2) * c.Spacing[0], (j - float64(c.Nodes[1]-1)/2) * c.Spacing[1]}
		c.X = append(c.X, shape.Center().Add(turn.Apply(at)))
	}
	s, err := flexible.NewSheet(c)
	if err != nil {
		return nil, p.Case.Errorf(b.Key+".motion", "%v", err)
	}
	body := s.Body(b.Name, shape)
	p.softStart(body)
	return body, nil
}

// plate is what a sheet is made of, in lattice units: without its nodes.
func (p *Problem) plate(m *casefile.Plate) plate.Config {
	to := p.Units.ToLattice
	c := plate.Config{
		Step: 1, Mass: to(casefile.SurfaceMass, m.Mass), Stretching: to(casefile.Tension, m.Stretching), Shear: to(casefile.Tension, m.Shear),
		Bending: to(casefile.Energy, m.Bending), Poisson: m.Poisson, StretchingDamping: to(casefile.SurfaceViscosity, m.StretchingDamping),
	}
	for e, name := range m.Hold {
		c.Edges[e] = edgeKinds[name]
	}
	for a, g := range p.Case.Domain.Gravity {
		c.Gravity[a] = p.Units.ToLatticeAcceleration(g)
	}
	return c
}

var edgeKinds = map[string]plate.EdgeKind{"free": plate.Free, "hinged": plate.Hinged, "clamped": plate.Clamped}

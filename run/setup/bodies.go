package setup

import (
	"slices"

	"lbmib/hybrid"
	"lbmib/hybrid/rigid"
	"lbmib/ib"
	"lbmib/io/casefile"
)

// setBodies makes the bodies of the case and says how they act on the fluid.
func (p *Problem) setBodies() error {
	c := p.Case
	p.Coupling = hybrid.CouplingConfig{
		Delta: c.IB.Delta, Transfer: c.IB.Spread, Forcing: c.IB.Forcing,
		Iterations: c.IB.Iterations, Tolerance: c.IB.Tolerance * c.Reference.Velocity,
		Contact: rigid.Contact{Distance: c.IB.Contact.Distance, Stiffness: c.IB.Contact.Stiffness, Speed: c.Reference.Velocity},
	}
	if c.IB.Correction == "slip" {
		delta, err := ib.NewDelta[float64](c.IB.Delta)
		if err != nil {
			return c.Errorf("ib.delta", "%v", err)
		}
		p.Coupling.Offset = ib.Offset(delta, p.Flow.Collision.Magic())
	}
	p.Bodies = make([]*rigid.Body, len(c.Bodies))
	for _, held := range [2]bool{false, true} { // lines that bend after what may hold them
		for i, b := range c.Bodies {
			if (b.Motion.Beam != nil) != held {
				continue
			}
			body, err := p.body(b)
			if err != nil {
				return err
			}
			p.Bodies[i] = body
		}
	}
	if err := p.linesApart(); err != nil {
		return err
	}
	if err := p.setCells(); err != nil {
		return err
	}
	if err := p.setElasticSuspensions(); err != nil {
		return err
	}
	if err := p.checkContact(); err != nil {
		return err
	}
	if err := p.checkRatios(); err != nil {
		return err
	}
	return p.setSuspension()
}

// body is a case's body in lattice units. Errors point to its shape, or its table.
func (p *Problem) body(b casefile.Body) (*rigid.Body, error) {
	s, err := b.Shape.On(p.lattice())
	if err == nil && b.Fluid == "inside" {
		s, err = p.passage(b, s)
	}
	if err == nil {
		err = p.inDomain(b.Name, s)
	}
	if err != nil {
		return nil, p.Case.Errorf(b.Key+".shape", "%v", err)
	}
	if b.Motion.Beam != nil {
		return p.filament(b, s)
	}
	if b.Motion.Plate != nil {
		return p.sheet(b, s)
	}
	spacing, err := p.Spacing(b)
	if err != nil {
		return nil, p.Case.Errorf(b.Key, "%v", err)
	}
	body, err := rigid.NewBody(b.Name, s, spacing, p.Retraction(b))
	if err != nil {
		return nil, p.Case.Errorf(b.Key, "%v%s", err, p.tinyText(b, s))
	}
	body.Hollow = b.Fluid == "inside"
	switch b.Motion.Type {
	case "prescribed":
		body.Motion = p.prescribed(b.Motion, s)
		p.softStart(body)
	case "free":
		body.Free = p.Free(b.Motion)
	default:
		p.softStart(body)
	}
	body.Damped = p.Case.IB.Inside == "damped" && b.Fluid == "outside"
	return body, nil
}

// Retraction is how far, in nodes, a body's markers are set back from its surface,
// away from the flow that counts.
func (p *Problem) Retraction(b casefile.Body) float64 {
	switch b.Fluid {
	case "inside":
		return -p.Case.IB.Retraction
	case "both":
		return 0
	}
	return p.Case.IB.Retraction
}

// Spacing is the marker spacing of a body in nodes. Automatic is what keeps the
// weights of direct forcing positive; multi-direct forcing weighs with areas and
// takes a node.
func (p *Problem) Spacing(b casefile.Body) (float64, error) {
	switch {
	case b.Spacing > 0:
		return b.Spacing, nil
	case p.Case.IB.Forcing == "multidirect":
		return 1, nil
	}
	delta, err := ib.NewDelta[float64](p.Case.IB.Delta)
	if err != nil {
		return 0, err
	}
	return ib.SafeSpacing(delta, p.Flow.Lattice.Dim), nil
}

// Moving tells whether a body's place changes.
func (p *Problem) Moving() bool {
	return slices.ContainsFunc(p.Bodies, (*rigid.Body).Moving)
}

package setup

import (
	"math"
	"slices"

	"lbmib/hybrid/rigid"
	"lbmib/ib"
	"lbmib/ib/contact"
)

// ContactStiffnessOf is K Δt/(μ h) of contact at a vertex of elastic body i: see flexible.Cell.ContactStiffness.
func (p *Problem) ContactStiffnessOf(i int) float64 {
	k := p.Coupling.Contact
	if k.Distance == 0 {
		return 0
	}
	return k.Stiffness * p.Coupling.Cells[i].ContactStiffness(k.Distance) / p.Units.Nu
}

// checkContact refuses a contact of elastic bodies that the domain is too small for, or that explicit steps cannot
// follow.
func (p *Problem) checkContact() error {
	k := p.Coupling.Contact
	bends := slices.ContainsFunc(p.Bodies, func(b *rigid.Body) bool { return b.Structure != nil })
	if k.Distance == 0 || len(p.Coupling.Cells) == 0 && !bends {
		return nil
	}
	offset := 0.
	if len(p.Case.Solids) > 0 { // corners, of which supports are kept away along each axis
		delta, err := ib.NewDelta[float64](p.Coupling.Delta)
		if err != nil {
			return err
		}
		offset = math.Sqrt(3) * float64(delta.Support()) / 2
	}
	for a, n := range p.Flow.Size[:p.Flow.Lattice.Dim] {
		if least := contact.LeastPeriod(k.Distance, offset); p.Flow.Periodic(a) && float64(n) < least {
			return p.Case.Errorf("ib.contact.distance", "%v nodes need a domain of at least %.3g nodes along %s, where it is periodic, it has %d: use at most %.3g, or enlarge domain.size",
				k.Distance, least, "xyz"[a:a+1], n, digitsBelow(k.Distance*(float64(n)-2*offset)/(least-2*offset)))
		}
	}
	most, err := p.MostStiffness()
	if err != nil {
		return err
	}
	for i, c := range p.Coupling.Cells {
		if at := p.ContactStiffnessOf(i); !(at <= most) {
			return p.Case.Errorf("ib.contact.stiffness", "contact at body %q has the stiffness K Δt/(ρνΔx) = %.3g, must be at most %.3g, or its vertices swing from step to step: use at most %.3g, a larger ib.contact.distance or a lower reference.velocity",
				c.Name, at, most, digitsBelow(k.Stiffness*most/at))
		}
	}
	return nil
}

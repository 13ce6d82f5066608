package setup

import (
	"fmt"
	"math"
	"slices"

	"lbmib/hybrid"
	"lbmib/hybrid/flexible"
	"lbmib/ib"
	"lbmib/ib/elastic"
	"lbmib/ib/elastic/ring"
	"lbmib/io/casefile"
)

// mostStiffness bounds K Δt/(μ h) of membranes, whose vertices make explicit steps (elastic.Membrane.Stiffness), with
// whatever delta. What a vertex feels of its own force goes with s³, s the largest Σφ² along an axis: 1/2 of roma3, 1 of
// hat2 and m4prime where a vertex lies on a node. Spheres of radius 5 in shear went wrong above 37 with roma3, 3.1 with hat2 and
// 1.6 with m4prime (5 < onset of hat2 < 10, 1.6 < onset of m4prime < 3.1), so that 1.5/s³ is on the safe side.
const mostStiffness = flexible.MostStiffness

// MostStiffness is the bound of K Δt/(μ h) for the membranes of the case, whatever their meshes.
func (p *Problem) MostStiffness() (float64, error) {
	share, err := p.ownShare()
	return mostStiffnessAt(p.Flow.Lattice.Dim, share, p.Units.Nu), err
}

// MostStiffnessOf is the bound for elastic body i.
func (p *Problem) MostStiffnessOf(i int) (float64, error) {
	share, err := p.ownShare()
	return p.boundOf(p.Drawn[i].Motion.Elastic, p.Coupling.Cells[i].Kind(), share)(p.Units.Nu), err
}

// boundOf is the bound for a membrane or a ring, by the viscosity ν of the lattice.
func (p *Problem) boundOf(e *casefile.Elastic, m any, share float64) func(nu float64) float64 {
	slipping, more := p.mostSlipping(m), 1.
	if e.Implicit {
		more = MostImplicit
	}
	return func(nu float64) float64 { return more * min(slipping, mostStiffnessAt(p.Flow.Lattice.Dim, share, nu)) }
}

// MostImplicit is how many times as stiff as explicit ones implicit membranes and rings may be, but for bending and viscosity, which make explicit steps. Spheres of radius 4, pulled at, neo-Hookean, of Skalak's law with
// C = 100, and with penalties, and circles of radius 6, vertices half a node to two apart, were well up to 1000 times at ν = 0.02 to 5 with roma3 and hat2, with slip and without; with m4prime, whose
// weights are negative in places, spheres went wrong from 250 times on.
const MostImplicit = 100

// explicitDeltas have no implicit membranes.
var explicitDeltas = []string{"m4prime"}

// mostSlipping is the bound of a membrane or a ring whose vertices slip along it, as ib.correction has them do: those of fine meshes do so to stiff waves.
func (p *Problem) mostSlipping(m any) float64 {
	e, most := hybrid.MembraneOffset(&p.Coupling, &p.Flow), math.Inf(1)
	if e == 0 {
		return most
	}
	switch m := m.(type) {
	case *elastic.Membrane:
		_, most = elastic.Rounds(m.Mesh().Area()/float64(m.Mesh().Vertices()), e, mostStiffness)
	case *ring.Ring:
		_, most = ring.Rounds(m.Length()/float64(m.Vertices()), e, mostStiffness)
	}
	return most
}

// ownShare is the largest Σφ² of the delta along an axis: the part of its force that a vertex feels.
func (p *Problem) ownShare() (most float64, err error) {
	delta, err := ib.NewDelta[float64](p.Coupling.Delta)
	if err != nil {
		return 0, err
	}
	const places = 64
	for k := range places {
		var w [ib.MaxSupport]float64
		delta.Weights(&w, 7+float64(k)/places)
		squares := 0.
		for _, v := range w[:delta.Support()] {
			squares += v * v
		}
		most = max(most, squares)
	}
	return most, nil
}

// mostStiffnessAt is MostStiffness with a share s of the delta and a viscosity ν of the lattice. However viscous the fluid is, a vertex feels
// s^d/ρ of its force at once, which in a step no more than the neighbouring nodes take away: K Δt²/(ρ h³) is bounded, too, and K Δt/(μ h)
// by 1/(4 s³ ν). Spheres of radius 5 in shear, neo-Hookean and of Skalak's law with C = 100, were well for 300 steps (from ν = 2 on,
// neo-Hookean, 1000) up to the first and went wrong from the second with roma3:
//
//	ν = 0.17, 0.5, 1, 2, 5, 15   24–32, 16–24, 4–8, 2.5–3, 0.7–1, 0.15–0.2
//
// The bounds are 11.8, 4, 2, 1, 0.4, 0.13. Rings, of which K is per depth and the bound that of K Δt/μ, have 1/(s²(4ν + 3/4)): what
// a vertex feels of its force is s²/ρ at once, and more as the grid's viscosity holds that together. Circles of radius 6, drawn
// out, that resist to stretching went wrong, vertices half a node, one and two apart, the earliest of these, above
//
//	ν = 0.02, 0.2, 1   roma3 28, 9, 3   hat2 5, 1.5, 0.5   m4prime 3, 1, below 0.5   peskin4 165, 106, 7
//
// and those that bend later. The bounds are 4.8, 2.6, 0.84 of roma3, 1.2, 0.65, 0.21 of hat2 and m4prime.
func mostStiffnessAt(dim int, share, nu float64) float64 {
	if dim == 2 {
		return 1 / (share * share * (4*nu + 0.75))
	}
	return min(mostStiffness, 1.5/(share*share*share), 1/(4*share*share*share*nu))
}

// softestVelocity is the part of reference.velocity with which a membrane whose stiffness is elastic, and damping of its viscosity, is below the bound: the first and ν
// go with the velocity. 0: no velocity is low enough.
func softestVelocity(nu, elastic, damping float64, bound func(nu float64) float64) float64 {
	lo, hi := 0., 1.
	for range 50 {
		if f := (lo + hi) / 2; f*elastic+damping <= bound(f*nu) {
			lo = f
		} else {
			hi = f
		}
	}
	return lo
}

// stiff is what bounds explicit steps of a membrane or a ring.
type stiff interface {
	Stiffness() float64
	Damping() float64
	ExplicitStiffness() float64 // of both, what implicit steps leave explicit
}

// bears refuses a membrane that the steps of the case cannot follow, and keeps how stiff it is.
func (p *Problem) bears(b casefile.Body, m stiff) error {
	if p.stiffness == nil {
		p.stiffness = map[any]float64{}
	}
	at := (m.Stiffness() + m.Damping()) / p.Units.Nu
	p.stiffness[m] = at
	share, err := p.ownShare()
	if err != nil {
		return err
	}
	bound := p.boundOf(b.Motion.Elastic, m, share)
	if b.Motion.Elastic.Implicit {
		if err := p.checkImplicit(b, m, func(nu float64) float64 { return bound(nu) / MostImplicit }); err != nil {
			return err
		}
	}
	if most := bound(p.Units.Nu); !(at <= most) {
		remedy := coarser(b, most == p.mostSlipping(m))
		if p.wouldBeImplicit(b, m, at, most) {
			remedy += ", or implicit = true"
		}
		return p.Case.Errorf(materialKey(b), "the membrane of body %q has the stiffness K Δt/(ρνΔx) = %.3g, must be at most %.3g, or its vertices swing from step to step: use %smoduli of at most %.3g times these%s",
			b.Name, at, most, p.slower(m.Stiffness(), m.Damping(), bound), digitsBelow(most/at), remedy)
	}
	return nil
}

// slower is the remedy of a lower velocity, where one helps.
func (p *Problem) slower(elastic, damping float64, bound func(nu float64) float64) string {
	nu := p.Units.Nu
	if f := softestVelocity(nu, elastic/nu, damping/nu, bound); f > 1e-9 {
		return fmt.Sprintf("a reference.velocity of at most %.3g, or ", digitsBelow(p.Case.Reference.Velocity*f))
	}
	return ""
}

// wouldBeImplicit tells whether a membrane that is too stiff for explicit steps would not be for implicit ones.
func (p *Problem) wouldBeImplicit(b casefile.Body, m stiff, at, most float64) bool {
	return !b.Motion.Elastic.Implicit && p.Case.Run.Backend != "cuda" && !slices.Contains(explicitDeltas, p.Coupling.Delta) && at <= MostImplicit*most && m.ExplicitStiffness()/p.Units.Nu <= most
}

// checkImplicit refuses an implicit membrane of what makes explicit steps all the same: bending and viscosity.
func (p *Problem) checkImplicit(b casefile.Body, m stiff, bound func(nu float64) float64) error {
	if slices.Contains(explicitDeltas, p.Coupling.Delta) {
		return p.Case.Errorf(materialKey(b)+".implicit", "is true, but ib.delta is %q, whose weights are negative in places: what vertices feel of each other's forces is then not bounded, use another delta", p.Coupling.Delta)
	}
	at := m.ExplicitStiffness() / p.Units.Nu
	if most := bound(p.Units.Nu); !(at <= most) {
		return p.Case.Errorf(materialKey(b), "the membrane of body %q is implicit, but its bending and viscosity, which are not, have the stiffness K Δt/(ρνΔx) = %.3g, must be at most %.3g, or its vertices swing from step to step: use %sbending and shear_viscosity of at most %.3g times these%s",
			b.Name, at, most, p.slower(m.ExplicitStiffness()-m.Damping(), m.Damping(), bound), digitsBelow(most/at), coarser(b, false))
	}
	return nil
}

// digitsBelow has three digits, and is not more.
func digitsBelow(v float64) float64 {
	unit := math.Pow(10, math.Floor(math.Log10(v))-2)
	return math.Floor(v/unit) * unit
}

// coarser is the remedy of a mesh that is asked for, which may be too fine for the grid.
func coarser(b casefile.Body, fine bool) string {
	if fine {
		return ", or a coarser mesh"
	}
	if b.Motion.Elastic.Bending > 0 && b.Motion.Elastic.Mesh > 0 {
		return ", or a coarser mesh where bending is what is stiff"
	}
	return ""
}

// StiffnessOf is K Δt/(μ h) of the membrane of elastic body i, its viscosity included: 1 is what a
// vertex that moves with the fluid of a node follows in one step.
func (p *Problem) StiffnessOf(i int) float64 { return p.stiffness[p.Coupling.Cells[i].Kind()] }

// ExplicitStiffnessOf is the part of it that implicit steps leave explicit.
func (p *Problem) ExplicitStiffnessOf(i int) float64 {
	return p.Coupling.Cells[i].Kind().(stiff).ExplicitStiffness() / p.Units.Nu
}

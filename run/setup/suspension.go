package setup

import (
	"math"

	"lbmib/ib/ellipsoid"
	"lbmib/internal/parallel"
	"lbmib/io/casefile"
	"lbmib/lbm"
)

// contactStiffness bounds 456 ε/(σ₀² M), the square of the frequency of two discs in contact, per step (456 = w″ at contact of w = 4(s⁻¹² − s⁻⁶)). Explicit steps
// of an oscillator need less than 4; several contacts, and turning about the lever of the equator, take a factor of some 30.
const contactStiffness = 0.1

// setSuspension makes the suspended particles of the case, which are packed before the first step: see Suspension.
func (p *Problem) setSuspension() error {
	c := p.Case
	if len(c.Suspensions) == 0 || c.Suspensions[0].Model != "ellipsoid" {
		return nil
	}
	s := &c.Suspensions[0]
	shape := ellipsoid.Shape{Equatorial: p.Units.ToLatticeLength(s.Equatorial), Polar: p.Units.ToLatticeLength(s.Polar)}
	n := int(s.Hematocrit * float64(p.Flow.Nodes()) / shape.Volume())
	if n < 1 || n > math.MaxInt32 {
		return c.Errorf(s.Key+".hematocrit", "is %g, which %d ellipsoids of %.4g nodes³ make in %d nodes: there must be 1 to %d: choose others", s.Hematocrit, n, shape.Volume(), p.Flow.Nodes(), math.MaxInt32)
	}
	mass := s.Density * shape.Volume()
	strength := p.Units.ToLattice(casefile.Energy, s.Strength)
	if stiff, most := 456*strength/(4*shape.Equatorial*shape.Equatorial*mass), contactStiffness; stiff > most {
		return c.Errorf(s.Key+".strength", "is %g ρU²L³, which makes contacts so stiff that 456 ε Δt²/(σ₀² M) = %.3g, must be at most %g: choose %.3g or less, or reference.velocity smaller by %.3g",
			s.Strength, stiff, most, s.Strength*most/stiff, math.Sqrt(most/stiff))
	}
	friction := ellipsoid.Stokes(math.Cbrt(shape.Equatorial*shape.Equatorial*shape.Polar), p.Units.Nu)
	friction.Translation, friction.Rotation = friction.Translation.Scale(s.Friction), friction.Rotation.Scale(s.Friction)
	cfg := ellipsoid.Config{Size: p.Flow.Size, Shape: shape, Mass: mass, Friction: friction,
		Repulsion: ellipsoid.Repulsion{Strength: strength, Ratio: s.Ratio, Mu: 2, Nu: 1}}
	for a := range cfg.Periodic {
		cfg.Periodic[a] = p.Flow.Periodic(a)
		for side := range 2 {
			switch face := 2*a + side; p.Flow.Faces[face].Kind {
			case lbm.Periodic:
			case lbm.NoSlip, lbm.MovingWall, lbm.FreeSlip, lbm.Symmetry:
				cfg.Faces[face] = true
			default:
				return c.Errorf("domain.boundary."+lbm.FaceNames[face], "is open, where ellipsoids would leave, and none enter: make it periodic or a wall")
			}
		}
	}
	for a, g := range c.Domain.Gravity { // domain.force acts on all of the fluid, which is where the particles are, too
		cfg.Force[a] = (mass - shape.Volume()) * p.Units.ToLatticeAcceleration(g)
	}
	system, err := ellipsoid.New(cfg, n, parallel.Loops{})
	if err != nil {
		return c.Errorf(s.Key, "%v", err)
	}
	p.Coupling.Ellipsoids = system
	return nil
}

// Haematocrit is the share of the fluid that the suspended particles fill: as many as fit into what the case asks for.
func (p *Problem) Haematocrit() float64 {
	s := p.Coupling.Ellipsoids
	if s == nil {
		return 0
	}
	return float64(s.Len()) * s.Config().Shape.Volume() / float64(p.Flow.Nodes())
}

// PackSuspension places the suspended particles, and gives them the velocity that the flow begins with.
func (p *Problem) PackSuspension() error {
	s := p.Coupling.Ellipsoids
	if s == nil {
		return nil
	}
	of := &p.Case.Suspensions[0]
	if err := s.Pack(uint64(of.Seed)); err != nil {
		return p.Case.Errorf(of.Key+".hematocrit", "%v", err)
	}
	flow := p.Initial()
	for i, x := range s.X {
		_, s.V[i] = flow(x)
	}
	return nil
}

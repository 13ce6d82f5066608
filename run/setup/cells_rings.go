package setup

import (
	"math"

	"lbmib/ib/elastic/ring"
	"lbmib/io/casefile"
)

// leastRing is the fewest vertices of a ring where none are asked for.
const leastRing = 16

// ring is that of an elastic body in the plane, in nodes about its centre, not turned: so many vertices as the case asks for, or about a node apart.
func (p *Problem) ring(b casefile.Body) (*ring.Ring, error) {
	drawn := b.Shape
	drawn.Angle = 0
	s, err := drawn.On(p.lattice())
	if err != nil {
		return nil, p.Case.Errorf(b.Key+".shape", "%v", err)
	}
	vertices := b.Motion.Elastic.Mesh
	if vertices == 0 {
		vertices = int(min(max(math.Round(s.Surface()), leastRing), ring.MaxVertices+1)) // more are refused
	}
	outline := s.Outline(vertices)
	points, center := outline[:len(outline)-1], s.Center()
	for k := range points {
		points[k] = points[k].Sub(center)
	}
	r, err := ring.New(points, p.ringMaterial(b.Motion.Elastic))
	if err != nil {
		return nil, p.Case.Errorf(b.Key+".motion", "%v", err)
	}
	return r, nil
}

// ringMaterial is a ring's in lattice units: moduli per depth are in ρ Δx²·Δx/Δt², as those of a surface are.
func (p *Problem) ringMaterial(e *casefile.Elastic) ring.Material {
	to := p.Units.ToLattice
	return ring.Material{
		Law: e.Law, Shear: to(casefile.Tension, e.Shear), Area: e.Area, Poisson: e.Poisson, Prestress: e.Prestress,
		Viscosity: to(casefile.SurfaceViscosity, e.ShearViscosity),
		Bending:   to(casefile.Energy, e.Bending), Curvature: to(casefile.Curvature, e.Curvature), CurvedReference: e.Drawn,
		LengthPenalty: to(casefile.Tension, e.AreaPenalty), AreaPenalty: to(casefile.Pressure, e.VolumePenalty),
	}
}

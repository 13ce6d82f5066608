package rbf

import (
	"fmt"
	"strings"

	"lbmib/internal/finite"
)

// Material is what a membrane is made of. Units are the caller's: a modulus of the
// surface is a force per length, bending an energy. Zero values mean none, but for
// Law and Prestress, whose zero values mean skalak and 1. Names and meanings are those
// of package elastic.
type Material struct {
	Law   string  // skalak, neo-hookean: see LawNames
	Shear float64 // G_s, force per length, > 0
	Area  float64 // Skalak's C ≥ 0, of law skalak only: bulk modulus over G_s; K_s = G_s(1+2C)

	// Prestress is the length of every line on the reference over its length free of
	// stress: 1.05 is a capsule inflated by 5 %. Energies are per area free of stress.
	Prestress float64

	ShearViscosity float64 // μ_s of the surface, force·time per length: tension 2 μ_s dev D
	AreaViscosity  float64 // μ_d: tension μ_d tr D. A dissipation ν ġ^ij is μ_s = μ_d = ν

	Bending         float64 // κ ≥ 0: energy 2κ∮(H−H0)² dA
	Curvature       float64 // H0, 1 per length, positive where a sphere's is
	CurvedReference bool    // the reference is free of bending: H0 is its own, Curvature is 0
}

func (m Material) withDefaults() Material {
	m.Law = strings.ToLower(m.Law)
	if m.Law == "" {
		m.Law = laws[0].name
	}
	if m.Prestress == 0 {
		m.Prestress = 1
	}
	return m
}

// Check refuses values that are no material's.
func (m Material) Check() error {
	m = m.withDefaults()
	for _, v := range []struct {
		name   string
		value  float64
		signed bool
	}{
		{"shear modulus", m.Shear, false}, {"Skalak's C", m.Area, false}, {"prestress", m.Prestress, false},
		{"shear viscosity", m.ShearViscosity, false}, {"area viscosity", m.AreaViscosity, false},
		{"bending stiffness", m.Bending, false}, {"spontaneous curvature", m.Curvature, true},
	} {
		if !finite.Is(v.value) {
			return fmt.Errorf("rbf: material: %s is %v, must be finite: correct it", v.name, v.value)
		}
		if !v.signed && v.value < 0 {
			return fmt.Errorf("rbf: material: %s is %v, must not be negative: correct it", v.name, v.value)
		}
	}
	switch {
	case m.Shear == 0:
		return fmt.Errorf("rbf: material: shear modulus is 0, must be positive: give one, small against all else for a vesicle")
	case m.Prestress < 0.5 || m.Prestress > 2:
		return fmt.Errorf("rbf: material: prestress is %v, must be 0.5 to 2: it is a length over that free of stress, 1 for none", m.Prestress)
	case m.CurvedReference && m.Curvature != 0:
		return fmt.Errorf("rbf: material: a spontaneous curvature of %v beside the reference's own: use one of them", m.Curvature)
	case m.Bending == 0 && (m.CurvedReference || m.Curvature != 0):
		return fmt.Errorf("rbf: material: a spontaneous curvature without bending stiffness: give both or none")
	}
	_, err := newLaw(m)
	return err
}

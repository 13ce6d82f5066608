package elastic

import (
	"fmt"
	"strings"

	"lbmib/internal/finite"
)

// Material is what a membrane is made of. Units are the caller's: a modulus of the
// surface is a force per length, bending an energy. Zero values mean none, but for
// Law, BendingModel and Prestress, whose zero values mean skalak, juelicher and 1.
type Material struct {
	Law     string  // skalak, neo-hookean, hooke: see LawNames
	Shear   float64 // G_s, force per length, > 0
	Area    float64 // Skalak's C ≥ 0, of law skalak only: its area modulus is G_s(1+2C)
	Poisson float64 // ν_s of the surface, −1 < ν_s < 1, of law hooke only: E_s = 2 G_s (1+ν_s)

	// Prestress is the length of every edge of the mesh over its length free of
	// stress: 1.05 is a capsule inflated by 5 %. Energies are per area free of stress.
	Prestress float64

	ShearViscosity float64 // of the surface, force·time per length: tension 2 μ_s dev D
	AreaViscosity  float64 // tension μ_d tr D, likewise

	Bending         float64 // κ ≥ 0: energy (κ/2)∮(2H−2H0)² dA
	BendingModel    string  // juelicher, cotangent, dihedral: see BendingNames
	Curvature       float64 // H0, 1 per length, positive where a sphere's is; not of cotangent
	CurvedReference bool    // the mesh is free of bending: every vertex or edge has its own H0, Curvature is 0

	AreaPenalty   float64 // k_A ≥ 0, force per length: energy ½ k_A (A−A0)²/A0 of the whole area
	VolumePenalty float64 // k_V ≥ 0, pressure: energy ½ k_V (V−V0)²/V0 of the enclosed volume
	AreaRatio     float64 // A0 over the mesh's area; 0: 1
	VolumeRatio   float64 // V0 over the mesh's volume; 0: 1
}

// withDefaults fills in what zero values mean.
func (m Material) withDefaults() Material {
	for _, d := range []*string{&m.Law, &m.BendingModel} {
		*d = strings.ToLower(*d)
	}
	if m.Law == "" {
		m.Law = laws[0].name
	}
	if m.BendingModel == "" {
		m.BendingModel = bendingModels[0].name
	}
	for _, one := range []*float64{&m.Prestress, &m.AreaRatio, &m.VolumeRatio} {
		if *one == 0 {
			*one = 1
		}
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
		{"shear modulus", m.Shear, false}, {"Skalak's C", m.Area, false}, {"Poisson's ratio", m.Poisson, true},
		{"prestress", m.Prestress, false}, {"shear viscosity", m.ShearViscosity, false}, {"area viscosity", m.AreaViscosity, false},
		{"bending stiffness", m.Bending, false}, {"spontaneous curvature", m.Curvature, true},
		{"area penalty", m.AreaPenalty, false}, {"volume penalty", m.VolumePenalty, false},
		{"area ratio", m.AreaRatio, false}, {"volume ratio", m.VolumeRatio, false},
	} {
		if !finite.Is(v.value) {
			return fmt.Errorf("elastic: material: %s is %v, must be finite: correct it", v.name, v.value)
		}
		if !v.signed && v.value < 0 {
			return fmt.Errorf("elastic: material: %s is %v, must not be negative: correct it", v.name, v.value)
		}
	}
	switch {
	case m.Shear == 0:
		return fmt.Errorf("elastic: material: shear modulus is 0, must be positive: give one, small against all else for a vesicle")
	case m.Prestress < 0.5 || m.Prestress > 2:
		return fmt.Errorf("elastic: material: prestress is %v, must be 0.5 to 2: it is an edge's length over that free of stress, 1 for none", m.Prestress)
	case m.CurvedReference && m.Curvature != 0:
		return fmt.Errorf("elastic: material: a spontaneous curvature of %v beside the mesh's own: use one of them", m.Curvature)
	}
	if _, err := newLaw(m); err != nil {
		return err
	}
	return checkBending(m)
}

package ring

import (
	"fmt"
	"strings"

	"lbmib/internal/finite"
)

// Material is what a ring is made of: a surface that does not change along z. Units are the caller's: moduli are force per depth, bending is an energy as of
// a surface. Zero values mean none, but for Law and Prestress, whose zero values mean skalak and 1.
type Material struct {
	Law     string  // skalak, neo-hookean, hooke: see LawNames
	Shear   float64 // G_s of the surface, > 0
	Area    float64 // Skalak's C ≥ 0, of law skalak only
	Poisson float64 // ν_s of the surface, −1 < ν_s < 1, of law hooke only

	Prestress float64 // length of every segment as drawn over that free of stress, 0.5 to 2
	Viscosity float64 // μ_s of the surface: tension μ_s l̇/l

	Bending         float64 // κ ≥ 0: energy (κ/2)∮(c − c⁰)² ds
	Curvature       float64 // c⁰, 1 per length, positive where a circle's is
	CurvedReference bool    // the ring is free of bending as drawn, Curvature is 0

	LengthPenalty float64 // k_L ≥ 0, force per depth: energy ½ k_L (L−L0)²/L0
	AreaPenalty   float64 // k_A ≥ 0, pressure: energy ½ k_A (A−A0)²/A0 of the enclosed area
}

// withDefaults fills in what zero values mean.
func (m Material) withDefaults() Material {
	if m.Law = strings.ToLower(m.Law); m.Law == "" {
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
		{"shear modulus", m.Shear, false}, {"Skalak's C", m.Area, false}, {"Poisson's ratio", m.Poisson, true}, {"prestress", m.Prestress, false},
		{"viscosity", m.Viscosity, false}, {"bending stiffness", m.Bending, false}, {"spontaneous curvature", m.Curvature, true},
		{"length penalty", m.LengthPenalty, false}, {"area penalty", m.AreaPenalty, false},
	} {
		if !finite.Is(v.value) {
			return fmt.Errorf("ring: material: %s is %v, must be finite: correct it", v.name, v.value)
		}
		if !v.signed && v.value < 0 {
			return fmt.Errorf("ring: material: %s is %v, must not be negative: correct it", v.name, v.value)
		}
	}
	if _, err := lawOf(m.Law); err != nil {
		return err
	}
	switch {
	case m.Shear == 0:
		return fmt.Errorf("ring: material: shear modulus is 0, must be positive: give one, with a large Skalak's C for a vesicle")
	case m.Prestress < 0.5 || m.Prestress > 2:
		return fmt.Errorf("ring: material: prestress is %v, must be 0.5 to 2: it is a segment's length over that free of stress, 1 for none", m.Prestress)
	case m.Area != 0 && m.Law != "skalak":
		return fmt.Errorf("ring: material: C = %v is Skalak's, the law is %s: leave it out, or use a length penalty", m.Area, m.Law)
	case m.Poisson != 0 && m.Law != "hooke":
		return fmt.Errorf("ring: material: Poisson's ratio %v is of law hooke, the law is %s: leave it out", m.Poisson, m.Law)
	case !(m.Poisson > -1 && m.Poisson < 1):
		return fmt.Errorf("ring: material: Poisson's ratio of the surface is %v, must be between −1 and 1: use 1/3 where nothing is known", m.Poisson)
	case m.CurvedReference && m.Curvature != 0:
		return fmt.Errorf("ring: material: a spontaneous curvature of %v beside that as drawn: use one of them", m.Curvature)
	}
	return nil
}

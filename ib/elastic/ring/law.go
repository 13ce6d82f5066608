package ring

import (
	"fmt"
	"strings"
)

// laws are the table of all, the default first: the modulus T'(1) over G_s, W/T'(1) and T/T'(1) by stretch. A new one is a line here.
var laws = []struct {
	name    string
	modulus func(m Material) float64
	energy  func(l float64) float64
	tension func(l float64) float64
}{
	// W = (G/4)(I1² + 2 I1 − 2 I2 + C I2²) of package elastic with I1 = I2 = λ² − 1: T = G(1+C) λ(λ²−1)
	{"skalak", func(m Material) float64 { return 2 * (1 + m.Area) },
		func(l float64) float64 { e := (l - 1) * (l + 1); return e * e / 8 },
		func(l float64) float64 { return l * (l - 1) * (l + 1) / 2 }},
	// W = (G/2)(I1 − 1 + 1/(I2 + 1)): T = G(λ − λ⁻³)
	{"neo-hookean", func(Material) float64 { return 4 },
		func(l float64) float64 { e := l - 1/l; return e * e / 8 },
		func(l float64) float64 { return (l - 1/(l*l*l)) / 4 }},
	// Hooke's law of small strain with e2 = 0: T = E_s/(1−ν_s²) (λ−1), E_s = 2 G_s (1+ν_s)
	{"hooke", func(m Material) float64 { return 2 / (1 - m.Poisson) },
		func(l float64) float64 { return (l - 1) * (l - 1) / 2 },
		func(l float64) float64 { return l - 1 }},
}

// LawNames are the names of laws, the default first.
func LawNames() (names []string) {
	for _, l := range laws {
		names = append(names, l.name)
	}
	return names
}

// lawOf is the number of a law in the table.
func lawOf(name string) (int, error) {
	for k := range laws {
		if laws[k].name == name {
			return k, nil
		}
	}
	return 0, fmt.Errorf("ring: material: law %q is unknown: use one of %s", name, strings.Join(LawNames(), ", "))
}

// Tension is the force per depth along a ring that is stretched to λ times its length free of stress:
//
//	skalak       G_s (1 + C) λ(λ² − 1)
//	neo-hookean  G_s (λ − λ⁻³)
//	hooke        2 G_s/(1 − ν_s) (λ − 1)
//
// which are the principal tensions of package elastic at stretches λ and 1; its hooke, with Green's strain, has λ(λ²−1)/2 for λ − 1. The
// linear tension E(λ−1) of papers on capsules in the plane is hooke with ν_s = 0 and G_s = E/2.
func (m Material) Tension(stretch float64) (float64, error) {
	m = m.withDefaults()
	if err := m.Check(); err != nil {
		return 0, err
	}
	k, _ := lawOf(m.Law)
	return m.Modulus() * laws[k].tension(stretch), nil
}

// Modulus is E = dT/dλ at λ = 1, force per depth: K_s + G_s of the surface.
func (m Material) Modulus() float64 {
	m = m.withDefaults()
	k, err := lawOf(m.Law)
	if err != nil {
		return 0
	}
	return m.Shear * laws[k].modulus(m)
}

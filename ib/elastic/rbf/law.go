package rbf

import (
	"fmt"
	"strings"
)

// law is an energy W(I1, I2) per area free of stress, I1 = λ1² + λ2² − 2 and
// I2 = λ1²λ2² − 1 of the principal stretches λ, by its derivatives
//
//	W1 = a0 + a1 I1
//	W2 = b0 + b1 I2 − h/(1+I2)²
//
// which all laws here have. They are those of package elastic, with the same moduli.
type law struct{ a0, a1, b0, b1, h float64 }

// laws are the table of all, the default first. A new one of this form is its line here.
var laws = []struct {
	name string
	make func(Material) law
}{
	// Skalak, Tozeren, Zarda & Chien, Biophys. J. 13 (1973) 245:
	// W = (G/4)(I1² + 2 I1 − 2 I2) + (G C/4) I2².
	{"skalak", func(m Material) law {
		g := m.Shear / 2
		return law{a0: g, a1: g, b0: -g, b1: g * m.Area}
	}},
	// W = (G/2)(I1 − 1 + 1/(I2+1)), Barthès-Biesel & Rallison, J. Fluid Mech. 113 (1981) 251.
	{"neo-hookean", func(m Material) law {
		return law{a0: m.Shear / 2, h: m.Shear / 2}
	}},
}

// LawNames are the names of laws, the default first.
func LawNames() (names []string) {
	for _, l := range laws {
		names = append(names, l.name)
	}
	return names
}

func newLaw(m Material) (law, error) {
	for _, l := range laws {
		if l.name != m.Law {
			continue
		}
		if m.Area != 0 && m.Law != "skalak" {
			return law{}, fmt.Errorf("rbf: material: C = %v is Skalak's, the law is %s: leave it out", m.Area, m.Law)
		}
		return l.make(m), nil
	}
	return law{}, fmt.Errorf("rbf: material: law %q is unknown: use one of %s", m.Law, strings.Join(LawNames(), ", "))
}

// energy is W, 0 without strain.
func (l law) energy(i1, i2 float64) float64 {
	// −∫ h/(1+I2)² dI2 = h (1/(1+I2) − 1)
	return i1*(l.a0+l.a1*i1/2) + i2*(l.b0+l.b1*i2/2) - l.h*i2/(1+i2)
}

// derivatives are W1, ∂W1/∂I1, W2 and ∂W2/∂I2.
func (l law) derivatives(i1, i2 float64) (w1, w11, w2, w22 float64) {
	j := 1 / (1 + i2)
	h := l.h * j * j
	return l.a0 + l.a1*i1, l.a1, l.b0 + l.b1*i2 - h, l.b1 + 2*h*j
}

package elastic

import (
	"fmt"
	"math"
	"strings"
)

// Law is the energy of a membrane without a direction of its own, W(I1, I2) per area
// free of stress, of the invariants I1 = λ1² + λ2² − 2 and I2 = λ1²λ2² − 1 of the
// principal stretches λ. Elements of the slices are independent of each other.
//
// With C the right Cauchy–Green tensor and J² = I2 + 1 the second Piola–Kirchhoff
// tension is S = 2 ∂W/∂C = 2 W1 1 + 2 W2 J² C⁻¹, W1 = ∂W/∂I1 and W2 = ∂W/∂I2, and
// the principal tension, force per length as deformed, T1 = 2 (λ1/λ2)(W1 + λ2² W2).
type Law interface {
	// Energy stores W in w.
	Energy(w, i1, i2 []float64)
	// Derivatives stores W1 and W2; all slices have the same length.
	Derivatives(w1, w2, i1, i2 []float64)
}

// rational is a law that kernels in assembly know:
//
//	W1 = c[0] + c[1] I1,   W2 = c[2] + c[3] I2 + c[4]/(I2+1)²
//
// Triangles of other laws go through plain Go.
type rational interface{ coefficients() (c [5]float64) }

// laws are the table of all, the default first. A new one is its file and a line here.
var laws = []struct {
	name string
	make func(Material) (Law, error)
}{
	{"skalak", newSkalak},
	{"neo-hookean", newNeoHookean},
	{"hooke", newHooke},
}

// LawNames are the names of laws, the default first.
func LawNames() (names []string) {
	for _, l := range laws {
		names = append(names, l.name)
	}
	return names
}

// NewLaw is the law of a material; Check tells what is refused.
func NewLaw(m Material) (Law, error) {
	if err := m.Check(); err != nil {
		return nil, err
	}
	return newLaw(m.withDefaults())
}

func newLaw(m Material) (Law, error) {
	for _, l := range laws {
		if l.name != m.Law {
			continue
		}
		if m.Area != 0 && m.Law != "skalak" {
			return nil, fmt.Errorf("elastic: material: C = %v is Skalak's, the law is %s: leave it out, or use an area penalty", m.Area, m.Law)
		}
		if m.Poisson != 0 && m.Law != "hooke" {
			return nil, fmt.Errorf("elastic: material: Poisson's ratio %v is of law hooke, the law is %s: leave it out", m.Poisson, m.Law)
		}
		return l.make(m)
	}
	return nil, fmt.Errorf("elastic: material: law %q is unknown: use one of %s", m.Law, strings.Join(LawNames(), ", "))
}

// Tension is the principal tensions, force per length as deformed, at principal
// stretches l1 and l2 of a law.
func Tension(law Law, l1, l2 float64) (t1, t2 float64) {
	var w1, w2 [1]float64
	law.Derivatives(w1[:], w2[:], []float64{l1*l1 + l2*l2 - 2}, []float64{l1*l1*l2*l2 - 1})
	return 2 * l1 / l2 * (w1[0] + l2*l2*w2[0]), 2 * l2 / l1 * (w1[0] + l1*l1*w2[0])
}

// Moduli are the shear modulus G_s, the area modulus K_s, Young's modulus E_s and
// Poisson's ratio ν_s of a law at small strain: K_s = E_s/(2(1−ν_s)), G_s = E_s/(2(1+ν_s)).
func Moduli(law Law) (shear, area, young, poisson float64) {
	// From tensions at strains of 1e-4, differences across zero: relative error 1e-7.
	const h = 1e-4
	a, b := Tension(law, 1+h, 1)
	c, d := Tension(law, 1-h, 1)
	t1, t2 := (a-c)/(2*h), (b-d)/(2*h) // (K+G) and (K−G)
	shear, area = (t1-t2)/2, (t1+t2)/2
	return shear, area, 4 * area * shear / (area + shear), (area - shear) / math.Max(area+shear, math.SmallestNonzeroFloat64)
}

package elastic

// skalak is the law of Skalak, Tozeren, Zarda & Chien, Biophys. J. 13 (1973) 245:
//
//	W = (G/4)(I1² + 2 I1 − 2 I2) + (G C/4) I2²
//	S = G [(I1+1) 1 + (C I2 − 1) J² C⁻¹]      (C⁻¹: of Cauchy–Green)
//
// Strain hardening. G is the shear modulus at small strain, T = G(λ²−1)(1 + Cλ²(λ²+1))
// the tension at equal stretches, K_s = G(1+2C), ν_s = C/(1+C). Red cells: C ≫ 1. In
// Skalak's own letters B = 2G and C = 2GC; a factor κ/12 for G/4 means κ = 3G.
type skalak struct{ quarter, c float64 }

func newSkalak(m Material) (Law, error) { return skalak{m.Shear / 4, m.Area}, nil }

func (s skalak) coefficients() [5]float64 {
	half := 2 * s.quarter
	return [5]float64{half, half, -half, half * s.c}
}

// Energy is documented at Law.
func (s skalak) Energy(w, i1, i2 []float64) {
	for k := range w {
		w[k] = s.quarter * (i1[k]*(i1[k]+2) + i2[k]*(s.c*i2[k]-2))
	}
}

// Derivatives is documented at Law.
func (s skalak) Derivatives(w1, w2, i1, i2 []float64) {
	w2, i1, i2 = w2[:len(w1)], i1[:len(w1)], i2[:len(w1)]
	half, c := 2*s.quarter, s.c
	for k := range w1 {
		w1[k] = half * (i1[k] + 1)
		w2[k] = half * (c*i2[k] - 1)
	}
}

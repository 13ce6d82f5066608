package elastic

// neoHookean is an incompressible rubber's thin sheet (Barthès-Biesel & Rallison, J.
// Fluid Mech. 113 (1981) 251):
//
//	W = (G/2)(I1 − 1 + 1/(I2+1))
//	S = G [1 − J⁻² C⁻¹]
//
// Strain softening. G is the shear modulus; E_s = 3 G and ν_s = 1/2. Papers that use a
// capillary number with E_s differ by this factor 3.
type neoHookean struct{ half float64 }

func newNeoHookean(m Material) (Law, error) { return neoHookean{m.Shear / 2}, nil }

func (n neoHookean) coefficients() [5]float64 { return [5]float64{0: n.half, 4: -n.half} }

// Energy is documented at Law.
func (n neoHookean) Energy(w, i1, i2 []float64) {
	for k := range w {
		w[k] = n.half * (i1[k] - 1 + 1/(i2[k]+1))
	}
}

// Derivatives is documented at Law.
func (n neoHookean) Derivatives(w1, w2, i1, i2 []float64) {
	w2, i2 = w2[:len(w1)], i2[:len(w1)]
	for k := range w1 {
		j2 := i2[k] + 1
		w1[k] = n.half
		w2[k] = -n.half / (j2 * j2)
	}
}

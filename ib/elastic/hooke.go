package elastic

import "fmt"

// hooke is Hooke's law between Green's strain e = (C−1)/2 and S (a membrane of St.
// Venant and Kirchhoff), with E_s = 2G(1+ν):
//
//	W = E_s/(2(1−ν²)) (e1² + e2² + 2ν e1 e2) = E_s/(2(1−ν²)) (I1²/4 − (1−ν)(I2−I1)/2)
//	S = E_s/(1−ν²) [(1−ν) e + ν tr e 1]
//
// For small strains: under compression W is not convex, at λ = 1/√3 and below in one
// direction the tension falls as the stretch falls.
type hooke struct{ quarter, mixed float64 } // E_s/(8(1−ν²)), E_s/(4(1+ν))

func newHooke(m Material) (Law, error) {
	if !(m.Poisson > -1 && m.Poisson < 1) {
		return nil, fmt.Errorf("elastic: material: Poisson's ratio of the surface is %v, must be between −1 and 1: use 1/3 where nothing is known", m.Poisson)
	}
	return hooke{m.Shear / (4 * (1 - m.Poisson)), m.Shear / 2}, nil
}

func (h hooke) coefficients() [5]float64 {
	return [5]float64{h.mixed, 2 * h.quarter, -h.mixed}
}

// Energy is documented at Law.
func (h hooke) Energy(w, i1, i2 []float64) {
	for k := range w {
		w[k] = h.quarter*i1[k]*i1[k] + h.mixed*(i1[k]-i2[k])
	}
}

// Derivatives is documented at Law.
func (h hooke) Derivatives(w1, w2, i1, i2 []float64) {
	w2, i1 = w2[:len(w1)], i1[:len(w1)]
	for k := range w1 {
		w1[k] = 2*h.quarter*i1[k] + h.mixed
		w2[k] = -h.mixed
	}
}

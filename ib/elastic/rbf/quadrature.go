package rbf

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"
)

// weights integrate over the unit sphere: ∫ f dω ≈ Σ w_i f(η_i), exact for
// interpolants by |p − q| and a constant (Fuselier, Hangelbroek, Narcowich, Ward &
// Wright, Numer. Math. 127 (2014) 57). As ∫ |p − q| dω is the same for all q, they are
// 4π Φ⁻¹1/(1ᵀΦ⁻¹1) with Φ_ij = |η_i − η_j|; images under mirrors have the same weight.
func (s *sites) weights() ([]float64, error) {
	n := len(s.base)
	a := mat.NewDense(n, n, nil)
	for i, p := range s.base {
		for j, q := range s.base {
			var sum float64
			for g := range s.mirrors.order() {
				sum += p.Sub(mirrored(q, g)).Norm()
			}
			a.Set(i, j, sum)
		}
	}
	ones := mat.NewVecDense(n, nil)
	for i := range n {
		ones.SetVec(i, 1)
	}
	var w mat.VecDense
	if err := w.SolveVec(a, ones); err != nil {
		return nil, fmt.Errorf("rbf: quadrature over %d sample sites: %w: use another number of sample sites", len(s.at), err)
	}
	scale := 4 * math.Pi / (mat.Sum(&w) * float64(s.mirrors.order()))
	out := make([]float64, n)
	for i := range out {
		if out[i] = scale * w.AtVec(i); !(out[i] > 0) {
			return nil, fmt.Errorf("rbf: quadrature over %d sample sites: site %d has the weight %g, must be positive: use another number of sample sites", len(s.at), i, out[i])
		}
	}
	return out, nil
}

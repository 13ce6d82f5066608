package ib

import "math"

// Offset is how far, in nodes, the no-slip plane of a shear flow lies in front of
// a row of markers at which the interpolated velocity vanishes:
//
//	½⟨Σ_ij |i−j| φ(i−s) φ(j−s)⟩ + (1/4 − 2Λ/3)⟨Σ_i φ(i−s)²⟩,
//
// ⟨⟩ the mean over places s of the row between nodes. The first part is what
// spreading and interpolation make of the velocity's kink. The second is the
// lattice's own answer to a force on one row of nodes, whose velocity leaves the
// kink by (2Λ/3 − 1/4) F/ν in the steady solution of the two-relaxation-time
// equation with Guo's forcing, Λ = (τ⁺ − ½)(τ⁻ − ½); BGK has Λ = (τ − ½)². For
// roma3 and BGK at small viscosity it is 0.39. A row along an axis and one askew agree
// to 0.01. Seen from the markers it is what they feel too much of the velocity, over the
// difference of its slopes; package hybrid corrects that.
//
// That a diffuse boundary is felt outside its markers is old knowledge (Höfler &
// Schwarzer, Phys. Rev. E 61 (2000) 7146; Breugem, J. Comput. Phys. 231 (2012)
// 4469, who fitted the distance).
func Offset[T Float](d Delta[T], magic float64) float64 {
	const places = 64
	n := d.Support()
	var w [MaxSupport]T
	smear, forced := 0., 0.
	for k := range places {
		s := (float64(k) + 0.5) / places
		d.Weights(&w, s)
		for i := range n {
			forced += float64(w[i] * w[i])
			for j := range n {
				smear += math.Abs(float64(i-j)) * float64(w[i]*w[j]) / 2
			}
		}
	}
	return (smear + (0.25-2*magic/3)*forced) / places
}

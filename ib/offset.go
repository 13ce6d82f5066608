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
	kink, odd := OffsetInEddies(d, 0, 0)
	return kink - 2*magic/3*odd
}

// OffsetAt is what Offset is the mean of: the offset in nodes of a row of markers at a place s
// behind a row of nodes, 0 ≤ s < 1. It matters where a wall lies along an axis, so that all
// of its markers have the same place.
func OffsetAt[T Float](d Delta[T], magic, s float64) float64 {
	var w [MaxSupport]T
	d.Weights(&w, s)
	kink, odd := 0., 0.
	for i, a := range w[:d.Support()] {
		for j, b := range w[:d.Support()] {
			kink += math.Abs(float64(i-j)) * float64(a*b) / 2
		}
		odd += float64(a * a)
	}
	return kink + (1./4-2*magic/3)*odd
}

// OffsetInEddies is what Offset is made of where Smagorinsky's eddy viscosity C²|S| adds to
// the molecular ν: the wall's stress is ρν_w κ, ν_w = (1 + β)ν and β = C²κ/ν, with the
// flow on one side of the wall, and the offset in nodes is
//
//	kink − 2 ν_w t_w odd,    t = 1/ω⁻ − 1/2 at viscosity ν_w.
//
// Across the width of the delta the stress falls to zero, and so does the eddy viscosity:
// the velocity follows, between neighbouring nodes y and y + 1,
//
//	u(y+1) − u(y) = ½(κ_y + κ_y+1) + 2Δ(tF)/ρ,    νκ_y + C²κ_y|κ_y| = |T_y|/ρ,
//
// T_y the mean of the momentum that crosses the links below and above the node. This is the
// steady solution of the two-relaxation-time equation in which every node has its own ν and,
// by a power of it, its own t: t ∝ ν^power, 1 for BGK, 0 for regularized collision, −1 where
// Λ is the same everywhere. β = 0 is Offset.
func OffsetInEddies[T Float](d Delta[T], beta, power float64) (kink, odd float64) {
	const places = 64
	n := d.Support()
	var w [MaxSupport]T
	var slope [MaxSupport]float64
	for k := range places {
		s := (float64(k) + 0.5) / places
		first := d.Weights(&w, s)
		below := 0. // share of the wall's force on the nodes below the link at hand
		for i := range n {
			slope[i] = slopeInEddies(below+float64(w[i])/2, beta)
			below += float64(w[i])
		}
		u, above := float64(first+n)-s, 1. // velocity and slope at the node above, over κ
		for i := n - 1; i >= 0; i-- {
			u -= (slope[i] + above) / 2
			above = slope[i]
			kink += float64(w[i]) * u
			thicker := (1 + beta*math.Abs(slope[i])) / (1 + beta) // ν_y/ν_w
			odd += float64(w[i]*w[i]) * math.Pow(thicker, power)
		}
	}
	return kink / places, odd / places
}

// slopeInEddies is r with r + β r|r| = (1 + β) stress: the slope over that at the wall,
// where the stress over that at the wall is given.
func slopeInEddies(stress, beta float64) float64 {
	full := (1 + beta) * stress
	return 2 * full / (1 + math.Sqrt(1+4*beta*math.Abs(full)))
}

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
	kink, odd, _ := OffsetInEddies(d, 64, 0, 0.5, 0, 0)
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
// the molecular ν. The stresses of the flows on the two sides of the wall are mean + ½ and
// mean − ½ of the wall's force per area f on the fluid, mean ≥ 0: ½ where the flow is on one
// side only, 0 where the wall is sheared alike on both. Slopes r of the velocity are over f/(ρν),
// so that stress = r + β r|r| with β = C²f/(ρν²). In these units the offset is, as a velocity,
//
//	kink − 2νt odd,    t = 1/ω⁻ − 1/2 at viscosity ν,
//
// and it puts the profile on the side of the greater stress where the wall is; both, where they
// are sheared alike. Across the width of the delta the stress goes from one to the other, and the
// eddy viscosity with it: the velocity follows, between neighbouring nodes y and y + 1,
//
//	u(y+1) − u(y) = ½(r_y + r_y+1) + 2Δ(tF)/ρ,
//
// the stress at y being the mean of the momentum that crosses the links below and above the node.
// This is the steady solution of the two-relaxation-time equation in which every node has its
// own ν and, by a power of it, its own t: t ∝ ν^power, 1 for BGK, 0 for regularized collision, −1
// where Λ is the same everywhere. slope is what Chord finds of this velocity, with
// lattice = νt in its last term. All are means over so many places of the wall between nodes. β = 0 and mean = ½ is Offset.
func OffsetInEddies[T Float](d Delta[T], places int, beta, mean, power, lattice float64) (kink, odd, slope float64) {
	n := d.Support()
	var w, chord [MaxSupport]T
	var r, u [MaxSupport]float64
	for k := range places {
		s := (float64(k) + 0.5) / float64(places)
		first := d.Weights(&w, s)
		Chord(&chord, &w, n, T(lattice))
		below := 0. // share of the wall's force on the nodes below the link at hand
		for i := range n {
			r[i] = slopeInEddies(mean-0.5+below+float64(w[i])/2, beta)
			below += float64(w[i])
		}
		above := slopeInEddies(mean+0.5, beta)
		at := above * (float64(first+n) - s) // velocity at the node above
		for i := n - 1; i >= 0; i-- {
			at -= (r[i] + above) / 2
			above, u[i] = r[i], at
		}
		for i, a := range w[:n] {
			own := math.Pow(1+beta*math.Abs(r[i]), power) // t there over that at ν
			kink += float64(a) * u[i]
			odd += float64(a*a) * own
			u[i] -= 2 * lattice * own * float64(a)
			slope += float64(chord[i]) * u[i]
		}
	}
	over := float64(places)
	return kink / over, odd / over, slope / over
}

// slopeInEddies is r with r + β r|r| = stress.
func slopeInEddies(stress, beta float64) float64 {
	return 2 * stress / (1 + math.Sqrt(1+4*beta*math.Abs(stress)))
}

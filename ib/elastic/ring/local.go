package ring

import "lbmib/geometry"

// Local stores what the ring at x is like at each vertex: the tension, force per depth, of the law and the length penalty, the mean of the
// segments beside it, and the curvature θ/ℓ, positive where a circle's is. Viscous tension and that of bending are left out.
func (r *Ring) Local(x []geometry.Vec, tension, curvature []float64) {
	n := len(r.points)
	x = x[:n]
	length, _ := r.around(x)
	common := r.material.LengthPenalty * (length - r.length) / r.length
	pull := func(s segment, i int) float64 { return r.modulus * laws[r.law].tension(s.length/r.rest[i]) }
	before := r.segment(x, n-1)
	pulled := pull(before, n-1)
	for i := range n {
		s := r.segment(x, i)
		pulls := pull(s, i)
		tension[i] = (pulled+pulls)/2 + common
		curvature[i] = 2 * turning(before.along, s.along) / (before.length + s.length)
		before, pulled = s, pulls
	}
}

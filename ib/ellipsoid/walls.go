package ellipsoid

import (
	"math"

	"lbmib/geometry"
)

// Wall tells how far x is from a wall beside the particle, less inside it, and the direction away from it (of length 1). Distances
// beyond what reaches a particle need not be exact, but must be larger than that. It is called from several goroutines.
type Wall func(x geometry.Vec) (distance float64, normal geometry.Vec)

// Plane is the wall of a plane through a point, whose normal points to where particles are.
func Plane(point, normal geometry.Vec) Wall {
	n := normal.Scale(1 / normal.Norm())
	return func(x geometry.Vec) (float64, geometry.Vec) { return n.Dot(x.Sub(point)), n }
}

// wallLaw is the repulsion by a wall. It is that of the particle by its mirror image, whose energy both share: R − σ is twice the gap g
// between surfaces,
//
//	U = ε₀/2 [4 (s⁻¹² − s⁻⁶) + 1],  s = (2g + σ₀)/σ₀,  g = d − √(a² + (c² − a²)(n·û)²)
//
// with the ellipsoid's own width along the normal n, exact where the wall is plane.
type wallLaw struct {
	equatorial2, difference float64 // a², c² − a²
	sigma0, strength        float64
	reach                   float64 // largest d at which there is a force
}

func newWallLaw(s Shape, g *gayBerne) wallLaw {
	a, c := s.Equatorial*s.Equatorial, s.Polar*s.Polar
	return wallLaw{a, c - a, g.sigma0, g.strength, g.beyond/2 + max(s.Equatorial, s.Polar)}
}

// act is the energy, force and torque of a wall at the distance d in the direction −n, on a particle of axis u.
func (l *wallLaw) act(d float64, n, u geometry.Vec) (energy float64, force, torque geometry.Vec) {
	along := n.Dot(u)
	width := math.Sqrt(l.equatorial2 + l.difference*along*along)
	s := 2*(d-width)/l.sigma0 + 1
	if s >= cutoff {
		return 0, force, torque
	}
	i := 1 / s
	i3 := i * i * i
	i6 := i3 * i3
	energy = l.strength / 2 * (4*(i6*i6-i6) + 1)
	slope := l.strength * (24*i6 - 48*i6*i6) * i / l.sigma0 // ∂U/∂d
	turning := slope * l.difference * along / width         // −∂U/∂(n·u)
	return energy, n.Scale(-slope), u.Cross(n).Scale(turning)
}

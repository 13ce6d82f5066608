package contact

import "math"

// core is the part of the range below which the force between two points does not grow any more: points at
// that distance are of surfaces that have all but met.
const core = 1. / 8

// law is the repulsion at a range.
type law struct {
	reach   float64 // d, in nodes
	inverse float64 // 1/d
	core    float64 // in nodes
	plane   bool    // points are lines along z

	threefold float64 // 3/d
}

func newLaw(reach float64, plane bool) law {
	return law{reach, 1 / reach, core * reach, plane, 3 / reach}
}

// points is the force between two points of area one, and a pressure of one where their surfaces touch, at a distance r < c + d.
// The surfaces lie c in front of the points: with P(g) the force per area at a distance g of planes of points it is
// (P/r² − P′/r)/2π at g = r.
func (l *law) points(r, c float64) float64 {
	if l.plane {
		return l.lines(r, c)
	}
	return l.inSpace(r, c)
}

// inSpace is points that are no lines.
func (l *law) inSpace(r, c float64) float64 {
	left := 1 - (r-c)*l.inverse
	if r < l.core {
		r = l.core
	}
	if c == 0 && left > 1-core {
		left = 1 - core
	}
	inverse := 1 / r
	return left * left * (left*inverse + l.threefold) * inverse * (1 / (2 * math.Pi))
}

// lines is points of lines along z, per length of one: what all points of the other do, integrated along it. With D = d + c it is
// ∫ (r/R) (D³/(d³R²) − 3D/d³ + 2R/d³)/2π dz, R² = r² + z² < D².
func (l *law) lines(r, c float64) float64 {
	r = max(r, l.core)
	far := l.reach + c
	across := math.Sqrt(max(far*far-r*r, 0)) // of z, at the range
	cube := l.inverse * l.inverse * l.inverse
	return (far*far*across/r - 3*far*r*math.Acosh(max(far/r, 1)) + 2*r*across) * cube / math.Pi
}

// surface is the force per area of a plane at a gap, which is negative behind it.
func (l *law) surface(gap float64) float64 {
	if left := 1 - gap*l.inverse; left > 0 {
		return left * left * left
	}
	return 0
}

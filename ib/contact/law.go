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
}

func newLaw(reach float64) law { return law{reach, 1 / reach, core * reach} }

// points is the force between two points of area one, and a pressure of one where their surfaces touch, at a distance r < c + d.
// The surfaces lie c in front of the points: with P(g) the force per area at a distance g of planes of points it is
// (P/r² − P′/r)/2π at g = r.
func (l *law) points(r, c float64) float64 {
	left := 1 - (r-c)*l.inverse
	r = max(r, l.core)
	if c == 0 {
		left = min(left, 1-core)
	}
	return left * left * (left/r + 3*l.inverse) / (2 * math.Pi * r)
}

// surface is the force per area of a plane at a gap, which is negative behind it.
func (l *law) surface(gap float64) float64 {
	if left := 1 - gap*l.inverse; left > 0 {
		return left * left * left
	}
	return 0
}

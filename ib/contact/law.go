package contact

import "math"

// core is the part of the range below which the force between two points does not grow any more: points at
// that distance are of surfaces that have all but met.
const core = 1. / 8

// law is the repulsion at a range.
type law struct {
	reach   float64 // d, in nodes
	inverse float64 // 1/d
	unit    float64 // 1/(2πd²)
}

func newLaw(reach float64) law {
	return law{reach, 1 / reach, 1 / (2 * math.Pi * reach * reach)}
}

// points is the force between two points of area one, and a pressure of one where they touch, at a distance
// r < d.
func (l *law) points(r float64) float64 {
	s := max(r*l.inverse, core)
	return l.unit * (1 - s) * (1 - s) * (1 + 2*s) / (s * s)
}

// surface is the force per area of a plane at a gap, which is negative behind it.
func (l *law) surface(gap float64) float64 {
	if left := 1 - gap*l.inverse; left > 0 {
		return left * left * left
	}
	return 0
}

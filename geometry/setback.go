package geometry

import "math"

// SetBack moves every marker by a distance into the body, against its normal
// (for by < 0 out of it), yet never further than half the radius of the largest
// ball that touches the surface at the marker from that side and holds no other
// marker: half of the way to the medial axis, where markers of opposite sides
// would meet. Thin bodies and sharp edges are so set back by less. shortest is
// the smallest distance that a marker moved; one without a normal stays. Markers
// are those of one body; m itself is left as it is.
func SetBack(m Markers, by float64) (set Markers, shortest float64) {
	set = m
	set.X = make([]Vec, len(m.X))
	shortest = math.Abs(by)
	if by == 0 {
		copy(set.X, m.X)
		return set, 0
	}
	side := math.Copysign(1, by)
	reach := 2 * math.Abs(by) // larger balls bind nothing
	near := newBins(m.X, reach)
	for k, x := range m.X {
		if m.Normal[k] == (Vec{}) {
			set.X[k], shortest = x, 0
			continue
		}
		in := m.Normal[k].Scale(-side)
		radius := reach
		near.each(x.Add(in.Scale(reach)), reach, func(l int) {
			d := m.X[l].Sub(x)
			if along := d.Dot(in); along > 0 {
				radius = min(radius, d.Dot(d)/(2*along))
			}
		})
		distance := min(math.Abs(by), radius/2)
		shortest = min(shortest, distance)
		set.X[k] = x.Sub(m.Normal[k].Scale(side * distance))
	}
	return set, shortest
}

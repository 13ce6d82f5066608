package rigid

import (
	"math"

	"lbmib/geometry"
)

// Damping is the places inside a body from which forces keep the fluid there moving with
// the body (Body.Damped). They are coupled as markers are, by the same delta, with a weight
// so small that the momentum of the fluid inside, relative to the body, decays by e in
// dampingTime. The forces are taken from the body, so that momentum is kept.
//
// A body that starts at once sets the fluid inside swinging to and fro, as sound does in a
// closed circle, and it goes on for several D/U: viscosity ends waves of that length slowly,
// and walls of markers give way a little. Its velocity is largest in the middle.
type Damping struct {
	Places []geometry.Vec // relative to the body's centre, as drawn
	Weight float64        // of each
}

// dampingTime is in steps per node of the body's diameter. Of sound, half of whose energy is
// in the velocity, e^(−n/2) is left after n D steps: little in D/U, which are 10 D at U = 0.1.
const dampingTime = 1.0

// mostDamping bounds the weight: A of a place alone, the sum of squares of the delta, is 1 at
// most, and what takes away all of its slip is a weight of 1/A.
const mostDamping = 1.0

// dampedSpacing is the distance between the places in a body of so many nodes in diameter. A
// tenth of a wave's length suffices, 1.7 D, so long as the bound on the weights leaves half of
// what is asked for: a place takes no more than mostDamping allows, whatever it stands for.
func dampedSpacing(diameter float64, dim int) float64 {
	return max(2, min(diameter/6, math.Pow(4*mostDamping*diameter, 1/float64(dim))))
}

// Damping finds the places inside the body, none where it is not to be damped, holds another
// body of its System, or has no node beyond the supports of its markers, which are so many
// nodes wide.
func (b *Body) Damping(support int) (d Damping) {
	s := b.Shape
	if !b.Damped || b.Hollow || b.holds || s.Open() {
		return d
	}
	dim, center, diameter := s.Dim(), s.Center(), diameterOf(s)
	spacing, depth := dampedSpacing(diameter, dim), float64(support)+math.Max(0, b.setBack)
	lo, hi := s.Bounds()
	var from, to [3]int
	for a := range dim {
		from[a], to[a] = int(math.Ceil((lo[a]-center[a])/spacing)), int(math.Floor((hi[a]-center[a])/spacing))
	}
	for z := from[2]; z <= to[2]; z++ {
		for y := from[1]; y <= to[1]; y++ {
			for x := from[0]; x <= to[0]; x++ {
				r := geometry.Vec{float64(x), float64(y), float64(z)}.Scale(spacing)
				if isDeep(s, center.Add(r), depth) {
					d.Places = append(d.Places, r)
				}
			}
		}
	}
	if n := len(d.Places); n > 0 {
		d.Weight = min(mostDamping, s.Enclosed()/(2*dampingTime*diameter*float64(n)))
	}
	return d
}

// diameterOf is the diameter of the disc or ball that is as large as a shape.
func diameterOf(s geometry.Shape) float64 {
	if s.Dim() == 3 {
		return math.Cbrt(6 * s.Enclosed() / math.Pi)
	}
	return math.Sqrt(4 * s.Enclosed() / math.Pi)
}

// RingingPeriod is that of the sound by which the fluid inside swings to and fro, in steps:
// of the first mode of a closed circle or ball, whose wave number is 1.841 or 2.082 over the radius.
func (b *Body) RingingPeriod() float64 {
	root := [4]float64{2: 1.841, 3: 2.082}[b.Shape.Dim()]
	return math.Sqrt(3) * math.Pi * diameterOf(b.Shape) / root
}

// isDeep tells whether a point is inside a shape by more than a distance, along the axes and
// halfway between them.
func isDeep(s geometry.Shape, x geometry.Vec, distance float64) bool {
	if !s.Contains(x) {
		return false
	}
	for i := range 27 {
		d := geometry.Vec{float64(i%3 - 1), float64(i/3%3 - 1), float64(i/9 - 1)}
		if s.Dim() == 2 && d[2] != 0 || d == (geometry.Vec{}) {
			continue
		}
		if !s.Contains(x.Add(d.Scale(distance / d.Norm()))) {
			return false
		}
	}
	return true
}

// IsDamped tells whether there are places of Damping.
func (b *Body) IsDamped(support int) bool { return len(b.Damping(support).Places) > 0 }

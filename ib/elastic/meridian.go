package elastic

import (
	"math"
	"sort"

	"lbmib/geometry"
)

// meridianParts is so many that the polyline's length is the meridian's to 1e-6.
const meridianParts = 2048

// meridian is a surface of revolution about z which every ray from the origin leaves
// once, from the pole at z > 0 to the other.
type meridian struct {
	shape geometry.Shape
	angle []float64 // of point k, from z
	arc   []float64 // length of the meridian up to it, as a part of the whole
}

func newMeridian(shape geometry.Shape) *meridian {
	p := &meridian{shape: shape, angle: []float64{0}, arc: []float64{0}}
	last := geometry.Vec{2: p.radius(geometry.Vec{0, 0, 1})}
	for k := 1; k <= meridianParts; k++ {
		angle := math.Pi * float64(k) / meridianParts
		sin, cos := math.Sincos(angle)
		d := geometry.Vec{sin, 0, cos}
		at := d.Scale(p.radius(d))
		p.angle = append(p.angle, angle)
		p.arc = append(p.arc, p.arc[k-1]+at.Sub(last).Norm())
		last = at
	}
	for k := range p.arc {
		p.arc[k] /= p.arc[meridianParts]
	}
	return p
}

// radius is the distance of the surface from the origin in the direction of the unit vector d.
func (p *meridian) radius(d geometry.Vec) float64 {
	in, out := 0., 1.001*p.shape.Reach()
	for range 54 { // down to rounding
		if mid := (in + out) / 2; p.shape.Contains(d.Scale(mid)) {
			in = mid
		} else {
			out = mid
		}
	}
	return in
}

// image is where the point x of the unit sphere goes: the same longitude, and as far
// along the meridian.
func (p *meridian) image(x geometry.Vec) geometry.Vec {
	across := math.Hypot(x[0], x[1])
	if across < 1e-9 {
		d := geometry.Vec{2: math.Copysign(1, x[2])}
		return d.Scale(p.radius(d))
	}
	sin, cos := math.Sincos(p.at(math.Atan2(across, x[2]) / math.Pi))
	d := geometry.Vec{sin * x[0] / across, sin * x[1] / across, cos}
	return d.Scale(p.radius(d))
}

// at is the angle from z up to which a part of the meridian lies.
func (p *meridian) at(part float64) float64 {
	k := min(max(sort.SearchFloat64s(p.arc, part), 1), meridianParts)
	share := (part - p.arc[k-1]) / (p.arc[k] - p.arc[k-1])
	return p.angle[k-1] + share*(p.angle[k]-p.angle[k-1])
}

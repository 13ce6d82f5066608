package geometry

import (
	"fmt"
	"math"
	"slices"
)

// cylinder is a finite circular cylinder along z.
type cylinder struct {
	radius, half float64 // half: half its length
	caps         bool
}

var _ form = cylinder{}

// NewCylinder is the circular cylinder of the given length about center, its
// axis along direction, closed by flat caps or an open tube: a wall without
// thickness or, where its ends are at walls or periodic faces, one that goes on.
// Length is the diameter, Frontal the area that a flow along x sees. Values that
// are not finite, sizes that are not positive and a direction of length zero
// are refused.
func NewCylinder(center, direction Vec, diameter, length float64, caps bool) (Shape, error) {
	if err := checkRound("cylinder", center, diameter); err != nil {
		return nil, err
	}
	if err := checkSize("cylinder", "length", length); err != nil {
		return nil, err
	}
	norm := direction.Norm()
	if !(norm > 0) || math.IsInf(norm, 0) {
		return nil, fmt.Errorf("geometry: cylinder: direction is %v, must be finite and not 0: give the axis, for instance [0, 0, 1]", direction)
	}
	return place(cylinder{diameter / 2, length / 2, caps}, center).Rotated(onto(direction.Scale(1 / norm))), nil
}

// Capped is an open tube or a passage with caps, whose inside is what it holds; any other shape is as it is.
func Capped(s Shape) Shape {
	p, ok := s.(placed)
	if !ok {
		return s
	}
	switch f := p.form.(type) {
	case cylinder:
		f.caps = true
		p.form = f
	case *mesh:
		if f.sealed != nil {
			p.form = f.sealed
		}
	}
	return p
}

// onto is the rotation that turns z to the unit vector d.
func onto(d Vec) Mat {
	axis := Vec{0, 0, 1}.Cross(d)
	if axis.Norm() == 0 {
		axis = Vec{1, 0, 0}
	}
	return Rotation(axis, math.Atan2(math.Hypot(d[0], d[1]), d[2]))
}

func (c cylinder) name() string       { return "cylinder" }
func (c cylinder) dim() int           { return 3 }
func (c cylinder) open() bool         { return !c.caps }
func (c cylinder) length(Mat) float64 { return 2 * c.radius }

func (c cylinder) contains(p Vec) bool {
	return c.caps && math.Abs(p[2]) <= c.half && p[0]*p[0]+p[1]*p[1] <= c.radius*c.radius
}

func (c cylinder) support(d Vec) float64 {
	return c.radius*math.Hypot(d[0], d[1]) + c.half*math.Abs(d[2])
}

func (c cylinder) reach() float64 { return math.Hypot(c.radius, c.half) }

func (c cylinder) enclosed() float64 {
	if !c.caps {
		return 0
	}
	return 2 * math.Pi * c.radius * c.radius * c.half
}

func (c cylinder) surface() float64 {
	side := 4 * math.Pi * c.radius * c.half
	if !c.caps {
		return side
	}
	return side + 2*math.Pi*c.radius*c.radius
}

func (c cylinder) inertia() Mat {
	volume, r, l := c.enclosed(), c.radius*c.radius, c.half*c.half
	across := volume * (r/4 + l/3)
	return Mat{{across}, {1: across}, {2: volume * r / 2}}
}

func (c cylinder) frontal(r Mat) float64 {
	v := Vec(r[0])
	across := math.Hypot(v[0], v[1])
	return math.Pi*c.radius*c.radius*math.Abs(v[2]) + 4*c.radius*c.half*across
}

// sample puts rings on the side and the caps. Those of a capped cylinder lie on
// its edges too; those of a tube are half a step from its ends, so that a
// periodic tube goes on evenly.
func (c cylinder) sample(spacing float64) (m Markers) {
	steps := max(math.Round(2*c.half/spacing), 1)
	height := 2 * c.half / steps
	if !c.caps {
		for k := range int(steps) {
			m.ring(c.radius, (float64(k)+0.5)*height-c.half, k, spacing, Vec{1, 0, 0}, 2*math.Pi*c.radius*height)
		}
		return thin(m, spacing)
	}
	rings := max(math.Round(c.radius/spacing), 1)
	width := c.radius / rings
	edge := 2*math.Pi*c.radius*height/2 + annulus(c.radius-width/2, c.radius)
	for k := range int(steps) + 1 {
		z := float64(k)*height - c.half
		switch k {
		case 0, int(steps):
			m.cap(c.radius, z, k, spacing, edge, int(rings))
		default:
			m.ring(c.radius, z, k, spacing, Vec{1, 0, 0}, 2*math.Pi*c.radius*height)
		}
	}
	return thin(m, spacing)
}

// annulus is the area between two radii.
func annulus(inner, outer float64) float64 { return math.Pi * (outer*outer - inner*inner) }

// cap puts rings on a cap at height z, the edge first, a marker in its middle.
func (m *Markers) cap(radius, z float64, k int, spacing, edge float64, rings int) {
	out := Vec{0, 0, math.Copysign(1, z)}
	m.ring(radius, z, k, spacing, unit(Vec{1, 0, out[2]}, out), edge)
	width := radius / float64(rings)
	for i := 1; i < rings; i++ {
		r := radius - float64(i)*width
		m.ring(r, z, k+i, spacing, out, annulus(r-width/2, r+width/2))
	}
	m.ring(0, z, 0, spacing, out, annulus(0, width/2))
}

// ring puts markers about spacing apart on a circle about z that share an area;
// every other ring is turned by half a step. normal is that at angle 0.
func (m *Markers) ring(radius, z float64, k int, spacing float64, normal Vec, area float64) {
	n := int(max(math.Round(2*math.Pi*radius/spacing), 1))
	for i := range n {
		sin, cos := math.Sincos(2 * math.Pi * (float64(i) + 0.5*float64(k%2)) / float64(n))
		m.X = append(m.X, Vec{radius * cos, radius * sin, z})
		m.Normal = append(m.Normal, Vec{normal[0] * cos, normal[0] * sin, normal[2]})
		m.Area = append(m.Area, area/float64(n))
	}
}

func (c cylinder) outline(r Mat, n int) []Vec {
	angles := make([]float64, 0, n+4)
	for k := range n {
		angles = append(angles, 2*math.Pi*float64(k)/float64(n))
	}
	// Where a cap meets the side, the part of the direction along the axis is half the length over the way to the rim.
	axis := Vec{r[0][2], r[1][2], r[2][2]}
	inPlane := math.Hypot(axis[0], axis[1])
	if rim := c.half / c.reach(); rim < inPlane {
		along, aside := math.Atan2(axis[1], axis[0]), math.Acos(rim/inPlane)
		for _, a := range [...]float64{along - aside, along + aside, along + math.Pi - aside, along + math.Pi + aside} {
			angles = append(angles, math.Mod(a+4*math.Pi, 2*math.Pi))
		}
	}
	slices.Sort(angles)
	back := r.Transpose()
	line := make([]Vec, 0, len(angles)+1)
	for _, a := range angles {
		sin, cos := math.Sincos(a)
		d := back.Apply(Vec{cos, sin, 0})
		line = append(line, Vec{cos, sin, 0}.Scale(min(c.radius/math.Hypot(d[0], d[1]), c.half/math.Abs(d[2]))))
	}
	return append(line, line[0])
}

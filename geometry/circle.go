package geometry

import (
	"fmt"
	"math"
)

// Circle is a circle in the plane z = 0, made by NewCircle: the section of a
// cylinder in two dimensions.
type Circle struct {
	center Vec
	radius float64
}

var _ Shape = Circle{}

func (Circle) kind() string { return "circle" }

// NewCircle is the circle of the given centre (z = 0) and diameter. Values
// that are not finite, a diameter that is not positive and a centre off the
// plane are refused.
func NewCircle(center Vec, diameter float64) (Circle, error) {
	if err := checkRound("circle", center, diameter); err != nil {
		return Circle{}, err
	}
	if center[2] != 0 {
		return Circle{}, fmt.Errorf("geometry: circle: center z = %v, a circle lies in the plane z = 0: leave z out or use a sphere", center[2])
	}
	return Circle{center, diameter / 2}, nil
}

// Dim is 2.
func (c Circle) Dim() int { return 2 }

// Center is the circle's centre.
func (c Circle) Center() Vec { return c.center }

// Bounds are the corners of the square around the circle.
func (c Circle) Bounds() (lo, hi Vec) {
	r := Vec{c.radius, c.radius, 0}
	return c.center.Sub(r), c.center.Add(r)
}

// Contains tells whether p, whose z is not looked at, is in the disc.
func (c Circle) Contains(p Vec) bool {
	d := p.Sub(c.center)
	d[2] = 0
	return d.Dot(d) <= c.radius*c.radius
}

// Enclosed is the area πD²/4.
func (c Circle) Enclosed() float64 { return math.Pi * c.radius * c.radius }

// Surface is the perimeter πD.
func (c Circle) Surface() float64 { return 2 * math.Pi * c.radius }

// Reach is the radius.
func (c Circle) Reach() float64 { return c.radius }

// Length is the diameter D.
func (c Circle) Length() float64 { return 2 * c.radius }

// Frontal is the diameter D, the width that the flow sees.
func (c Circle) Frontal() float64 { return 2 * c.radius }

// Sample puts round(πD/spacing) markers at equal angles, the first at the
// right end of the horizontal diameter and the others anticlockwise, each with
// the arc length πD/n. Spacings that give fewer than MinMarkers or more than
// MaxMarkers are refused.
func (c Circle) Sample(spacing float64) (Markers, error) {
	n, err := markerCount("circle", c.Surface(), spacing, 2)
	if err != nil {
		return Markers{}, err
	}
	m := newMarkers(n, c.Surface())
	for k := range m.X {
		m.Normal[k] = direction(k, n)
		m.X[k] = c.center.Add(m.Normal[k].Scale(c.radius))
	}
	return m, nil
}

// Outline is the circle as a closed polyline of n segments.
func (c Circle) Outline(n int) []Vec { return ring(c.center, c.radius, n) }

// Scaled is the circle in a unit of length that is factor times smaller.
func (c Circle) Scaled(factor float64) Shape {
	mustFactor(factor)
	return Circle{c.center.Scale(factor), c.radius * factor}
}

// Translated is the circle moved by d, whose z must be 0.
func (c Circle) Translated(d Vec) Shape { return Circle{c.center.Add(d), c.radius} }

// Rotated is the circle itself.
func (c Circle) Rotated(Mat) Shape { return c }

// Open is false.
func (c Circle) Open() bool { return false }

// Inertia is πR⁴/2 about z.
func (c Circle) Inertia() Mat {
	return Mat{2: {2: c.Enclosed() * c.radius * c.radius / 2}}
}

// newMarkers are n markers of equal area without positions.
func newMarkers(n int, surface float64) Markers {
	m := Markers{X: make([]Vec, n), Area: make([]float64, n), Normal: make([]Vec, n)}
	for k := range m.Area {
		m.Area[k] = surface / float64(n)
	}
	return m
}

// direction is the unit vector at k/n of a turn in the x–y plane.
func direction(k, n int) Vec {
	sin, cos := math.Sincos(2 * math.Pi * float64(k) / float64(n))
	return Vec{cos, sin, 0}
}

// ring is a circle in the x–y plane through center as a closed polyline.
func ring(center Vec, radius float64, n int) []Vec {
	n = max(n, 3)
	points := make([]Vec, n+1)
	for k := range n {
		points[k] = center.Add(direction(k, n).Scale(radius))
	}
	points[n] = points[0]
	return points
}

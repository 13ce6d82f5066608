package geometry

import "math"

// Sphere is a sphere in space, made by NewSphere.
type Sphere struct {
	center Vec
	radius float64
}

var _ Shape = Sphere{}

func (Sphere) kind() string { return "sphere" }

// NewSphere is the sphere of the given centre and diameter. Values that are
// not finite and a diameter that is not positive are refused.
func NewSphere(center Vec, diameter float64) (Sphere, error) {
	if err := checkRound("sphere", center, diameter); err != nil {
		return Sphere{}, err
	}
	return Sphere{center, diameter / 2}, nil
}

// Dim is 3.
func (s Sphere) Dim() int { return 3 }

// Center is the sphere's centre.
func (s Sphere) Center() Vec { return s.center }

// Bounds are the corners of the cube around the sphere.
func (s Sphere) Bounds() (lo, hi Vec) {
	r := Vec{s.radius, s.radius, s.radius}
	return s.center.Sub(r), s.center.Add(r)
}

// Contains tells whether p is in the ball.
func (s Sphere) Contains(p Vec) bool {
	d := p.Sub(s.center)
	return d.Dot(d) <= s.radius*s.radius
}

// Enclosed is the volume πD³/6.
func (s Sphere) Enclosed() float64 { return 4. / 3 * math.Pi * s.radius * s.radius * s.radius }

// Surface is the area πD².
func (s Sphere) Surface() float64 { return 4 * math.Pi * s.radius * s.radius }

// Reach is the radius.
func (s Sphere) Reach() float64 { return s.radius }

// Length is the diameter D.
func (s Sphere) Length() float64 { return 2 * s.radius }

// Frontal is πD²/4, the area of the disc that the flow sees.
func (s Sphere) Frontal() float64 { return math.Pi * s.radius * s.radius }

// Sample puts n = round(πD²/spacing²) markers on a Fibonacci spiral (Swinbank
// & Purser, Q. J. R. Meteorol. Soc. 132 (2006) 1769): heights in the middle of
// n slices of equal area, longitudes a golden angle apart. All areas are
// πD²/n and neighbours are nowhere nearer than 0.8 of √(πD²/n). Spacings that
// give fewer than MinMarkers or more than MaxMarkers are refused.
func (s Sphere) Sample(spacing float64) (Markers, error) {
	n, err := markerCount("sphere", s.Surface(), spacing, 3)
	if err != nil {
		return Markers{}, err
	}
	m := newMarkers(n, s.Surface())
	for k := range m.X {
		m.Normal[k] = spiral(k, n)
		m.X[k] = s.center.Add(m.Normal[k].Scale(s.radius))
	}
	return m, nil
}

// spiral is point k of n on the unit sphere's Fibonacci spiral.
func spiral(k, n int) Vec {
	const inverseGolden = 1 / math.Phi
	z := 1 - float64(2*k+1)/float64(n)
	// (1−z)(1+z) keeps the digits of the radius near the poles.
	r := math.Sqrt((1 - z) * (1 + z))
	_, turn := math.Modf(float64(k) * inverseGolden)
	sin, cos := math.Sincos(2 * math.Pi * turn)
	return Vec{r * cos, r * sin, z}
}

// Outline is the equator, the section at the height of the centre, as a closed
// polyline of n segments.
func (s Sphere) Outline(n int) []Vec { return ring(s.center, s.radius, n) }

// Scaled is the sphere in a unit of length that is factor times smaller.
func (s Sphere) Scaled(factor float64) Shape {
	mustFactor(factor)
	return Sphere{s.center.Scale(factor), s.radius * factor}
}

// Translated is the sphere moved by d.
func (s Sphere) Translated(d Vec) Shape { return Sphere{s.center.Add(d), s.radius} }

// Rotated is the sphere itself.
func (s Sphere) Rotated(Mat) Shape { return s }

// Open is false.
func (s Sphere) Open() bool { return false }

// Inertia is 2/5 of the volume times R² about every axis.
func (s Sphere) Inertia() Mat {
	return Identity().Scale(0.4 * s.Enclosed() * s.radius * s.radius)
}

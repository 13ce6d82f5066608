package casefile

import "math"

// open reports whether the shape has no inside.
func (s Shape) open() bool {
	switch s.Type {
	case "line":
		return true
	case "stl":
		return s.Open
	case "cylinder":
		return !s.Caps
	case "union":
		for _, part := range s.Of {
			if part.open() {
				return true
			}
		}
	}
	return false
}

// moved is the shape at another place.
func (s Shape) moved(by [3]float64) Shape {
	s.Center, s.Min, s.Max = plus(s.Center, by), plus(s.Min, by), plus(s.Max, by)
	if s.Points != nil {
		points := make([][3]float64, len(s.Points))
		for i, p := range s.Points {
			points[i] = plus(p, by)
		}
		s.Points = points
	}
	if s.Of != nil {
		parts := make([]Shape, len(s.Of))
		for i, part := range s.Of {
			parts[i] = part.moved(by)
		}
		s.Of = parts
	}
	return s
}

// adrift reports whether the shape, or a part of it, lies where its file says.
func (s Shape) adrift() bool {
	for _, part := range s.Of {
		if part.adrift() {
			return true
		}
	}
	return s.Type == "stl" && !s.Placed
}

// redCellHeight is the thickness of a red cell over its diameter, rounded up, and
// profileHeight the height of a profile beyond its camber's and thickness's sum.
const (
	redCellHeight = 0.34
	profileHeight = 1.05
)

// bounds returns a box around the shape, not always the least; ok is false where
// it is not known: of files, and of parts turned together.
func (s Shape) bounds() (lo, hi [3]float64, ok bool) {
	half := [3]float64{s.Diameter / 2, s.Diameter / 2, s.Diameter / 2}
	turn := rotation(s.Axis, s.Angle)
	switch s.Type {
	case "box":
		return s.Min, s.Max, true
	case "stl":
		return lo, hi, false
	case "union":
		return s.boundsOfParts()
	case "polygon", "line":
		return spanned(turned(s.Points, s.middle(), turn))
	case "naca":
		half = turn.reach([3]float64{s.Chord / 2, profileHeight * s.Chord * (s.camber() + s.thickness()/2)})
	case "ellipse", "ellipsoid":
		for i := range half {
			half[i] = math.Hypot(math.Hypot(turn[i][0]*s.Axes[0], turn[i][1]*s.Axes[1]), turn[i][2]*s.Axes[2]) / 2
		}
	case "cylinder", "rbc":
		axis, length := s.Direction, s.Length
		if s.Type == "rbc" {
			axis, length = zAxis, redCellHeight*s.Diameter
		}
		axis = turn.apply(axis)
		for i, d := range axis {
			half[i] = math.Abs(d)*length/2 + s.Diameter/2*math.Sqrt(max(0, 1-d*d))
		}
	}
	return plus(s.Center, scaled(half, -1)), plus(s.Center, half), true
}

func (s Shape) boundsOfParts() (lo, hi [3]float64, ok bool) {
	var corners [][3]float64
	for _, part := range s.Of {
		lo, hi, ok := part.bounds()
		if !ok || s.Angle != 0 {
			return lo, hi, false
		}
		corners = append(corners, lo, hi)
	}
	return spanned(corners)
}

// middle returns a point that the shape's inside surrounds, about its centroid;
// of files not placed it is the origin.
func (s Shape) middle() [3]float64 {
	switch s.Type {
	case "polygon":
		return centroid(s.Points)
	case "line":
		return midway(s.Points)
	case "box":
		return scaled(plus(s.Min, s.Max), 0.5)
	case "union":
		if lo, hi, ok := s.boundsOfParts(); ok {
			return scaled(plus(lo, hi), 0.5)
		}
		return s.Of[0].middle()
	}
	return s.Center
}

// radius is that of a ball about the middle that holds the shape; 0: not known.
func (s Shape) radius() (most float64) {
	switch s.Type {
	case "ellipse", "ellipsoid":
		return max(s.Axes[0], s.Axes[1], s.Axes[2]) / 2
	case "cylinder":
		return math.Hypot(s.Diameter, s.Length) / 2
	case "naca":
		return s.Chord / 2 * profileHeight
	case "polygon", "line":
		m := s.middle()
		for _, p := range s.Points {
			most = max(most, norm(plus(p, scaled(m, -1))))
		}
		return most
	case "union":
		m := s.middle()
		for _, part := range s.Of {
			most = max(most, norm(plus(part.middle(), scaled(m, -1)))+part.radius())
		}
		return most
	}
	return s.Diameter / 2
}

// camber and thickness of a NACA profile over its chord.
func (s Shape) camber() float64 { return float64(s.Digits[0]-'0') / 100 }
func (s Shape) thickness() float64 {
	return float64(s.Digits[2]-'0')/10 + float64(s.Digits[3]-'0')/100
}

// centroid of the area of a polygon in the plane.
func centroid(points [][3]float64) (c [3]float64) {
	area, o := 0.0, points[0]
	for i := 1; i+1 < len(points); i++ {
		p, q := plus(points[i], scaled(o, -1)), plus(points[i+1], scaled(o, -1))
		a := p[0]*q[1] - p[1]*q[0]
		area += a
		c = plus(c, scaled(plus(p, q), a/3))
	}
	if area == 0 {
		return midway(points)
	}
	return plus(o, scaled(c, 1/area))
}

// midway is the centroid of a polyline's length.
func midway(points [][3]float64) (c [3]float64) {
	length := 0.0
	for i := 1; i < len(points); i++ {
		l := norm(plus(points[i], scaled(points[i-1], -1)))
		length += l
		c = plus(c, scaled(plus(points[i-1], points[i]), l/2))
	}
	if length == 0 {
		return points[0]
	}
	return scaled(c, 1/length)
}

// spanned returns the box around points.
func spanned(points [][3]float64) (lo, hi [3]float64, ok bool) {
	for i, p := range points {
		for a, x := range p {
			if i == 0 || x < lo[a] {
				lo[a] = x
			}
			if i == 0 || x > hi[a] {
				hi[a] = x
			}
		}
	}
	return lo, hi, len(points) > 0
}

func turned(points [][3]float64, about [3]float64, by matrix) [][3]float64 {
	out := make([][3]float64, len(points))
	for i, p := range points {
		out[i] = plus(about, by.apply(plus(p, scaled(about, -1))))
	}
	return out
}

type matrix [3][3]float64

// rotation turns by an angle in degrees about an axis of unit length.
func rotation(axis [3]float64, degrees float64) (m matrix) {
	return turn(axis, degrees*math.Pi/180)
}

// turn is Rodrigues' rotation by an angle in radians; without an axis, none.
func turn(axis [3]float64, radians float64) (m matrix) {
	if axis == ([3]float64{}) {
		return matrix{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}
	}
	sin, cos := math.Sincos(radians)
	x, y, z := axis[0], axis[1], axis[2]
	cross := matrix{{0, -z, y}, {z, 0, -x}, {-y, x, 0}}
	for i := range m {
		for j := range m {
			m[i][j] = sin*cross[i][j] + (1-cos)*axis[i]*axis[j]
		}
		m[i][i] += cos
	}
	return m
}

func (m matrix) apply(v [3]float64) (w [3]float64) {
	for i := range m {
		w[i] = m[i][0]*v[0] + m[i][1]*v[1] + m[i][2]*v[2]
	}
	return w
}

// reach is the half box around a turned box of half sides v.
func (m matrix) reach(v [3]float64) (w [3]float64) {
	for i := range m {
		w[i] = math.Abs(m[i][0]*v[0]) + math.Abs(m[i][1]*v[1]) + math.Abs(m[i][2]*v[2])
	}
	return w
}

func plus(a, b [3]float64) [3]float64 { return [3]float64{a[0] + b[0], a[1] + b[1], a[2] + b[2]} }

func scaled(a [3]float64, s float64) [3]float64 { return [3]float64{a[0] * s, a[1] * s, a[2] * s} }

package geometry

import (
	"fmt"
	"math"
	"slices"
)

// planar is a form in the plane: a closed curve, or an open one that encloses
// nothing.
type planar struct {
	kind   string
	curve  curve
	slabs  slabs
	area   float64
	second float64 // ∫ r² dA about the centroid
	chord  float64 // reference length and area; 0: the extent along y
}

var _ form = (*planar)(nil)

// closedPlanar is the form that points run around anticlockwise, and where its
// centroid is in their coordinates.
func closedPlanar(kind string, points []Vec) (*planar, Vec) {
	area, centroid, second := moments(points)
	points = slices.Clone(points)
	for k := range points {
		points[k] = points[k].Sub(centroid)
	}
	p := &planar{kind: kind, curve: newCurve(points, true), area: area, second: second - area*centroid.Dot(centroid)}
	p.slabs = newSlabs(&p.curve)
	return p, centroid
}

func (p *planar) name() string          { return p.kind }
func (p *planar) dim() int              { return 2 }
func (p *planar) support(d Vec) float64 { return p.curve.support(d) }
func (p *planar) reach() float64        { return farthest(p.curve.points) }
func (p *planar) enclosed() float64     { return p.area }
func (p *planar) surface() float64      { return p.curve.total() }
func (p *planar) open() bool            { return !p.curve.closed }
func (p *planar) inertia() Mat          { return Mat{2: {2: p.second}} }

func (p *planar) contains(q Vec) bool {
	return p.curve.closed && p.slabs.winds(&p.curve, q)
}

func (p *planar) length(r Mat) float64 {
	if p.chord > 0 {
		return p.chord
	}
	return extent(p, r, 1)
}

func (p *planar) frontal(r Mat) float64 { return p.length(r) }

func (p *planar) sample(spacing float64) Markers { return p.curve.sample(spacing) }

func (p *planar) outline(r Mat, n int) []Vec { return p.curve.outline(r, n) }

// NewEllipse is the ellipse with the given centre (z = 0) and full axes along x
// and y. Length and Frontal are its extent along y. Values that are not finite
// and axes that are not positive are refused.
func NewEllipse(center Vec, axes [2]float64) (Shape, error) {
	if err := checkPlane("ellipse", "center", center); err != nil {
		return nil, err
	}
	for k, axis := range [2]string{"x", "y"} {
		if err := checkSize("ellipse", "axis along "+axis, axes[k]); err != nil {
			return nil, err
		}
	}
	// The polygon leaves the ellipse by 7e-8 of its size.
	points := make([]Vec, 8192)
	for k := range points {
		d := direction(k, len(points))
		points[k] = Vec{axes[0] / 2 * d[0], axes[1] / 2 * d[1], 0}
	}
	p, _ := closedPlanar("ellipse", points)
	p.area = math.Pi / 4 * axes[0] * axes[1]
	p.second = p.area * (axes[0]*axes[0] + axes[1]*axes[1]) / 16
	return place(p, center), nil
}

// NewPolygon is the closed polygon through points (z = 0), which may be given
// in either direction, the first repeated at the end or not. Length and
// Frontal are its extent along y. Fewer than three points, more than
// MaxCorners, points that repeat and sides that cross are refused.
func NewPolygon(points []Vec) (Shape, error) {
	if len(points) > 1 && points[0] == points[len(points)-1] {
		points = points[:len(points)-1]
	}
	if err := checkPoints("polygon", points, 3); err != nil {
		return nil, err
	}
	if a, b, cross := crossing(points); cross {
		return nil, fmt.Errorf("geometry: polygon: the sides that begin at points %d and %d touch or cross, a polygon must be simple: put its points in order around it", a, b)
	}
	area, _, _ := moments(points)
	if least := MinSize * perimeter(points) / 2; !(math.Abs(area) >= least) {
		return nil, fmt.Errorf("geometry: polygon: its area is %.4g, must be at least %.4g, %g (nodes, in a run) times its length: make it thicker, or use a line", math.Abs(area), least, MinSize)
	}
	if area < 0 {
		points = reversed(points)
	}
	p, centroid := closedPlanar("polygon", points)
	return place(p, centroid), nil
}

// perimeter is the length of the closed polygon through points.
func perimeter(points []Vec) (length float64) {
	for k, p := range points {
		length += p.Sub(points[(k+len(points)-1)%len(points)]).Norm()
	}
	return length
}

// NewLine is the open polyline through points (z = 0): a thin plate or wall
// with fluid on both sides. Its normals are to the right of its direction, its
// centre is that of the curve. Length and Frontal are the largest distance
// between two of its points. Fewer than two points, more than MaxCorners and
// points that repeat are refused.
func NewLine(points []Vec) (Shape, error) {
	if err := checkPoints("line", points, 2); err != nil {
		return nil, err
	}
	points = slices.Clone(points)
	c := newCurve(points, false)
	var center Vec
	for k := range c.segments() {
		center = center.Add(points[k].Add(points[k+1]).Scale((c.arc[k+1] - c.arc[k]) / 2 / c.total()))
	}
	for k := range points {
		points[k] = points[k].Sub(center)
	}
	return place(&planar{kind: "line", curve: newCurve(points, false), chord: widest(points)}, center), nil
}

// widest is the largest distance between two points.
func widest(points []Vec) (distance float64) {
	for k, a := range points {
		for _, b := range points[:k] {
			distance = max(distance, a.Sub(b).Norm())
		}
	}
	return distance
}

// MaxCorners is the largest number of points of a polygon or a line.
const MaxCorners = 10000

// checkPoints refuses lists that make no curve in the plane.
func checkPoints(kind string, points []Vec, least int) error {
	if len(points) < least || len(points) > MaxCorners {
		return fmt.Errorf("geometry: %s: it has %d different points, must have %d to %d: give its corners", kind, len(points), least, MaxCorners)
	}
	for k, p := range points {
		if err := checkPlane(kind, fmt.Sprintf("point %d", k), p); err != nil {
			return err
		}
		last := points[(k+len(points)-1)%len(points)]
		if apart := p.Sub(last).Norm(); !(apart >= MinSize) && (k > 0 || least > 2) {
			return fmt.Errorf("geometry: %s: point %d is at %v like the one before it, %.4g away, must be %g or more (nodes, in a run): leave it out", kind, k, p, apart, MinSize)
		}
	}
	return nil
}

// crossing finds two sides of a closed polygon that have a point in common
// that is not the corner between them.
func crossing(points []Vec) (a, b int, cross bool) {
	n := len(points)
	order := make([]int, n) // sides by their left ends: only those that overlap in x are compared
	left := func(k int) float64 { return min(points[k][0], points[(k+1)%n][0]) }
	for k := range order {
		order[k] = k
	}
	slices.SortFunc(order, func(i, j int) int {
		if l, m := left(i), left(j); l != m {
			if l < m {
				return -1
			}
			return 1
		}
		return i - j
	})
	for i, k := range order {
		right := max(points[k][0], points[(k+1)%n][0])
		for _, l := range order[i+1:] {
			if left(l) > right {
				break
			}
			if sidesMeet(points, k, l) {
				return min(k, l), max(k, l), true
			}
		}
	}
	return 0, 0, false
}

// sidesMeet tells whether two sides meet elsewhere than in their corner.
func sidesMeet(points []Vec, k, l int) bool {
	n := len(points)
	if l == (k+1)%n {
		return folded(points[k], points[l], points[(l+1)%n])
	}
	if k == (l+1)%n {
		return folded(points[l], points[k], points[(k+1)%n])
	}
	a, b, c, d := points[k], points[(k+1)%n], points[l], points[(l+1)%n]
	return onSides(a, b, c, d) && onSides(c, d, a, b)
}

// folded tells that a, b, c runs back over itself at b.
func folded(a, b, c Vec) bool {
	s, t := b.Sub(a), c.Sub(b)
	return s[0]*t[1] == s[1]*t[0] && s.Dot(t) < 0
}

// onSides tells that c and d are not strictly on one side of the line a–b, or
// that all are on it and overlap.
func onSides(a, b, c, d Vec) bool {
	side := func(p Vec) float64 { return (b[0]-a[0])*(p[1]-a[1]) - (b[1]-a[1])*(p[0]-a[0]) }
	s, t := side(c), side(d)
	if s == 0 && t == 0 {
		for i := range 2 {
			if max(a[i], b[i]) < min(c[i], d[i]) || max(c[i], d[i]) < min(a[i], b[i]) {
				return false
			}
		}
		return true
	}
	return s <= 0 && t >= 0 || s >= 0 && t <= 0
}

package geometry

import (
	"math"
	"slices"
	"sort"
)

// sharp is the turn at a point of a curve from which on it is a corner, on
// which a marker is put: 30°.
const sharp = math.Pi / 6

// curve is a polyline in the plane, run through anticlockwise where it is
// closed (the last point then joins the first). Smooth curves are given by so
// many points that what is between them does not show.
type curve struct {
	points []Vec
	closed bool
	arc    []float64 // arc length up to point k; the last entry is the whole
	normal []Vec     // of segment k, to the right of its direction: outwards
	corner []bool
}

func newCurve(points []Vec, closed bool) curve {
	c := curve{points: points, closed: closed, arc: []float64{0}, corner: make([]bool, len(points))}
	for k := range c.segments() {
		t := c.point(k + 1).Sub(points[k])
		length := t.Norm()
		c.arc = append(c.arc, c.arc[k]+length)
		c.normal = append(c.normal, Vec{t[1] / length, -t[0] / length, 0})
	}
	for k := range points {
		if closed || k > 0 && k < len(points)-1 {
			before := c.normal[(k+len(c.normal)-1)%len(c.normal)]
			c.corner[k] = before.Dot(c.normal[k%len(c.normal)]) < math.Cos(sharp)
		}
	}
	return c
}

func (c *curve) segments() int {
	if c.closed {
		return len(c.points)
	}
	return len(c.points) - 1
}

func (c *curve) point(k int) Vec { return c.points[k%len(c.points)] }

func (c *curve) total() float64 { return c.arc[len(c.arc)-1] }

// vertexNormal is the unit normal half way between those of the two segments
// that meet at point k.
func (c *curve) vertexNormal(k int) Vec {
	n := len(c.normal)
	before, after := c.normal[(k+n-1)%n], c.normal[k%n]
	if !c.closed && k == 0 {
		before = after
	}
	if !c.closed && k >= n {
		after = c.normal[n-1]
	}
	return unit(before.Add(after), after)
}

// unit is v with length one, or instead where v has none.
func unit(v, instead Vec) Vec {
	length := v.Norm()
	if length < 1e-9 {
		return instead
	}
	return v.Scale(1 / length)
}

// at is the point at arc length s and the normal there, which turns evenly
// along a segment but for its ends at corners.
func (c *curve) at(s float64) (x, n Vec) {
	k := min(max(sort.SearchFloat64s(c.arc, s), 1), c.segments()) - 1
	f := (s - c.arc[k]) / (c.arc[k+1] - c.arc[k])
	f = min(max(f, 0), 1)
	x = c.points[k].Add(c.point(k + 1).Sub(c.points[k]).Scale(f))
	end := (k + 1) % len(c.points)
	switch {
	case f == 0:
		return x, c.vertexNormal(k)
	case f == 1:
		return x, c.vertexNormal(k + 1)
	}
	a, b := c.normal[k], c.normal[k]
	if !c.corner[k] {
		a = c.vertexNormal(k)
	}
	if !c.corner[end] {
		b = c.vertexNormal(k + 1)
	}
	return x, unit(a.Scale(1-f).Add(b.Scale(f)), c.normal[k])
}

// stops are the arc lengths of the corners, and the ends of an open curve,
// that are at least apart from each other; 0 where there is none.
func (c *curve) stops(apart float64) (at []float64) {
	if !c.closed {
		at = append(at, 0)
	}
	end := c.total()
	for k, corner := range c.corner {
		s := c.arc[k]
		switch {
		case !corner || len(at) > 0 && s-at[len(at)-1] < apart:
		case c.closed && len(at) > 0 && at[0]+end-s < apart:
		case !c.closed && end-s < apart:
		default:
			at = append(at, s)
		}
	}
	if len(at) == 0 {
		at = []float64{0}
	}
	return at
}

// places are arc lengths about spacing apart, corners and ends among them.
func (c *curve) places(spacing float64) (s []float64) {
	stops := c.stops(0.75 * spacing)
	last := c.total()
	if c.closed {
		last += stops[0]
	}
	for k, from := range stops {
		to := last
		if k+1 < len(stops) {
			to = stops[k+1]
		}
		n := max(math.Round((to-from)/spacing), 1)
		for i := range int(n) {
			s = append(s, from+(to-from)*float64(i)/n)
		}
	}
	return append(s, last)
}

// sample puts markers on the corners and evenly between them.
func (c *curve) sample(spacing float64) Markers {
	s := c.places(spacing)
	n := len(s)
	if c.closed {
		n-- // the last is the first again
	}
	m := newMarkers(n, 0)
	for k := range n {
		m.X[k], m.Normal[k] = c.at(math.Mod(s[k], c.total()))
		if !c.closed && k == n-1 {
			m.X[k], m.Normal[k] = c.at(c.total())
		}
		if k+1 < len(s) {
			m.Area[k] += (s[k+1] - s[k]) / 2
			m.Area[(k+1)%n] += (s[k+1] - s[k]) / 2
		}
	}
	return thin(m, spacing)
}

// outline is the curve, turned by r, as about n segments with all its corners.
func (c *curve) outline(r Mat, n int) (line []Vec) {
	for _, s := range c.places(c.total() / float64(n)) {
		if s > c.total() {
			s -= c.total()
		}
		x, _ := c.at(s)
		line = append(line, r.Apply(x))
	}
	if c.closed {
		line[len(line)-1] = line[0]
	}
	return line
}

// support is the largest p·d over the curve's points. A stretch of points reaches no further
// along d than from its first by its length, so most need no look.
func (c *curve) support(d Vec) float64 {
	const stretch = 32
	largest, length := math.Inf(-1), d.Norm()*(1+1e-9)
	for k := 0; k < len(c.points); k += stretch {
		end := min(k+stretch, len(c.points))
		if c.points[k].Dot(d)+(c.arc[end-1]-c.arc[k])*length < largest {
			continue
		}
		for _, p := range c.points[k:end] {
			largest = max(largest, p.Dot(d))
		}
	}
	return largest
}

// moments are the area that the closed curve runs around anticlockwise, its
// centroid, and its second moment ∫ r² dA about the origin (Green's theorem).
func moments(points []Vec) (area float64, centroid Vec, second float64) {
	o := points[0] // sums are about a point of the curve, so that little cancels
	for k := range points {
		a, b := points[k].Sub(o), points[(k+1)%len(points)].Sub(o)
		cross := a[0]*b[1] - a[1]*b[0]
		area += cross / 2
		centroid = centroid.Add(a.Add(b).Scale(cross / 6))
		second += cross * (a.Dot(a) + a.Dot(b) + b.Dot(b)) / 12
	}
	centroid = centroid.Scale(1 / area)
	second += area * (o.Dot(o) + 2*o.Dot(centroid))
	return area, centroid.Add(o), second
}

// slabs find the segments of a closed curve at a height.
type slabs struct {
	lo, hi float64
	list   [][]int32
}

// maxSlabs bounds the memory of a curve of long segments.
const maxSlabs = 1024

func newSlabs(c *curve) slabs {
	s := slabs{lo: -c.support(Vec{0, -1}), hi: c.support(Vec{0, 1})}
	s.list = make([][]int32, min(c.segments(), maxSlabs))
	for k := range c.segments() {
		a, b := s.slab(c.points[k][1]), s.slab(c.point(k + 1)[1])
		for i := min(a, b); i <= max(a, b); i++ {
			s.list[i] = append(s.list[i], int32(k))
		}
	}
	return s
}

func (s *slabs) slab(y float64) int {
	i := int((y - s.lo) / (s.hi - s.lo) * float64(len(s.list)))
	return min(max(i, 0), len(s.list)-1)
}

// winds tells whether the curve winds around p.
func (s *slabs) winds(c *curve, p Vec) bool {
	if !(p[1] >= s.lo && p[1] <= s.hi) {
		return false
	}
	winding := 0
	for _, k := range s.list[s.slab(p[1])] {
		a, b := c.points[k], c.point(int(k)+1)
		switch left := (b[0]-a[0])*(p[1]-a[1]) - (p[0]-a[0])*(b[1]-a[1]); {
		case a[1] <= p[1] && b[1] > p[1] && left > 0:
			winding++
		case a[1] > p[1] && b[1] <= p[1] && left < 0:
			winding--
		}
	}
	return winding != 0
}

// reversed is the list backwards.
func reversed(points []Vec) []Vec {
	points = slices.Clone(points)
	slices.Reverse(points)
	return points
}

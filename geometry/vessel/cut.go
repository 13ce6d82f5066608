package vessel

import (
	"fmt"
	"math"
	"slices"

	"lbmib/geometry"
)

// A section is looked for in planes so many spacings from the port's into the vessel, and the first one is taken whose area
// is that of the next to sameArea: where a vessel ends at its port, the port's own plane meets its rim, or a cap, by chance.
var depths = []float64{0.01, 0.1, 0.3, 0.7, 1}

const sameArea = 0.05

// loop is a closed line in which a plane cuts a surface: a point of each edge that it passes.
type loop struct {
	edges [][2]int32 // points of the surface, the smaller number first
	x     [][2]float64
	area  float64 // greater than 0
}

// plane is a port's, moved by depth along its normal, with axes in it.
type plane struct {
	point, normal geometry.Vec
	e             [2]geometry.Vec
	depth         float64
}

func newPlane(point, normal geometry.Vec) plane {
	least := 0
	for a := range 3 {
		if math.Abs(normal[a]) < math.Abs(normal[least]) {
			least = a
		}
	}
	var e geometry.Vec
	e[least] = 1
	e = e.Sub(normal.Scale(e.Dot(normal)))
	e = e.Scale(1 / e.Norm())
	return plane{point: point, normal: normal, e: [2]geometry.Vec{e, normal.Cross(e)}}
}

func (p *plane) moved(depth float64) plane {
	q := *p
	q.point, q.depth = p.point.Add(p.normal.Scale(depth)), depth
	return q
}

// given is the point that the port was given.
func (p *plane) given() geometry.Vec { return p.point.Sub(p.normal.Scale(p.depth)) }

// height is how far x lies in front of the plane.
func (p *plane) height(x geometry.Vec) float64 { return x.Sub(p.point).Dot(p.normal) }

// in are coordinates in the plane.
func (p *plane) in(x geometry.Vec) [2]float64 {
	d := x.Sub(p.point)
	return [2]float64{d.Dot(p.e[0]), d.Dot(p.e[1])}
}

// place is the inverse of in, of points in the plane.
func (p *plane) place(x [2]float64) geometry.Vec {
	return p.point.Add(p.e[0].Scale(x[0])).Add(p.e[1].Scale(x[1]))
}

// on is where an edge crosses the plane.
func (p *plane) on(a, b geometry.Vec) geometry.Vec {
	h, g := p.height(a), p.height(b)
	return a.Add(b.Sub(a).Scale(h / (h - g)))
}

// loops are the closed lines in which the plane cuts a surface. A line whose ends are a crack apart is one.
func (s *surface) loops(p *plane, crack float64) (all []loop) {
	heights := make([]float64, len(s.points))
	for i, x := range s.points {
		heights[i] = p.height(x)
	}
	ends := make(map[[2]int32][][2]int32) // of a cut edge: those that triangles join it to
	var order [][2]int32
	for _, t := range s.triangles {
		var cut [][2]int32
		for i := range 3 {
			a, b := t[i], t[(i+1)%3]
			if (heights[a] < 0) != (heights[b] < 0) {
				cut = append(cut, [2]int32{min(a, b), max(a, b)})
			}
		}
		if len(cut) == 2 {
			ends[cut[0]] = append(ends[cut[0]], cut[1])
			ends[cut[1]] = append(ends[cut[1]], cut[0])
			order = append(order, cut[0], cut[1])
		}
	}
	slices.SortStableFunc(order, func(a, b [2]int32) int { return min(len(ends[a]), 2) - min(len(ends[b]), 2) }) // open lines from their ends
	seen := make(map[[2]int32]bool, len(ends))
	for _, start := range order {
		if seen[start] {
			continue
		}
		l, closed := loop{}, false
		for e, more := start, true; more; {
			seen[e] = true
			l.edges = append(l.edges, e)
			l.x = append(l.x, p.in(p.on(s.points[e[0]], s.points[e[1]])))
			more = false
			for _, next := range ends[e] {
				if !seen[next] {
					e, more = next, true
					break
				}
			}
			if !more {
				first, last := l.x[0], l.x[len(l.x)-1]
				closed = len(l.edges) > 2 && (slices.Contains(ends[e], start) || math.Hypot(first[0]-last[0], first[1]-last[1]) <= crack)
			}
		}
		if closed {
			l.area = math.Abs(areaOf(l.x))
			all = append(all, l)
		}
	}
	return all
}

// areaOf is the area of a polygon, positive where it is passed anticlockwise.
func areaOf(x [][2]float64) (a float64) {
	for i, p := range x {
		q := x[(i+1)%len(x)]
		a += p[0]*q[1] - p[1]*q[0]
	}
	return a / 2
}

// middle is the centroid of a polygon.
func middle(x [][2]float64) (c [2]float64) {
	o, twice := x[0], 0.
	for i, p := range x {
		q := x[(i+1)%len(x)]
		a := (p[0]-o[0])*(q[1]-o[1]) - (p[1]-o[1])*(q[0]-o[0])
		twice += a
		for k := range c {
			c[k] += a * (p[k] + q[k] - 2*o[k]) / 3
		}
	}
	for k := range c {
		c[k] = c[k]/twice + o[k]
	}
	return c
}

// holds tells whether a point is in a polygon: whether a line from it crosses an odd number of sides.
func holds(x [][2]float64, p [2]float64) (odd bool) {
	for i, a := range x {
		b := x[(i+1)%len(x)]
		if (a[1] > p[1]) != (b[1] > p[1]) && p[0] < a[0]+(b[0]-a[0])*(p[1]-a[1])/(b[1]-a[1]) {
			odd = !odd
		}
	}
	return odd
}

// sectionAt is the patch of the plane around its point: one loop. Without one, why.
func (s *surface) sectionAt(p *plane, crack float64) (*loop, error) {
	loops := s.loops(p, crack)
	var around []int
	for i := range loops {
		if holds(loops[i].x, [2]float64{}) {
			around = append(around, i)
		}
	}
	switch {
	case len(around) > 1:
		return nil, fmt.Errorf("its plane has %d closed walls around its point, one inside the other, must have one: the port would cut two branches, or a ring; move its point into one of them, or remove the inner wall", len(around))
	case len(around) == 1:
		return &loops[around[0]], nil
	case len(loops) == 0:
		return nil, s.cutsNothing(p)
	}
	nearest := slices.MinFunc(loops, func(a, b loop) int {
		return cmpFloat(length2(middle(a.x)), length2(middle(b.x)))
	})
	c := p.place(middle(nearest.x))
	return nil, fmt.Errorf("its point %s lies in none of the %d patches in which its plane cuts the vessel: move it into one; the nearest has its middle at %s", at(p.given()), len(loops), at(c))
}

func (s *surface) cutsNothing(p *plane) error {
	lo, hi := s.bounds()
	size, away := hi.Sub(lo).Norm(), p.given().Sub(lo.Add(hi).Scale(0.5)).Norm()
	if away > 5*size || size > 100*away && away > 0 {
		return fmt.Errorf("its plane cuts nothing: its point is %s, and the surface reaches from %s to %s L: is the scale right? A file in millimetres with L = 1 cm has the scale 0.1", at(p.given()), at(lo), at(hi))
	}
	return fmt.Errorf("its plane through %s cuts nothing: the surface reaches from %s to %s; move the point into the vessel, or, where the vessel ends there, turn the normal to point into it", at(p.given()), at(lo), at(hi))
}

func cmpFloat(a, b float64) int {
	switch {
	case a < b:
		return -1
	case a > b:
		return 1
	}
	return 0
}

func length2(x [2]float64) float64 { return x[0]*x[0] + x[1]*x[1] }

// sectionOf finds the port's section, at the depth where it does not hang on the vessel's rim.
func (s *surface) sectionOf(port *Port, spacing float64) (p plane, l *loop, err error) {
	full := newPlane(port.Point, port.Normal)
	var last plane
	var before *loop
	var first error
	for _, depth := range depths {
		q := full.moved(depth * spacing)
		next, why := s.sectionAt(&q, crackWidth*spacing)
		if why != nil && first == nil {
			first = why
		}
		if before != nil && next != nil && math.Abs(next.area-before.area) <= sameArea*next.area {
			return last, before, nil
		}
		last, before = q, next
	}
	if before != nil {
		return last, before, nil
	}
	return p, nil, first
}

// cutOff removes what lies behind a section, and closes the vessel there by triangles of the port.
func (s *surface) cutOff(p *plane, l *loop, number int16) error {
	n := int32(len(s.points))
	fresh := make(map[[2]int32]int32, len(l.edges))
	rim := make([]geometry.Vec, len(l.edges))
	for i, e := range l.edges {
		fresh[e] = n + int32(i)
		rim[i] = p.on(s.points[e[0]], s.points[e[1]])
	}
	points := append(slices.Clip(s.points), rim...)
	cut := surface{points: points}
	var front, back []int32 // points of triangles that are cut, before and behind the plane
	var sides [][2]int32    // of the triangles before it, along the section
	for k, t := range s.triangles {
		alone, a, b, crossed := s.crossed(t, p, fresh)
		if !crossed {
			cut.add(t, s.of[k])
			continue
		}
		// The corner alone, then the two others: t is turned so that alone comes first.
		u, v, w := t[alone], t[(alone+1)%3], t[(alone+2)%3]
		cut.add([3]int32{u, a, b}, s.of[k])
		cut.add([3]int32{a, v, w}, s.of[k])
		cut.add([3]int32{a, w, b}, s.of[k])
		if p.height(s.points[u]) < 0 {
			front, back, sides = append(front, v, w), append(back, u), append(sides, [2]int32{b, a})
		} else {
			front, back, sides = append(front, u), append(back, v, w), append(sides, [2]int32{a, b})
		}
	}
	behind, err := cut.behind(n, front, back)
	if err != nil {
		return err
	}
	kept := surface{points: points}
	for k, t := range cut.triangles {
		i := slices.IndexFunc(t[:], func(i int32) bool { return i < n })
		if of := cut.of[k]; !behind[t[i]] {
			kept.add(t, of)
		} else if of != wall {
			return &behindError{of}
		}
	}
	center := int32(len(points))
	kept.points = append(kept.points, p.place(middle(l.x)))
	for _, side := range sides {
		kept.add([3]int32{side[1], side[0], center}, number)
	}
	*s = kept
	return nil
}

// behindError tells that a port lies behind the one that is made.
type behindError struct{ port int16 }

func (e *behindError) Error() string { return fmt.Sprintf("port %d lies behind it", e.port) }

func (s *surface) add(t [3]int32, of int16) {
	s.triangles, s.of = append(s.triangles, t), append(s.of, of)
}

// crossed tells whether the section passes through a triangle, which corner is alone on its side, and the
// new points on the sides from that one and to it.
func (s *surface) crossed(t [3]int32, p *plane, fresh map[[2]int32]int32) (alone int, a, b int32, ok bool) {
	var is [3]bool
	for i := range t {
		is[i] = p.height(s.points[t[i]]) < 0
	}
	for i := range 3 {
		if is[i] != is[(i+1)%3] && is[i] != is[(i+2)%3] {
			u, v, w := t[i], t[(i+1)%3], t[(i+2)%3]
			a, here := fresh[[2]int32{min(u, v), max(u, v)}]
			b, there := fresh[[2]int32{min(u, w), max(u, w)}]
			return i, a, b, here && there
		}
	}
	return 0, 0, 0, false
}

// behind are the points, of the first n, that triangles join to back without passing the section.
func (s *surface) behind(n int32, front, back []int32) ([]bool, error) {
	parts := newJoints(int(n))
	for _, t := range s.triangles {
		last := int32(-1)
		for _, i := range t {
			if i >= n {
				continue
			}
			if last >= 0 {
				parts.join(last, i)
			}
			last = i
		}
	}
	is := make([]bool, n)
	for _, i := range back {
		is[parts.root(i)] = true
	}
	for _, i := range front {
		if is[parts.root(i)] {
			return nil, fmt.Errorf("the vessel goes round from the front of its patch to the back, which must be apart: a port closes an end; cut the ring open, or move the port")
		}
	}
	for i := range is {
		is[i] = is[parts.root(int32(i))]
	}
	return is, nil
}

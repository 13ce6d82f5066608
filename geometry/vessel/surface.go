package vessel

import (
	"fmt"
	"math"

	"lbmib/geometry"
)

// wall is the mark of triangles that are no port's.
const wall = -1

// surface is a set of triangles, anticlockwise as seen from outside of the fluid.
type surface struct {
	points    []geometry.Vec
	triangles [][3]int32
	of        []int16 // per triangle: a port, or wall
}

func (s *surface) corners(k int) (a, b, c geometry.Vec) {
	t := s.triangles[k]
	return s.points[t[0]], s.points[t[1]], s.points[t[2]]
}

// bounds are the corners of the box around the triangles.
func (s *surface) bounds() (lo, hi geometry.Vec) {
	lo = geometry.Vec{math.Inf(1), math.Inf(1), math.Inf(1)}
	hi = lo.Scale(-1)
	for _, t := range s.triangles {
		for _, i := range t {
			for a, x := range s.points[i] {
				lo[a], hi[a] = min(lo[a], x), max(hi[a], x)
			}
		}
	}
	return lo, hi
}

// volume is what the surface encloses, positive where it faces outwards.
func (s *surface) volume() (v float64) {
	if len(s.triangles) == 0 {
		return 0
	}
	o := s.points[s.triangles[0][0]] // so that little cancels
	for k := range s.triangles {
		a, b, c := s.corners(k)
		v += a.Sub(o).Dot(b.Sub(o).Cross(c.Sub(o))) / 6
	}
	return v
}

// area is that of the triangles of a port, or of the wall.
func (s *surface) area(of int16) (sum float64) {
	for k := range s.triangles {
		if s.of[k] == of {
			a, b, c := s.corners(k)
			sum += b.Sub(a).Cross(c.Sub(a)).Norm() / 2
		}
	}
	return sum
}

// joints are sets of points that triangles join.
type joints []int32

func newJoints(n int) joints {
	j := make(joints, n)
	for i := range j {
		j[i] = int32(i)
	}
	return j
}

func (j joints) root(i int32) int32 {
	for j[i] != i {
		j[i] = j[j[i]]
		i = j[i]
	}
	return i
}

func (j joints) join(a, b int32) { // the least number is the root
	a, b = j.root(a), j.root(b)
	j[max(a, b)] = min(a, b)
}

// at writes a place for messages, without what rounding leaves of 0.
func at(p geometry.Vec) string {
	least := 1e-9 * p.Norm()
	for a, x := range p {
		if math.Abs(x) < least {
			p[a] = 0
		}
	}
	return fmt.Sprintf("(%.4g, %.4g, %.4g)", p[0], p[1], p[2])
}

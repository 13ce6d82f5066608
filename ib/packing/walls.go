package packing

import (
	"math"

	"lbmib/geometry"
)

// Plane is a wall: what is allowed has sign·(x − at) ≥ 0 along an axis.
type Plane struct {
	Axis     int
	At, Sign float64
}

// Walls tell how far points are from walls.
type Walls struct {
	planes   []Plane
	size     [3]int
	periodic [3]bool
	room     []float32 // of each node: from solids; nil: there are none
	reach    float64   // how far in front of solids their distance is known, in nodes
}

// wallReach is how far in front of solids their distance is known at least, in nodes. Surfaces grow by less between two looks.
const wallReach = 4.

// NewWalls is of planes and of solids in a box of nodes: points on solids' nodes, so far in front of which the wall is, and which nodes are solid; nil: none.
// Distances are known up to reach, in nodes, and 4 at least.
func NewWalls(size [3]int, periodic [3]bool, planes []Plane, points []geometry.Vec, offset []float64, solid []bool, reach float64) *Walls {
	w := &Walls{planes: planes, size: size, periodic: periodic, reach: math.Max(wallReach, reach)}
	if solid == nil {
		return w
	}
	w.room = make([]float32, len(solid))
	far := 0.
	for _, o := range offset {
		far = max(far, o)
	}
	for n := range w.room {
		w.room[n] = float32(w.reach)
		if solid[n] {
			w.room[n] = float32(-far - w.reach)
		}
	}
	for k, x := range points {
		w.scatter(x, offset[k], solid)
	}
	return w
}

// scatter has a point of a solid tell the nodes around it how far they are: fluid ones from the wall in front of it, solid ones how far they are behind.
func (w *Walls) scatter(x geometry.Vec, offset float64, solid []bool) {
	reach := w.reach + offset
	var lo, hi [3]int
	for a := range lo {
		lo[a], hi[a] = int(math.Ceil(x[a]-reach)), int(math.Floor(x[a]+reach))
	}
	for pz := lo[2]; pz <= hi[2]; pz++ {
		z, ok := w.along(2, pz)
		for py := lo[1]; py <= hi[1] && ok; py++ {
			y, ok := w.along(1, py)
			row := w.size[0] * (y + w.size[1]*z)
			for px := lo[0]; px <= hi[0] && ok; px++ {
				at, ok := w.along(0, px)
				if !ok {
					continue
				}
				n, away := row+at, geometry.Vec{float64(px) - x[0], float64(py) - x[1], float64(pz) - x[2]}
				square, known := away.Dot(away), float64(w.room[n])
				switch {
				case solid[n]:
					if !beyond(square, -offset-known) {
						w.room[n] = max(w.room[n], float32(-offset-math.Sqrt(square)))
					}
				case !beyond(square, known+offset):
					w.room[n] = min(w.room[n], float32(math.Sqrt(square)-offset))
				}
			}
		}
	}
}

// along is a node's place along an axis, wrapped around a periodic one; false beyond another.
func (w *Walls) along(a, p int) (at int, ok bool) {
	s := w.size[a]
	if p >= 0 && p < s {
		return p, true
	}
	if !w.periodic[a] {
		return 0, false
	}
	return (p%s + s) % s, true
}

// node is the number of a node, wrapped around periodic axes; false beyond others.
func (w *Walls) node(p [3]int) (n int, ok bool) {
	for a := range p {
		if p[a], ok = w.along(a, p[a]); !ok {
			return 0, false
		}
	}
	return p[0] + w.size[0]*(p[1]+w.size[1]*p[2]), true
}

// clear tells whether no solid is within the reach of any of the eight nodes around a point, of which this is the first; where some lie beyond a face it does not.
func (w *Walls) clear(p [3]int) bool {
	for a, s := range w.size {
		if p[a] < 0 || p[a]+1 >= s {
			return false
		}
	}
	far, row, plane := float32(w.reach), w.size[0], w.size[0]*w.size[1]
	v := w.room[p[0]+row*p[1]+plane*p[2]:]
	return v[0] == far && v[1] == far && v[row] == far && v[row+1] == far && v[plane] == far && v[plane+1] == far && v[plane+row] == far && v[plane+row+1] == far
}

// at is how far a point is from the nearest wall, at most its reach, and the direction away from it.
func (w *Walls) at(x geometry.Vec) (room float64, away geometry.Vec) {
	room = w.reach
	for _, p := range w.planes {
		if d := p.Sign * (x[p.Axis] - p.At); d < room {
			room, away = d, geometry.Vec{}
			away[p.Axis] = p.Sign
		}
	}
	if w.room == nil {
		return room, away
	}
	var first [3]int
	var part [3]float64
	for a := range x {
		first[a] = int(math.Floor(x[a]))
		part[a] = x[a] - float64(first[a])
	}
	if w.clear(first) {
		return room, away
	}
	sum, slope := 0., geometry.Vec{}
	for corner := range 8 {
		p, weight, change := first, 1., geometry.Vec{1, 1, 1}
		for a := range p {
			of, sign := 1-part[a], -1.
			if corner>>a&1 == 1 {
				p[a]++
				of, sign = part[a], 1
			}
			weight *= of
			for b := range change {
				if a == b {
					change[b] *= sign
				} else {
					change[b] *= of
				}
			}
		}
		v := w.reach // beyond the domain's faces, which are planes
		if n, ok := w.node(p); ok {
			v = float64(w.room[n])
		}
		sum += weight * v
		slope = slope.Add(change.Scale(v))
	}
	if n := slope.Norm(); sum < room && n > 0 {
		return sum, slope.Scale(1 / n)
	}
	return min(room, sum), away
}

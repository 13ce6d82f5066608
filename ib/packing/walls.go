package packing

import (
	"math"
	"slices"

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
	square := make([]float32, len(solid)) // of each node: of the distance from the nearest point with an offset
	for _, o := range slices.Compact(slices.Sorted(slices.Values(offset))) {
		for n := range square {
			square[n] = math.MaxFloat32
		}
		for k, x := range points {
			if offset[k] == o {
				w.scatter(x, w.reach+o, square)
			}
		}
		for n, s := range square {
			switch {
			case s == math.MaxFloat32:
			case solid[n]:
				w.room[n] = max(w.room[n], float32(-o-math.Sqrt(float64(s))))
			default:
				w.room[n] = min(w.room[n], float32(math.Sqrt(float64(s))-o))
			}
		}
	}
	return w
}

// scatter has a point tell the nodes within a reach how far they are, as the square of it.
func (w *Walls) scatter(x geometry.Vec, reach float64, square []float32) {
	var lo, hi [3]int
	for a := range lo {
		lo[a], hi[a] = int(math.Ceil(x[a]-reach)), int(math.Floor(x[a]+reach))
	}
	for pz := lo[2]; pz <= hi[2]; pz++ {
		z, ok := w.along(2, pz)
		for py := lo[1]; py <= hi[1] && ok; py++ {
			y, ok := w.along(1, py)
			dy, dz := float64(py)-x[1], float64(pz)-x[2]
			beside := dy*dy + dz*dz
			if !ok || beside > reach*reach {
				continue
			}
			row := square[w.size[0]*(y+w.size[1]*z):][:w.size[0]]
			half := math.Sqrt(reach*reach - beside)
			from, to := int(math.Ceil(x[0]-half)), int(math.Floor(x[0]+half))
			if from >= 0 && to < len(row) {
				for px := from; px <= to; px++ {
					dx := float64(px) - x[0]
					row[px] = min(row[px], float32(beside+dx*dx))
				}
				continue
			}
			for px := from; px <= to; px++ {
				if at, ok := w.along(0, px); ok {
					dx := float64(px) - x[0]
					row[at] = min(row[at], float32(beside+dx*dx))
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
	inner, n := true, 0
	for a := 2; a >= 0; a-- {
		inner, n = inner && first[a] >= 0 && first[a]+1 < w.size[a], n*w.size[a]+first[a]
	}
	var sum float64
	var slope geometry.Vec
	if row, plane := w.size[0], w.size[0]*w.size[1]; inner {
		v, far := w.room[n:], float32(w.reach)
		if v[0] == far && v[1] == far && v[row] == far && v[row+1] == far && v[plane] == far && v[plane+1] == far && v[plane+row] == far && v[plane+row+1] == far {
			return room, away // no solid is near
		}
		sum, slope = trilinear(v, row, plane, part)
	} else {
		v := w.beside(first)
		sum, slope = trilinear(v[:], 2, 4, part)
	}
	if n := slope.Norm(); sum < room && n > 0 {
		return sum, slope.Scale(1 / n)
	}
	return min(room, sum), away
}

// beside are the values of the eight nodes from a first one on, of which some lie beyond a face: of a periodic one they are of its other side, others are planes.
func (w *Walls) beside(first [3]int) (v [8]float32) {
	for corner := range v {
		v[corner] = float32(w.reach)
		p := first
		for a := range p {
			p[a] += corner >> a & 1
		}
		if n, ok := w.node(p); ok {
			v[corner] = w.room[n]
		}
	}
	return v
}

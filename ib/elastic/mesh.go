package elastic

import (
	"fmt"
	"math"
	"slices"

	"lbmib/geometry"
	"lbmib/ib/elastic/internal/simd/layout"
)

// Bounds of a mesh: fewer triangles enclose nothing, of more than MaxTriangles the
// blocks of a cell would not fit in memory beside a fluid.
const (
	minTriangles = 4
	MaxTriangles = 1 << 20
)

// leastHeight is the least height of a triangle over its longest side: below it,
// forces of a triangle are rounding errors.
const leastHeight = 1e-4

// Mesh is a closed surface of triangles, corners anticlockwise as seen from outside:
// one piece, every edge between two triangles, every vertex in one ring of them. It
// never changes. That it does not pass through itself is not examined.
type Mesh struct {
	points    []geometry.Vec
	triangles [][3]int32
	edges     []edge
	sides     [][3]int32   // of a triangle: the edge opposite each corner
	fans      []layout.Fan // of the vertices in turn: neighbours in the order of edges
	turned    bool
}

// edge is a side of two triangles: left passes it from vertex a to b, right from b to a.
type edge struct{ a, b, left, right int32 }

// NewMesh is the mesh of triangles between points. One that faces inwards as a whole
// is turned round. Refused, triangles and points counted from 0, are coordinates that
// are not finite, numbers of points that do not exist, points without triangles,
// triangles nearly without area, edges that are not between two triangles which face
// the same side, vertices where the surface touches itself, and several pieces.
func NewMesh(points []geometry.Vec, triangles [][3]int) (*Mesh, error) {
	if err := checkTriangles(points, triangles); err != nil {
		return nil, err
	}
	m := &Mesh{points: append([]geometry.Vec(nil), points...), triangles: make([][3]int32, len(triangles))}
	for k, t := range triangles {
		m.triangles[k] = [3]int32{int32(t[0]), int32(t[1]), int32(t[2])}
	}
	if volume := m.Volume(); volume < 0 {
		m.turned = true
		for k, t := range m.triangles {
			m.triangles[k] = [3]int32{t[0], t[2], t[1]}
		}
	}
	if volume, area := m.Volume(), m.Area(); !(volume > 1e-6*math.Pow(area, 1.5)) {
		return nil, fmt.Errorf("elastic: mesh: it encloses a volume of %.3g with an area of %.3g, at least 1e-6 area^(3/2) is needed: give the surface of a body", volume, area)
	}
	if err := m.connect(); err != nil {
		return nil, err
	}
	m.findFans()
	return m, m.checkRings()
}

// findFans lists the neighbours of vertices.
func (m *Mesh) findFans() {
	around, zeros := make([][]int32, len(m.points)), int32(vertexLen*len(m.points))
	for _, e := range m.edges {
		around[e.a], around[e.b] = append(around[e.a], vertexLen*e.b), append(around[e.b], vertexLen*e.a)
	}
	for v, all := range around {
		share, onto := 1/float64(len(all)), zeros
		for some := range slices.Chunk(all, layout.FanLen) {
			f := layout.Fan{Of: int32(vertexLen * v), Onto: onto, Share: share}
			for k := copy(f.Around[:], some); k < layout.FanLen; k++ {
				f.Around[k] = zeros
			}
			m.fans, onto = append(m.fans, f), f.Of
		}
	}
}

// Vertices is the number of vertices.
func (m *Mesh) Vertices() int { return len(m.points) }

// Triangles is the number of triangles.
func (m *Mesh) Triangles() int { return len(m.triangles) }

// Edges is the number of edges.
func (m *Mesh) Edges() int { return len(m.edges) }

// Point is vertex v, in the unit of the caller.
func (m *Mesh) Point(v int) geometry.Vec { return m.points[v] }

// Triangle are the vertices of triangle k, anticlockwise as seen from outside.
func (m *Mesh) Triangle(k int) [3]int {
	t := m.triangles[k]
	return [3]int{int(t[0]), int(t[1]), int(t[2])}
}

// Turned tells that all triangles faced inwards and were turned round.
func (m *Mesh) Turned() bool { return m.turned }

// Genus is the number of handles: 0 of a sphere, 1 of a torus.
func (m *Mesh) Genus() int { return (2 - len(m.points) + len(m.edges) - len(m.triangles)) / 2 }

// Map is the mesh whose vertices are the images of this one's, refused as by NewMesh.
func (m *Mesh) Map(image func(geometry.Vec) geometry.Vec) (*Mesh, error) {
	points, triangles := make([]geometry.Vec, len(m.points)), make([][3]int, len(m.triangles))
	for v, p := range m.points {
		points[v] = image(p)
	}
	for k := range triangles {
		triangles[k] = m.Triangle(k)
	}
	return NewMesh(points, triangles)
}

// Area is the area of all triangles.
func (m *Mesh) Area() (area float64) {
	for k := range m.triangles {
		area += m.areaOf(k)
	}
	return area
}

// Volume is the enclosed volume.
func (m *Mesh) Volume() (volume float64) {
	o := m.points[0] // so that little cancels
	for _, t := range m.triangles {
		a, b, c := m.points[t[0]].Sub(o), m.points[t[1]].Sub(o), m.points[t[2]].Sub(o)
		volume += a.Dot(b.Cross(c)) / 6
	}
	return volume
}

// Center is the centroid of the enclosed volume.
func (m *Mesh) Center() (center geometry.Vec) {
	o, volume := m.points[0], m.Volume()
	for _, t := range m.triangles {
		a, b, c := m.points[t[0]].Sub(o), m.points[t[1]].Sub(o), m.points[t[2]].Sub(o)
		center = center.Add(a.Add(b).Add(c).Scale(a.Dot(b.Cross(c)) / 24 / volume))
	}
	return center.Add(o)
}

func (m *Mesh) corners(k int) (a, b, c geometry.Vec) {
	t := m.triangles[k]
	return m.points[t[0]], m.points[t[1]], m.points[t[2]]
}

func (m *Mesh) areaOf(k int) float64 {
	a, b, c := m.corners(k)
	return b.Sub(a).Cross(c.Sub(a)).Norm() / 2
}

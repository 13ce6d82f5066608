package elastic

import (
	"fmt"

	"lbmib/geometry"
	"lbmib/internal/finite"
)

// checkTriangles refuses what is no set of triangles between points.
func checkTriangles(points []geometry.Vec, triangles [][3]int) error {
	if n := len(triangles); n < minTriangles || n > MaxTriangles {
		return fmt.Errorf("elastic: mesh: it has %d triangles, must have %d to %d: use another resolution of the surface", n, minTriangles, MaxTriangles)
	}
	for v, p := range points {
		if !finite.Is(p[0]) || !finite.Is(p[1]) || !finite.Is(p[2]) {
			return fmt.Errorf("elastic: mesh: point %d is at %v, coordinates must be finite: correct it", v, p)
		}
	}
	used := make([]bool, len(points))
	for k, t := range triangles {
		for i, v := range t {
			if v < 0 || v >= len(points) {
				return fmt.Errorf("elastic: mesh: triangle %d has point %d, there are points 0 to %d: correct the triangle", k, v, len(points)-1)
			}
			if v == t[(i+1)%3] {
				return fmt.Errorf("elastic: mesh: triangle %d has point %d twice, must have three points: remove it", k, v)
			}
			used[v] = true
		}
		if flat := flatness(points[t[0]], points[t[1]], points[t[2]]); !(flat >= leastHeight) {
			return fmt.Errorf("elastic: mesh: triangle %d with points %d, %d and %d, the first at %s, has a height of %.2g of its longest side, must have at least %g: mesh the surface more evenly",
				k, t[0], t[1], t[2], place(points[t[0]]), flat, leastHeight)
		}
	}
	for v := range used {
		if !used[v] {
			return fmt.Errorf("elastic: mesh: point %d belongs to no triangle, every point must: remove it", v)
		}
	}
	return nil
}

// place is where a point is, for messages.
func place(x geometry.Vec) string { return fmt.Sprintf("(%.4g, %.4g, %.4g)", x[0], x[1], x[2]) }

// flatness is the height of a triangle on its longest side, over that side.
func flatness(a, b, c geometry.Vec) float64 {
	longest := max(b.Sub(a).Norm(), c.Sub(b).Norm(), a.Sub(c).Norm())
	return b.Sub(a).Cross(c.Sub(a)).Norm() / (longest * longest)
}

// connect finds the edges, in the order in which triangles pass them first.
func (m *Mesh) connect() error {
	number := make(map[[2]int32]int32, 3*len(m.triangles)/2)
	m.sides = make([][3]int32, len(m.triangles))
	for k, t := range m.triangles {
		for i := range t {
			a, b := t[(i+1)%3], t[(i+2)%3]
			if e, met := number[[2]int32{a, b}]; met {
				return m.notManifold(k, int(m.edges[e].left), a, b)
			}
			e, met := number[[2]int32{b, a}]
			switch {
			case !met:
				e = int32(len(m.edges))
				m.edges = append(m.edges, edge{a: a, b: b, left: int32(k), right: -1})
			case m.edges[e].right >= 0:
				return m.notManifold(k, int(m.edges[e].right), a, b)
			default:
				m.edges[e].right = int32(k)
			}
			// Both directions lead to an edge that is complete, so that a third triangle is met.
			number[[2]int32{a, b}] = e
			m.sides[k][i] = e
		}
	}
	for _, e := range m.edges {
		if e.right < 0 {
			return fmt.Errorf("elastic: mesh: triangle %d has no neighbour at its side between points %d and %d, at %s and %s, the surface must be closed: close the hole, or merge points that are at one place", e.left, e.a, e.b, place(m.points[e.a]), place(m.points[e.b]))
		}
	}
	return nil
}

// notManifold tells of a side that two triangles pass in the same direction.
func (m *Mesh) notManifold(k, other int, a, b int32) error {
	triangles := 0
	for _, t := range m.triangles {
		for i := range t {
			if c, d := t[i], t[(i+1)%3]; c == a && d == b || c == b && d == a {
				triangles++
			}
		}
	}
	if triangles > 2 {
		return fmt.Errorf("elastic: mesh: triangle %d is one of %d triangles at the edge between points %d and %d, at %s and %s, there must be 2: remove inner walls", k, triangles, a, b, place(m.points[a]), place(m.points[b]))
	}
	return fmt.Errorf("elastic: mesh: triangles %d and %d at the edge between points %d and %d, at %s and %s, face opposite sides, all must face outwards: exchange two points of one of them", other, k, a, b, place(m.points[a]), place(m.points[b]))
}

// checkRings refuses a vertex whose triangles are more than one ring, and a
// surface of more than one piece.
func (m *Mesh) checkRings() error {
	triangles, start := make([]int, len(m.points)), make([]int32, len(m.points))
	for k, t := range m.triangles {
		for _, v := range t {
			triangles[v]++
			start[v] = int32(k)
		}
	}
	for v := range m.points {
		ring, k := 0, start[v]
		for ring == 0 || k != start[v] {
			k = m.next(k, int32(v))
			ring++
		}
		if ring != triangles[v] {
			return fmt.Errorf("elastic: mesh: the surface touches itself in point %d at %s: triangle %d is in a ring of %d of its %d triangles: give each ring a point of its own", v, place(m.points[v]), k, ring, triangles[v])
		}
	}
	seen, queue := make([]bool, len(m.triangles)), []int32{0}
	seen[0] = true
	for done := 0; done < len(queue); done++ {
		for _, s := range m.sides[queue[done]] {
			e := m.edges[s]
			if k := e.left + e.right - queue[done]; !seen[k] {
				seen[k] = true
				queue = append(queue, k)
			}
		}
	}
	for k := range seen {
		if !seen[k] {
			return fmt.Errorf("elastic: mesh: triangle %d at %s does not hang together with triangle 0, the surface must be one piece: make a mesh of each piece", k, place(m.points[m.triangles[k][0]]))
		}
	}
	return nil
}

// next is the triangle after k in the ring round vertex v.
func (m *Mesh) next(k, v int32) int32 {
	for i, c := range m.triangles[k] {
		if c == v { // the side that ends in v is opposite the corner after it
			e := m.edges[m.sides[k][(i+1)%3]]
			return e.left + e.right - k
		}
	}
	panic("elastic: a ring of triangles without their vertex")
}

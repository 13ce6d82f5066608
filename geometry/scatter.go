package geometry

import "math"

// Candidates for one marker: among so many the even ones are chosen, and by so
// many its share of the surface is measured.
const (
	drawn    = 5
	measured = 16
)

// sample puts markers on corners and sharp edges and then evenly between them,
// whatever the sizes of the triangles are.
func (m *mesh) sample(spacing float64) Markers {
	n := int(max(math.Round(m.area/(spacing*spacing)), 1))
	fixed := m.onEdges(spacing)
	all := Markers{
		X:      append(make([]Vec, 0, fixed.Len()+drawn*n), fixed.X...),
		Normal: append(make([]Vec, 0, fixed.Len()+drawn*n), fixed.Normal...),
	}
	m.spread(drawn*n, func(x, normal Vec) {
		all.X, all.Normal = append(all.X, x), append(all.Normal, normal)
	})
	kept := eliminate(all.X, fixed.Len(), n, spacing, m.images)
	even := newMarkers(len(kept), 0)
	for i, k := range kept {
		even.X[i], even.Normal[i] = all.X[k], all.Normal[k]
	}
	m.share(even, measured*n, spacing)
	if !m.isOpen {
		m.centreThin(even, spacing)
	}
	return thin(even, spacing)
}

// spread calls do with n points on the surface in proportion to area and the normals
// there: in even steps of area from triangle to triangle, within each by the R2
// sequence (Roberts, The unreasonable effectiveness of quasirandom sequences, 2018).
func (m *mesh) spread(n int, do func(x, normal Vec)) {
	below, triangle := 0., -1
	var a, b, c, normal Vec
	for k := range n {
		for to := (float64(k) + 0.5) / float64(n) * m.area; (triangle < 0 || below < to) && triangle+1 < len(m.triangles); {
			triangle++
			a, b, c = m.corners(triangle)
			normal = m.normal(triangle)
			below += b.Sub(a).Cross(c.Sub(a)).Norm() / 2
		}
		const plastic = 1.32471795724474602596
		_, u := math.Modf(0.5 + float64(k)/plastic)
		_, v := math.Modf(0.5 + float64(k)/(plastic*plastic))
		if u+v > 1 {
			u, v = 1-u, 1-v
		}
		do(a.Add(b.Sub(a).Scale(u)).Add(c.Sub(a).Scale(v)), normal)
	}
}

// onEdges puts markers on the sharp edges, first where these end or bend.
func (m *mesh) onEdges(spacing float64) (on Markers) {
	sum := make(map[int32]Vec) // of the normals of what meets at a point
	meet := make(map[int32][]Vec)
	for k, t := range m.triangles {
		n := m.normal(k)
		for _, i := range t {
			sum[i] = sum[i].Add(n)
		}
	}
	edges := m.edges()
	for _, e := range edges {
		if e.sharp {
			d := m.points[e.b].Sub(m.points[e.a])
			d = d.Scale(1 / d.Norm())
			meet[e.a] = append(meet[e.a], d)
			meet[e.b] = append(meet[e.b], d.Scale(-1))
		}
	}
	near := newBins(nil, 0.8*spacing)
	var again []Vec
	put := func(x, n Vec) {
		free := true
		again = m.images.of(x, 0.8*spacing, append(again[:0], x))
		for i, y := range again {
			free = free && (i == 0 || y.Sub(x).Norm() >= 0.8*spacing)
			near.each(y, 0.8*spacing, func(k int) { free = free && on.X[k].Sub(y).Norm() >= 0.8*spacing })
		}
		if free {
			near.add(x)
			on.X, on.Normal = append(on.X, x), append(on.Normal, unit(n, Vec{}))
		}
	}
	for i := range m.points {
		d := meet[int32(i)]
		if len(d) > 0 && (len(d) != 2 || d[0].Dot(d[1]) > -math.Cos(sharp)) {
			put(m.points[i], sum[int32(i)])
		}
	}
	for _, e := range edges {
		if !e.sharp {
			continue
		}
		a, b := m.points[e.a], m.points[e.b]
		// Even steps on a long edge, tries on one of many short ones.
		steps := math.Max(math.Round(b.Sub(a).Norm()/spacing), 1)
		if steps < 3 {
			steps *= 4
		}
		for s := 0.; s <= steps; s++ {
			f := s / steps
			put(a.Scale(1-f).Add(b.Scale(f)), sum[e.a].Scale(1-f).Add(sum[e.b].Scale(f)))
		}
	}
	return on
}

// share gives every marker the area of those of n points spread on the surface to
// which it is the nearest on their side.
func (m *mesh) share(to Markers, n int, spacing float64) {
	again, of := m.images.all(to.X, 3*spacing)
	normals := to.Normal[:len(to.Normal):len(to.Normal)]
	for i := range again {
		normals = append(normals, m.images.normal(to.Normal[of[i]], to.X[of[i]], again[i]))
	}
	markers := pack(append(to.X[:len(to.X):len(to.X)], again...), 1.3*spacing) // few of such cubes on the surface are empty
	m.spread(n, func(x, normal Vec) {
		owner := -1
		for radius := 0.8 * spacing; owner < 0; radius *= 2 {
			owner = markers.nearest(normals, x, normal, radius)
		}
		if owner >= len(to.X) {
			owner = int(of[owner-len(to.X)])
		}
		to.Area[owner] += m.area / float64(n)
	})
}

// nearest is the number of the point within radius of x that is nearest on the side
// of its normal, −1 where there is none; normals are those of the points by number.
func (p *packed) nearest(normals []Vec, x, normal Vec, radius float64) (owner int) {
	owner = -1
	least := radius
	for _, near := range p.near(x, radius) {
		for i := near.from; i < near.to; i++ {
			q, l := &p.x[i], int(p.number[i])
			dx, dy, dz := q[0]-x[0], q[1]-x[1], q[2]-x[2]
			d := math.Sqrt(dx*dx + dy*dy + dz*dz)
			if d > least {
				continue
			}
			if normals[l].Dot(normal) < 0 {
				d *= 2 // rather not from behind
			}
			if d < least || d == least && l < owner {
				owner, least = l, d
			}
		}
	}
	return owner
}

// centreThin puts the markers of parts thinner than markers may be near half
// way between both sides, which they then stand for.
func (m *mesh) centreThin(markers Markers, spacing float64) {
	for k, n := range markers.Normal {
		if n == (Vec{}) {
			continue
		}
		off := 1e-3 * spacing // the edge that it may be on
		if t := off + m.tree().thickness(markers.X[k].Sub(n.Scale(off)), n, tooNear*spacing); t < tooNear*spacing {
			markers.X[k] = markers.X[k].Sub(n.Scale(t / 2))
			markers.Normal[k] = Vec{}
		}
	}
}

package geometry

import (
	"math"
	"slices"
)

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
	kept := eliminate(all.X, fixed.Len(), n, spacing)
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
	put := func(x, n Vec) {
		free := true
		near.each(x, 0.8*spacing, func(k int) { free = free && on.X[k].Sub(x).Norm() >= 0.8*spacing })
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

// crowd holds points by how crowded they are, in classes alike in the eighth root of the
// weight, as weights go with the eighth power of a distance. Within a class points that lie beside each other come one after the
// other, so that what is around them is in the cache.
type crowd struct {
	scale float64 // classes per root
	first []int32 // point of each class, −1 of an empty one
	next  []int32 // point after each in its class
	most  int     // no class above this one has points
}

const crowdClasses = 4096

func newCrowd(points int, most float64) *crowd {
	return &crowd{scale: (crowdClasses - 1) / max(eighthRoot(most), 1e-9), first: slices.Repeat([]int32{-1}, crowdClasses), next: make([]int32, points)}
}

// class is that of a weight; rounding may leave one a little below 0.
func (c *crowd) class(weight float64) int {
	return min(int(eighthRoot(max(weight, 0))*c.scale), crowdClasses-1)
}

func eighthRoot(v float64) float64 { return math.Sqrt(math.Sqrt(math.Sqrt(v))) }

func (c *crowd) put(point int32, class int) {
	c.next[point], c.first[class] = c.first[class], point
	c.most = max(c.most, class)
}

// pop takes a point of the most crowded class away, −1 where there is none; weights are
// those of now, and points that are less crowded than when they were put go to their class.
func (c *crowd) pop(weights []float64) int32 {
	for c.most >= 0 {
		point := c.first[c.most]
		if point < 0 {
			c.most--
			continue
		}
		c.first[c.most] = c.next[point]
		now := c.class(weights[point])
		if now >= c.most {
			return point
		}
		c.next[point], c.first[now] = c.first[now], point
	}
	return -1
}

// eliminate takes away the most crowded of the points after the first fixed
// ones until n are left or none has another within 0.9 spacings (many edges may
// take more than their share of n, which must not bare the faces), and returns the numbers of these (Yuksel, Comput.
// Graph. Forum 34(2) (2015) 25).
func eliminate(all []Vec, fixed, n int, spacing float64) (kept []int) {
	reach := 2 * spacing / math.Sqrt(2*math.Sqrt(3)) // of the densest packing
	points := pack(all, reach)
	x := points.x
	gone := make([]bool, len(x))
	type neighbour struct {
		point  int32
		weight float64
	}
	var around []neighbour
	look := func(k, first int32) { // among the points from first on
		around = around[:0]
		atX, atY, atZ := x[k][0], x[k][1], x[k][2]
		for _, near := range &points.beside[points.in[k]] {
			for l := max(near.from, first); l < near.to; l++ {
				// By components: arrays would go through memory.
				p := &x[l]
				dx, dy, dz := p[0]-atX, p[1]-atY, p[2]-atZ
				if q := dx*dx + dy*dy + dz*dz; q < reach*reach && l != k && !gone[l] {
					w := 1 - math.Sqrt(q)/reach
					w *= w
					w *= w
					around = append(around, neighbour{l, w * w})
				}
			}
		}
	}
	weight := make([]float64, len(x)) // as it is now
	for k := range x {
		look(int32(k), int32(k)+1)
		for _, near := range around {
			weight[k] += near.weight
			weight[near.point] += near.weight
		}
	}
	c := newCrowd(len(x), slices.Max(weight))
	for k, number := range points.number {
		if int(number) >= fixed {
			c.put(int32(k), c.class(weight[k]))
		}
	}
	alone := math.Pow(1-0.9*spacing/reach, 8)
	for left := len(x); left > n; {
		most := c.pop(weight)
		if most < 0 {
			break
		}
		if weight[most] < alone {
			continue
		}
		gone[most] = true
		left--
		look(most, 0)
		for _, near := range around {
			weight[near.point] -= near.weight
		}
	}
	for k, number := range points.number {
		if !gone[k] {
			kept = append(kept, int(number))
		}
	}
	slices.Sort(kept)
	return kept
}

// share gives every marker the area of those of n points spread on the surface to
// which it is the nearest on their side.
func (m *mesh) share(to Markers, n int, spacing float64) {
	markers := pack(to.X, 1.3*spacing) // few of such cubes on the surface are empty
	m.spread(n, func(x, normal Vec) {
		owner := -1
		for radius := 0.8 * spacing; owner < 0; radius *= 2 {
			owner = markers.nearest(to.Normal, x, normal, radius)
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

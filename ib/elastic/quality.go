package elastic

import "math"

// Quality says how even a mesh is.
type Quality struct {
	LeastAngle, MeanLeastAngle          float64 // of corners, in degrees: the least of all, and the mean of every triangle's least
	ShortestEdge, MeanEdge, LongestEdge float64 // in the unit of the mesh
	SmallestArea, LargestArea           float64 // of triangles
	Valence                             [3]int  // vertices with 5 triangles or less, with 6, with 7 or more
	LeastValence, MostValence           int
}

// Quality measures the mesh.
func (m *Mesh) Quality() Quality {
	q := Quality{LeastAngle: 180, ShortestEdge: math.Inf(1), SmallestArea: math.Inf(1), LeastValence: math.MaxInt}
	valence := make([]int, len(m.points))
	for k, t := range m.triangles {
		least := math.Inf(1)
		for i, v := range t {
			valence[v]++
			a := m.points[t[(i+1)%3]].Sub(m.points[v])
			b := m.points[t[(i+2)%3]].Sub(m.points[v])
			least = min(least, math.Atan2(a.Cross(b).Norm(), a.Dot(b))*180/math.Pi)
		}
		q.LeastAngle = min(q.LeastAngle, least)
		q.MeanLeastAngle += least / float64(len(m.triangles))
		q.SmallestArea, q.LargestArea = min(q.SmallestArea, m.areaOf(k)), max(q.LargestArea, m.areaOf(k))
	}
	for _, e := range m.edges {
		l := m.points[e.b].Sub(m.points[e.a]).Norm()
		q.ShortestEdge, q.LongestEdge = min(q.ShortestEdge, l), max(q.LongestEdge, l)
		q.MeanEdge += l / float64(len(m.edges))
	}
	for _, n := range valence {
		q.Valence[min(max(n-5, 0), 2)]++
		q.LeastValence, q.MostValence = min(q.LeastValence, n), max(q.MostValence, n)
	}
	return q
}

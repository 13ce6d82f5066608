package elastic

import (
	"math"

	"lbmib/geometry"
)

// Local stores what a cell whose vertices are at x is like at each of them: the larger principal tension, force per length as deformed,
// of the law and the area penalty, the mean of the triangles around by their areas; and the mean curvature H of Jülicher's bending
// energy, positive where a sphere's is. Membranes without bending have a curvature, too, which is some 15 % too large where a vertex has five neighbours; viscous tension is left out.
func (m *Membrane) Local(x []geometry.Vec, tension, curvature []float64) {
	n := len(m.mesh.points)
	x, tension, curvature = x[:n], tension[:n], curvature[:n]
	clear(tension)
	clear(curvature)
	normals, areas, whole := make([]geometry.Vec, len(m.mesh.triangles)), make([]float64, n), 0.
	for k, t := range m.mesh.triangles {
		e1, e2 := x[t[1]].Sub(x[t[0]]), x[t[2]].Sub(x[t[0]])
		normals[k] = e1.Cross(e2)
		area := normals[k].Norm() / 2
		whole += area
		pull := area * m.principal(k, e1, e2)
		for _, v := range t {
			areas[v] += area
			tension[v] += pull
		}
	}
	for _, e := range m.mesh.edges {
		d, left, right := x[e.b].Sub(x[e.a]), normals[e.left], normals[e.right]
		length := d.Norm()
		turned := length * math.Atan2(d.Dot(left.Cross(right))/length, left.Dot(right)) // l θ
		curvature[e.a] += turned
		curvature[e.b] += turned
	}
	penalty := m.material.AreaPenalty * (whole - m.area) / m.area
	for v, area := range areas { // three times that of the vertex
		tension[v] = tension[v]/area + penalty
		curvature[v] *= 0.75 / area
	}
}

// principal is the larger principal tension of triangle k whose sides are e1 and e2.
func (m *Membrane) principal(k int, e1, e2 geometry.Vec) float64 {
	r, n := &m.triangles[k], e1.Cross(e2)
	half := (r.A11*e1.Dot(e1) + 2*r.A12*e1.Dot(e2) + r.A22*e2.Dot(e2)) / 2 // (λ1² + λ2²)/2
	square := n.Dot(n) * r.Inverse                                         // λ1²λ2²
	apart := math.Sqrt(max(half*half-square, 0))
	t1, t2 := Tension(m.law, math.Sqrt(half+apart), math.Sqrt(square/(half+apart)))
	return max(t1, t2)
}

package elastic

import (
	"math"

	"lbmib/geometry"
)

// AtVertices are what pictures show of a membrane whose vertices are at x, on each of them:
// the tension, the mean of the principal ones of its law and of the area penalty, force per length,
// as the mean by area of the triangles around, and the mean curvature of Jülicher's discretisation,
// 1/length, positive where a sphere's is. Viscosity has no part in the first.
func (m *Membrane) AtVertices(x []geometry.Vec) (tension, curvature []float64) {
	tension, curvature = make([]float64, len(x)), make([]float64, len(x))
	around := make([]float64, len(x)) // areas
	normals := make([]geometry.Vec, len(m.mesh.triangles))
	area := 0.
	for k := range normals {
		t := m.mesh.triangles[k]
		a, b := x[t[1]].Sub(x[t[0]]), x[t[2]].Sub(x[t[0]])
		normals[k] = a.Cross(b)
		size := normals[k].Norm() / 2
		area += size
		of := m.meanTension(k, a, b) * size
		for _, v := range t {
			around[v] += size
			tension[v] += of
		}
	}
	common := m.material.AreaPenalty * (area - m.area) / m.area
	for _, e := range m.mesh.edges {
		along, left, right := x[e.b].Sub(x[e.a]), normals[e.left], normals[e.right]
		length := along.Norm()
		theta := math.Atan2(left.Cross(right).Dot(along)/length, left.Dot(right))
		curvature[e.a] += length * theta
		curvature[e.b] += length * theta
	}
	for v := range tension {
		tension[v] = tension[v]/around[v] + common
		curvature[v] = meanCurvature(around[v]/3, curvature[v])
	}
	return tension, curvature
}

// meanTension is (T1 + T2)/2 = W1 (λ1² + λ2²)/J + 2 J W2 of a triangle with sides a and b from its first corner.
func (m *Membrane) meanTension(k int, a, b geometry.Vec) float64 {
	t := &m.triangles[k]
	g11, g12, g22 := a.Dot(a), a.Dot(b), b.Dot(b)
	i1 := t.A11*g11 + 2*t.A12*g12 + t.A22*g22 - 2
	i2 := (g11*g22-g12*g12)*t.Inverse - 1
	var w1, w2 [1]float64
	m.law.Derivatives(w1[:], w2[:], []float64{i1}, []float64{i2})
	j := math.Sqrt(i2 + 1)
	return w1[0]*(i1+2)/j + 2*j*w2[0]
}

package elastic

import (
	"math"

	"lbmib/geometry"
)

// Measure is the shape of a cell. Its ellipsoid is the one of uniform density with the
// same volume's inertia tensor, about the same centre.
type Measure struct {
	Area, Volume float64
	Center       geometry.Vec    // centroid of the volume
	Axes         [3]float64      // half axes of the ellipsoid, longest first
	Directions   [3]geometry.Vec // unit vectors along them
	Deformation  float64         // Taylor's D = (L−B)/(L+B), L the longest axis and B the shortest
	Inclination  float64         // of the longest axis' shadow on the x–y plane against x, −π/2 to π/2
}

// ReducedVolume is the volume over that of a sphere of the same area: 1 of a sphere.
func (m Measure) ReducedVolume() float64 {
	return 6 * math.Sqrt(math.Pi) * m.Volume / math.Pow(m.Area, 1.5)
}

// Measure measures the cell in a lane of a block at x. In simple shear with the flow
// along x and its gradient along y, a capsule's longest and shortest axes lie in the x–y
// plane, and Deformation and Inclination are those of the literature.
func (m *Mesh) Measure(x []float64, lane int) (out Measure) {
	m.mustBlock(x)
	o := Vertex(x, lane, 0)
	var first geometry.Vec
	var second geometry.Mat // ∫ r rᵀ dV, r from o
	for _, t := range m.triangles {
		a, b, c := Vertex(x, lane, int(t[0])).Sub(o), Vertex(x, lane, int(t[1])).Sub(o), Vertex(x, lane, int(t[2])).Sub(o)
		out.Area += b.Sub(a).Cross(c.Sub(a)).Norm() / 2
		six, sum := a.Dot(b.Cross(c)), a.Add(b).Add(c)
		out.Volume += six / 6
		first = first.Add(sum.Scale(six / 24))
		for i := range 3 {
			for j := range 3 {
				second[i][j] += six / 120 * (sum[i]*sum[j] + a[i]*a[j] + b[i]*b[j] + c[i]*c[j])
			}
		}
	}
	mean := first.Scale(1 / out.Volume)
	out.Center = o.Add(mean)
	for i := range 3 {
		for j := range 3 {
			second[i][j] -= out.Volume * mean[i] * mean[j]
		}
	}
	out.SetInertia(second)
	return out
}

// SetInertia sets the ellipsoid of a shape whose volume is set: inertia is ∫ r rᵀ dV, r from the centre.
func (m *Measure) SetInertia(inertia geometry.Mat) {
	values, vectors := eigen(inertia)
	for i := range 3 { // ∫ r rᵀ dV of an ellipsoid is V/5 times its half axes squared
		m.Axes[i] = math.Sqrt(max(5*values[i]/m.Volume, 0))
	}
	m.Directions = vectors
	m.Deformation = (m.Axes[0] - m.Axes[2]) / (m.Axes[0] + m.Axes[2])
	m.Inclination = math.Atan(vectors[0][1] / vectors[0][0])
}

// eigen is the eigenvalues of a symmetric matrix, largest first, and the unit
// eigenvectors, by Jacobi's rotations.
func eigen(a geometry.Mat) (values [3]float64, vectors [3]geometry.Vec) {
	v := geometry.Identity() // columns
	for range 30 {
		for p := range 3 {
			q := (p + 1) % 3
			if a[p][q] == 0 {
				continue
			}
			theta := 0.5 * math.Atan(2*a[p][q]/(a[q][q]-a[p][p])) // at most π/4, so that it converges
			sin, cos := math.Sincos(theta)
			turn := geometry.Identity()
			turn[p][p], turn[q][q], turn[p][q], turn[q][p] = cos, cos, sin, -sin
			a = turn.Transpose().Mul(a).Mul(turn)
			v = v.Mul(turn)
		}
	}
	order := [3]int{0, 1, 2}
	for i := range 3 {
		for j := i + 1; j < 3; j++ {
			if a[order[j]][order[j]] > a[order[i]][order[i]] {
				order[i], order[j] = order[j], order[i]
			}
		}
	}
	for i, k := range order {
		values[i], vectors[i] = a[k][k], geometry.Vec{v[0][k], v[1][k], v[2][k]}
	}
	return values, vectors
}

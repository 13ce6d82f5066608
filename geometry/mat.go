package geometry

import "math"

// Mat is a linear map of space, row by row; of shapes, a rotation.
type Mat [3][3]float64

// Identity is the map that changes nothing.
func Identity() Mat { return Mat{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}} }

// Rotation turns by an angle in radians about an axis through the origin,
// anticlockwise where the axis points at the viewer (Rodrigues). The axis need
// not have length one; one of length zero turns nothing.
func Rotation(axis Vec, radians float64) Mat {
	length := axis.Norm()
	if length == 0 || radians == 0 {
		return Identity()
	}
	e := axis.Scale(1 / length)
	sin, cos := math.Sincos(radians)
	var m Mat
	for i := range 3 {
		for j := range 3 {
			m[i][j] = (1 - cos) * e[i] * e[j]
		}
		m[i][i] += cos
	}
	for i := range 3 {
		j, k := (i+1)%3, (i+2)%3
		m[j][i] += sin * e[k]
		m[i][j] -= sin * e[k]
	}
	return m
}

// Mul is the map that applies b first, then a.
func (a Mat) Mul(b Mat) (c Mat) {
	for i := range 3 {
		for j := range 3 {
			c[i][j] = a[i][0]*b[0][j] + a[i][1]*b[1][j] + a[i][2]*b[2][j]
		}
	}
	return c
}

// Apply is the image of v.
func (a Mat) Apply(v Vec) Vec {
	return Vec{Vec(a[0]).Dot(v), Vec(a[1]).Dot(v), Vec(a[2]).Dot(v)}
}

// ApplyAll stores a·v in to for every vector v of from.
func (a *Mat) ApplyAll(to, from []Vec) {
	m := *a
	to = to[:len(from)]
	for k := range from {
		x, y, z := from[k][0], from[k][1], from[k][2]
		to[k] = Vec{
			m[0][0]*x + m[0][1]*y + m[0][2]*z,
			m[1][0]*x + m[1][1]*y + m[1][2]*z,
			m[2][0]*x + m[2][1]*y + m[2][2]*z,
		}
	}
}

// Transpose exchanges rows and columns: a rotation's inverse.
func (a Mat) Transpose() Mat {
	return Mat{{a[0][0], a[1][0], a[2][0]}, {a[0][1], a[1][1], a[2][1]}, {a[0][2], a[1][2], a[2][2]}}
}

// Add returns a + b.
func (a Mat) Add(b Mat) Mat {
	return Mat{Vec(a[0]).Add(b[0]), Vec(a[1]).Add(b[1]), Vec(a[2]).Add(b[2])}
}

// Scale returns s·a.
func (a Mat) Scale(s float64) Mat {
	return Mat{Vec(a[0]).Scale(s), Vec(a[1]).Scale(s), Vec(a[2]).Scale(s)}
}

// outer is the map v ↦ a (b·v).
func outer(a, b Vec) Mat { return Mat{b.Scale(a[0]), b.Scale(a[1]), b.Scale(a[2])} }

// trace is the sum of the diagonal.
func (a Mat) trace() float64 { return a[0][0] + a[1][1] + a[2][2] }

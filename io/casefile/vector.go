package casefile

import "math"

func radians(degrees float64) float64 { return degrees * math.Pi / 180 }

type matrix [3][3]float64

// turn is Rodrigues' rotation by an angle in radians; without an axis, none.
func turn(axis [3]float64, radians float64) (m matrix) {
	if axis == ([3]float64{}) {
		return matrix{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}
	}
	sin, cos := math.Sincos(radians)
	x, y, z := axis[0], axis[1], axis[2]
	cross := matrix{{0, -z, y}, {z, 0, -x}, {-y, x, 0}}
	for i := range m {
		for j := range m {
			m[i][j] = sin*cross[i][j] + (1-cos)*axis[i]*axis[j]
		}
		m[i][i] += cos
	}
	return m
}

func (m matrix) apply(v [3]float64) (w [3]float64) {
	for i := range m {
		w[i] = m[i][0]*v[0] + m[i][1]*v[1] + m[i][2]*v[2]
	}
	return w
}

func plus(a, b [3]float64) [3]float64 { return [3]float64{a[0] + b[0], a[1] + b[1], a[2] + b[2]} }

func scaled(a [3]float64, s float64) [3]float64 { return [3]float64{a[0] * s, a[1] * s, a[2] * s} }

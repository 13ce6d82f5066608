package statistics

import "math"

// Harmonic fits y ≈ a cos ωt + b sin ωt + c by least squares; NaN where there are fewer samples than unknowns, or
// times and values differ in number.
func Harmonic(t, y []float64, omega float64) (a, b, c float64) {
	if len(t) != len(y) {
		return math.NaN(), math.NaN(), math.NaN()
	}
	co, si := make([]float64, len(t)), make([]float64, len(t))
	for i, x := range t {
		si[i], co[i] = math.Sincos(omega * x)
	}
	k := leastSquares(nil, y, co, si, ones(len(t)))
	return k[0], k[1], k[2]
}

// ones is a constant.
func ones(n int) []float64 {
	v := make([]float64, n)
	for i := range v {
		v[i] = 1
	}
	return v
}

// leastSquares are the factors of functions, each with a value per sample, whose sum is nearest to y in the mean
// square with weights (nil: all alike); NaN where functions are not independent of each other.
func leastSquares(weights, y []float64, functions ...[]float64) []float64 {
	n := len(functions)
	scale := make([]float64, n) // of the functions, so that their units do not matter
	for j, f := range functions {
		for i, v := range f {
			scale[j] += weight(weights, i) * v * v
		}
		scale[j] = math.Sqrt(scale[j])
	}
	m := make([][]float64, n)
	for j := range m {
		m[j] = make([]float64, n+1)
		for i := range y {
			w := weight(weights, i) * functions[j][i] / scale[j]
			for k := range n {
				m[j][k] += w * functions[k][i] / scale[k]
			}
			m[j][n] += w * y[i]
		}
	}
	solve(m)
	x := make([]float64, n)
	for j := range x {
		x[j] = m[j][n] / scale[j]
	}
	return x
}

func weight(weights []float64, i int) float64 {
	if weights == nil {
		return 1
	}
	return weights[i]
}

// dependent is the part of 1, the diagonal, below which nothing is left of a function beside the others.
const dependent = 1e-12

// solve puts the solution of linear equations with a positive definite matrix, whose diagonal is 1, into their last column.
func solve(m [][]float64) {
	n := len(m)
	for i := range m {
		if !(m[i][i] > dependent) {
			m[i][i] = math.NaN()
		}
		for j := i + 1; j < n; j++ {
			f := m[j][i] / m[i][i]
			for k := i; k <= n; k++ {
				m[j][k] -= f * m[i][k]
			}
		}
	}
	for i := n - 1; i >= 0; i-- {
		for k := i + 1; k < n; k++ {
			m[i][n] -= m[i][k] * m[k][n]
		}
		m[i][n] /= m[i][i]
	}
}

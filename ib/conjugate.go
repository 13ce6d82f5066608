package ib

import "math"

const (
	// cgTolerance bounds |A ε − 1| at every marker, the part of a uniform slip
	// that one application leaves.
	cgTolerance = 1e-12
	// cgIterations is several times what markers at a usable spacing need.
	cgIterations = 2000
)

// solveSparse solves A ε = 1 by conjugate gradients (Hestenes & Stiefel 1952);
// nil if they do not converge. The condition number is that of the tridiagonal
// matrix which they build on the way (Lanczos): a lower bound that is close
// after convergence.
func solveSparse(a *overlap) (weights []float64, condition float64) {
	n := a.n()
	weights = make([]float64, n)
	residual, direction, image := make([]float64, n), make([]float64, n), make([]float64, n)
	for k := range n {
		residual[k], direction[k] = 1, 1
	}
	square := float64(n)
	var lanczos tridiagonal
	step, ratio := 1., 0. // of the iteration before
	for range cgIterations {
		a.multiply(image, direction)
		curvature := inner(direction, image)
		if !(curvature > 0) {
			return nil, math.Inf(1)
		}
		alpha := square / curvature
		lanczos.diagonal = append(lanczos.diagonal, 1/alpha+ratio/step)
		largest := 0.
		for k, d := range direction {
			weights[k] += alpha * d
			residual[k] -= alpha * image[k]
			largest = max(largest, math.Abs(residual[k]))
		}
		if largest <= cgTolerance {
			return weights, lanczos.condition()
		}
		next := inner(residual, residual)
		step, ratio = alpha, next/square
		square = next
		lanczos.beside = append(lanczos.beside, math.Sqrt(ratio)/step)
		for k, r := range residual {
			direction[k] = r + ratio*direction[k]
		}
	}
	return nil, lanczos.condition()
}

func inner(a, b []float64) float64 {
	var sum float64
	for i, v := range a {
		sum += v * b[i]
	}
	return sum
}

// tridiagonal is a symmetric matrix of one diagonal and the one beside it.
type tridiagonal struct{ diagonal, beside []float64 }

// condition is the ratio of the largest to the smallest eigenvalue, infinite if
// the smallest is not positive.
func (t *tridiagonal) condition() float64 {
	largest := t.eigenvalue(len(t.diagonal) - 1)
	smallest := t.eigenvalue(0)
	if !(smallest > 0) {
		return math.Inf(1)
	}
	return largest / smallest
}

// eigenvalue is the i-th in ascending order, by bisection between zero and
// Gershgorin's bound; one below zero is given as zero.
func (t *tridiagonal) eigenvalue(i int) float64 {
	lo, hi := 0., 0.
	for k, d := range t.diagonal {
		r := math.Abs(d)
		if k > 0 {
			r += math.Abs(t.beside[k-1])
		}
		if k < len(t.beside) {
			r += math.Abs(t.beside[k])
		}
		hi = max(hi, r)
	}
	tiny := hi * 1e-16
	for hi-lo > 1e-6*hi+tiny { // six digits of a condition number are plenty
		mid := (lo + hi) / 2
		if t.below(mid) > i {
			hi = mid
		} else {
			lo = mid
		}
	}
	return lo
}

// below counts the eigenvalues below x: the negative pivots of T − x (Sturm).
func (t *tridiagonal) below(x float64) (count int) {
	pivot := 1.
	for k, d := range t.diagonal {
		pivotBefore := pivot
		pivot = d - x
		if k > 0 {
			pivot -= t.beside[k-1] * t.beside[k-1] / pivotBefore
		}
		if pivot == 0 {
			pivot = math.SmallestNonzeroFloat64
		}
		if pivot < 0 {
			count++
		}
	}
	return count
}

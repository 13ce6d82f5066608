package elastic

import (
	"math"
	"math/rand/v2"
	"slices"
)

// lanczosSteps is so many that estimates are within a percent of the largest eigenvalue
// on meshes of any size here: Lanczos' method finds the end of a spectrum first.
const lanczosSteps = 40

// Stiffness is the largest eigenvalue K of the Jacobian −∂F/∂X of the elastic forces on
// the mesh's vertices at the mesh, force per length, to about one percent. Vertices that
// move with a fluid of viscosity μ at a spacing h, X ← X + Δt U, feel a mobility of about
// 1/(6πμh) to 1/(μh): explicit steps need K Δt/(μ h) of order one at most.
func (m *Membrane) Stiffness() float64 {
	s, at := m.NewScratch(), m.mesh.block()
	x, forth, back := make([]float64, len(at)), make([]float64, len(at)), make([]float64, len(at))
	still := make([]float64, len(at))
	h := 1e-5 * m.mesh.Quality().MeanEdge // central differences: errors of 1e-10 by h², of 1e-9 by rounding
	return m.largest(func(v, w []float64) {
		var step lanes
		for l := range Lanes {
			step[l] = h / largestOf(v, l)
		}
		for k := range x {
			x[k] = at[k] + step[k%Lanes]*v[k]
		}
		m.Forces(s, x, still, forth)
		for k := range x {
			x[k] = at[k] - step[k%Lanes]*v[k]
		}
		m.Forces(s, x, still, back)
		for k := range w {
			w[k] = (back[k] - forth[k]) / (2 * step[k%Lanes])
		}
	})
}

// Damping is the largest eigenvalue of −∂F/∂U of the membrane's viscosity at the mesh,
// force per velocity, to about one percent; compared with μ h as Stiffness times Δt is.
func (m *Membrane) Damping() float64 {
	if m.material.ShearViscosity == 0 && m.material.AreaViscosity == 0 {
		return 0
	}
	s, at := m.NewScratch(), m.mesh.block()
	rest, moved := make([]float64, len(at)), make([]float64, len(at))
	m.Forces(s, at, make([]float64, len(at)), rest)
	return m.largest(func(v, w []float64) {
		m.Forces(s, at, v, moved)
		for k := range w {
			w[k] = rest[k] - moved[k]
		}
	})
}

// largest is the largest eigenvalue of a symmetric map of blocks, the same in all lanes, by
// Lanczos' method from another random start in every lane: the largest of the lanes'
// estimates, each with the norm of its residual added.
func (m *Membrane) largest(apply func(v, w []float64)) float64 {
	n := m.mesh.BlockLen()
	v, last, w := make([]float64, n), make([]float64, n), make([]float64, n)
	random := rand.New(rand.NewPCG(1, 2))
	for k := range v {
		v[k] = random.NormFloat64()
	}
	norm := lengths(v)
	scale(v, norm)
	var alpha, beta [Lanes][]float64
	var done [Lanes]bool // all of the spectrum that the start meets has been met
	for range min(lanczosSteps, 3*len(m.mesh.points)-6) {
		apply(v, w)
		for l := range Lanes {
			a := 0.
			for k := l; k < n; k += Lanes {
				a += v[k] * w[k]
			}
			b := 0.
			if !done[l] {
				alpha[l] = append(alpha[l], a)
			}
			if len(beta[l]) > 0 {
				b = beta[l][len(beta[l])-1]
			}
			for k := l; k < n; k += Lanes {
				w[k] -= a*v[k] + b*last[k]
			}
		}
		norm = lengths(w)
		scale(w, norm)
		for l := range Lanes {
			if !done[l] {
				beta[l] = append(beta[l], norm[l])
				done[l] = norm[l] <= 1e-6*slices.Max(alpha[l]) // differences are no better
			}
		}
		last, v, w = v, w, last
	}
	most := 0.
	for l := range Lanes {
		value, end := ritz(alpha[l], beta[l])
		most = max(most, value+math.Abs(beta[l][len(beta[l])-1]*end))
	}
	return most
}

// ritz is the largest eigenvalue of the tridiagonal matrix with the given diagonal and
// numbers beside it, and the last component of its unit eigenvector.
func ritz(alpha, beta []float64) (value, end float64) {
	lo, hi := math.Inf(-1), math.Inf(-1)
	for k, a := range alpha {
		lo = max(lo, a)
		b := beta[k]
		if k > 0 {
			b += beta[k-1]
		}
		hi = max(hi, a+b) // Gershgorin
	}
	for range 60 {
		mid := (lo + hi) / 2
		above := false // an eigenvalue is: a pivot of LDLᵀ of mid − T is negative
		for k, d := 0, 1.; k < len(alpha) && !above; k++ {
			off := 0.
			if k > 0 {
				off = beta[k-1] * beta[k-1] / d
			}
			d = mid - alpha[k] - off
			above = d <= 0
		}
		if above {
			lo = mid
		} else {
			hi = mid
		}
	}
	// (T − value) y = 0 row by row.
	y, before, sum := 1., 0., 1.
	for k := range len(alpha) - 1 {
		next := (hi - alpha[k]) * y
		if k > 0 {
			next -= beta[k-1] * before
		}
		before, y = y, next/beta[k]
		sum += y * y
	}
	return hi, y / math.Sqrt(sum)
}

// lengths are the norms of the lanes of a block.
func lengths(x []float64) (n lanes) {
	for k, v := range x {
		n[k%Lanes] += v * v
	}
	for l := range n {
		n[l] = math.Sqrt(n[l])
	}
	return n
}

// scale divides lanes.
func scale(x []float64, by lanes) {
	for k := range x {
		if b := by[k%Lanes]; b > 0 {
			x[k] /= b
		}
	}
}

// largestOf is the largest magnitude in a lane.
func largestOf(x []float64, lane int) (most float64) {
	for k := lane; k < len(x); k += Lanes {
		most = max(most, math.Abs(x[k]))
	}
	return max(most, math.SmallestNonzeroFloat64)
}

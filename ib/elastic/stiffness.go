package elastic

import (
	"math"
	"math/rand/v2"
	"slices"
)

// lanczosSteps is so many that estimates are within two percent of the largest eigenvalue
// of meshes of 642 and 2252 vertices (against 160 steps), whose spectra are densest there.
const lanczosSteps = 40

// lanczosWork bounds the steps times the vertices of larger meshes, on which a step takes longer; leastLanczos is
// the fewest steps. Estimates come with the norm of their residual, so that fewer steps make them larger.
const (
	lanczosWork  = lanczosSteps * 2562
	leastLanczos = 12
)

// Stiffness is the largest eigenvalue K of the Jacobian −∂F/∂X of the elastic forces on
// the mesh's vertices at the mesh, force per length, to about two percent; a
// law that hardens is stiffer where it is stretched. Vertices that
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
		m.Forces(s, x, still, forth, Lanes)
		for k := range x {
			x[k] = at[k] - step[k%Lanes]*v[k]
		}
		m.Forces(s, x, still, back, Lanes)
		for k := range w {
			w[k] = (back[k] - forth[k]) / (2 * step[k%Lanes])
		}
	})
}

// Damping is the largest eigenvalue of −∂F/∂U of the membrane's viscosity at the mesh,
// force per velocity, to about two percent; compared with μ h as Stiffness times Δt is.
func (m *Membrane) Damping() float64 {
	if m.material.ShearViscosity == 0 && m.material.AreaViscosity == 0 {
		return 0
	}
	s, at := m.NewScratch(), m.mesh.block()
	rest, moved := make([]float64, len(at)), make([]float64, len(at))
	m.Forces(s, at, make([]float64, len(at)), rest, Lanes)
	return m.largest(func(v, w []float64) {
		m.Forces(s, at, v, moved, Lanes)
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
	scale(v, lengths(v))
	var t [Lanes]tridiagonal
	steps := min(lanczosSteps, max(leastLanczos, lanczosWork/len(m.mesh.points)))
	for range min(steps, 3*len(m.mesh.points)-6) { // 6 rigid motions
		apply(v, w)
		for l := range Lanes {
			t[l].reduce(v, last, w, l)
		}
		norm := lengths(w)
		scale(w, norm)
		for l := range Lanes {
			t[l].beside(norm[l])
		}
		last, v, w = v, w, last
	}
	most := 0.
	for l := range Lanes {
		value, end := ritz(t[l].alpha, t[l].beta)
		most = max(most, value+math.Abs(t[l].beta[len(t[l].beta)-1]*end))
	}
	return most
}

// tridiagonal is a lane's matrix of Lanczos' method, and the number that would come next beside it.
type tridiagonal struct {
	alpha, beta []float64
	done        bool // all of the spectrum that the start meets has been met
}

// reduce makes w orthogonal to v and to the one before it, in a lane, and stores w·v.
func (t *tridiagonal) reduce(v, last, w []float64, lane int) {
	a, b := 0., 0.
	for k := lane; k < len(v); k += Lanes {
		a += v[k] * w[k]
	}
	if len(t.beta) > 0 {
		b = t.beta[len(t.beta)-1]
	}
	for k := lane; k < len(v); k += Lanes {
		w[k] -= a*v[k] + b*last[k]
	}
	if !t.done {
		t.alpha = append(t.alpha, a)
	}
}

// beside stores the norm of what reduce left.
func (t *tridiagonal) beside(norm float64) {
	if !t.done {
		t.beta = append(t.beta, norm)
		t.done = norm <= 1e-6*slices.Max(t.alpha) // differences are no better
	}
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

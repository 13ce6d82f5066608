package ib

import (
	"fmt"
	"math"

	"lbmib/geometry"
)

// overlap is the symmetric matrix A_kl = Σ_x δ(x−X_k) δ(x−X_l) h^d of a list of
// points: what point k interpolates of a unit that point l spreads. It is kept by
// rows: row k has the columns column[start[k]:start[k+1]].
type overlap struct {
	start  []int32
	column []int32
	value  []float64
	// spacing is the smallest distance, in nodes, between two points whose
	// supports overlap, nearest[0] and nearest[1]; infinite if there are none.
	spacing float64
	nearest [2]int
}

// n is the number of points.
func (a *overlap) n() int { return len(a.start) - 1 }

// newOverlap builds the matrix from pairs of points in neighbouring bins of a
// width no smaller than the support: work and memory grow with the number of
// pairs that overlap.
func newOverlap[T Float](g Grid, d Delta[T], x []geometry.Vec, mirrors ...Mirror) (*overlap, error) {
	s, err := newStencils(g, d, x)
	if err != nil {
		return nil, err
	}
	for _, m := range mirrors {
		s.fold(m)
	}
	bins := newBins(s)
	scale := math.Pow(g.spacing(), -float64(g.Dim)) // φ's products are without it
	a := &overlap{start: make([]int32, 1, len(x)+1), spacing: math.Inf(1)}
	var near []int32
	for k := range x {
		near = bins.near(k, near[:0])
		for _, l := range near {
			v := scale * s.product(k, int(l))
			if v == 0 {
				continue
			}
			a.column = append(a.column, l)
			a.value = append(a.value, v)
			if int(l) != k {
				a.noteDistance(g, x, k, int(l))
			}
		}
		if len(a.column) > math.MaxInt32 {
			return nil, fmt.Errorf("ib: the supports of %d markers overlap in more than %d pairs: use a marker spacing of about 1 node", len(x), math.MaxInt32)
		}
		a.start = append(a.start, int32(len(a.column)))
	}
	return a, nil
}

// noteDistance keeps the smallest distance, across periodic faces too.
func (a *overlap) noteDistance(g Grid, x []geometry.Vec, k, l int) {
	d := x[k].Sub(x[l]).Scale(1 / g.spacing())
	for i := range d {
		switch {
		case i >= g.Dim:
			d[i] = 0
		case g.Periodic[i]:
			d[i] = math.Remainder(d[i], float64(g.Size[i]))
		}
	}
	if r := d.Norm(); r < a.spacing {
		a.spacing, a.nearest = r, [2]int{k, l}
	}
}

// multiply stores A·v in y.
func (a *overlap) multiply(y, v []float64) {
	for k := range y {
		var sum float64
		lo, hi := a.start[k], a.start[k+1]
		value := a.value[lo:hi]
		for i, l := range a.column[lo:hi] {
			sum += value[i] * v[l]
		}
		y[k] = sum
	}
}

// growth bounds the largest eigenvalue of A·diag ε, ε > 0, from above, as sharply
// as needed to find it no more than enough. It is at most that of the matrix of
// absolute values, and this at most the largest (|A|·diag ε·v)_k / v_k for any
// v > 0 (Collatz 1942): the row sums at first, less after some power iterations.
func (a *overlap) growth(weights []float64, enough float64) (bound float64) {
	v, y := make([]float64, a.n()), make([]float64, a.n())
	for k := range v {
		v[k] = 1
	}
	for range growthIterations {
		bound = 0
		for k := range y {
			y[k] = 0
			for i := a.start[k]; i < a.start[k+1]; i++ {
				l := a.column[i]
				y[k] += math.Abs(a.value[i]) * weights[l] * v[l]
			}
			bound = max(bound, y[k]/v[k])
		}
		if bound <= enough {
			break
		}
		v, y = y, v
	}
	return bound
}

// product is Σ_x φ(x−X_k) φ(x−X_l), the product over axes of sums over the
// nodes that both supports have.
func (s *stencils[T]) product(k, l int) float64 {
	p := 1.
	for a := range s.grid.Dim {
		n := s.support[a]
		wk, wl := s.weight[a][k*n:(k+1)*n], s.weight[a][l*n:(l+1)*n]
		shift := int(s.first[a][l] - s.first[a][k])
		sum := correlate(wk, wl, shift)
		if s.grid.Periodic[a] { // on a short axis both images may overlap
			sum += correlate(wk, wl, shift+s.grid.Size[a]) + correlate(wk, wl, shift-s.grid.Size[a])
		}
		p *= sum
	}
	return p
}

// correlate is Σ_i v[i]·w[i−shift].
func correlate[T Float](v, w []T, shift int) float64 {
	var sum float64
	for i := max(0, shift); i < min(len(v), len(w)+shift); i++ {
		sum += float64(v[i]) * float64(w[i-shift])
	}
	return sum
}

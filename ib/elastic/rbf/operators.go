package rbf

import (
	"fmt"

	"gonum.org/v1/gonum/mat"

	"lbmib/geometry"
	"lbmib/ib/elastic/rbf/internal/simd"
)

// rows is how many base sites stand beside each other in a panel, columns how many
// functions beside each other in a transform.
const rows, columns = simd.Rows, simd.Functions

// jets takes functions from their values at data sites to their jets at other sites.
// In the transforms of the mirrors it is a matrix for every character.
type jets struct {
	from, to *sites
	loops    simd.Loops
	panels   int       // of eight base sites of to, the last one padded with copies
	numbers  []float64 // [panel][character][base site of from][operator][row]
}

// system is the interpolation problem for one character: coefficients of the kernel and
// of the harmonics of that parity from values at the active base sites.
type system struct {
	character int
	active    []int
	harmonics []harmonic
	size      int
	factors   mat.LU
}

// newSystem factorises [Φ P; Pᵀ 0] with Φ_ij = Σ_g χ(g) |ξ_i − gξ_j|⁷.
func newSystem(s *sites, c int) (*system, error) {
	y := &system{character: c, active: s.active(c)}
	for _, h := range harmonics {
		if h.parity()&(s.mirrors.order()-1) == c {
			y.harmonics = append(y.harmonics, h)
		}
	}
	n := len(y.active)
	a := mat.NewDense(n+len(y.harmonics), n+len(y.harmonics), nil)
	row := make([]jet, n+len(y.harmonics))
	for i, d := range y.active {
		y.row(s, newFrame(s.base[d]), row)
		for j, v := range row {
			a.Set(i, j, v[0])
			if j >= n {
				a.Set(j, i, v[0])
			}
		}
	}
	y.size, _ = a.Dims()
	y.factors.Factorize(a)
	if c := y.factors.Cond(); !(c < 1e16) {
		return nil, fmt.Errorf("rbf: interpolation over %d data sites: condition number %.0e, must be below 1e16: use fewer data sites", len(s.at), c)
	}
	return y, nil
}

// row is the jets of all basis functions at a frame.
func (y *system) row(s *sites, f frame, row []jet) {
	for j, d := range y.active {
		var sum jet
		for g := range s.mirrors.order() {
			sign := character(y.character, g)
			for o, v := range f.kernel(mirrored(s.base[d], g)) {
				sum[o] += sign * v
			}
		}
		row[j] = sum
	}
	for j, h := range y.harmonics {
		row[len(y.active)+j] = h.jet(f)
	}
}

// newJets makes the operators between two sets of sites of the same mirrors.
func newJets(from, to *sites, systems []*system) *jets {
	order := from.mirrors.order()
	j := &jets{from: from, to: to, loops: simd.Best(), panels: (len(to.base) + rows - 1) / rows}
	j.numbers = make([]float64, j.panels*order*len(from.base)*operators*rows)
	for _, y := range systems {
		j.fill(y)
	}
	return j
}

// fill computes one character's operators, some panels at a time. Each row m solves
// A m = b, b the jets of the basis functions and A symmetric: then m·f is good to
// rounding for smooth f however large the condition number of A, as A m − b is small.
// A product of the rows b and of A⁻¹ would not be.
func (j *jets) fill(y *system) {
	const together = 16
	order := j.from.mirrors.order()
	row := make([]jet, y.size)
	for first := 0; first < j.panels; first += together {
		last := min(first+together, j.panels)
		m := mat.NewDense(y.size, (last-first)*operators*rows, nil)
		for p := first; p < last; p++ {
			for r := range rows {
				y.row(j.from, newFrame(j.base(p, r)), row)
				for k, v := range row {
					for o := range operators {
						m.Set(k, ((p-first)*operators+o)*rows+r, v[o])
					}
				}
			}
		}
		_ = y.factors.SolveTo(m, false, m) // its error is a large condition number
		for p := first; p < last; p++ {
			panel := j.panel(p, y.character)
			for k, d := range y.active {
				at := m.RawRowView(k)[(p-first)*operators*rows : (p-first+1)*operators*rows]
				for i, v := range at {
					panel[d*operators*rows+i] = v / float64(order) // that of the inverse transform
				}
			}
		}
	}
}

// base is the base site in a row of a panel.
func (j *jets) base(panel, row int) geometry.Vec {
	return j.to.base[min(panel*rows+row, len(j.to.base)-1)]
}

// panel is the operators of a character, [base site of from][operator][row].
func (j *jets) panel(p, c int) []float64 {
	n := len(j.from.base) * operators * rows
	at := (p*j.from.mirrors.order() + c) * n
	return j.numbers[at : at+n]
}

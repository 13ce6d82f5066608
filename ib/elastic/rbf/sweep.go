package rbf

import (
	"lbmib/geometry"
	"lbmib/ib/elastic/rbf/internal/simd"
)

// Scratch is what one worker needs to look at cells of one membrane.
type Scratch struct {
	cells  []transformed
	excess []float64     // H − H0 at the data sites of a cell
	x, u   [8]simd.Block // jets of positions and velocities, by elements of the mirrors
	at     point         // of the site that sites visits, and its metric
	here   metric
}

// transformed are the positions and H − H0, and the velocities, of a cell's data sites:
// [character][base site][function].
type transformed struct{ x, u []float64 }

// NewScratch is a scratch for a worker. As many cells as said here share each reading
// of the operators, which then stay in the processor's cache: 8 to 32 are good.
func (m *Membrane) NewScratch(cells int) *Scratch {
	s := &Scratch{cells: make([]transformed, max(cells, 1)), excess: make([]float64, m.surface.Data())}
	n := m.surface.data.mirrors.order() * len(m.surface.data.base) * columns
	for c := range s.cells {
		s.cells[c].x = make([]float64, n)
		if m.viscous() {
			s.cells[c].u = make([]float64, n)
		}
	}
	return s
}

// transform makes function f of data sites column a of to.
func (s *sites) transform(to []float64, a int, f []float64) {
	order, n := s.mirrors.order(), len(s.base)
	for d := range n {
		var v [8]float64
		for g, number := range s.number {
			v[g] = f[number[d]]
		}
		walsh(&v, order)
		for c := range order {
			to[(c*n+d)*columns+a] = v[c]
		}
	}
}

// transformVectors makes the components of vectors at data sites columns 0 to 2 of to.
func (s *sites) transformVectors(to []float64, f []geometry.Vec) {
	order, n := s.mirrors.order(), len(s.base)
	for d := range n {
		var v [3][8]float64
		for g, number := range s.number {
			p := &f[number[d]]
			v[0][g], v[1][g], v[2][g] = p[0], p[1], p[2]
		}
		for a := range v {
			walsh(&v[a], order)
			for c := range order {
				to[(c*n+d)*columns+a] = v[a][c]
			}
		}
	}
}

// walsh replaces v by Σ_g χ_c(g) v_g.
func walsh(v *[8]float64, order int) {
	for h := 1; h < order; h *= 2 {
		for i := range order {
			if i&h == 0 {
				v[i], v[i|h] = v[i]+v[i|h], v[i]-v[i|h]
			}
		}
	}
}

// apply stores the jets of a cell's first three functions, or of all four, in a panel's
// sites and in their images.
func (j *jets) apply(p int, x []float64, functions int, out *[8]simd.Block) {
	order, n := j.from.mirrors.order(), len(j.from.base)*columns
	for c := range order {
		j.loops.Multiply(&out[c], j.panel(p, c), x[c*n:(c+1)*n], functions)
	}
	for h := 1; h < order; h *= 2 {
		for i := range order {
			if i&h == 0 {
				j.loops.Butterfly(&out[i], &out[i|h])
			}
		}
	}
}

// sweep makes the jets of all panels of all cells at x, in s, and calls visit for each:
// for every cell in the same order.
func (m *Membrane) sweep(s *Scratch, x, u []geometry.Vec, visit func(c, panel int)) {
	n, j, cells := m.surface.Data(), m.surface.toSamples, m.cellsOf(x)
	functions := 3
	if m.material.Bending != 0 {
		functions = 4
	}
	for first := 0; first < cells; first += len(s.cells) {
		last := min(first+len(s.cells), cells)
		for c := first; c < last; c++ {
			m.surface.data.transformVectors(s.cells[c-first].x, x[c*n:(c+1)*n])
			if u != nil {
				m.surface.data.transformVectors(s.cells[c-first].u, u[c*n:(c+1)*n])
			}
			if m.material.Bending != 0 {
				m.bend(s, c-first)
			}
		}
		for p := range j.panels {
			for c := first; c < last; c++ {
				j.apply(p, s.cells[c-first].x, functions, &s.x)
				if u != nil {
					j.apply(p, s.cells[c-first].u, 3, &s.u)
				}
				visit(c, p)
			}
		}
	}
}

// sites calls visit for the sample sites of a panel whose jets are in s.
func (m *Membrane) sites(s *Scratch, panel int, visit func(r *reference, p *point, w *metric)) {
	order := m.surface.data.mirrors.order()
	for g := range order {
		for row := range min(rows, len(m.surface.samples.base)-panel*rows) {
			s.at = pointAt(&s.x[g], row)
			s.here = s.at.metric(handed(g))
			visit(&m.references[(panel*order+g)*rows+row], &s.at, &s.here)
		}
	}
}

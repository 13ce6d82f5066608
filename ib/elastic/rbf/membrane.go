package rbf

import (
	"fmt"
	"math"

	"lbmib/geometry"
	"lbmib/ib/elastic/rbf/internal/simd"
)

// Membrane is a surface made of a material: what all cells of a kind share. It never
// changes and serves any number of workers, each with its own Scratch.
type Membrane struct {
	surface    *Surface
	material   Material
	law        law
	references []reference // [panel][element of the mirrors][row] of sample sites
	curvature  []float64   // H0 at data sites
}

// reference is what the reference says of a sample site.
type reference struct {
	inverse sym        // G^ij, of the metric free of stress
	along   [2]sym     // ∇_k G^ij
	area    float64    // √G
	growth  [2]float64 // ∇_k √G/√G
	h0      float64    // spontaneous curvature
	dh0     [2]float64 // ∇_k H0
	weight  float64    // of the quadrature over the unit sphere
	number  int32      // of the sample site
}

// NewMembrane is a surface of a material; Material.Check tells what is refused, besides
// a reference that has no area in a site.
func NewMembrane(surface *Surface, material Material) (*Membrane, error) {
	if err := material.Check(); err != nil {
		return nil, err
	}
	material = material.withDefaults()
	l, err := newLaw(material)
	if err != nil {
		return nil, err
	}
	m := &Membrane{surface: surface, material: material, law: l}
	m.curvature = make([]float64, surface.Data())
	for i := range m.curvature {
		m.curvature[i] = material.Curvature
	}
	s := m.NewScratch(1)
	if material.CurvedReference {
		clear(m.curvature)
		surface.data.transformVectors(s.cells[0].x, surface.at)
		m.bend(s, 0) // H
		copy(m.curvature, s.excess)
		clear(s.excess)
	}
	m.references = make([]reference, surface.toSamples.panels*surface.data.mirrors.order()*rows)
	return m, m.setReferences(s)
}

// setReferences looks at the reference in all sample sites.
func (m *Membrane) setReferences(s *Scratch) error {
	m.surface.data.transformVectors(s.cells[0].x, m.surface.at)
	if m.material.CurvedReference {
		m.surface.data.transform(s.cells[0].x, 3, m.curvature)
	}
	j := m.surface.toSamples
	order := j.from.mirrors.order()
	for p := range j.panels {
		j.apply(p, s.cells[0].x, columns, &s.x)
		for g := range order {
			for row := range rows {
				r := m.newReference(&s.x[g], row, handed(g))
				d := min(p*rows+row, len(j.to.base)-1) // rows that only pad are not looked at
				r.number, r.weight = j.to.number[g][d], m.surface.weights[d]
				if !(r.area > 0 && r.area < math.MaxFloat64) {
					return fmt.Errorf("rbf: surface: the reference has an area of %g per area of the unit sphere in sample site %d at %v, must be positive: correct the shape or take more data sites", r.area, r.number, j.to.at[r.number])
				}
				m.references[(p*order+g)*rows+row] = r
			}
		}
	}
	return nil
}

// newReference is the reference in a row of a block, whose function 3 is H0 where that
// is the reference's own.
func (m *Membrane) newReference(b *simd.Block, row int, handed float64) (r reference) {
	p, scale := pointAt(b, row), 1/m.material.Prestress
	p.x1, p.x2 = p.x1.times(scale), p.x2.times(scale)
	p.x11, p.x12, p.x22 = p.x11.times(scale), p.x12.times(scale), p.x22.times(scale)
	w := p.metric(handed)
	r.area, r.inverse = math.Sqrt(w.q), w.g.adj().times(1/w.q)
	for k, dg := range w.along {
		// (det G),k = adj G:G,k and ∇G⁻¹ = adj(∇G)/det − G⁻¹ (det G),k/det
		grow := r.inverse.dot(dg)
		r.growth[k] = grow / 2
		r.along[k] = dg.adj().times(1/w.q).plus(-grow, r.inverse)
	}
	if r.h0 = m.material.Curvature; m.material.CurvedReference {
		mean, _ := p.curvatures(&w)
		r.h0 = mean * scale // of the surface as it is, not free of stress
		r.dh0 = [2]float64{b[1][3][row], b[2][3][row]}
	}
	return r
}

// Surface is the membrane's surface.
func (m *Membrane) Surface() *Surface { return m.surface }

// Material is the membrane's material, with defaults filled in.
func (m *Membrane) Material() Material { return m.material }

// viscous tells whether velocities matter.
func (m *Membrane) viscous() bool {
	return m.material.ShearViscosity != 0 || m.material.AreaViscosity != 0
}

// cellsOf is the number of cells whose data sites are at x.
func (m *Membrane) cellsOf(x []geometry.Vec) int {
	n := len(x) / m.surface.Data()
	if n*m.surface.Data() != len(x) {
		panic(fmt.Sprintf("rbf: %d positions are no whole number of cells of %d data sites", len(x), m.surface.Data()))
	}
	return n
}

// Forces stores, for cells with data sites at x, where their sample sites are in y and
// the membrane's forces there in f: force densities times the areas of the sites, so
// that Σ f δ(x−y) is the force density of the fluid. u are the velocities of the data
// sites, read by viscous membranes alone, and may be nil for others.
//
// Cell c has x[c·Data()] to x[(c+1)·Data()−1], u alike, and y and f of Samples() each. A
// cell's forces are the same bits beside any other cells. s is one worker's, and nothing
// is allocated. Where the surface has no area the cell's forces are not finite: Inspect
// tells where.
func (m *Membrane) Forces(s *Scratch, x, u, y, f []geometry.Vec) {
	cells := m.cellsOf(x)
	if want := cells * m.surface.Samples(); len(y) != want || len(f) != want {
		panic(fmt.Sprintf("rbf: %d positions and %d forces at the sample sites of %d cells, must be %d", len(y), len(f), cells, want))
	}
	if m.viscous() && len(u) != len(x) {
		panic(fmt.Sprintf("rbf: %d velocities and %d positions at data sites: a viscous membrane needs both", len(u), len(x)))
	}
	if !m.viscous() {
		u = nil
	}
	n := m.surface.Samples()
	m.sweep(s, x, u, func(c, panel int) { m.panel(s, panel, y[c*n:(c+1)*n], f[c*n:(c+1)*n]) })
}

// panel stores one cell's positions and forces in the sites of a panel.
func (m *Membrane) panel(s *Scratch, panel int, y, f []geometry.Vec) {
	order := m.surface.data.mirrors.order()
	bending, viscous := m.material.Bending != 0, m.viscous()
	for g := range order {
		references := m.references[(panel*order+g)*rows:]
		for row := range min(rows, len(m.surface.samples.base)-panel*rows) {
			r := &references[row]
			p := pointAt(&s.x[g], row)
			w := p.metric(handed(g))
			force := m.strain(r, &p, &w)
			if bending {
				force = force.plus(1, m.flex(r, &p, &w, &s.x[g], row))
			}
			if viscous {
				v := pointAt(&s.u[g], row)
				force = force.plus(1, m.drag(&p, &w, &v))
			}
			y[r.number] = p.x.geometry()
			f[r.number] = force.times(r.weight).geometry()
		}
	}
}

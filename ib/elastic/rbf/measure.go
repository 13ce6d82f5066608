package rbf

import (
	"fmt"
	"math"

	"lbmib/geometry"
)

// Energy is the elastic energy of a cell by part, in the unit of Material.Bending.
type Energy struct {
	Membrane float64 // of the law, over the surface free of stress
	Bending  float64
}

// Total is the sum of all parts.
func (e Energy) Total() float64 { return e.Membrane + e.Bending }

// Energies stores those of cells with data sites at x in e, one for each.
func (m *Membrane) Energies(s *Scratch, x []geometry.Vec, e []Energy) {
	clear(e[:m.cellsOf(x)])
	m.sweep(s, x, nil, func(c, panel int) {
		m.sites(s, panel, func(r *reference, p *point, w *metric) {
			mean, _ := p.curvatures(w)
			e[c].Membrane += r.weight * m.energy(r, w)
			e[c].Bending += r.weight * 2 * m.material.Bending * math.Sqrt(w.q) * (mean - r.h0) * (mean - r.h0)
		})
	})
}

// Losses stores the power that viscosity takes from cells with data sites at x that move
// with u in p, one for each.
func (m *Membrane) Losses(s *Scratch, x, u []geometry.Vec, p []float64) {
	clear(p[:m.cellsOf(x)])
	if !m.viscous() {
		return
	}
	if len(u) != len(x) {
		panic(fmt.Sprintf("rbf: %d velocities and %d positions at data sites", len(u), len(x)))
	}
	order := m.surface.data.mirrors.order()
	m.sweep(s, x, u, func(c, panel int) {
		for g := range order {
			for row := range min(rows, len(m.surface.samples.base)-panel*rows) {
				at, v := pointAt(&s.x[g], row), pointAt(&s.u[g], row)
				w := at.metric(handed(g))
				p[c] += m.references[(panel*order+g)*rows+row].weight * m.loss(&at, &w, &v)
			}
		}
	})
}

// Measure is the shape of a cell.
type Measure struct {
	Area, Volume  float64
	Center        geometry.Vec // centroid of the volume
	MeanCurvature float64      // ∮ H dA, positive of a sphere: 4πR
	Willmore      float64      // ∮ H² dA, at least 4π
	Gauss         float64      // ∮ K dA = 4π, up to errors of the interpolant and the quadrature
	Inertia       geometry.Mat // ∫ r rᵀ dV, r from Center
}

// Measure measures one cell with data sites at x.
func (m *Membrane) Measure(s *Scratch, x []geometry.Vec) (out Measure) {
	if len(x) != m.surface.Data() {
		panic(fmt.Sprintf("rbf: %d positions, the surface has %d data sites", len(x), m.surface.Data()))
	}
	var first geometry.Vec
	var second geometry.Mat
	o := x[0]
	visit := func(r *reference, p *point, w *metric) {
		mean, gauss := p.curvatures(w)
		da := r.weight * math.Sqrt(w.q)
		out.Area += da
		out.MeanCurvature += da * mean
		out.Willmore += da * mean * mean
		out.Gauss += da * gauss
		// ∫ f dV of homogeneous f of degree n is ∮ f r·n dA/(n+3).
		d := p.x.geometry().Sub(o)
		dv := r.weight * d.Dot(w.n.geometry())
		out.Volume += dv / 3
		first = first.Add(d.Scale(dv / 4))
		for i := range 3 {
			for k := range 3 {
				second[i][k] += dv / 5 * d[i] * d[k]
			}
		}
	}
	m.sweep(s, x, nil, func(_, panel int) { m.sites(s, panel, visit) })
	mean := first.Scale(1 / out.Volume)
	out.Center = o.Add(mean)
	for i := range 3 {
		for k := range 3 {
			out.Inertia[i][k] = second[i][k] - out.Volume*mean[i]*mean[k]
		}
	}
	return out
}

// Inspect tells by an error which sample site of the cells with data sites at x is not
// at a finite place, or has an area below a part least of that free of stress.
func (m *Membrane) Inspect(s *Scratch, x []geometry.Vec, least float64) (err error) {
	m.sweep(s, x, nil, func(c, panel int) {
		m.sites(s, panel, func(r *reference, p *point, w *metric) {
			if ratio := math.Sqrt(w.q) / r.area; err == nil && (!(ratio >= least) || !(p.x.geometry().Norm() < math.MaxFloat64)) {
				err = fmt.Errorf("rbf: cell %d: sample site %d at %v has %.3g of its area free of stress, must be at least %.3g: take a shorter time step, or more data sites", c, r.number, p.x.geometry(), ratio, least)
			}
		})
	})
	return err
}

package hybrid

import (
	"errors"
	"fmt"
	"slices"

	"lbmib/hybrid/flexible"
	"lbmib/hybrid/patch"
	"lbmib/hybrid/rigid"
	"lbmib/internal/parallel"
	"lbmib/lbm"
)

// viscosities has the fluid inside cells be more or less viscous than outside: ν there over ν outside is the cell's ratio λ. In a node
// cut by surfaces 1/ν is the mean of those of its parts, by which shear along a surface has a stress without a jump.
type viscosities[T lbm.Float] struct {
	*points[T]
	relaxation *lbm.Relaxation[T]
	insides    []flexible.Inside // of each cell; empty where λ = 1
	finders    []flexible.InsideFinder
	faults     []error // of each cell: why its inside is not found
	tau        T       // the fluid's τ
	own        T       // and 3ν
	least      float64 // bounds of 1/ν over the fluid's
	most       float64

	find, put func(worker int) // loops over cells and rows of nodes, made once
}

var (
	// errRatioBesideBodies: markers of rigid bodies are corrected after the step, by the rates of the fluid.
	errRatioBesideBodies = errors.New("elastic bodies with another viscosity inside cannot be beside rigid bodies and lines: use [[solid]] for what stands, or viscosity_ratio = 1")
	errRatioInEddies     = errors.New("elastic bodies with another viscosity inside do not go with a turbulence model: leave fluid.les out, or use viscosity_ratio = 1")
	errRatioSerial       = errors.New("elastic bodies with another viscosity inside are stepped serially: the nodes near them relax by times of their own")
	errRatioOfFluid      = errors.New("this backend has one viscosity everywhere: use the CPU, or viscosity_ratio = 1")
)

// viscous tells whether some cell holds another fluid than the one that it is in.
func viscous(cells []*flexible.Cell) bool {
	return slices.ContainsFunc(cells, func(c *flexible.Cell) bool { return c.ViscosityRatio() != 1 })
}

// CheckRatios refuses cells of another viscosity inside than outside where these cannot be: see the errors.
func CheckRatios(cfg CouplingConfig, flow *lbm.Config, bodies []*rigid.Body) error {
	if !viscous(cfg.Cells) {
		return nil
	}
	for _, c := range cfg.Cells {
		switch {
		case !(c.ViscosityRatio() > 0):
			return fmt.Errorf("body %q: the viscosity inside is %g of that outside, must be greater than 0", c.Name, c.Lambda)
		case c.ViscosityRatio() != 1 && c.Membrane == nil && c.Ring == nil:
			return fmt.Errorf("body %q: a cell of radial basis functions has the viscosity of the fluid around: use a mesh of triangles", c.Name)
		case len(bodies) > 0:
			return errRatioBesideBodies
		case flow.Collision.Smagorinsky != 0:
			return errRatioInEddies
		}
	}
	return nil
}

// newViscosities is nil where all cells hold the fluid that they are in.
func newViscosities[T lbm.Float](p *points[T]) (*viscosities[T], error) {
	if err := CheckRatios(p.cfg, p.flow, p.bodies); err != nil || !viscous(p.cfg.Cells) {
		return nil, err
	}
	v := &viscosities[T]{points: p, least: 1, most: 1}
	for _, c := range p.cfg.Cells {
		v.least, v.most = min(v.least, 1/c.ViscosityRatio()), max(v.most, 1/c.ViscosityRatio())
	}
	n := p.loops.Workers()
	v.relaxation = lbm.NewRelaxation[T](p.flow)
	v.insides, v.finders, v.faults = make([]flexible.Inside, len(p.cfg.Cells)), make([]flexible.InsideFinder, n), make([]error, len(p.cfg.Cells))
	v.tau, v.own = T(p.flow.Collision.Tau()), T(p.flow.Collision.Tau()-0.5)
	v.find = func(w int) {
		for i := w; i < len(p.cfg.Cells); i += n {
			if c := p.cfg.Cells[i]; c.ViscosityRatio() != 1 {
				v.faults[i] = v.finders[w].Find(c, &v.insides[i])
			}
		}
	}
	v.put = func(w int) {
		lo, hi := parallel.Share(len(v.relaxation.First), w, n)
		v.putRows(lo, hi)
	}
	return v, nil
}

// follow makes viscosities those of where the cells are.
// Its error is the first cell whose surface nodes find holes in.
func (v *viscosities[T]) follow() (*flexible.Cell, error) {
	v.loops.Run(len(v.relaxation.Tau), v.find)
	for i, err := range v.faults {
		if err != nil {
			return v.cfg.Cells[i], err
		}
	}
	v.loops.Run(len(v.relaxation.Tau), v.put)
	return nil, nil
}

// putRows sets the relaxation times of the rows lo ≤ row < hi of nodes: at first Tau is 1/ν over the fluid's, cell by cell in the order of
// cells, so that it does not depend on the workers.
func (v *viscosities[T]) putRows(lo, hi int) {
	r, nx := v.relaxation, v.flow.Size[0]
	for row := lo; row < hi; row++ {
		for n := row*nx + int(r.First[row]); n < row*nx+int(r.End[row]); n++ {
			r.Tau[n] = v.tau // as if none had been there: kernels of whole vectors read it beside those that are
		}
		r.First[row], r.End[row] = 0, 0
	}
	for i, c := range v.cfg.Cells {
		change, share := T(1/c.ViscosityRatio()-1), v.insides[i].Share
		for _, run := range v.insides[i].Rows {
			of := share[:run.N]
			share = share[run.N:]
			p := [3]int{0, run.First[1], run.First[2]}
			if !patch.Wrap(v.flow, &p) {
				continue
			}
			if row := p[1] + v.flow.Size[1]*p[2]; lo <= row && row < hi {
				v.add(row, run.First[0], of, change)
			}
		}
	}
	for row := lo; row < hi; row++ {
		for n := row*nx + int(r.First[row]); n < row*nx+int(r.End[row]); n++ {
			r.Tau[n] = v.own/min(max(r.Tau[n], T(v.least)), T(v.most)) + 0.5
		}
	}
}

// add adds a multiple of shares to the nodes from x on in a row.
func (v *viscosities[T]) add(row, x int, shares []float64, change T) {
	nx := v.flow.Size[0]
	for len(shares) > 0 {
		p, n := [3]int{x}, 1
		if patch.Wrap(v.flow, &p) {
			n = min(len(shares), nx-p[0])
			v.widen(row, p[0], p[0]+n)
			tau := v.relaxation.Tau[row*nx+p[0]:][:n]
			for k, s := range shares[:n] {
				tau[k] += T(s) * change
			}
		}
		x, shares = x+n, shares[n:]
	}
}

// widen has a row's nodes first ≤ x < end be among those that have times of their own; new ones between have the fluid's.
func (v *viscosities[T]) widen(row, first, end int) {
	r, nx := v.relaxation, v.flow.Size[0]
	lo, hi := int(r.First[row]), int(r.End[row])
	if lo == hi {
		lo, hi = first, first
	}
	for x := first; x < lo; x++ {
		r.Tau[row*nx+x] = 1
	}
	for x := hi; x < end; x++ {
		r.Tau[row*nx+x] = 1
	}
	r.First[row], r.End[row] = int32(min(lo, first)), int32(max(hi, end))
}

// times are the relaxation times of nodes inside cells, nil where they are the fluid's.
func (c *cellForces[T]) times() *lbm.Relaxation[T] {
	if c.viscosity == nil {
		return nil
	}
	return c.viscosity.relaxation
}

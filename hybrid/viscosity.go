package hybrid

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"lbmib/geometry"
	"lbmib/hybrid/flexible"
	"lbmib/hybrid/patch"
	"lbmib/internal/parallel"
	"lbmib/lbm"
)

// viscosities has the fluid inside cells be more or less viscous than outside: ν there over ν outside is the cell's ratio λ. In a node
// cut by surfaces 1/ν is the mean of those of its parts, by which shear along a surface has a stress without a jump.
type viscosities[T lbm.Float] struct {
	*points[T]
	relaxation *lbm.Relaxation[T]
	before     *lbm.Relaxation[T] // of the step before, at which the fluid may be beside the cells' motion; nil: it never is
	insides    []flexible.Inside  // of each cell; empty where λ = 1
	finders    []flexible.InsideFinder
	faults     []error // of each cell: why its inside is not found
	tau        T       // the fluid's τ
	own        T       // and 3ν
	least      float64 // bounds of 1/ν over the fluid's
	most       float64
	attended   []bool      // of each cell: this rank finds its inside; nil: it finds all
	tells      []bool      // of each cell: it tells what is wrong with that; nil: of all
	partial    lbm.Partial // what knows at which nodes viscosities can be others; nil: at all
	nodes      []int32     // of an inside, for that

	find, put func(worker int) // loops over cells and lines of nodes, made once
}

var (
	errRatioInEddies = errors.New("elastic bodies with another viscosity inside do not go with a turbulence model: leave fluid.les out, or use viscosity_ratio = 1")
	errRatioOfFluid  = errors.New("this backend has one viscosity everywhere: use the CPU, or viscosity_ratio = 1")
	errRatioOfRanks  = errors.New("ranks that do not share bodies have one viscosity everywhere: use run.schedule auto or serial with ib.spread auto, serial or sort-reduce, run on one process, or use viscosity_ratio = 1")
)

// viscous tells whether some cell holds another fluid than the one that it is in.
func viscous(cells []*flexible.Cell) bool {
	return slices.ContainsFunc(cells, func(c *flexible.Cell) bool { return c.ViscosityRatio() != 1 })
}

// CheckRatios refuses cells of another viscosity inside than outside where these cannot be: see the errors.
func CheckRatios(cfg CouplingConfig, flow *lbm.Config) error {
	if !viscous(cfg.Cells) {
		return nil
	}
	for _, c := range cfg.Cells {
		switch {
		case !(c.ViscosityRatio() > 0):
			return fmt.Errorf("body %q: the viscosity inside is %g of that outside, must be greater than 0", c.Name, c.Lambda)
		case c.ViscosityRatio() != 1 && c.Membrane == nil && c.Ring == nil:
			return fmt.Errorf("body %q: a cell of radial basis functions has the viscosity of the fluid around: use a mesh of triangles", c.Name)
		case flow.Collision.Smagorinsky != 0:
			return errRatioInEddies
		}
	}
	return nil
}

// newViscosities is nil where all cells hold the fluid that they are in.
func newViscosities[T lbm.Float](p *points[T]) (*viscosities[T], error) {
	if err := CheckRatios(p.cfg, p.flow); err != nil || !viscous(p.cfg.Cells) {
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
			switch c := p.cfg.Cells[i]; {
			case c.Away() || v.attended != nil && !v.attended[i]:
				v.insides[i], v.faults[i] = flexible.Inside{}, nil
			case c.ViscosityRatio() != 1:
				v.faults[i] = v.finders[w].Find(c, &v.insides[i])
			}
		}
	}
	v.put = func(w int) {
		lo, hi := parallel.Share(len(v.relaxation.First), w, n)
		v.putLines(lo, hi)
	}
	return v, nil
}

// follow makes viscosities those of where the cells are.
// Its error is the first cell whose surface nodes find holes in; nothing has changed then, or, late, such cells hold the fluid around.
func (v *viscosities[T]) follow(late bool) (*flexible.Cell, error) {
	cell, err := v.inspect()
	if err != nil && !late {
		return cell, err
	}
	if v.before != nil {
		v.relaxation, v.before = v.before, v.relaxation
	}
	v.loops.Run(len(v.relaxation.Tau), v.put)
	return cell, err
}

// inspect finds the insides of cells, empty ones of those that have holes: the first of these, and why.
func (v *viscosities[T]) inspect() (cell *flexible.Cell, err error) {
	v.loops.Run(len(v.relaxation.Tau), v.find)
	for i, fault := range v.faults {
		if fault == nil && v.partial != nil {
			fault = v.takes(i)
		}
		if fault == nil {
			continue
		}
		v.insides[i] = flexible.Inside{}
		if err == nil && (v.tells == nil || v.tells[i]) { // else a rank near it does
			cell, err = v.cfg.Cells[i], fault
		}
	}
	return cell, err
}

// takes tells why viscosities cannot be others at some node inside a cell.
func (v *viscosities[T]) takes(i int) error {
	v.nodes = v.nodes[:0]
	for _, run := range v.insides[i].Rows {
		for x := range run.N {
			p := run.First
			p[0] += x
			if !patch.Wrap(v.flow, &p) {
				continue
			}
			if n := v.flow.Node(p); n >= 0 {
				v.nodes = append(v.nodes, int32(n))
			}
		}
	}
	if err := v.partial.TakesForces(v.nodes); err != nil {
		return fmt.Errorf("body %q has another viscosity inside, at nodes, too, where that cannot be: %w", v.cfg.Cells[i].Name, err)
	}
	return nil
}

// alternate has follow leave the viscosities of the step before as they are.
func (v *viscosities[T]) alternate() {
	if v.before == nil {
		v.before = lbm.NewRelaxation[T](v.flow)
	}
}

// putLines sets the relaxation times of the lines lo ≤ line < hi of nodes: at first Tau is 1/ν over the fluid's, cell by cell in the order of
// cells, so that it does not depend on the workers.
func (v *viscosities[T]) putLines(lo, hi int) {
	r := v.relaxation
	clear(r.First[lo:hi])
	clear(r.End[lo:hi])
	for i, c := range v.cfg.Cells {
		change, share := T(1/c.ViscosityRatio()-1), v.insides[i].Share
		for _, run := range v.insides[i].Rows {
			of := share[:run.N]
			share = share[run.N:]
			v.add(lo, hi, run.First, of, change)
		}
	}
	for line := lo; line < hi; line++ {
		own := v.timesOf(line)
		for k, inverse := range own {
			if own[k] = v.tau; inverse != 1 { // to the last bit
				own[k] = v.own/min(max(inverse, T(v.least)), T(v.most)) + 0.5
			}
		}
	}
}

// timesOf are the times of a line's nodes that may be their own.
func (v *viscosities[T]) timesOf(line int) []T {
	node, _ := v.flow.Line(line)
	return v.relaxation.Tau[node+int(v.relaxation.First[line]) : node+int(v.relaxation.End[line])]
}

// of is the relaxation time of a node.
func (v *viscosities[T]) of(node int) T {
	line, at := v.flow.LineOf(node)
	return v.relaxation.Of(line, at, node, v.tau)
}

// add adds a multiple of shares to the nodes from p on along x, of the lines lo ≤ line < hi.
func (v *viscosities[T]) add(lo, hi int, p [3]int, shares []float64, change T) {
	for x := p[0]; len(shares) > 0; {
		at, n := [3]int{x, p[1], p[2]}, 1
		if patch.Wrap(v.flow, &at) {
			n = min(len(shares), v.flow.Size[0]-at[0])
			v.addInBox(lo, hi, at, shares[:n], change)
		}
		x, shares = x+n, shares[n:]
	}
}

// addInBox is add of nodes that do not wrap around the box; those that are none of the fluid's are left out.
func (v *viscosities[T]) addInBox(lo, hi int, p [3]int, shares []float64, change T) {
	for len(shares) > 0 {
		line, first, skipped, n := v.flow.LineFrom(p, len(shares))
		if lo <= line && line < hi && n > 0 {
			v.widen(line, first, first+n)
			node, _ := v.flow.Line(line)
			tau := v.relaxation.Tau[node+first:][:n]
			for k, s := range shares[skipped : skipped+n] {
				tau[k] += T(s) * change
			}
		}
		p[0], shares = p[0]+skipped+n, shares[skipped+n:]
	}
}

// widen has a line's nodes first ≤ at < end be among those that have times of their own; new ones between have the fluid's.
func (v *viscosities[T]) widen(line, first, end int) {
	r := v.relaxation
	node, _ := v.flow.Line(line)
	lo, hi := int(r.First[line]), int(r.End[line])
	if lo == hi {
		lo, hi = first, first
	}
	for at := first; at < lo; at++ {
		r.Tau[node+at] = 1
	}
	for at := hi; at < end; at++ {
		r.Tau[node+at] = 1
	}
	r.First[line], r.End[line] = int32(min(lo, first)), int32(max(hi, end))
}

// at is the viscosity at a place, over that of the fluid: the inverse of the mean of 1/ν over the nodes around it, by their nearness.
func (v *viscosities[T]) at(x geometry.Vec) T {
	var mean, all float64
	var first [3]int
	var part [3]float64
	for a := range v.dim {
		floor := math.Floor(x[a])
		first[a], part[a] = int(floor), x[a]-floor
	}
	for corner := range 1 << v.dim {
		p, weight := first, 1.
		for a := range v.dim {
			if corner>>a&1 == 1 {
				p[a]++
				weight *= part[a]
			} else {
				weight *= 1 - part[a]
			}
		}
		if !patch.Wrap(v.flow, &p) {
			continue
		}
		if n := v.flow.Node(p); n >= 0 {
			mean += weight * float64(v.own/(v.of(n)-0.5))
			all += weight
		}
	}
	if all == 0 {
		return 1
	}
	return T(all / mean)
}

// times are the relaxation times of nodes inside cells, nil where they are the fluid's.
func (c *cellForces[T]) times() *lbm.Relaxation[T] {
	if c == nil || c.viscosity == nil {
		return nil
	}
	return c.viscosity.relaxation
}

package runner

import (
	"fmt"
	"math"

	"lbmib/io/table"
)

// What layers of so many nodes, length/√Re, have cost in the drag of cylinders at Re 100 and 300
// (docs/method.md, 2): the correction of the smeared wall takes the velocity for linear over
// the delta's width. Spheres, and cylinders at lower Re, lose less.
var layerCosts = []struct{ nodes, drag float64 }{{0.6, 0.5}, {0.8, 0.31}, {1, 0.15}, {1.2, 0.08}, {1.5, 0.03}, {2, 0.005}}

// layerCost is the part of drag that a layer of so many nodes costs.
func layerCost(nodes float64) float64 {
	cost := layerCosts[0].drag
	for i, c := range layerCosts[1:] {
		if before := layerCosts[i]; nodes > before.nodes {
			cost = before.drag + (c.drag-before.drag)*math.Min(1, (nodes-before.nodes)/(c.nodes-before.nodes))
		}
	}
	return cost
}

// layerLimits are the bounds on a layer of so many nodes.
func layerLimits(nodes float64) limits {
	cost := layerCost(nodes)
	return limits{caution: 1.5, unsafe: 1, least: true,
		why: fmt.Sprintf("fewer than %%g: fluid slips along walls whose boundary layer is so thin, and drag comes out up to %.2g %%%% too low, swings of the lift by two to four times as much; raise reference.resolution", 100*cost)}
}

// layer is the thickness of body i's boundary layer, length/√Re in nodes, or that of the layer
// that a motion with a period makes, √(2ν/ω), where it is thinner; nil where walls are not corrected, or
// Re < 1 and nothing oscillates.
func (p *problem) layer(i int) *Judged {
	b := p.bodies[i]
	nu, n := p.cas.Reference.Viscosity, p.cas.Reference.Resolution
	if p.coupling.Offset == 0 {
		return nil
	}
	nodes := math.Inf(1)
	if length := b.Shape.Length() / n; length > nu {
		nodes = n * math.Sqrt(nu*length)
	}
	if m := &p.cas.Bodies[i].Motion; m.Type == "prescribed" && m.Period() > 0 { // Stokes' second problem
		nodes = math.Min(nodes, n*math.Sqrt(nu*m.Period()/math.Pi))
	}
	if math.IsInf(nodes, 1) {
		return nil
	}
	return judged(nodes, layerLimits(nodes))
}

// grantedMost is the slip, in U and a mean over the markers, from which on the wall correction
// makes drag 10 % too low: so it was for cylinders at Re 100 on 10 nodes and 300 on 20, 30 % at
// 0.4, 3 % at 0.23 (docs/method.md, 2).
const grantedMost = 0.3

// slipWatch follows the mean, over about 1 L/U, of the slip that is granted to the fluid at a
// body. Layers are thin in any sudden start, so that the mean begins at 0.
type slipWatch struct {
	mean, last float64 // the mean at the time of the last row, U and L/U
	told       bool
}

// add takes the slip at a time, and tells whether the mean passes the bound for the
// first time.
func (w *slipWatch) add(t, granted float64) bool {
	part := math.Min(1, t-w.last)
	w.last = t
	if !isFinite(granted) {
		return false
	}
	w.mean += part * (granted - w.mean)
	if w.told || w.mean <= grantedMost {
		return false
	}
	w.told = true
	return true
}

// warning is what to tell of body i when the mean has passed the bound.
func (w *slipWatch) warning(p *problem, i int) string {
	more := 1.5 // for a layer of two nodes
	if j := p.layer(i); j != nil && j.Value > 0 {
		more = math.Max(more, 2/float64(j.Value))
	}
	n := p.cas.Reference.Resolution
	return fmt.Sprintf("body %q: at t = %.3g L/U the wall correction lets the fluid pass the wall at %.2g U, the mean over its markers and 1 L/U: above %.2g the boundary layer is too thin for this grid, and drag comes out more than 10 %% too low: raise reference.resolution from %g to %.0f, or see how far --set ib.correction=none departs",
		p.cas.Bodies[i].Name, w.last, w.mean, grantedMost, n, math.Ceil(n*more))
}

// recallSlips follows the slip over the rows that are kept of a run that is resumed, so that
// it warns as if it had not been interrupted.
func (r *run[T]) recallSlips() error {
	if r.records.forces == nil || r.records.forces.columns < len(forceColumns(r.flow.Lattice.Dim)) {
		return nil
	}
	t, err := table.Read(r.dir.file("forces.csv"))
	if err != nil {
		return err
	}
	for i, b := range r.bodies {
		h, err := r.readHistory(t, b.Name)
		if err != nil {
			return err
		}
		w := &r.records.slips[i]
		for k, granted := range h.granted {
			w.add(h.T[k], granted)
		}
	}
	return nil
}

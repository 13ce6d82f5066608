package setup

import (
	"math"

	"lbmib/geometry"
	"lbmib/ib"
	"lbmib/lbm"
	"lbmib/lbm/joined"
)

// bodiesInFinest refuses a body at whose place the finest level has not all nodes that its markers reach.
func (p *Problem) bodiesInFinest() error {
	delta, err := ib.NewDelta[float64](p.Coupling.Delta)
	if err != nil {
		return nil // told elsewhere
	}
	kept := joined.Margin * ((2 << p.finest()) - 1) // see closeTo
	look := func(name string, points []geometry.Vec) error {
		for _, x := range points {
			if at, ok := p.hasSupport(x, float64(delta.Support())/2); !ok {
				return p.Case.Errorf(p.Case.Refine[0].Key, "body %q reaches node %v, which the finest level does not have: give its box a wider margin or, where that is near an open face, from which %d levels of boxes keep %.3g L away, take fewer levels, move the body or raise the resolution",
					name, at[:p.Flow.Lattice.Dim], p.finest(), float64(kept)/p.Case.Reference.Resolution)
			}
		}
		return nil
	}
	for _, b := range p.Bodies {
		if err := look(b.Name, b.Markers.X); err != nil {
			return err
		}
	}
	for _, c := range p.Coupling.Cells {
		if err := look(c.Name, c.Points()); err != nil {
			return err
		}
	}
	return nil
}

// hasSupport tells whether the finest level has the nodes nearer to x than a reach, along each axis, or which corner of them it has not.
func (p *Problem) hasSupport(x geometry.Vec, reach float64) (at [3]int, ok bool) {
	dim := p.Flow.Lattice.Dim
	var ends [2][3]int // of the nodes
	for a := range dim {
		ends[0][a], ends[1][a] = int(math.Floor(x[a]-reach))+1, int(math.Ceil(x[a]+reach))-1
	}
	for _, b := range p.Boxes { // as a rule one has them all
		if box := (lbm.Box{Lo: b.Lo, Hi: b.Hi}); b.Level == p.finest() && inside(box, ends[0]) && inside(box, ends[1]) {
			return at, true
		}
	}
	for corner := range 1 << dim {
		at = [3]int{}
		for a := range dim {
			at[a] = ends[corner>>a&1][a]
			if n := p.Flow.Size[a]; p.Flow.Periodic(a) {
				at[a] = (at[a]%n + n) % n
			} else {
				at[a] = min(max(at[a], 0), n-1) // behind a wall there are no nodes
			}
		}
		if !p.finestHas(at) {
			return at, false
		}
	}
	return at, true
}

// finestHas tells whether a box of the finest level has a node.
func (p *Problem) finestHas(at [3]int) bool {
	for _, b := range p.Boxes {
		if b.Level == p.finest() && inside(lbm.Box{Lo: b.Lo, Hi: b.Hi}, at) {
			return true
		}
	}
	return false
}

func inside(b lbm.Box, at [3]int) bool {
	for a := range at {
		if at[a] < b.Lo[a] || at[a] >= b.Hi[a] {
			return false
		}
	}
	return true
}

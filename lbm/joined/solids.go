package joined

import (
	"fmt"

	"lbmib/lbm"
)

// checkSolids refuses solids that seams would have to know: near the end of a box inside the domain, or with a surface that
// runs through cells of a level that is not the finest.
func (lay *layout) checkSolids() error {
	if lay.cfg.Solid == nil {
		return nil
	}
	for l, boxes := range lay.whole {
		for _, p := range boxes {
			if err := lay.solidsAt(p, &lay.flows[l]); err != nil {
				return err
			}
		}
	}
	return nil
}

// CheckSolids refuses what New does because of solids, before there is a fluid.
func CheckSolids(cfg lbm.Config, boxes []Box) error {
	if cfg.Solid == nil || len(boxes) == 0 {
		return nil
	}
	lay, err := newLayout(cfg, boxes)
	if err != nil {
		return err
	}
	return lay.checkSolids()
}

// solidsAt looks at an undivided box: at the cells that no finer one covers, and at both sides of its ends.
func (lay *layout) solidsAt(p *grid, flow *lbm.Config) (err error) {
	r := lay.width(p.level)
	lay.eachPieceIn(lay.whole, [3]int{}, lay.cfg.Size, func(of *grid, b lbm.Box) {
		if of != p || r == 1 {
			return
		}
		each(b.Lo, b.Hi, func(cell [3]int) {
			solid, all := 0, 0
			lay.eachNode(cell, r, func(x [3]int) {
				all++
				if lay.cfg.Solid[lay.cfg.Node(x)] {
					solid++
				}
			})
			if solid > 0 && solid < all && err == nil {
				err = fmt.Errorf("joined: the surface of a solid runs through node %v of level %d: refine around all of it, or let it end between nodes of that level", cell[:p.dim], p.level)
			}
		})
	})
	if p.level == 0 || err != nil {
		return err
	}
	lo, hi, inner := p.lo, p.hi, lbm.Box{Lo: p.lo, Hi: p.hi}
	for a := range p.dim {
		for side, at := range [2]*int{&lo[a], &hi[a]} {
			if p.ghosts[2*a+side] == 0 {
				continue
			}
			if side == 0 {
				*at, inner.Lo[a] = *at-2*Margin, inner.Lo[a]+2*Margin
			} else {
				*at, inner.Hi[a] = *at+2*Margin, inner.Hi[a]-2*Margin
			}
		}
	}
	each(lo, hi, func(q [3]int) {
		if err != nil || meet(inner, lbm.Box{Lo: q, Hi: [3]int{q[0] + 1, q[1] + 1, q[2] + 1}}).Nodes() > 0 {
			return
		}
		if flow.Solid[flow.Node(p.wrapped(q))] {
			err = fmt.Errorf("joined: node %v of level %d is solid, and less than %d nodes from the end of its box %v … %v: move the end farther away from the solid, or let the box hold all of the solid", q[:p.dim], p.level, 2*Margin, p.lo[:p.dim], p.hi[:p.dim])
		}
	})
	return err
}

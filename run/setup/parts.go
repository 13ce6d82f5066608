package setup

import (
	"lbmib/lbm"
	"lbmib/lbm/joined"
)

// Parts are the grids that the fluid is made of, coarser ones first: one is the domain, where nothing is refined.
func (p *Problem) Parts() []lbm.Part { return joined.Parts(&p.Flow, p.Boxes) }

package check

import (
	"fmt"
	"math"

	"lbmib/io/casefile"
	"lbmib/lbm"
	"lbmib/run/setup"
)

// How near to a face where fluid leaves finer nodes may end, by the grid Reynolds number of the coarsest. What a wake brings to coarse nodes grows
// between the seam and an outflow that is near. Without a model, with recursive, single and double precision alike, a cylinder's wake diverged at 38.7 with 8 coarsest nodes between, and
// at 77 with 8, 11 and 14, behind the last box; it ran at 19.3 with 8, at 38.7 with 11, 14 and 20, and at 77 with 20, 26 and 32. An STL body's in space diverged at 38.8
// with 2, a sphere's at 75 with 10. With Smagorinsky's constant 0.1 the first ran at 77 with 8 (validation/README.md, nested grids).
const (
	outletCaution = 3.5 // grid Reynolds number over the coarsest nodes between
	outletUnsafe  = 4.5
	outletLeast   = 20 // what is below was not seen to diverge
)

// outletOf is the least number of coarsest nodes between finer ones and a face whose velocity is left to the flow; +Inf: there is none.
func outletOf(p *setup.Problem) float64 {
	least := math.Inf(1)
	width := float64(p.Grids.Levels[0].Width)
	for a := range p.Flow.Lattice.Dim {
		for side := range 2 {
			if !leavesBy(p.Case, 2*a+side) {
				continue
			}
			for _, b := range p.Boxes {
				between := b.Lo[a]
				if side == 1 {
					between = p.Flow.Size[a] - b.Hi[a]
				}
				if between > 0 { // else finer nodes reach the face
					least = math.Min(least, float64(between)/width)
				}
			}
		}
	}
	return least
}

// leavesBy tells whether a face is one that leaves the velocity to the flow.
func leavesBy(c *casefile.Case, face int) bool {
	return lbm.FaceKinds[c.Domain.Boundary[face].Type].HoldsPressure()
}

// outletNodes is how many coarsest nodes are to be between at a grid Reynolds number of theirs.
func outletNodes(c *casefile.Case, reynolds float64) float64 {
	if c.Fluid.LES > 0 || reynolds <= outletLeast {
		return 0
	}
	return math.Ceil(reynolds / outletCaution)
}

// judgeOutlet judges the coarsest level by how near finer nodes are to where fluid leaves.
func (l *LevelReport) judgeOutlet(c *casefile.Case, between float64) {
	need := outletNodes(c, float64(l.GridReynolds.Value))
	if between >= need {
		return
	}
	l.GridReynolds.judge(limits{
		Caution: math.Max(outletLeast, outletCaution*between), unsafe: math.Max(outletLeast, outletUnsafe*between),
		why: "above %.3g: " + fmt.Sprintf("finer nodes end %.4g of the coarsest before a face where fluid leaves, and vortices that a wake carries there may grow until the run diverges; leave %.4g or more between, by a smaller margin in [[refine]] or a longer domain, take fewer levels, or add fluid.les", between, need),
	})
}

package setup

import (
	"math"

	"lbmib/geometry"
	"lbmib/hybrid"
	"lbmib/ib"
)

// What points of bodies take in a step, in updates of a node of fluid, as short trials of the shipped cases found on one thread of a processor with AVX-512 (lbmib check): markers
// of bodies at rest 29 to 39, of those that move, whose weights are found anew, 70 to 350; vertices of elastic ones 37 to 64; with the nodes around each. Constants, so
// that all ranks and machines share a domain alike.
const (
	stillMarker  = 35
	movingMarker = 100
	vertexWork   = 50
)

// knownPoint is what a point of bodies that ranks share takes of each rank, which knows where all are: 47 ns of 126,000 vertices on four ranks, where an update took some 15.
const knownPoint = 3

// Of what a point takes transfers are twiceTransfers, which both ranks at a cut make of points as near to it as supports are wide, and laws twiceLaws, which both find of cells across it:
// as parts of all, measured of 208 red cells on two ranks. Contact is found where a point is.
const (
	twiceTransfers = 0.5
	twiceLaws      = 0.05
)

// SharesBodies tells whether the ranks that make a run share its bodies; else rank 0 has them.
func (p *Problem) SharesBodies() bool {
	return p.Case.Run.Backend != "hybrid" && hybrid.CanShare(&p.Coupling, p.Bodies)
}

// BodyWork is what bodies take in a step, in updates of nodes: what ranks share, and what each rank does while others wait, be it by rank 0 or by all alike.
func (p *Problem) BodyWork() (shared, alone float64) {
	all, points := 0., 0.
	p.eachPoint(func(_ geometry.Vec, work float64) { all, points = all+work, points+1 })
	if !p.SharesBodies() {
		return 0, all
	}
	return all, knownPoint * points
}

// BodyPoints is how many points bodies are coupled at.
func (p *Problem) BodyPoints() (n int) {
	p.eachPoint(func(geometry.Vec, float64) { n++ })
	return n
}

// eachPoint calls do for all points of bodies where they begin, in nodes of the finest grid, with the work that each is in a step.
func (p *Problem) eachPoint(do func(x geometry.Vec, work float64)) {
	for _, body := range p.Bodies {
		each := float64(stillMarker)
		if body.Moving() {
			each = movingMarker
		}
		for _, x := range body.Markers.X {
			do(x, each)
		}
	}
	for _, cell := range p.Coupling.Cells {
		for _, x := range cell.Points() {
			do(x, vertexWork)
		}
	}
}

// addBodies weighs the blocks of the finest level by the points of bodies nearest to their nodes, and what cuts take of these.
func (c *blockCount) addBodies(p *Problem) {
	nodes, all := 0., 0.
	for _, w := range c.Weight {
		nodes += w
	}
	p.eachPoint(func(x geometry.Vec, work float64) {
		var node [3]int
		for a := range p.Flow.Lattice.Dim {
			n := p.Flow.Size[a]
			node[a] = int(math.Floor(x[a] + 0.5))
			if p.Flow.Periodic(a) {
				node[a] = (node[a]%n + n) % n
			}
			node[a] = min(max(node[a], 0), n-1)
		}
		if i := c.at(node); c.Weight[i] > 0 {
			c.Weight[i] += work
			all += work
		}
	})
	wide := 0.
	for _, cell := range p.Coupling.Cells {
		lo, hi := cell.Extent()
		for a := range p.Flow.Lattice.Dim {
			wide = max(wide, hi[a]-lo[a])
		}
	}
	support := 3.
	if d, err := ib.NewDelta[float64](p.Coupling.Delta); err == nil {
		support = float64(d.Support())
	}
	c.Points = all / max(1, nodes) * (twiceTransfers*support + twiceLaws*wide/2)
}

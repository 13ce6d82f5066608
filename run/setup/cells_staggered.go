package setup

import (
	"math"

	"lbmib/ib"
)

// StaggeredAxis is a periodic axis along which momentum that alternates from node to node is kept: one with an even number of nodes, as
// −1 to the power y + t times the momentum along y is what streaming and collision leave as it is, whatever the operator. Deltas whose sums over even
// and odd nodes are equal (peskin4, ib6) neither feel it nor make it; −1 with those, and where there is no such axis.
func (p *Problem) StaggeredAxis() int {
	delta, err := ib.NewDelta[float64](p.Coupling.Delta)
	if err != nil || alternation(delta) < 1e-6 {
		return -1
	}
	for a := range p.Flow.Lattice.Dim {
		if p.Flow.Periodic(a) && p.Flow.Size[a]%2 == 0 {
			return a
		}
	}
	return -1
}

// AlternatesAtWalls tells that membranes feel and make momentum that alternates from node to node where walls keep it: the halfway wall takes −1 to
// the power y + t times the momentum along y to itself, however many nodes there are.
func (p *Problem) AlternatesAtWalls() bool {
	delta, err := ib.NewDelta[float64](p.Coupling.Delta)
	if err != nil || alternation(delta) < 1e-6 {
		return false
	}
	for a := range p.Flow.Lattice.Dim {
		if !p.Flow.Periodic(a) {
			return true
		}
	}
	return p.Flow.Solid != nil
}

// alternation is the largest |Σ (−1)^j φ(x − j)| of a delta: 1/3 of roma3, 1/2 of bspline3, 1 of hat2.
func alternation(delta ib.Delta[float64]) (most float64) {
	const places = 64
	for k := range places {
		var w [ib.MaxSupport]float64
		delta.Weights(&w, 7+float64(k)/places)
		sum := 0.
		for j, v := range w[:delta.Support()] {
			sum += v * float64(1-2*(j%2))
		}
		most = math.Max(most, math.Abs(sum))
	}
	return most
}

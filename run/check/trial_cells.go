package check

import (
	"math"

	"lbmib/geometry"
	"lbmib/hybrid/flexible"
	"lbmib/ib/elastic"
	"lbmib/ib/elastic/ring"
	"lbmib/lbm"
	"lbmib/run/setup"
)

// measureVertices is the time, in seconds, that a vertex of an elastic body takes in a step on this
// machine: of the one with the most vertices, alone in a small box of fluid. 0 where there is none.
func measureVertices(p *setup.Problem, kernel setup.Kernel) float64 {
	var most *flexible.Cell
	for _, c := range p.Coupling.Cells {
		if most == nil || len(c.Points()) > len(most.Points()) {
			most = c
		}
	}
	if most == nil {
		return 0
	}
	try := trialCell[float64]
	if p.Precision().Single {
		try = trialCell[float32]
	}
	if each := try(p, most, kernel); each > 0 {
		return each
	}
	return 0
}

// trialCell steps a cell like another, or a smaller round one where it is large, in a box of its
// own and returns the seconds per vertex and step; NaN where it cannot. Cells of one membrane are
// worked on eight at a time, so that many take less.
func trialCell[T lbm.Float](p *setup.Problem, like *flexible.Cell, kernel setup.Kernel) float64 {
	extent := 0. // in nodes
	for _, x := range like.Points() {
		extent = math.Max(extent, 2*x.Sub(like.Center).Norm())
	}
	dim := p.Flow.Lattice.Dim
	largest := math.Pow(trialNodes, 1/float64(dim)) - 2*trialMargin - 2
	n := int(math.Ceil(min(extent, largest))) + 2*trialMargin
	size, middle := [3]int{n, n, n}, geometry.Vec{float64(n-1) / 2, float64(n-1) / 2, float64(n-1) / 2}
	if dim == 2 {
		size[2], middle[2] = 1, 0
	}
	cell, err := likeCell(like, extent, largest, middle)
	if err != nil {
		return math.NaN()
	}
	if like.Implicit() {
		cell.SetImplicit()
		pull(cell)
	}
	cfg := p.Coupling
	cfg.Cells, cfg.Feed = []*flexible.Cell{cell}, nil
	return timed[T](p, cfg, nil, size, kernel) / float64(len(cell.Points()))
}

// pull has small forces pull a cell apart, for which it then has to solve in every step.
func pull(c *flexible.Cell) {
	for side, sign := range map[bool]float64{false: -1, true: 1} {
		ends := c.Outermost(0, side, 0.05)
		c.Loads = append(c.Loads, flexible.Load{Points: ends, Each: geometry.Vec{sign * 1e-5 / float64(len(ends))}})
	}
}

// likeCell is a cell of the same membrane, or, where it is larger than largest, a round one of as dense a mesh.
func likeCell(like *flexible.Cell, extent, largest float64, at geometry.Vec) (*flexible.Cell, error) {
	share := largest / extent
	switch {
	case like.Ring != nil && share < 1:
		outline, err := geometry.NewCircle(geometry.Vec{}, largest)
		if err != nil {
			return nil, err
		}
		points := outline.Outline(max(ring.MinVertices, int(float64(like.Ring.Vertices())*share)))
		r, err := ring.New(points[:len(points)-1], like.Ring.Material())
		if err != nil {
			return nil, err
		}
		return flexible.NewRing("trial", r, at, geometry.Identity())
	case like.Ring != nil:
		return flexible.NewRing("trial", like.Ring, at, geometry.Identity())
	case share < 1:
		mesh, err := elastic.NewSphere(elastic.Frequency(int(float64(like.Membrane.Mesh().Vertices())*share*share)), geometry.Vec{}, largest)
		if err != nil {
			return nil, err
		}
		m, err := elastic.NewMembrane(mesh, like.Membrane.Material())
		if err != nil {
			return nil, err
		}
		return flexible.NewCell("trial", m, at, geometry.Identity())
	}
	return flexible.NewCell("trial", like.Membrane, at, geometry.Identity())
}

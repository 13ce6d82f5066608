package check

import (
	"math"

	"lbmib/geometry"
	"lbmib/hybrid/flexible"
	"lbmib/ib/elastic"
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
	if each := try(p, most.Membrane, kernel); each > 0 {
		return each
	}
	return 0
}

// trialCell steps a cell of a membrane, or of a smaller round one where it is large, in a box of its
// own and returns the seconds per vertex and step; NaN where it cannot. Cells of one membrane are
// worked on eight at a time, so that many take less.
func trialCell[T lbm.Float](p *setup.Problem, m *elastic.Membrane, kernel setup.Kernel) float64 {
	extent := 0. // of the mesh, in nodes
	for v := range m.Mesh().Vertices() {
		extent = math.Max(extent, 2*m.Mesh().Point(v).Norm())
	}
	if largest := math.Cbrt(trialNodes) - 2*trialMargin - 2; extent > largest {
		mesh, err := elastic.NewSphere(elastic.Frequency(int(float64(m.Mesh().Vertices())*largest*largest/(extent*extent))), geometry.Vec{}, largest)
		if err == nil {
			m, err = elastic.NewMembrane(mesh, m.Material())
		}
		if err != nil {
			return math.NaN()
		}
		extent = largest
	}
	n := int(math.Ceil(extent)) + 2*trialMargin
	middle := float64(n-1) / 2
	cell, err := flexible.NewCell("trial", m, geometry.Vec{middle, middle, middle}, geometry.Identity())
	if err != nil {
		return math.NaN()
	}
	cfg := p.Coupling
	cfg.Cells = []*flexible.Cell{cell}
	return timed[T](p, cfg, nil, [3]int{n, n, n}, kernel) / float64(len(cell.Points()))
}

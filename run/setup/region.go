package setup

import (
	"math"

	"lbmib/lbm"
)

// Region is a part of the domain whose fields are written: the nodes from lo on,
// or, for a plane between two layers of nodes, what lies between them.
type Region struct {
	Lo, Size [3]int
	Across   int     // axis of a plane between layers lo and lo + 1
	Beyond   float64 // how far behind layer lo it lies, in nodes; 0: on it, or no plane
}

// Whole is the domain.
func (p *Problem) Whole() Region { return Region{Size: p.Flow.Size} }

// PlaneAt is the plane across an axis at a place in L, which must be in the domain.
// Half a node within its faces it is that of the outermost nodes.
func (p *Problem) PlaneAt(axis int, at float64) Region {
	const close = 1e-6 // nodes; what rounding leaves of a place on a layer
	var x [3]float64
	x[axis] = at
	g, last := p.Whole(), float64(p.Flow.Size[axis]-1)
	place := math.Min(math.Max(p.Node(x)[axis], 0), last)
	below := math.Min(math.Floor(place+close), last)
	g.Lo[axis], g.Size[axis], g.Across = int(below), 1, axis
	if place-below > close {
		g.Beyond = place - below
	}
	return g
}

// Box are the nodes within a box in L, at least one along every axis.
func (p *Problem) Box(lo, hi [3]float64) Region {
	g := p.Whole()
	from, to := p.Node(lo), p.Node(hi)
	for a := range p.Flow.Lattice.Dim {
		const slack = 1e-6 // a node on the box's face is in it
		first := min(max(int(math.Ceil(from[a]-slack)), 0), p.Flow.Size[a]-1)
		last := min(max(int(math.Floor(to[a]+slack)), first), p.Flow.Size[a]-1)
		g.Lo[a], g.Size[a] = first, last-first+1
	}
	return g
}

func (g *Region) Nodes() int { return g.Size[0] * g.Size[1] * g.Size[2] }

// Layers is the region with both layers around a plane.
func (g *Region) Layers() Region {
	out := *g
	if g.Beyond > 0 {
		out.Size[g.Across] = 2
	}
	return out
}

// Origin is the place of the region's first point, in L.
func (p *Problem) Origin(g *Region) [3]float64 {
	var n [3]float64
	for a := range n {
		n[a] = float64(g.Lo[a])
	}
	n[g.Across] += g.Beyond
	return p.Place(n)
}

// Surrounded is a region as a flow of its own, with one more layer of nodes on
// each side where the domain goes on, so that derivatives are those of the domain;
// and where it begins.
func (p *Problem) Surrounded(g Region) (flow lbm.Config, lo [3]int) {
	flow, lo = p.Flow, g.Lo
	flow.Size, flow.Solid = g.Size, nil
	for a := range p.Flow.Lattice.Dim {
		n := p.Flow.Size[a]
		if g.Size[a] == n {
			continue
		}
		periodic := p.Flow.Periodic(a)
		flow.Faces[2*a].Kind, flow.Faces[2*a+1].Kind = lbm.NoSlip, lbm.NoSlip // any that does not wrap
		if g.Lo[a] > 0 || periodic {
			lo[a]--
			flow.Size[a]++
		}
		if g.Lo[a]+g.Size[a] < n || periodic {
			flow.Size[a]++
		}
	}
	return flow, lo
}

package run

import (
	"math"

	"lbmib/lbm"
)

// region is a part of the domain whose fields are written: the nodes from lo on,
// or, for a plane between two layers of nodes, what lies between them.
type region struct {
	lo, size [3]int
	across   int     // axis of a plane between layers lo and lo + 1
	beyond   float64 // how far behind layer lo it lies, in nodes; 0: on it, or no plane
}

// whole is the domain.
func (p *problem) whole() region { return region{size: p.flow.Size} }

// plane is the plane across an axis at a place in L, which must be in the domain.
// Half a node within its faces it is that of the outermost nodes.
func (p *problem) planeAt(axis int, at float64) region {
	const close = 1e-6 // nodes; what rounding leaves of a place on a layer
	var x [3]float64
	x[axis] = at
	g, last := p.whole(), float64(p.flow.Size[axis]-1)
	place := math.Min(math.Max(p.node(x)[axis], 0), last)
	below := math.Min(math.Floor(place+close), last)
	g.lo[axis], g.size[axis], g.across = int(below), 1, axis
	if place-below > close {
		g.beyond = place - below
	}
	return g
}

// box are the nodes within a box in L, at least one along every axis.
func (p *problem) box(lo, hi [3]float64) region {
	g := p.whole()
	from, to := p.node(lo), p.node(hi)
	for a := range p.flow.Lattice.Dim {
		const slack = 1e-6 // a node on the box's face is in it
		first := min(max(int(math.Ceil(from[a]-slack)), 0), p.flow.Size[a]-1)
		last := min(max(int(math.Floor(to[a]+slack)), first), p.flow.Size[a]-1)
		g.lo[a], g.size[a] = first, last-first+1
	}
	return g
}

func (g *region) nodes() int { return g.size[0] * g.size[1] * g.size[2] }

// layers is the region with both layers around a plane.
func (g *region) layers() region {
	out := *g
	if g.beyond > 0 {
		out.size[g.across] = 2
	}
	return out
}

// origin is the place of the region's first point, in L.
func (p *problem) origin(g *region) [3]float64 {
	var n [3]float64
	for a := range n {
		n[a] = float64(g.lo[a])
	}
	n[g.across] += g.beyond
	return p.place(n)
}

// surrounded is a region as a flow of its own, with one more layer of nodes on
// each side where the domain goes on, so that derivatives are those of the domain;
// and where it begins.
func (p *problem) surrounded(g region) (flow lbm.Config, lo [3]int) {
	flow, lo = p.flow, g.lo
	flow.Size, flow.Solid = g.size, nil
	for a := range p.flow.Lattice.Dim {
		n := p.flow.Size[a]
		if g.size[a] == n {
			continue
		}
		periodic := p.flow.Periodic(a)
		flow.Faces[2*a].Kind, flow.Faces[2*a+1].Kind = lbm.NoSlip, lbm.NoSlip // any that does not wrap
		if g.lo[a] > 0 || periodic {
			lo[a]--
			flow.Size[a]++
		}
		if g.lo[a]+g.size[a] < n || periodic {
			flow.Size[a]++
		}
	}
	return flow, lo
}

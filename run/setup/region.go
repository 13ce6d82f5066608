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
func (g *Grid) Whole() Region { return Region{Size: g.Flow.Size} }

// PlaneAt is the plane across an axis at a place in L, which must be in the domain.
// Half a node within its faces it is that of the outermost nodes.
func (g *Grid) PlaneAt(axis int, at float64) Region {
	const close = 1e-6 // nodes; what rounding leaves of a place on a layer
	var x [3]float64
	x[axis] = at
	r, last := g.Whole(), float64(g.Flow.Size[axis]-1)
	place := math.Min(math.Max(g.Node(x)[axis], 0), last)
	below := math.Min(math.Floor(place+close), last)
	r.Lo[axis], r.Size[axis], r.Across = int(below), 1, axis
	if place-below > close {
		r.Beyond = place - below
	}
	return r
}

// Box are the nodes within a box in L, at least one along every axis.
func (g *Grid) Box(lo, hi [3]float64) Region {
	r := g.Whole()
	from, to := g.Node(lo), g.Node(hi)
	for a := range g.Flow.Lattice.Dim {
		const slack = 1e-6 // a node on the box's face is in it
		first := min(max(int(math.Ceil(from[a]-slack)), 0), g.Flow.Size[a]-1)
		last := min(max(int(math.Floor(to[a]+slack)), first), g.Flow.Size[a]-1)
		r.Lo[a], r.Size[a] = first, last-first+1
	}
	return r
}

func (r *Region) Nodes() int { return r.Size[0] * r.Size[1] * r.Size[2] }

// Layers is the region with both layers around a plane.
func (r *Region) Layers() Region {
	out := *r
	if r.Beyond > 0 {
		out.Size[r.Across] = 2
	}
	return out
}

// Origin is the place of the region's first point, in L.
func (g *Grid) Origin(r *Region) [3]float64 {
	var n [3]float64
	for a := range n {
		n[a] = float64(r.Lo[a])
	}
	n[r.Across] += r.Beyond
	return g.Place(n)
}

// Surrounded is a region as a flow of its own, with one more layer of nodes on
// each side where the domain goes on, so that derivatives are those of the domain;
// and where it begins.
func (g *Grid) Surrounded(r Region) (flow lbm.Config, lo [3]int) {
	flow, lo = g.Flow, r.Lo
	flow.Size, flow.Solid, flow.Inside, flow.Cuts, flow.Ports = r.Size, nil, nil, nil, nil
	for a := range g.Flow.Lattice.Dim {
		n := g.Flow.Size[a]
		if r.Size[a] == n {
			continue
		}
		periodic := g.Flow.Periodic(a)
		flow.Faces[2*a].Kind, flow.Faces[2*a+1].Kind = lbm.NoSlip, lbm.NoSlip // any that does not wrap
		if r.Lo[a] > 0 || periodic {
			lo[a]--
			flow.Size[a]++
		}
		if r.Lo[a]+r.Size[a] < n || periodic {
			flow.Size[a]++
		}
	}
	return flow, lo
}

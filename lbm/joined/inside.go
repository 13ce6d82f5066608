package joined

import (
	"slices"

	"lbmib/internal/xruns"
	"lbmib/lbm"
)

// The fluid in a vessel is given by the runs of its nodes (lbm.Config.Inside), or by a mask of the box, and surfaces may cut its links. Parts
// have what lies in their boxes and in the ghosts around: runs, if the flow is given by them, and the cuts of their own nodes. Then nothing is as
// large as a box.

// numberFluid finds the nodes of fluid and the cuts of parts.
func (lay *layout) numberFluid() {
	flow, parts := &lay.flows[0], lay.boxes[0]
	var at xruns.Cursor
	if flow.Inside != nil {
		for _, g := range parts {
			lo, hi := g.outer()
			g.inside = flow.Inside.Part(lo, hi, g.periodic)
		}
		at = flow.Inside.Cursor()
	}
	var in *grid
	for _, c := range flow.Cuts {
		var p [3]int
		if flow.Inside != nil {
			p = at.Position(int64(c.Node))
		} else {
			p = flow.Position(int(c.Node))
		}
		if in == nil || !in.contains(p) {
			in = parts[slices.IndexFunc(parts, func(g *grid) bool { return g.contains(p) })]
		}
		c.Node = in.nodeAt(p)
		in.cuts = append(in.cuts, c)
	}
}

// stretch is n nodes that follow each other in a part, from its node local on, and in the flow, from node global on.
type stretch struct{ local, global, n int }

// stretches are the nodes of fluid of a part, with its ghosts or without, of a flow that is given by its runs.
func (lay *layout) stretches(g *grid, ghosts bool) (all []stretch) {
	lo, hi := g.outer()
	set := lay.cfg.Inside
	g.inside.Each(func(k, y, z int, r xruns.Run) {
		from, end := int(r.X0)+lo[0], int(r.X1)+lo[0]
		p := [3]int{from, y + lo[1], z + lo[2]}
		if !ghosts {
			from, end = max(from, lo[0]+g.ghosts[0]), min(end, hi[0]-g.ghosts[1])
			if p[0] = from; from >= end || g.isGhost(p) {
				return
			}
		}
		for n := 0; from < end; from += n {
			p[0] = from
			q := g.wrapped(p)
			run := set.Run(q[0], q[1], q[2])
			n = min(end-from, int(set.Runs()[run].X1)-q[0])
			all = append(all, stretch{
				local:  int(g.inside.Before(k)) + from - lo[0] - int(r.X0),
				global: int(set.Before(run)) + q[0] - int(set.Runs()[run].X0), n: n,
			})
		}
	})
	return all
}

// populationInside is Population of a flow that is given by its runs.
func (f *Fluid[T]) populationInside(i int, dst []T) {
	for _, p := range f.levels[0] {
		all := make([]T, p.inside.Nodes())
		p.fluid.Population(i, all)
		for _, s := range f.stretches(p.grid, false) {
			copy(dst[s.global:s.global+s.n], all[s.local:])
		}
	}
}

// insideOf are the populations of a part among those of all nodes of such a flow.
func (f *Fluid[T]) insideOf(p *part[T], all [][]T) (own [][]T) {
	stretches := f.stretches(p.grid, true)
	for _, from := range all {
		to := make([]T, p.inside.Nodes())
		for _, s := range stretches {
			copy(to[s.local:s.local+s.n], from[s.global:])
		}
		own = append(own, to)
	}
	return own
}

// fielded is a fluid that tells density and velocity of all nodes of lbm.Config.Inside.
type fielded[T lbm.Float] interface {
	Fields(rho []T, u [][]T)
}

// Fields reads density and velocity of all nodes of a flow that is given by its runs, in the order of their numbers. Either destination may be nil.
func (f *Fluid[T]) Fields(rho []T, u [][]T) {
	for _, p := range f.levels[0] {
		own, v := f.fieldsOf(p, rho != nil, u != nil)
		for _, s := range f.stretches(p.grid, false) {
			if rho != nil {
				copy(rho[s.global:s.global+s.n], own[s.local:])
			}
			for a := range u {
				copy(u[a][s.global:s.global+s.n], v[a][s.local:])
			}
		}
	}
}

// fieldsOf are those of a part, with its ghosts; nil: not asked for.
func (f *Fluid[T]) fieldsOf(p *part[T], density, velocity bool) (rho []T, u [][]T) {
	n := int(p.inside.Nodes())
	if density {
		rho = make([]T, n)
	}
	if velocity {
		u = listOf[T](f.cfg.Lattice.Dim, n)
	}
	p.fluid.(fielded[T]).Fields(rho, u)
	return rho, u
}

// Fields asks for those of the part.
func (r *remote[T]) Fields(rho []T, u [][]T) {
	asks := func(is bool) int64 {
		if is {
			return 1
		}
		return 0
	}
	r.send(orderFields, r.k, asks(rho != nil), asks(u != nil))
	takeAll(r.wire, append([][]T{rho}, u...))
}

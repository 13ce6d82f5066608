package main

import "unsafe"

// surface is of triangles: N and 1/|N|, a third of the area to each corner, sums of |N| and of (x−o)·N.
var surface = kernel{
	name: "surface",
	doc: "stores N and 1/|N| of triangles in Facet, adds a third of their areas to the first number of\n" +
		"their corners in Vertex, twice the area to Area and six times the volume to Volume.",
	pointers: []pointer{{unsafe.Offsetof(block.Triangle), gpTable}, {unsafe.Offsetof(block.X), gpX},
		{unsafe.Offsetof(block.Facet), gpFacet}, {unsafe.Offsetof(block.Vertex), gpVertex}},
	indices: corners,
	steps:   []step{{gpTable, unsafe.Sizeof(triangle)}, {gpFacet, facet}},
	body: func(p *program) {
		first := p.components(indexed(gpX, gpCorner[0], 0))
		e1 := p.minus(p.components(indexed(gpX, gpCorner[1], 0)), first)
		e2 := p.minus(p.components(indexed(gpX, gpCorner[2], 0)), first)
		n := p.cross(e1, e2)
		twice := p.sqrt(p.dot(n, n))
		for a := range n {
			p.store(n[a], at(gpFacet, a))
		}
		p.store(p.div(p.constant("one"), twice), at(gpFacet, 3))
		third := p.mul(twice, p.constant("sixth"))
		for _, o := range gpCorner {
			p.accumulate(third, indexed(gpVertex, o, 0))
		}
		p.accumulate(twice, field(unsafe.Offsetof(block.Area)))
		six := p.uniform(unsafe.Offsetof(block.Volume))
		from := p.minus(first, p.components(at(gpX, 0)))
		for a := range n {
			six = p.fma(from[a], n[a], six)
		}
		p.store(six, field(unsafe.Offsetof(block.Volume)))
	},
}

// corners are where the numbers of a triangle's corners begin.
var corners = []index{
	{unsafe.Offsetof(triangle.Corner), gpCorner[0]},
	{unsafe.Offsetof(triangle.Corner) + 4, gpCorner[1]},
	{unsafe.Offsetof(triangle.Corner) + 8, gpCorner[2]},
}

// sides are where those of its edges begin.
var sides = []index{
	{unsafe.Offsetof(triangle.Side), gpSide[0]},
	{unsafe.Offsetof(triangle.Side) + 4, gpSide[1]},
	{unsafe.Offsetof(triangle.Side) + 8, gpSide[2]},
}

const (
	offsetUsed  = unsafe.Offsetof(block.Used)
	offsetCount = unsafe.Offsetof(block.Count)
)

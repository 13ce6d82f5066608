package main

import "unsafe"

var (
	hingePointers = []pointer{{unsafe.Offsetof(block.Hinge), gpTable}, {unsafe.Offsetof(block.X), gpX},
		{unsafe.Offsetof(block.Facet), gpFacet}, {unsafe.Offsetof(block.Vertex), gpVertex}, {unsafe.Offsetof(block.Edge), gpEdge}}
	hingeEnds = []index{{unsafe.Offsetof(hinge.A), gpEnds[0]}, {unsafe.Offsetof(hinge.B), gpEnds[1]},
		{unsafe.Offsetof(hinge.Left), gpEnds[2]}, {unsafe.Offsetof(hinge.Right), gpEnds[3]}}
	hingeSteps = []step{{gpTable, unsafe.Sizeof(hinge)}, {gpEdge, row}}
)

// turn is l sin θ and cos θ of the angle θ between the normals of an edge's triangles, l² and l of the edge.
func turn(p *program) (sin, cos, square, length *value) {
	e := p.minus(p.components(indexed(gpX, gpEnds[1], 0)), p.components(indexed(gpX, gpEnds[0], 0)))
	square = p.dot(e, e)
	length = p.sqrt(square)
	left, right := p.components(indexed(gpFacet, gpEnds[2], 0)), p.components(indexed(gpFacet, gpEnds[3], 0))
	unit := p.mul(p.lanes(indexed(gpFacet, gpEnds[2], 3)), p.lanes(indexed(gpFacet, gpEnds[3], 3)))
	sin = p.mul(p.dot(e, p.cross(left, right)), unit)
	cos = p.mul(p.dot(left, right), unit)
	return sin, cos, square, length
}

// angle is θ, −π to π, as hinge.go tells, from l sin θ, cos θ and l, and 1/l by the same division;
// signs do for its conditions.
func angle(p *program, sin, cos, length *value) (theta, inverse *value) {
	c := p.constant
	s, k := p.and(sin, c("magnitude")), p.mul(p.and(cos, c("magnitude")), length)
	steep := p.and(p.sub(k, s), c("sign")) // of angles whose sine is the larger: −0, else 0
	sum := p.add(p.max(s, k), length)
	over := p.div(c("one"), p.mul(sum, length))
	inverse = p.mul(over, sum)
	tan := p.mul(p.mul(p.min(s, k), length), over)
	u := p.mul(tan, tan)
	low, middle := p.fma(u, c("arctan1"), c("arctan0")), p.fma(u, c("arctan3"), c("arctan2"))
	high, higher := p.fma(u, c("arctan5"), c("arctan4")), p.fma(u, c("arctan7"), c("arctan6"))
	top := p.fma(u, c("arctan9"), c("arctan8"))
	u2 := p.mul(u, u)
	low, high = p.fma(u2, middle, low), p.fma(u2, higher, high)
	u4 := p.mul(u2, u2)
	half := p.fma(p.mul(tan, u), p.fma(u4, p.fma(u4, top, high), low), tan)
	theta = p.reflect(p.add(half, half), steep, "eighthTurn")
	theta = p.reflect(theta, p.and(cos, c("sign")), "quarterTurn")
	return p.xor(theta, p.and(sin, c("sign"))), inverse
}

// reflect is x where sign is 0, and 2 by − x where it is −0: by − (−by) = 2 by, exactly.
func (p *program) reflect(x, sign *value, by string) *value {
	b := p.constant(by)
	return p.add(p.xor(x, sign), p.sub(b, p.xor(sign, b)))
}

// juelicherEdges is as juelicher.edges.
var juelicherEdges = kernel{
	name:     "juelicherEdges",
	doc:      "stores θ/(2l) of hinges in Edge and adds l θ to the second number of their ends in Vertex.",
	pointers: hingePointers,
	indices:  hingeEnds,
	steps:    hingeSteps,
	body: func(p *program) {
		sin, cos, square, length := turn(p)
		theta, inverse := angle(p, sin, cos, length)
		over := p.mul(theta, inverse)
		p.store(p.mul(over, p.constant("half")), at(gpEdge, 0))
		moment := p.mul(over, square)
		p.accumulate(moment, indexed(gpVertex, gpEnds[0], 1))
		p.accumulate(moment, indexed(gpVertex, gpEnds[1], 1))
	},
}

// juelicherVertices is the second half of juelicher.prepare.
var juelicherVertices = kernel{
	name:     "juelicherVertices",
	doc:      "replaces the area of vertices and their sum of l θ by α/3 and c.",
	pointers: []pointer{{unsafe.Offsetof(block.H0), gpTable}, {unsafe.Offsetof(block.Vertex), gpVertex}},
	steps:    []step{{gpTable, element}, {gpVertex, 3 * row}},
	body: func(p *program) {
		h := p.mul(p.constant("quarter"), p.div(p.lanes(at(gpVertex, 1)), p.lanes(at(gpVertex, 0))))
		h0 := p.scalar(number(0))
		c := p.mul(p.sub(h, h0), p.uniform(unsafe.Offsetof(block.Bending)))
		p.store(c, at(gpVertex, 1))
		p.store(p.mul(p.mul(c, p.constant("minusTwoThirds")), p.add(h, h0)), at(gpVertex, 0))
	},
}

// dihedralEdges is as dihedral.prepare.
var dihedralEdges = kernel{
	name:     "dihedralEdges",
	doc:      "stores k sin(θ − θ0)/l of hinges in Edge.",
	pointers: hingePointers,
	indices:  hingeEnds,
	steps:    hingeSteps,
	body: func(p *program) {
		sin, cos, square, length := turn(p)
		rest := p.mul(p.mul(cos, length), p.scalar(number(unsafe.Offsetof(hinge.Sin))))
		difference := p.fms(sin, p.scalar(number(unsafe.Offsetof(hinge.Cos))), rest)
		p.store(p.div(p.mul(difference, p.uniform(unsafe.Offsetof(block.Bending))), square), at(gpEdge, 0))
	},
}

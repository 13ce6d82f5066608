package main

import "unsafe"

// Kernels of what acts along a membrane; package elastic, along.go.

// normals is of triangles, whose N is known.
var normals = kernel{
	name:     "normals",
	doc:      "adds N of triangles to F of their corners.",
	pointers: []pointer{{unsafe.Offsetof(block.Triangle), gpTable}, {unsafe.Offsetof(block.Facet), gpFacet}, {unsafe.Offsetof(block.F), gpF}},
	indices:  corners,
	steps:    []step{{gpTable, unsafe.Sizeof(triangle)}, {gpFacet, facet}},
	body: func(p *program) {
		n := p.components(at(gpFacet, 0))
		for _, o := range gpCorner {
			for a := range n {
				p.accumulate(n[a], indexed(gpF, o, a))
			}
		}
	},
}

// tractions is of vertices.
var tractions = kernel{
	name: "tractions",
	doc: "makes F, sums of N, unit normals n, puts what they were as long in Vertex, after the area there, and stores in U the part\n" +
		"of forces X across n over that area.",
	pointers: []pointer{{unsafe.Offsetof(block.X), gpX}, {unsafe.Offsetof(block.U), gpU}, {unsafe.Offsetof(block.F), gpF},
		{unsafe.Offsetof(block.Vertex), gpVertex}},
	steps: []step{{gpX, 3 * row}, {gpU, 3 * row}, {gpF, 3 * row}, {gpVertex, 3 * row}},
	body: func(p *program) {
		n := p.components(at(gpF, 0))
		length := p.sqrt(p.dot(n, n))
		p.store(length, at(gpVertex, 1))
		inverse := p.div(p.constant("one"), length)
		for a := range n {
			n[a] = p.mul(n[a], inverse)
			p.store(n[a], at(gpF, a))
		}
		share := p.div(p.constant("one"), p.lanes(at(gpVertex, 0)))
		f := p.across(p.components(at(gpX, 0)), n)
		for a := range f {
			p.store(p.mul(f[a], share), at(gpU, a))
		}
	},
}

// means is of fans.
var means = kernel{
	name:     "means",
	doc:      "stores in F of the vertex of fans the mean of U over its neighbours.",
	pointers: []pointer{{unsafe.Offsetof(block.Fan), gpTable}, {unsafe.Offsetof(block.U), gpU}, {unsafe.Offsetof(block.F), gpF}},
	indices:  placesOfFan(),
	steps:    []step{{gpTable, unsafe.Sizeof(fan)}},
	body: func(p *program) {
		share := p.scalar(number(unsafe.Offsetof(fan.Share)))
		for a := range 3 {
			sum := p.lanes(indexed(gpU, gpAround[0], a))
			for _, k := range gpAround[1:] {
				sum = p.add(sum, p.lanes(indexed(gpU, k, a)))
			}
			p.store(p.fma(sum, share, p.lanes(indexed(gpF, gpFan[1], a))), indexed(gpF, gpFan[0], a))
		}
	},
}

func placesOfFan() []index {
	all := []index{{unsafe.Offsetof(fan.Of), gpFan[0]}, {unsafe.Offsetof(fan.Onto), gpFan[1]}}
	for k, in := range gpAround {
		all = append(all, index{unsafe.Offsetof(fan.Around) + uintptr(k)*unsafe.Sizeof(fan.Around[0]), in})
	}
	return all
}

// acrossNormals is of vertices.
var acrossNormals = kernel{
	name:     "acrossNormals",
	doc:      "stores in X the part of U across F.",
	pointers: []pointer{{unsafe.Offsetof(block.X), gpX}, {unsafe.Offsetof(block.U), gpU}, {unsafe.Offsetof(block.F), gpF}},
	steps:    []step{{gpX, 3 * row}, {gpU, 3 * row}, {gpF, 3 * row}},
	body: func(p *program) {
		t := p.across(p.components(at(gpU, 0)), p.components(at(gpF, 0)))
		for a := range t {
			p.store(t[a], at(gpX, a))
		}
	},
}

// slides is of vertices, whose velocities are in X.
var slides = kernel{
	name: "slides",
	doc: "adds Slip times U to X, and to Flux and Growth what X along F, times the last of Vertex, and that alone\n" +
		"come to.",
	pointers: []pointer{{unsafe.Offsetof(block.X), gpX}, {unsafe.Offsetof(block.U), gpU}, {unsafe.Offsetof(block.F), gpF},
		{unsafe.Offsetof(block.Vertex), gpVertex}},
	steps: []step{{gpX, 3 * row}, {gpU, 3 * row}, {gpF, 3 * row}, {gpVertex, 3 * row}},
	body: func(p *program) {
		u, t, slip := p.components(at(gpX, 0)), p.components(at(gpU, 0)), p.uniform(unsafe.Offsetof(block.Slip))
		for a := range u {
			u[a] = p.fma(slip, t[a], u[a])
			p.store(u[a], at(gpX, a))
		}
		growth := p.lanes(at(gpVertex, 1))
		flux := p.fma(growth, p.dot(p.components(at(gpF, 0)), u), p.uniform(unsafe.Offsetof(block.Flux)))
		p.store(flux, field(unsafe.Offsetof(block.Flux)))
		p.accumulate(growth, field(unsafe.Offsetof(block.Growth)))
	},
}

// encloses is of vertices.
var encloses = kernel{
	name:     "encloses",
	doc:      "takes Flux times F from X.",
	pointers: []pointer{{unsafe.Offsetof(block.X), gpX}, {unsafe.Offsetof(block.F), gpF}},
	steps:    []step{{gpX, 3 * row}, {gpF, 3 * row}},
	body: func(p *program) {
		u, n, flux := p.components(at(gpX, 0)), p.components(at(gpF, 0)), p.uniform(unsafe.Offsetof(block.Flux))
		for a := range u {
			p.store(p.fnma(flux, n[a], u[a]), at(gpX, a))
		}
	},
}

// across is the part of a across n.
func (p *program) across(a, n vector) (b vector) {
	along := p.dot(a, n)
	for k := range a {
		b[k] = p.fnma(along, n[k], a[k])
	}
	return b
}

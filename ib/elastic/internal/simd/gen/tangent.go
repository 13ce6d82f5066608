package main

import (
	"unsafe"

	"github.com/mmcloughlin/avo/reg"

	"lbmib/ib/elastic/internal/simd/layout"
)

// stiffness is of triangles; package elastic, tangent.go.
var stiffness = kernel{
	name: "stiffness",
	doc: "adds to F what the convex part of the stiffness, of which Tangent and Triangle have the numbers, makes of the\n" +
		"displacements U of vertices at X.",
	pointers: []pointer{{unsafe.Offsetof(block.Triangle), gpTable}, {unsafe.Offsetof(block.X), gpX}, {unsafe.Offsetof(block.U), gpU},
		{unsafe.Offsetof(block.F), gpF}, {unsafe.Offsetof(block.Tangent), gpFacet}},
	indices: corners,
	steps:   []step{{gpTable, unsafe.Sizeof(triangle)}, {gpFacet, element * layout.TangentLen}},
	body: func(p *program) {
		sides := func(of reg.GPPhysical) (a, b vector) {
			first := p.components(indexed(of, gpCorner[0], 0))
			return p.minus(p.components(indexed(of, gpCorner[1], 0)), first), p.minus(p.components(indexed(of, gpCorner[2], 0)), first)
		}
		e1, e2 := sides(gpX)
		d1, d2 := sides(gpU)
		g11, g12, g22 := p.dot(e1, e1), p.dot(e1, e2), p.dot(e2, e2)
		h11, h12, h22 := p.dot(e1, d1), p.add(p.dot(e1, d2), p.dot(e2, d1)), p.dot(e2, d2) // ½, 1, ½ of dg
		h11, h22 = p.add(h11, h11), p.add(h22, h22)
		a11, a12, a22 := p.scalar(number(unsafe.Offsetof(triangle.A11))), p.scalar(number(unsafe.Offsetof(triangle.A12))), p.scalar(number(unsafe.Offsetof(triangle.A22)))
		two := p.constant("two")
		first := p.fma(a11, h11, p.fma(a22, h22, p.mul(two, p.mul(a12, h12)))) // dI1
		first = p.mul(first, p.mul(p.scalar(number(unsafe.Offsetof(triangle.Twice))), p.uniform(unsafe.Offsetof(block.Law)+row)))
		second := p.fnma(two, p.mul(g12, h12), p.fma(g22, h11, p.mul(g11, h22))) // adj g:dg
		second = p.mul(second, p.lanes(at(gpFacet, 0)))
		q := p.lanes(at(gpFacet, 1))
		t11 := p.fma(first, a11, p.fma(second, g22, p.mul(q, h22)))
		t12 := p.fms(first, a12, p.fma(second, g12, p.mul(q, h12)))
		t22 := p.fma(first, a22, p.fma(second, g11, p.mul(q, h11)))
		s11, s12, s22 := p.lanes(at(gpFacet, 2)), p.lanes(at(gpFacet, 3)), p.lanes(at(gpFacet, 4))
		for a := range e1 {
			b := p.fma(t11, e1[a], p.fma(t12, e2[a], p.fma(s11, d1[a], p.mul(s12, d2[a]))))
			c := p.fma(t12, e1[a], p.fma(t22, e2[a], p.fma(s12, d1[a], p.mul(s22, d2[a]))))
			p.accumulate(b, indexed(gpF, gpCorner[1], a))
			p.accumulate(c, indexed(gpF, gpCorner[2], a))
			to := indexed(gpF, gpCorner[0], a)
			p.store(p.sub(p.lanes(to), p.add(b, c)), to)
		}
	},
}

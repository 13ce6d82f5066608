package main

import "unsafe"

// wedge is a triangle with its cotangents, as in cotangent.go.
type wedge struct {
	*program
	e1, e2, e   vector // e is e1 − e2
	g11, g22, g *value // squares of e1, e2, e
	g12         *value
	over        *value // 1/|N|
	cot         vector
}

func newWedge(p *program) *wedge {
	w := &wedge{program: p}
	first := p.components(indexed(gpX, gpCorner[0], 0))
	w.e1 = p.minus(p.components(indexed(gpX, gpCorner[1], 0)), first)
	w.e2 = p.minus(p.components(indexed(gpX, gpCorner[2], 0)), first)
	w.e = p.minus(w.e1, w.e2)
	w.g11, w.g12, w.g22, w.g = p.dot(w.e1, w.e1), p.dot(w.e1, w.e2), p.dot(w.e2, w.e2), p.dot(w.e, w.e)
	w.over = p.lanes(at(gpFacet, 3))
	w.cot = vector{p.mul(w.g12, w.over), p.mul(p.sub(w.g11, w.g12), w.over), p.mul(p.sub(w.g22, w.g12), w.over)}
	return w
}

func cotangent(name, doc string, body func(p *program), more ...pointer) kernel {
	return kernel{
		name: name, doc: doc, body: body, indices: corners,
		pointers: append([]pointer{{unsafe.Offsetof(block.Triangle), gpTable}, {unsafe.Offsetof(block.X), gpX}, {unsafe.Offsetof(block.Facet), gpFacet},
			{unsafe.Offsetof(block.Vertex), gpVertex}, {unsafe.Offsetof(block.Own), gpOwn}}, more...),
		steps: []step{{gpTable, unsafe.Sizeof(triangle)}, {gpFacet, facet}},
	}
}

// cotangentCurvature is as cotangent.curvature.
var cotangentCurvature = cotangent("cotangentCurvature",
	"adds the K of triangles' corners to Own, and σ to the second number of Vertex.",
	func(p *program) {
		w := newWedge(p)
		half := p.constant("half")
		h := vector{p.mul(w.cot[0], half), p.mul(w.cot[1], half), p.mul(w.cot[2], half)}
		for a := range 3 {
			add := func(corner int, plus bool, f1, v1, f2, v2 *value) {
				m := indexed(gpOwn, gpCorner[corner], a)
				sum := p.fnma(f1, v1, p.lanes(m))
				if plus {
					p.store(p.fma(f2, v2, sum), m)
				} else {
					p.store(p.fnma(f2, v2, sum), m)
				}
			}
			add(0, false, h[1], w.e2[a], h[2], w.e1[a])
			m := indexed(gpOwn, gpCorner[1], a)
			p.store(p.fma(h[0], w.e[a], p.fma(h[2], w.e1[a], p.lanes(m))), m)
			add(2, true, h[0], w.e[a], h[1], w.e2[a])
		}
		eighth := p.constant("eighth")
		r0, r1, r2 := p.mul(p.mul(w.cot[0], w.g), eighth), p.mul(p.mul(w.cot[1], w.g22), eighth), p.mul(p.mul(w.cot[2], w.g11), eighth)
		p.accumulate(p.add(r1, r2), indexed(gpVertex, gpCorner[0], 1))
		p.accumulate(p.add(r0, r2), indexed(gpVertex, gpCorner[1], 1))
		p.accumulate(p.add(r0, r1), indexed(gpVertex, gpCorner[2], 1))
	})

// cotangentVertices is the middle of cotangent.prepare.
var cotangentVertices = kernel{
	name:     "cotangentVertices",
	doc:      "replaces K and σ of vertices by p and q.",
	pointers: []pointer{{unsafe.Offsetof(block.Vertex), gpVertex}, {unsafe.Offsetof(block.Own), gpOwn}},
	steps:    []step{{gpVertex, 3 * row}, {gpOwn, 3 * row}},
	body: func(p *program) {
		k := p.components(at(gpOwn, 0))
		over := p.div(p.constant("one"), p.lanes(at(gpVertex, 1)))
		factor := p.mul(over, p.uniform(unsafe.Offsetof(block.Bending)))
		minus := p.mul(p.mul(p.mul(factor, over), p.constant("half")), p.dot(k, k))
		p.store(p.xor(minus, p.constant("sign")), at(gpVertex, 1))
		for a := range k {
			p.store(p.mul(k[a], factor), at(gpOwn, a))
		}
	},
}

// cotangentForces is the end of cotangent.prepare.
var cotangentForces = cotangent("cotangentForces",
	"adds to F the forces of bending, from p and q of vertices.",
	func(p *program) {
		w := newWedge(p)
		half, eighth, two := p.constant("half"), p.constant("eighth"), p.constant("two")
		var q vector
		for i, o := range gpCorner {
			q[i] = p.mul(p.lanes(indexed(gpVertex, o, 1)), eighth)
		}
		q12, q02, q01 := p.add(q[1], q[2]), p.add(q[0], q[2]), p.add(q[0], q[1])
		a0, a1, a2 := p.mul(w.g, q12), p.mul(w.g22, q02), p.mul(w.g11, q01)
		differences := func(a int) (d12, d02, d01 *value) {
			k0, k1, k2 := p.lanes(indexed(gpOwn, gpCorner[0], a)), p.lanes(indexed(gpOwn, gpCorner[1], a)), p.lanes(indexed(gpOwn, gpCorner[2], a))
			return p.mul(p.sub(k1, k2), half), p.mul(p.sub(k0, k2), half), p.mul(p.sub(k0, k1), half)
		}
		for a := range 3 {
			d12, d02, d01 := differences(a)
			a0, a1, a2 = p.fma(d12, w.e[a], a0), p.fnma(d02, w.e2[a], a1), p.fnma(d01, w.e1[a], a2)
		}
		l0, l1, l2 := p.mul(w.cot[0], q12), p.mul(w.cot[1], q02), p.mul(w.cot[2], q01)
		all := p.fma(w.cot[2], a2, p.fma(w.cot[1], a1, p.mul(w.cot[0], a0)))
		all = p.mul(p.mul(all, w.over), w.over)
		s11 := p.fnma(all, w.g22, p.mul(p.fma(a1, w.over, p.add(l0, l2)), two))
		s22 := p.fnma(all, w.g11, p.mul(p.fma(a2, w.over, p.add(l0, l1)), two))
		s12 := p.fma(all, w.g12, p.fnma(l0, two, p.mul(p.sub(p.sub(a0, a1), a2), w.over)))
		for a := range 3 {
			d12, d02, d01 := differences(a)
			turned := p.mul(w.cot[0], d12)
			g1 := p.fnma(w.cot[2], d01, turned)
			g2 := p.fma(w.cot[1], d02, turned) // with its sign turned
			g1 = p.fma(s12, w.e2[a], p.fma(s11, w.e1[a], g1))
			g2 = p.fnma(s22, w.e2[a], p.fnma(s12, w.e1[a], g2))
			m1 := indexed(gpF, gpCorner[1], a)
			p.store(p.sub(p.lanes(m1), g1), m1)
			p.accumulate(g2, indexed(gpF, gpCorner[2], a))
			p.accumulate(p.sub(g1, g2), indexed(gpF, gpCorner[0], a))
		}
	}, pointer{unsafe.Offsetof(block.F), gpF})

package main

import "unsafe"

// bending is what a model leaves for the triangles to do.
type bending struct{ name, doc string }

var (
	noBending = bending{"", "of the law and the penalties"}
	juelicher = bending{"Juelicher", "of the law, the penalties and Jülicher's bending"}
	dihedral  = bending{"Dihedral", "of the law, the penalties and springs at the edges"}
)

// forces is of triangles: gather, the law, stress, add, viscous and scatter in one.
func forces(b bending, viscous bool) kernel {
	k := kernel{
		name: "forces" + b.name,
		doc:  "adds to F the forces " + b.doc,
		pointers: []pointer{{unsafe.Offsetof(block.Triangle), gpTable}, {unsafe.Offsetof(block.X), gpX}, {unsafe.Offsetof(block.F), gpF},
			{unsafe.Offsetof(block.Facet), gpFacet}},
		indices: append([]index(nil), corners...),
		steps:   []step{{gpTable, unsafe.Sizeof(triangle)}, {gpFacet, facet}},
	}
	if b != noBending {
		k.pointers = append(k.pointers, pointer{unsafe.Offsetof(block.Edge), gpEdge})
		k.indices = append(k.indices, sides...)
	}
	if b == juelicher {
		k.pointers = append(k.pointers, pointer{unsafe.Offsetof(block.Vertex), gpVertex})
	}
	if viscous {
		k.name += "Viscous"
		k.doc += ", less those of viscosity"
		k.pointers = append(k.pointers, pointer{unsafe.Offsetof(block.U), gpU})
	}
	k.doc += "."
	k.body = func(p *program) {
		t := newTriangleAt(p)
		t.strain()
		switch b {
		case juelicher:
			t.juelicher()
		case dihedral:
			t.springs()
		}
		if viscous {
			t.viscous()
		}
		t.stress()
		t.scatter()
	}
	return k
}

// triangleAt is the triangle at hand; fields as in elastic's chunk, nil where they are 0.
type triangleAt struct {
	*program
	e1, e2, n     vector
	inverse       *value // 1/|N|
	over          *value // its square
	g11, g12, g22 *value
	w1, w2        *value // 2 A0 ∂W/∂I1, 2 A0/det G ∂W/∂I2
	tension       *value
	s11, s12, s22 *value
	b1, b2        *value
}

func newTriangleAt(p *program) *triangleAt {
	t := &triangleAt{program: p}
	first := p.components(indexed(gpX, gpCorner[0], 0))
	t.e1 = p.minus(p.components(indexed(gpX, gpCorner[1], 0)), first)
	t.e2 = p.minus(p.components(indexed(gpX, gpCorner[2], 0)), first)
	t.n, t.inverse = p.components(at(gpFacet, 0)), p.lanes(at(gpFacet, 3))
	t.g11, t.g12, t.g22 = p.dot(t.e1, t.e1), p.dot(t.e1, t.e2), p.dot(t.e2, t.e2)
	t.tension = p.uniform(unsafe.Offsetof(block.Around))
	return t
}

// reference is a number of the triangle free of stress.
func (t *triangleAt) reference(offset uintptr) *value { return t.scalar(number(offset)) }

// strain makes the invariants and the law's derivatives of them.
func (t *triangleAt) strain() {
	law := func(k uintptr) *value { return t.uniform(unsafe.Offsetof(block.Law) + row*k) }
	one := t.constant("one")
	twice, inverse := t.reference(unsafe.Offsetof(triangle.Twice)), t.reference(unsafe.Offsetof(triangle.Inverse))
	trace := t.fms(t.g11, t.reference(unsafe.Offsetof(triangle.A11)), t.constant("two"))
	trace = t.fma(t.g22, t.reference(unsafe.Offsetof(triangle.A22)), trace)
	i1 := t.fma(t.add(t.g12, t.g12), t.reference(unsafe.Offsetof(triangle.A12)), trace)
	j2 := t.mul(t.dot(t.n, t.n), inverse)
	t.w1 = t.mul(t.fma(law(1), i1, law(0)), twice)
	w2 := t.fma(law(3), t.sub(j2, one), law(2))
	w2 = t.add(w2, t.div(law(4), t.mul(j2, j2)))
	t.w2 = t.mul(t.mul(w2, twice), inverse)
}

func (t *triangleAt) square() *value {
	if t.over == nil {
		t.over = t.mul(t.inverse, t.inverse)
	}
	return t.over
}

// flex is as flex of bending.go, by how much c1 and c2 are larger than c0.
func (t *triangleAt) flex(c1, c2 *value) {
	t.b1 = t.mul(t.square(), t.fms(t.g22, c1, t.mul(t.g12, c2)))
	t.b2 = t.mul(t.square(), t.fms(t.g11, c2, t.mul(t.g12, c1)))
}

// springs is as dihedral.add.
func (t *triangleAt) springs() {
	var c vector
	for k := range c {
		c[k] = t.lanes(indexed(gpEdge, gpSide[k], 0))
	}
	t.flex(t.sub(c[1], c[0]), t.sub(c[2], c[0]))
}

// juelicher is as juelicher.add.
func (t *triangleAt) juelicher() {
	var k, y vector
	for i, o := range gpCorner {
		t.tension = t.add(t.tension, t.lanes(indexed(gpVertex, o, 0)))
		k[i], y[i] = t.lanes(indexed(gpVertex, o, 1)), t.lanes(indexed(gpEdge, gpSide[i], 0))
	}
	t.flex(t.sub(k[0], k[1]), t.sub(k[0], k[2]))
	r0, r1, r2 := t.mul(t.add(k[1], k[2]), y[0]), t.add(k[2], k[0]), t.add(k[0], k[1])
	t.s11, t.s12, t.s22 = t.fma(r2, y[2], r0), r0, t.fma(r1, y[1], r0)
}

// viscous is as viscosity.go, with D^ij = g^ik d_kl g^lj = adj g d adj g/|N|⁴ and A = |N|/2.
func (t *triangleAt) viscous() {
	first := t.components(indexed(gpU, gpCorner[0], 0))
	u1 := t.minus(t.components(indexed(gpU, gpCorner[1], 0)), first)
	u2 := t.minus(t.components(indexed(gpU, gpCorner[2], 0)), first)
	d11, d22 := t.dot(t.e1, u1), t.dot(t.e2, u2)
	d12 := t.mul(t.constant("half"), t.add(t.dot(t.e1, u2), t.dot(t.e2, u1)))
	m11, m12 := t.fms(t.g22, d11, t.mul(t.g12, d12)), t.fms(t.g22, d12, t.mul(t.g12, d22))
	m21, m22 := t.fms(t.g11, d12, t.mul(t.g12, d11)), t.fms(t.g11, d22, t.mul(t.g12, d12))
	over := t.square()
	t.tension = t.fma(t.mul(t.add(m11, m22), over), t.uniform(unsafe.Offsetof(block.Spread)), t.tension)
	factor := t.mul(t.mul(over, t.inverse), t.uniform(unsafe.Offsetof(block.Shear)))
	add := func(to **value, minus bool, a, b, c, d *value) { // a b − c d
		v := t.mul(factor, t.fms(a, b, t.mul(c, d)))
		if *to != nil {
			v = t.add(v, *to)
		}
		*to = v
	}
	add(&t.s11, false, m11, t.g22, m12, t.g12)
	add(&t.s12, false, m11, t.g12, m12, t.g11) // s12 with its sign turned
	add(&t.s22, false, m22, t.g11, m21, t.g12)
}

// stress sums s; s12 is kept with its sign turned.
func (t *triangleAt) stress() {
	h := t.fma(t.mul(t.tension, t.constant("half")), t.inverse, t.w2)
	sum := func(have, product, g *value) *value {
		if have != nil {
			product = t.add(product, have)
		}
		return t.fma(h, g, product)
	}
	t.s11 = sum(t.s11, t.mul(t.w1, t.reference(unsafe.Offsetof(triangle.A11))), t.g22)
	t.s22 = sum(t.s22, t.mul(t.w1, t.reference(unsafe.Offsetof(triangle.A22))), t.g11)
	minus := t.mul(h, t.g12)
	if t.s12 != nil {
		minus = t.add(minus, t.s12)
	}
	t.s12 = t.fnma(t.w1, t.reference(unsafe.Offsetof(triangle.A12)), minus)
}

// scatter adds the forces on corners.
func (t *triangleAt) scatter() {
	pressure, thrice := t.uniform(unsafe.Offsetof(block.Across)), t.uniform(unsafe.Offsetof(block.Thrice))
	q1, q2 := pressure, pressure
	if t.b1 != nil {
		q1, q2 = t.add(t.b1, pressure), t.add(t.b2, pressure)
	}
	for a := range 3 {
		f1 := t.fma(t.s12, t.e2[a], t.fnma(t.s11, t.e1[a], t.mul(q1, t.n[a])))
		f2 := t.fma(t.s12, t.e1[a], t.fnma(t.s22, t.e2[a], t.mul(q2, t.n[a])))
		m0 := indexed(gpF, gpCorner[0], a)
		f0 := t.fma(thrice, t.n[a], t.lanes(m0))
		t.store(t.sub(f0, t.add(f1, f2)), m0)
		t.accumulate(f1, indexed(gpF, gpCorner[1], a))
		t.accumulate(f2, indexed(gpF, gpCorner[2], a))
	}
}

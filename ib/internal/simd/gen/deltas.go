package main

// deltas are those with kernels. Package ib has their formulas, and why they are
// written so.
var deltas = []delta{
	{"hat2", 2, hat2},
	{"roma3", 3, roma3},
	{"bspline3", 3, bspline3},
	{"peskin4", 4, peskin4},
	{"cosine4", 4, cosine4},
	{"bspline4", 4, bspline4},
	{"m4prime", 4, m4prime},
	{"ib6", 6, ib6},
}

func hat2(l *lanes, r vec) []vec { return []vec{l.from(1, r), r} }

// twice is 1 + 2r and 1 − 2r.
func twice(l *lanes, r vec) (plus, minus vec) {
	d := l.add(r, r)
	return l.add(l.constant(1), d), l.from(1, d)
}

// roma3: one division for both quotients.
func roma3(l *lanes, r vec) []vec {
	triple := l.mul(l.constant(3), r)
	s := l.sqrt(l.fnma(triple, r, l.constant(1)))
	a := l.add(l.constant(2), s)
	left, right := l.sub(a, triple), l.add(a, triple)
	q := l.div(l.broadcast(0.5), l.mul(left, right))
	plus, minus := twice(l, r)
	return []vec{
		l.mul(l.mul(minus, minus), l.mul(q, right)),
		l.mul(l.constant(1./3), l.add(l.constant(1), s)),
		l.mul(l.mul(plus, plus), l.mul(q, left)),
	}
}

func bspline3(l *lanes, r vec) []vec {
	plus, minus := twice(l, r)
	return []vec{
		l.mul(l.constant(1./8), l.mul(minus, minus)),
		l.fnma(r, r, l.constant(3./4)),
		l.mul(l.constant(1./8), l.mul(plus, plus)),
	}
}

// peskin4: one division for both quotients.
func peskin4(l *lanes, r vec) []vec {
	rest := l.from(1, r)
	s := l.sqrt(l.fma(l.mul(l.constant(4), r), rest, l.constant(1)))
	a := l.add(s, l.fma(l.broadcast(2), rest, l.constant(1)))
	b := l.add(s, l.fma(l.broadcast(2), r, l.constant(1)))
	q := l.div(l.broadcast(1), l.mul(a, b))
	return []vec{
		l.mul(l.mul(rest, rest), l.mul(q, b)),
		l.mul(l.constant(1./8), a),
		l.mul(l.constant(1./8), b),
		l.mul(l.mul(r, r), l.mul(q, a)),
	}
}

// cosine4: with t = r − ½, a = sin(πr/2)/4 and b = cos(πr/2)/4 are sum and
// difference of C = cos(πt/2)/√32 and S = sin(πt/2)/√32. The polynomials are the
// best ones in t² for |t| ≤ ½: off by less than 9·10⁻¹⁸ and t·2·10⁻¹⁹.
func cosine4(l *lanes, r vec) []vec {
	t := l.sub(r, l.constant(0.5))
	z := l.mul(t, t)
	s := l.polynomial(z,
		0.2776801836348979, -0.11419139843742776, 0.014087799107265351, -0.0008276250234299175,
		2.8362254572228082e-05, -6.361503716022055e-07, 9.952208838702579e-09)
	c := l.polynomial(z,
		0.17677669529663687, -0.21808950623871173, 0.04484285730406235, -0.003688177176711359,
		0.00016250373610586014, -4.454796700403365e-06, 8.229487737078723e-08)
	quarter := l.broadcast(0.25)
	a := l.min(quarter, l.fma(s, t, c)) // rounding must not make weights negative
	b := l.min(quarter, l.fnma(s, t, c))
	return []vec{l.sub(quarter, a), l.add(quarter, b), l.add(quarter, a), l.sub(quarter, b)}
}

func bspline4(l *lanes, r vec) []vec {
	s := l.from(1, r)
	outer := func(r vec) vec { return l.mul(l.mul(l.constant(1./6), r), l.mul(r, r)) }
	inner := func(r, s vec) vec {
		half := l.fma(l.broadcast(0.5), s, l.constant(0.5))
		return l.fnma(l.mul(r, r), half, l.constant(2./3))
	}
	return []vec{outer(s), inner(r, s), inner(s, r), outer(r)}
}

func m4prime(l *lanes, r vec) []vec {
	s := l.from(1, r)
	half := l.mul(l.constant(-0.5), l.mul(r, s))
	inner := func(r, s vec) vec {
		v := l.fnma(l.broadcast(1.5), r, l.constant(1))
		return l.mul(s, l.fma(v, r, l.constant(1)))
	}
	return []vec{l.mul(half, s), inner(r, s), inner(s, r), l.mul(half, r)}
}

// ib6: one division for both quotients.
func ib6(l *lanes, r vec) []vec {
	const (
		root29 = 5.385164807134504031250710491540329

		c0 = 611./800 + 93./800*root29
		c1 = 111./50 + 61./100*root29
		c2 = 73./20 + 7./10*root29
		c3 = 7. / 3

		b0 = 31./40 + 3./40*root29
		b1 = 9./20 + 7./20*root29
		b2 = -3. / 2
		b3 = -7. / 3
		g4 = (6*root29 - 9) / 144
		g6 = -20. / 144
		m0 = 29./480 - 1./160*root29
		m1 = 13./80 - 1./80*root29
		m2 = 1. / 8
		m3 = 1. / 12
		n1 = 7./40 + 1./40*root29
		n3 = -1. / 6
	)
	t := l.from(1, r)
	s := l.sqrt(l.polynomial(l.mul(r, t), c0, c1, c2, c3))
	below := func(r vec) vec { return l.add(s, l.polynomial(r, b0, b1, b2, b3)) }
	left, right := below(t), below(r)
	q := l.div(l.broadcast(1), l.mul(left, right))
	half := func(r, other vec) (outer, middle, inner vec) {
		r2 := l.mul(r, r)
		above := l.mul(l.mul(r2, r2), l.polynomial(r2, g4, g6))
		outer = l.mul(above, l.mul(q, other))
		middle = l.fnma(l.broadcast(3), outer, l.polynomial(r, m0, m1, m2, m3))
		odd := l.fma(l.polynomial(r2, n1, n3), r, l.constant(1./4))
		inner = l.add(l.add(outer, outer), odd)
		return outer, middle, inner
	}
	p0, p1, p2 := half(t, right)
	p5, p4, p3 := half(r, left)
	return []vec{p0, p1, p2, p3, p4, p5}
}

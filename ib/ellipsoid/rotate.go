package ellipsoid

import "lbmib/geometry"

// rotateFree turns a body without torque over a time h: its axes (rows) and nothing else, as the angular momentum in space, l,
// stays. It is the splitting of Dullweber, Leimkuhler & McLachlan (1997): rotations about the body's own axes by
// h/2, h/2, h, h/2, h/2 times π₁/I₁, π₂/I₂, π₃/I₃, π₂/I₂, π₁/I₁, where π is the angular momentum along these axes.
// inverse is 1/I of each axis.
func rotateFree(axes *Axes, l, inverse *geometry.Vec, h float64) {
	e0, e1, e2 := axes[0], axes[1], axes[2]
	p0, p1, p2 := e0.Dot(*l), e1.Dot(*l), e2.Dot(*l)
	half := h / 2

	c, s := turn(half * p0 * inverse[0])
	p1, p2 = c*p1+s*p2, c*p2-s*p1
	rotatePair(&e1, &e2, c, s)
	c, s = turn(half * p1 * inverse[1])
	p2, p0 = c*p2+s*p0, c*p0-s*p2
	rotatePair(&e2, &e0, c, s)
	c, s = turn(h * p2 * inverse[2])
	p0, p1 = c*p0+s*p1, c*p1-s*p0
	rotatePair(&e0, &e1, c, s)
	c, s = turn(half * p1 * inverse[1])
	p0 = c*p0 - s*p2
	rotatePair(&e2, &e0, c, s)
	c, s = turn(half * p0 * inverse[0])
	rotatePair(&e1, &e2, c, s)

	axes[0], axes[1], axes[2] = e0, e1, e2
}

// rotatePair turns two axes about the third: the first towards the second.
func rotatePair(a, b *geometry.Vec, c, s float64) {
	a0, a1, a2 := a[0], a[1], a[2]
	a[0], a[1], a[2] = c*a0+s*b[0], c*a1+s*b[1], c*a2+s*b[2]
	b[0], b[1], b[2] = c*b[0]-s*a0, c*b[1]-s*a1, c*b[2]-s*a2
}

// turn is cosine and sine of an angle, whose squares add up to 1: of 2 arctan(x/2 + x³/24) in place of x, which is x − x⁵/120 …
// A rotation by any odd function of π about its axis is the flow of an energy that is a function of π, so that the splitting stays
// symplectic and time-reversible; they propose the same of x/2 alone.
func turn(x float64) (cosine, sine float64) {
	t := x * (0.5 + x*x*(1./24))
	d := 1 / (1 + t*t)
	return (1 - t*t) * d, 2 * t * d
}

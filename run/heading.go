package run

import (
	"math"

	"lbmib/io/casefile"
)

// heading is the direction along which a body feels its drag: for a free body that
// in which gravity moves it, else that of the flow that the case prescribes, or of
// its body force.
type heading struct {
	axis int
	sign float64 // ±1
	of   string  // gravity | flow | force; empty: nothing tells, x is taken
}

// String is for instance "−y".
func (h heading) String() string {
	sign := "+"
	if h.sign < 0 {
		sign = "−"
	}
	return sign + "xyz"[h.axis:h.axis+1]
}

// plain tells whether drag is the force along +x, which needs no word.
func (h heading) plain() bool { return h.axis == 0 && h.sign > 0 }

// headingOf is that of a body of the case.
func headingOf(c *casefile.Case, b *casefile.Body) heading {
	h := heading{sign: 1}
	if largest := 0.; b.Motion.Type == "free" {
		for a, g := range c.Domain.Gravity[:c.Domain.Dim] {
			if fall := g * (b.Motion.Density - 1); math.Abs(fall) > largest {
				largest, h = math.Abs(fall), heading{a, math.Copysign(1, fall), "gravity"}
			}
		}
		if largest > 0 {
			return h
		}
	}
	if v, axis := streamOf(c); v != 0 {
		return heading{axis, math.Copysign(1, v), "flow"}
	}
	largest := 0.
	for a, f := range c.Domain.Force[:c.Domain.Dim] {
		if f.Constant() && math.Abs(f.Value) > largest {
			largest, h = math.Abs(f.Value), heading{a, math.Copysign(1, f.Value), "force"}
		}
	}
	return h
}

// streamOf is the velocity, in U, of the flow that the case prescribes through the
// domain, and its axis; 0 where there is none.
func streamOf(c *casefile.Case) (velocity float64, axis int) {
	try := func(a int, v float64) {
		if math.Abs(v) > math.Abs(velocity) {
			axis, velocity = a, v
		}
	}
	for a, v := range c.Domain.Initial.Velocity {
		try(a, v)
	}
	for i := range 2 * c.Domain.Dim {
		f := &c.Domain.Boundary[i]
		if f.Type == "velocity" {
			try(i/2, f.Value[i/2])
			try(i/2, f.Peak*2/3*float64(1-i%2*2)) // the mean of a parabola, which counts inwards
		}
	}
	return velocity, axis
}

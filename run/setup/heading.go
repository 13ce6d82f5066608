package setup

import (
	"math"

	"lbmib/io/casefile"
)

// Heading is the direction along which a body feels its drag: for a free body that
// in which gravity moves it, else that of the flow that the case prescribes, or of
// its body force.
type Heading struct {
	Axis int
	Sign float64 // ±1
	Of   string  // gravity | flow | force; empty: nothing tells, x is taken
}

// String is for instance "−y".
func (h Heading) String() string {
	sign := "+"
	if h.Sign < 0 {
		sign = "−"
	}
	return sign + "xyz"[h.Axis:h.Axis+1]
}

// Plain tells whether drag is the force along +x, which needs no word.
func (h Heading) Plain() bool { return h.Axis == 0 && h.Sign > 0 }

// HeadingOf is that of a body of the case.
func HeadingOf(c *casefile.Case, b *casefile.Body) Heading {
	h := Heading{Sign: 1}
	if largest := 0.; b.Motion.Type == "free" {
		for a, g := range c.Domain.Gravity[:c.Domain.Dim] {
			if fall := g * (b.Motion.Density - 1); math.Abs(fall) > largest {
				largest, h = math.Abs(fall), Heading{a, math.Copysign(1, fall), "gravity"}
			}
		}
		if largest > 0 {
			return h
		}
	}
	if v, axis := StreamOf(c); v != 0 {
		return Heading{axis, math.Copysign(1, v), "flow"}
	}
	largest := 0.
	for a, f := range c.Domain.Force[:c.Domain.Dim] {
		if f.Constant() && math.Abs(f.Value) > largest {
			largest, h = math.Abs(f.Value), Heading{a, math.Copysign(1, f.Value), "force"}
		}
	}
	return h
}

// StreamOf is the velocity, in U, of the flow that the case prescribes through the
// domain, and its axis; 0 where there is none.
func StreamOf(c *casefile.Case) (velocity float64, axis int) {
	try := func(a int, v float64) {
		if math.Abs(v) > math.Abs(velocity) {
			axis, velocity = a, v
		}
	}
	for a, v := range c.Domain.Initial.Velocity {
		try(a, v)
	}
	if flow := c.Domain.Flow; flow != nil {
		v := c.Domain.HeldSpeed(0)
		if !flow.Given.Constant() { // to and fro: how far the case runs, or has run, must not tell which way it heads
			v = 1
		}
		try(flow.Axis, v)
	}
	for i := range 2 * c.Domain.Dim {
		if c.Domain.Boundary[i].Type == "velocity" {
			try(i/2, c.Domain.Through(i)*float64(1-i%2*2))
		}
	}
	return velocity, axis
}

// Driven tells whether something other than bodies makes the fluid of a case flow: a force, pressure faces, walls that move along themselves, or what
// StreamOf tells.
func Driven(c *casefile.Case) bool {
	if v, _ := StreamOf(c); v != 0 {
		return true
	}
	for _, f := range c.Domain.Force {
		if !f.Constant() || f.At(0) != 0 {
			return true
		}
	}
	for i := range 2 * c.Domain.Dim {
		if kind := c.Domain.Boundary[i].Type; kind == "pressure" || kind == "moving-wall" {
			return true
		}
	}
	return false
}

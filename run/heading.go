package run

import (
	"math"
	"strings"

	"lbmib/io/casefile"
	"lbmib/io/statistics"
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

// analysis are the statistics of a body, found by drag and lift as its heading has
// them; those of the result are along x and y again, as in forces.csv.
type analysis struct {
	statistics.Result
	along  float64 // mean force along the heading
	across float64 // amplitude of the force across it, in which periods are looked for
	scale  float64 // of both means
}

func (h *history) analyse(to heading, from, length float64) (r analysis) {
	turned := h.History
	switch to.axis {
	case 1:
		turned.Cd, turned.Cl = h.Cl, h.Cd
	case 2:
		turned.Cd = h.cs
	}
	if to.sign < 0 {
		negative := make([]float64, len(turned.Cd))
		for i, v := range turned.Cd {
			negative[i] = -v
		}
		turned.Cd = negative
	}
	r.Result = statistics.Analyse(turned, from, length)
	if !to.plain() { // which drag and lift do not mean in summary.json
		r.Note = strings.NewReplacer("drag", "force along "+to.String(), "lift", "force across it").Replace(r.Note)
	}
	r.along, r.across, r.scale = r.CdMean, r.ClAmplitude, math.Hypot(r.CdMean, r.ClMean)
	switch {
	case to.axis == 2:
		r.CdMean = meanBetween(h.T, h.Cd, r.From, r.To)
		low := make([]float64, len(h.Cd))
		for i, v := range h.Cd {
			low[i] = -v
		}
		r.CdAmplitude = (maxBetween(h.T, h.Cd, r.From, r.To) + maxBetween(h.T, low, r.From, r.To)) / 2
	case to.axis == 1:
		r.CdMean, r.CdAmplitude, r.ClMean, r.ClAmplitude = r.ClMean, r.ClAmplitude, to.sign*r.CdMean, r.CdAmplitude
		r.ClRMS = rmsBetween(h.T, h.Cl, r.From, r.To)
	default:
		r.CdMean *= to.sign
	}
	return r
}

// rmsBetween is the root mean square of v about its mean over from ≤ t ≤ to.
func rmsBetween(t, v []float64, from, to float64) float64 {
	mean, square := meanBetween(t, v, from, to), make([]float64, len(v))
	for i := range v {
		square[i] = (v[i] - mean) * (v[i] - mean)
	}
	return math.Sqrt(meanBetween(t, square, from, to))
}

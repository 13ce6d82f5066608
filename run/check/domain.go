package check

import (
	"fmt"
	"math"

	"lbmib/io/casefile"
	"lbmib/run/setup"
)

// heldText is what a force holds.
func heldText(f *casefile.HeldFlow, dim int) string {
	what, unit := "flow rate", "U L²"
	if dim == 2 {
		unit = "U L"
	}
	if f.BySpeed {
		what, unit = "mean speed", "U"
	}
	given := "one that varies"
	if f.Given.Constant() {
		given = fmt.Sprintf("%.4g %s", f.Given.Value, unit)
	}
	text := fmt.Sprintf("a force along %s holds the %s, %s", "xyz"[f.Axis:f.Axis+1], what, given)
	if f.Peak > 0 {
		text += fmt.Sprintf("; up to %.2g times its mean", f.Peak)
	}
	return text
}

// Fastest is the largest speed that is to be expected of what the case prescribes, in U, at least 1: of a flow that is held the one in the middle of the
// narrowest section.
func Fastest(c *casefile.Case) float64 {
	v := fastestGiven(c)
	if f := c.Domain.Flow; f != nil {
		v = math.Max(v, math.Max(1, f.Peak)*fastestMean(c))
	}
	return v
}

// fastestMean is the largest mean speed of a flow that is held, in U; 0: none is.
func fastestMean(c *casefile.Case) (most float64) {
	for k := range setup.Looks + 1 {
		most = math.Max(most, math.Abs(c.Domain.HeldSpeed(c.Run.Time*float64(k)/setup.Looks)))
	}
	return most
}

// fastestGiven is the largest speed of faces and the initial state, in U, at least 1.
func fastestGiven(c *casefile.Case) float64 {
	in := &c.Domain.Initial
	v := math.Max(math.Max(1, setup.Length(in.Velocity)+in.Amplitude), setup.Length(in.Bottom))
	for i := range 2 * c.Domain.Dim {
		f := &c.Domain.Boundary[i]
		v = math.Max(v, math.Max(setup.Length(f.Value), math.Abs(f.Peak))*strongest(c, f))
	}
	return v
}

// strongest is the largest factor on a face's velocity over the run, at least 1: a
// start need not have reached it.
func strongest(c *casefile.Case, f *casefile.Face) float64 {
	most := 1.
	for k := range setup.Looks + 1 {
		most = math.Max(most, math.Abs(f.At(c.Run.Time*float64(k)/setup.Looks)))
	}
	return most
}

// ofSpeed says what a Mach number is of, given the fastest speed in U.
func ofSpeed(fastest float64) string {
	if fastest == 1 {
		return "of U"
	}
	return fmt.Sprintf("of %.3g U, the fastest that is prescribed", fastest)
}

func (r *Report) domain(c *casefile.Case) {
	n := c.Domain.Nodes
	r.Domain = DomainReport{Lattice: c.Domain.Lattice, Nodes: append([]int{}, n[:c.Domain.Dim]...), Total: n[0] * n[1] * n[2]}
	if f := c.Domain.Flow; f != nil {
		r.Domain.Flow = heldText(f, c.Domain.Dim)
	}
	r.Domain.Follows = (&setup.Domain{Grid: setup.Grid{Case: c}}).FollowText()
}

package beam

import (
	"fmt"
	"math"

	"lbmib/geometry"
	"lbmib/internal/finite"
)

// EndKind is how an end of a line is held.
type EndKind int

// The kinds of ends.
const (
	Free    EndKind = iota // no force, no moment
	Hinged                 // position held, no moment
	Clamped                // position and tangent held
)

func (k EndKind) String() string {
	switch k {
	case Free:
		return "free"
	case Hinged:
		return "hinged"
	case Clamped:
		return "clamped"
	}
	return fmt.Sprintf("EndKind(%d)", int(k))
}

// End is how an end is held at t = 0: its position is that of its node.
type End struct {
	Kind EndKind
	// Tangent of a clamped end points along the line, from the first node towards the last, at
	// both ends, and has any length but 0. The zero value takes the direction of the segment
	// at the end.
	Tangent geometry.Vec
}

// Scheme is a way to step in time.
type Scheme int

// The schemes; see the package documentation for their damping.
const (
	BDF2  Scheme = iota // second order, amplitude lost per period π(ωΔt)³/2; the first step is Euler's
	Euler               // first order, amplitude lost per period πωΔt
)

func (s Scheme) String() string {
	switch s {
	case BDF2:
		return "bdf2"
	case Euler:
		return "euler"
	}
	return fmt.Sprintf("Scheme(%d)", int(s))
}

// Config is what a line is made of. Units are those of the caller; in a lattice Boltzmann
// solver lengths are in nodes, times in steps and the fluid's density is 1.
type Config struct {
	Dim     int            // 2 (all z are 0) or 3
	X       []geometry.Vec // places of the n ≥ 3 nodes at t = 0
	U       []geometry.Vec // their velocities; nil: at rest
	Lengths []float64      // of the n−1 segments where they are not strained; nil: as in X

	Mass         float64 // ρ_l, per length; may be 0
	Stretching   float64 // k_s, a force: Young's modulus times section
	Inextensible bool    // takes the place of Stretching
	Bending      float64 // k_b, force·length²: Young's modulus times second moment of the section
	// Curvature is κ₀ at the n nodes, 1/length, positive where the line turns left; nil: straight.
	// Those of ends that are not clamped have no effect. Lines in 3D have none: without a frame
	// that twists along they do not know the direction.
	Curvature []float64

	Drag              float64 // force per length and velocity against a medium at rest
	StretchingDamping float64 // η_s, force·time: tension k_s ε + η_s dε/dt
	BendingDamping    float64 // η_b, force·length²·time: moment k_b κ + η_b dκ/dt; in 3D resists to twist, too

	Gravity     geometry.Vec // acceleration of the line's mass
	First, Last End
	Markers     []Marker // where the fluid is felt, node by node; nil: one at every node
	Step        float64  // Δt
	Scheme      Scheme
}

// MaxSpacingRatio bounds the longest segment over the shortest. At this ratio, in turn, at a jump
// or growing, a cantilever of 41 nodes has its first frequency to 0.12 %, at an even spacing to
// 0.06 %.
const MaxSpacingRatio = 4

// check refuses what no line can be made of.
func (c *Config) check() error {
	n := len(c.X)
	switch {
	case c.Dim != 2 && c.Dim != 3:
		return fmt.Errorf("beam: dimension %d, must be 2 or 3", c.Dim)
	case n < 3:
		return fmt.Errorf("beam: %d nodes, a line that bends needs at least 3: lower the spacing", n)
	case c.U != nil && len(c.U) != n:
		return fmt.Errorf("beam: %d velocities for %d nodes: give one each, or none for a line at rest", len(c.U), n)
	case c.Lengths != nil && len(c.Lengths) != n-1:
		return fmt.Errorf("beam: %d reference lengths for %d segments: give one each, or none to take those of the places", len(c.Lengths), n-1)
	case c.Curvature != nil && len(c.Curvature) != n:
		return fmt.Errorf("beam: %d natural curvatures for %d nodes: give one each, or none for a straight line", len(c.Curvature), n)
	case !(c.Step > 0) || !finite.Is(c.Step):
		return fmt.Errorf("beam: time step %g, must be positive and finite (1 in a lattice Boltzmann solver)", c.Step)
	case c.Scheme != BDF2 && c.Scheme != Euler:
		return fmt.Errorf("beam: scheme %d, must be BDF2 (%d) or Euler (%d)", int(c.Scheme), int(BDF2), int(Euler))
	}
	for _, check := range []func() error{c.checkNumbers, c.checkPlaces, c.checkSegments, c.checkEnds, c.checkMarkers} {
		if err := check(); err != nil {
			return err
		}
	}
	return nil
}

// checkNumbers refuses negative coefficients and those of other lines.
func (c *Config) checkNumbers() error {
	for _, p := range []struct {
		name, remedy string
		value        float64
	}{
		{"mass per length", "0 makes a line without mass", c.Mass},
		{"stretching stiffness", "set Inextensible for a line that keeps its length", c.Stretching},
		{"bending stiffness", "0 makes a string", c.Bending},
		{"drag", "0 makes none", c.Drag},
		{"stretching damping", "0 makes none", c.StretchingDamping},
		{"bending damping", "0 makes none", c.BendingDamping},
	} {
		if !(p.value >= 0) || !finite.Is(p.value) {
			return fmt.Errorf("beam: %s %g, must be finite and at least 0: %s", p.name, p.value, p.remedy)
		}
	}
	if c.Inextensible && c.Stretching > 0 {
		return fmt.Errorf("beam: stretching stiffness %g of an inextensible line: leave one of the two out", c.Stretching)
	}
	for i, k := range c.Curvature {
		if !finite.Is(k) {
			return fmt.Errorf("beam: natural curvature of node %d is %g, must be finite", i, k)
		}
		if c.Dim == 3 && k != 0 {
			return fmt.Errorf("beam: natural curvature %g of node %d in 3D, where a line without a frame has no direction to bend to: leave it out", k, i)
		}
	}
	return nil
}

// checkPlaces refuses vectors that are not finite or leave the plane of a line in 2D.
func (c *Config) checkPlaces() error {
	if err := c.checkVec("gravity", c.Gravity); err != nil {
		return err
	}
	for i, x := range c.X {
		if err := c.checkVec(fmt.Sprintf("place of node %d", i), x); err != nil {
			return err
		}
	}
	for i, u := range c.U {
		if err := c.checkVec(fmt.Sprintf("velocity of node %d", i), u); err != nil {
			return err
		}
	}
	return nil
}

// checkVec refuses a vector that is not finite or, in 2D, has a z.
func (c *Config) checkVec(what string, v geometry.Vec) error {
	for a := range v {
		if !finite.Is(v[a]) {
			return fmt.Errorf("beam: %s is %g, must be finite", what, v)
		}
	}
	if c.Dim == 2 && v[2] != 0 {
		return fmt.Errorf("beam: %s has z = %g, a line in 2D lies in the plane z = 0: set 0, or Dim = 3", what, v[2])
	}
	return nil
}

// checkSegments refuses nodes in one place and spacings that vary too much.
func (c *Config) checkSegments() error {
	shortest, longest, at := math.Inf(1), 0., 0
	for j := range len(c.X) - 1 {
		apart, rest := c.X[j+1].Sub(c.X[j]).Norm(), c.length(j)
		if !(rest > 0) || !finite.Is(rest) {
			if c.Lengths == nil {
				return fmt.Errorf("beam: nodes %d and %d are %g apart, must be apart: leave one of them out", j, j+1, rest)
			}
			return fmt.Errorf("beam: reference length of segment %d is %g, must be positive and finite", j, rest)
		}
		if strain := apart/rest - 1; !(strain > -0.9) {
			return fmt.Errorf("beam: nodes %d and %d are %g apart, the segment's reference length is %g: start at no less than a tenth of it", j, j+1, apart, rest)
		}
		if rest < shortest {
			shortest, at = rest, j
		}
		longest = math.Max(longest, rest)
	}
	if longest > MaxSpacingRatio*(1+1e-9)*shortest { // at the bound they may round beyond it
		return fmt.Errorf("beam: segment %d is %g long, the longest one %g, more than %d times that: space the nodes more evenly", at, shortest, longest, MaxSpacingRatio)
	}
	return nil
}

// length is the reference length of segment j.
func (c *Config) length(j int) float64 {
	if c.Lengths != nil {
		return c.Lengths[j]
	}
	return c.X[j+1].Sub(c.X[j]).Norm()
}

// checkEnds refuses kinds that are none and tangents that are not finite.
func (c *Config) checkEnds() error {
	for e, end := range [2]End{c.First, c.Last} {
		name := [2]string{"first", "last"}[e]
		if end.Kind < Free || end.Kind > Clamped {
			return fmt.Errorf("beam: %s end is of kind %d, must be Free (%d), Hinged (%d) or Clamped (%d)", name, int(end.Kind), int(Free), int(Hinged), int(Clamped))
		}
		if err := c.checkVec(name+" end's tangent", end.Tangent); err != nil {
			return err
		}
	}
	return nil
}

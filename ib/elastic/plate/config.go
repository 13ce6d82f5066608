package plate

import (
	"fmt"
	"math"

	"lbmib/geometry"
	"lbmib/internal/finite"
)

// EdgeKind is how an edge of a sheet is held.
type EdgeKind int

// The kinds of edges.
const (
	Free    EdgeKind = iota // no force, no moment
	Hinged                  // places held, no moment
	Clamped                 // places held, and the tangent across the edge
)

func (k EdgeKind) String() string {
	switch k {
	case Free:
		return "free"
	case Hinged:
		return "hinged"
	case Clamped:
		return "clamped"
	}
	return fmt.Sprintf("EdgeKind(%d)", int(k))
}

// The edges of a sheet, in the order of Config.Edges.
const (
	Left   = iota // s₁ = 0
	Right         // s₁ at its largest
	Bottom        // s₂ = 0
	Top           // s₂ at its largest
)

var edgeNames = [4]string{"left", "right", "bottom", "top"}

// Scheme is a way to step in time.
type Scheme int

// The schemes; see the package documentation.
const (
	BDF2  Scheme = iota // second order; the first step is Euler's
	Euler               // first order
)

// Config is what a sheet is made of. Units are those of the caller; in a lattice Boltzmann
// solver lengths are in nodes, times in steps and the fluid's density is 1. Node (i, j), of
// coordinates s₁ = i·Spacing[0] and s₂ = j·Spacing[1] on the sheet, is number i + Nodes[0]·j.
type Config struct {
	Nodes   [2]int         // along s₁ and s₂, at least 3 each
	Spacing [2]float64     // of nodes where the sheet is not strained
	X       []geometry.Vec // places of the nodes at t = 0; nil: flat, from the origin along x and y
	U       []geometry.Vec // their velocities; nil: at rest

	Mass       float64 // ρ_s, per area; may be 0
	Stretching float64 // k_s, force per length: Young's modulus times thickness
	Shear      float64 // k_γ, force per length: shear modulus times thickness; 0: a net, which shears freely
	Bending    float64 // D, force·length: E h³/(12(1−ν²)) of an elastic plate
	Poisson    float64 // ν of bending, −1 < ν < 1; that of stretching is 0

	Drag              float64 // force per area and velocity against a medium at rest
	StretchingDamping float64 // η_s, force·time per length: tension k_s ε + η_s dε/dt

	Gravity geometry.Vec // acceleration of the sheet's mass
	Edges   [4]EdgeKind  // Left, Right, Bottom, Top: held where they are at t = 0
	Step    float64      // Δt
	Scheme  Scheme
}

// MaxSpacingRatio bounds the spacing along one side over that along the other.
const MaxSpacingRatio = 4

// MaxNodes bounds the nodes of a sheet.
const MaxNodes = 1 << 20

// nodes is their number.
func (c *Config) nodes() int { return c.Nodes[0] * c.Nodes[1] }

// check refuses what no sheet can be made of.
func (c *Config) check() error {
	for a, n := range c.Nodes {
		if n < 3 || n > MaxNodes/3 {
			return fmt.Errorf("plate: %d nodes along s%d, must be 3 to %d: change the spacing", n, a+1, MaxNodes/3)
		}
		if h := c.Spacing[a]; !(h > 0) || !finite.Is(h) {
			return fmt.Errorf("plate: spacing %g along s%d, must be positive and finite", h, a+1)
		}
	}
	n := c.nodes()
	switch ratio := c.Spacing[0] / c.Spacing[1]; {
	case n > MaxNodes:
		return fmt.Errorf("plate: %d nodes, must have at most %d: give a wider spacing", n, MaxNodes)
	case !(math.Max(ratio, 1/ratio) <= MaxSpacingRatio*(1+1e-9)):
		return fmt.Errorf("plate: spacings %g and %g differ by more than a factor of %d: space the nodes more evenly", c.Spacing[0], c.Spacing[1], MaxSpacingRatio)
	case c.X != nil && len(c.X) != n:
		return fmt.Errorf("plate: %d places for %d nodes: give one each, or none for a flat sheet", len(c.X), n)
	case c.U != nil && len(c.U) != n:
		return fmt.Errorf("plate: %d velocities for %d nodes: give one each, or none for a sheet at rest", len(c.U), n)
	case !(c.Step > 0) || !finite.Is(c.Step):
		return fmt.Errorf("plate: time step %g, must be positive and finite (1 in a lattice Boltzmann solver)", c.Step)
	case c.Scheme != BDF2 && c.Scheme != Euler:
		return fmt.Errorf("plate: scheme %d, must be BDF2 (%d) or Euler (%d)", int(c.Scheme), int(BDF2), int(Euler))
	}
	for _, check := range []func() error{c.checkNumbers, c.checkVectors, c.checkEdges} {
		if err := check(); err != nil {
			return err
		}
	}
	return nil
}

// checkNumbers refuses coefficients of no material.
func (c *Config) checkNumbers() error {
	for _, p := range []struct {
		name, remedy string
		value        float64
	}{
		{"mass per area", "0 makes a sheet without mass", c.Mass},
		{"shear stiffness", "0 makes a net", c.Shear},
		{"bending stiffness", "0 makes a membrane", c.Bending},
		{"drag", "0 makes none", c.Drag},
		{"stretching damping", "0 makes none", c.StretchingDamping},
	} {
		if !(p.value >= 0) || !finite.Is(p.value) {
			return fmt.Errorf("plate: %s %g, must be finite and at least 0: %s", p.name, p.value, p.remedy)
		}
	}
	if !(c.Stretching > 0) || !finite.Is(c.Stretching) {
		return fmt.Errorf("plate: stretching stiffness %g, must be positive and finite: give Young's modulus times thickness, or 1000 times the largest tension for a sheet that hardly stretches", c.Stretching)
	}
	if !(c.Poisson > -1 && c.Poisson < 1) {
		return fmt.Errorf("plate: Poisson's ratio %g, must be between -1 and 1: 0.3 is that of many solids, 0 that of a cloth", c.Poisson)
	}
	return nil
}

// checkVectors refuses vectors that are not finite and nodes in one place.
func (c *Config) checkVectors() error {
	vectors := func(what string, all ...geometry.Vec) error {
		for k, v := range all {
			if !finite.Is(v.Norm()) {
				return fmt.Errorf("plate: %s %d is %g, must be finite", what, k, v)
			}
		}
		return nil
	}
	if err := vectors("gravity", c.Gravity); err != nil {
		return err
	}
	if err := vectors("velocity of node", c.U...); err != nil {
		return err
	}
	if err := vectors("place of node", c.X...); err != nil || c.X == nil {
		return err
	}
	for k := range c.X {
		for a, next := range [2]int{k + 1, k + c.Nodes[0]} {
			if a == 0 && next%c.Nodes[0] == 0 || next >= len(c.X) {
				continue
			}
			if apart := c.X[next].Sub(c.X[k]).Norm(); !(apart > 0.1*c.Spacing[a]) {
				return fmt.Errorf("plate: nodes %d and %d are %g apart, their spacing is %g: start at no less than a tenth of it", k, next, apart, c.Spacing[a])
			}
		}
	}
	return nil
}

// checkEdges refuses kinds that are none.
func (c *Config) checkEdges() error {
	for e, kind := range c.Edges {
		if kind < Free || kind > Clamped {
			return fmt.Errorf("plate: the %s edge is of kind %d, must be Free (%d), Hinged (%d) or Clamped (%d)", edgeNames[e], int(kind), int(Free), int(Hinged), int(Clamped))
		}
	}
	return nil
}

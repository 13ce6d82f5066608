package check

import (
	"fmt"
	"math"

	"lbmib/io/casefile"
)

// What a turbulence model needs beside it, in one place: verdicts, proposals, and what is told of noise say the same.

// modelled is the grid Reynolds number above which a flow with a turbulence model is mostly the model's.
const modelled = 40

// recursiveTo is the grid Reynolds number to which recursive collision was seen to run without noise
// beside the model: a cylinder of 20 nodes, constant 0.1, for 40 L/U.
const recursiveTo = 5000

// besideModel is the operator that runs longest beside a turbulence model: recursive collision,
// but not beside walls that move along themselves.
func besideModel(c *casefile.Case) string {
	if bouncesAlong(c) {
		return "bgk"
	}
	return "recursive"
}

// modelledTo is the grid Reynolds number up to which an operator, bgk or recursive, was seen to run with Smagorinsky's
// model without noise.
//
// bgk: a cylinder of 20 nodes, U = 0.1, for 40 L/U, to 100 but not 200 with the constant
// 0.1, to 200 at least, with some noise at 500, with 0.2. The eddy viscosity grows as its square.
// Beside solids it is less: a square of 20 nodes (12 × 8 L) ran at 20 with 0.1 and at 100 with 0.2, and diverged at 50 and 200.
//
// recursive: without a bound beside bodies and flat walls (a channel with a parabolic inflow has 0.004 at 1,656 with 0.1). Corners of solids, and of no-slip
// faces that meet a uniform inflow, feed node-scale waves that the
// model must damp. grid_noise behind the same square, for 40 L/U, with the constant 0.1: 0.002 at 20 and 40, 0.018 at 100, 0.02 to 0.034
// from 200 to 5,000, and 0.055 in a shorter domain; with 0.15, 0.015 at 1,656; with 0.2, 0.002 from 200 to 5,000. In a channel with a uniform inflow with 0.1: 0.001
// at 30, 0.05 to 0.15 at 50, 0.18 to 0.36 at 1,656; with a step, 0.62 at 500; with 0.15, 0.02 and 0.06 at 500;
// with 0.2, 0.009 in both at 1,656 and 0.010 at 5,000.
func modelledTo(c *casefile.Case, collision string, constant float64) float64 {
	strength := constant / 0.1
	switch corners := hasCorners(c); {
	case collision == "recursive" && corners:
		return modelled * math.Pow(strength, 6)
	case collision == "recursive":
		return math.Inf(1)
	case len(c.Solids) > 0:
		return 25 * strength * strength
	case hasWalls(c):
		return math.Max(modelled, 50*strength*strength)
	}
	return math.Max(modelled, 100*strength*strength)
}

// hasCorners reports whether walls have corners in the flow: those of solids, and of no-slip faces that an inflow meets which is uniform, or nearly so, there.
func hasCorners(c *casefile.Case) bool {
	for i := range 2 * c.Domain.Dim {
		f := &c.Domain.Boundary[i]
		if f.Type != "velocity" || f.Profile == "parabolic" {
			continue
		}
		for j := range 2 * c.Domain.Dim {
			if j/2 != i/2 && c.Domain.Boundary[j].Type == "no-slip" && passesAlong(c, f, j) {
				return true
			}
		}
	}
	return len(c.Solids) > 0
}

// mostAlong is the velocity along a wall, of the largest over the inflow, from which on it meets the wall as a uniform one does: a parabola has 0.15 at
// 1/25 of the width, where it is looked at.
const mostAlong = 0.25

// passesAlong reports whether an inflow, along the wall of face j, is there with a speed that is not small beside its largest: a profile by an expression or a table is
// looked at 1/25 of the width off the wall, in the middle along the other axis.
func passesAlong(c *casefile.Case, f *casefile.Face, j int) bool {
	if f.Shape == nil && f.Rows == nil {
		return true
	}
	const off = 0.04
	var x [3]float64
	for a := range c.Domain.Dim {
		x[a] = c.Domain.Origin[a] + c.Domain.Size[a]/2
	}
	share := off
	if j%2 == 1 {
		share = 1 - off
	}
	x[j/2] = c.Domain.Origin[j/2] + share*c.Domain.Size[j/2]
	speed := 0.
	if f.Rows != nil {
		u := f.Rows.At(x)
		speed = math.Sqrt(u[0]*u[0] + u[1]*u[1] + u[2]*u[2])
	} else if v, err := f.Shape.Eval(x[0], x[1], x[2]); err == nil {
		speed = math.Abs(v)
	}
	return speed > mostAlong*math.Abs(f.Peak)
}

// besideModelText is what to take with a turbulence model in the case: the operator that runs longest, the least
// constant, not below that of the case, with which it does at the case's grid Reynolds number, and the grid that is
// proposed with both.
func besideModelText(c *casefile.Case, in room) string {
	collision := besideModel(c)
	for _, constant := range ModelConstants {
		same := collision == c.Fluid.Collision && constant == c.Fluid.LES
		if constant >= c.Fluid.LES && !same && c.Units().GridReynolds <= modelledTo(c, collision, constant) {
			return fmt.Sprintf("take fluid.collision = %q with fluid.les and the constant %g", collision, constant) + onGrid(c, modelSettings(c, constant, in.bodies).resolution, in.holds)
		}
	}
	return finer(c, math.Max(1.5*c.Reference.Resolution, modelSettings(c, ModelConstants[len(ModelConstants)-1], in.bodies).resolution), in.holds)
}

// onGrid tells so many nodes per L where the case has fewer, and whether the machine holds them.
func onGrid(c *casefile.Case, nodes, holds float64) string {
	switch {
	case nodes > holds:
		return fmt.Sprintf(" and about %.4g nodes per L, of which this machine's memory holds %.4g at most", nodes, math.Floor(holds))
	case nodes > c.Reference.Resolution:
		return fmt.Sprintf(" on %.4g nodes per L, or a finer grid", nodes)
	}
	return ", or a finer grid"
}

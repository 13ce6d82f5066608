package check

import (
	"fmt"
	"math"

	"lbmib/ib"
	"lbmib/run/setup"
)

// drivesLimits are bounds on the smear e of a wall that is corrected. A slip along the wall meets the friction ρν/e, so that below 0 markers drive
// the fluid along the wall. A cylinder of 16 nodes (bgk, U = 0.1) ran at e = −0.005, and diverged at −0.009 within 720 steps, at −0.014 within
// 136 and at −0.09 within 20; with peskin4 it ran at ν = 0.455, and diverged at 0.465 within 100. Operators are alike in this: trt with Λ = 1.5 diverged, too.
var drivesLimits = limits{Caution: 0, unsafe: -0.005, least: true}

// drivesOf judges the smear of a wall that is corrected; nil where it is not negative.
func drivesOf(p *setup.Problem, smear float64) *Judged {
	if !(smear < 0) {
		return nil
	}
	l := drivesLimits
	l.why = "below %g: the correction's friction is negative, and markers drive the fluid along the wall until it diverges; " + drivesRemedy(p)
	return judged(smear, l)
}

// drivesRemedy is what makes the smear positive.
func drivesRemedy(p *setup.Problem) string {
	const otherwise = ", or ib.correction = \"none\""
	factor, power := p.Flow.Collision.Odd()
	delta, err := ib.NewDelta[float64](p.Coupling.Delta)
	if err != nil || power < 0 { // Λ is the case's own
		return "lower fluid.magic, 0.1875 is usual" + otherwise
	}
	at := ib.Offset(delta, 0)
	magic := at / (at - ib.Offset(delta, 1)) // Λ at which it is 0
	least := math.Pow(magic/(3*factor), 1/(1+power))
	return fmt.Sprintf("use fluid.collision = \"trt\", lower reference.velocity to %v", roundDown(p.Units.Velocity*least/p.Units.Nu)) + otherwise
}

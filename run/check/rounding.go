package check

import (
	"math"

	"lbmib/run/setup"
)

// Rounding that costs more than a percent is told. The estimates below are good
// to about a factor of three.
const roundingCaution = 0.01

var pressureLimits = limits{Caution: roundingCaution, unsafe: none, why: "more than a percent: pressure differences are near the rounding of populations; raise reference.velocity, or use a higher precision"}

// roundingOf estimates what the precision costs, and judges it. Measured on
// Taylor–Green flows of 64 to 512 nodes, U = 0.001 to 0.1, Re = 100 to 10⁵, against
// f64, in units of ρU²/2:
//
//	arithmetic  0.3 ε/U²       of the pressure: densities are rounded as parts of ρ ≈ 1
//	storage     0.14 η/(U√ν)   of the pressure: noise of η|f − w| in every step, damped by ν
//
// with the relative rounding errors ε of arithmetic and η of stored populations.
// (Measured with rounding to the nearest, 0.1; dither has √2 times its deviation,
// and no bias, which would act on the stress.)
func roundingOf(p *setup.Problem) Judged {
	arithmetic, stored := roundingErrors(p.Precision())
	u := p.Units
	return *judged(0.3*arithmetic/(u.Velocity*u.Velocity)+0.14*stored/(u.Velocity*math.Sqrt(u.Nu)), pressureLimits)
}

// roundingErrors are the relative errors of rounding in arithmetic and, beyond that, of
// populations that are stored.
func roundingErrors(in setup.Precision) (arithmetic, stored float64) {
	arithmetic = 0x1p-53
	if in.Single {
		arithmetic = 0x1p-24
	}
	if in.Store == "f16" {
		stored = 0x1p-12
	}
	return arithmetic, stored
}

// steadinessOf judges the |∂u/∂t|, in U²/L, at which the run is to stop: rounding
// changes velocities too. In cavities of 32 and 64 nodes it did so by 10 ε/Δt in
// f32 and 3 η/Δt in f32/f16. It is nil where the run does not stop so.
func steadinessOf(p *setup.Problem) *Judged {
	bound := p.Case.Run.StopSteady
	if bound == 0 {
		return nil
	}
	arithmetic, stored := roundingErrors(p.Precision())
	return judged(bound, limits{
		Caution: (10*arithmetic + 3*stored) / p.Units.Dt, unsafe: none, least: true,
		why: "below %.1g, by which rounding in " + p.Case.Fluid.Precision + " changes velocities: it may never be reached; raise it or the precision",
	})
}

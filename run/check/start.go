package check

import (
	"fmt"
	"math"

	"lbmib/internal/finite"
	"lbmib/io/casefile"
	"lbmib/run/setup"
)

// startLimits are bounds on the relative density of the sound that a start sends out: a face
// that lets through another mean velocity than the flow beside it has changes density by Δu·Ma.
var startLimits = limits{Caution: 0.05, unsafe: none, why: "above %g: a face's velocity at t = 0 is not that of the initial state beside it, and sound as strong as that runs through the domain; begin with ramp beside domain.initial = { type = \"rest\" }, or with the full velocity beside a stream"}

// mostRamped is the bound on the relative density that speeds up a stream: it is no sound, and goes when the ramp is over.
const mostRamped = 0.1

// rampLimits are those on a start that is too short for the length of the domain.
func rampLimits(ramp float64) limits {
	return limits{Caution: mostRamped, unsafe: none, why: fmt.Sprintf("above %%g: to accelerate a stream from rest within the ramp takes that difference of density, and of pressure, over the domain's length; make the ramp %.2g L/U or longer", ramp)}
}

// startOf judges the change of density at the start, as a part of it: in the first step, or by the pressure that speeds the stream up over a ramp.
// Nil without a face that prescribes the velocity, or where the initial state comes from a file.
func startOf(c *casefile.Case) *Judged {
	in := &c.Domain.Initial
	mean, below := 1., 0. // of the initial velocity over a face, in parts of the given one, and of that at the bottom
	switch in.Type {
	case "file":
		return nil
	case "poiseuille":
		mean = 2. / 3
	case "couette":
		mean, below = 1./2, 1./2
	}
	mach := c.Units().Mach
	most, ramped, longer, some := 0., 0., 0., false
	for i := range 2 * c.Domain.Dim {
		f := &c.Domain.Boundary[i]
		if f.Type != "velocity" {
			continue
		}
		some = true
		through := c.Domain.Through(i) * float64(1-i%2*2)
		most = math.Max(most, math.Abs(through*f.At(0)-mean*in.Velocity[i/2]-below*in.Bottom[i/2]))
		if f.Ramp > 0 && in.Type == "rest" { // the column between the faces, sped up by πU/2 over the ramp: Δp = ρ L dU/dt, but not more than sound brings that goes one way
			column := c.Domain.Size[i/2] * math.Pi / 2 * math.Abs(through) * mach * mach
			if jump := math.Min(math.Abs(through)*mach, column/f.Ramp); jump > ramped {
				ramped, longer = jump, column/mostRamped
			}
		}
	}
	switch {
	case !some:
		return nil
	case ramped > mostRamped && ramped > most*mach:
		return judged(ramped, rampLimits(roundUp(longer)))
	}
	return judged(most*mach, startLimits)
}

// releaseOf judges the change of density that a body makes which is released in a flow: it moves otherwise than the flow beside it, and no soft start is made for
// bodies that move freely. Nil of other bodies, and where the initial state comes from a file.
func releaseOf(p *setup.Problem, i int) *Judged {
	if p.Case.Bodies[i].Motion.Type != "free" || p.Case.Domain.Initial.Type == "file" {
		return nil
	}
	return judged(p.Jump(i)*p.Units.Mach, limits{Caution: startLimits.Caution, unsafe: none,
		why: "above %g: its surface does not move as the initial state around it does, and bodies that move freely have no soft start: sound as strong as that runs through the domain; begin with ramp at the inflow beside domain.initial = { type = \"rest\" }"})
}

// startCause is what makes the density jump at the start, in words, and by how much; empty: nothing does.
func startCause(p *setup.Problem) (text string, jump float64) {
	take := func(what string, j *Judged) {
		if j != nil && severity[j.Verdict] > severity[OK] && float64(j.Value) > jump {
			text, jump = what+": "+j.Reason, float64(j.Value)
		}
	}
	take("the initial state is not the stream of the faces", startOf(p.Case))
	for i, b := range p.Case.Bodies {
		take(fmt.Sprintf("body %q is released in a stream", b.Name), releaseOf(p, i))
	}
	return text, jump
}

// CompressionText tells why density departed so far from its mean, and the Mach number became so large, where that is more than the case leads to expect.
func CompressionText(p *setup.Problem, mach, deviation float64) []string {
	const most = 2 // times as much as was estimated
	fast := fmt.Sprintf("the Mach number reached %.2g at the fastest node", mach)
	remedy := ": errors grow as Ma²: lower reference.velocity"
	if cause, jump := startCause(p); jump > 0 && deviation < most*jump {
		return []string{fast + remedy, fmt.Sprintf("density departed from its mean by up to %.2g %%, at the start, which makes about %.2g %% (%s)", 100*deviation, 100*jump, cause)}
	}
	return []string{fmt.Sprintf("%s, and density departed from its mean by up to %.2g %%%s", fast, 100*deviation, remedy)}
}

// softStartOf judges run.soft_start where the case gives one beside the motion of body i: nil where it is not too long.
func softStartOf(p *setup.Problem, i int) *Judged {
	const slack = 1.1 // looks at the motion are apart
	given := p.Case.Run.SoftStart
	if given == casefile.AutoSoftStart || given == 0 {
		return nil
	}
	limit := p.StartLimit(i)
	if given <= slack*limit {
		return nil
	}
	return &Judged{finite.Number(given), Caution, fmt.Sprintf(
		"longer than %.2g L/U, in which this motion changes by half: until the start is over the surface does not move as bodies.csv tells, and the forces, an added mass among them, are those of another motion; leave run.soft_start out, or begin statistics after it",
		limit)}
}
